# Further ways in assembly: distances in tables, a jump into an instruction, returns and calls to computed places.
    .intel_syntax noprefix
    .macro function name
    .globl \name
    .type \name, @function
\name:
    .endm
    .macro kernel name
    function \name
    vpaddd ymm2, ymm1, ymm0
    lea eax, [rdi + 2]
    ret
    .size \name, . - \name
    .endm
    .text
    kernel leak_distance
    kernel leak_distance_from_code
    kernel leak_pushed
    kernel leak_popped
    kernel safe_compared
    function other
    mov eax, edi
    ret
    .size other, . - other
    function by_distance
    mov ecx, edi
    and ecx, 1
    lea rax, distances[rip]
    movsxd rcx, dword ptr [rax + rcx * 4]
    add rax, rcx
    jmp rax
    .size by_distance, . - by_distance
    function by_code_distance
    mov ecx, edi
    and ecx, 1
    lea rax, code_distances[rip]
    movsxd rcx, dword ptr [rax + rcx * 4]
    lea rax, other[rip]
    add rax, rcx
    jmp rax
    .size by_code_distance, . - by_code_distance
    function by_return
    lea rax, leak_pushed[rip]
    push rax
    ret
    .size by_return, . - by_return
    function leak_inside_immediate
    test edi, edi
    je 1f + 1
1:  mov eax, 0xc2fef5c5
    nop
    mov eax, edi
    ret
    .size leak_inside_immediate, . - leak_inside_immediate
    function leak_unrolled
    push rbx
    mov eax, 7
    xor ecx, ecx
    cpuid
    test ebx, 32
    pop rbx
    jne 2f
    mov eax, edi
    and eax, 1
    lea rdx, 3f[rip]
    lea rdx, [rdx + rax * 4]
    jmp rdx
3:  nop
    nop
    nop
    ret
2:  vpaddd ymm2, ymm1, ymm0
    mov eax, edi
    ret
    .size leak_unrolled, . - leak_unrolled
    function by_pop
    call 1f
    mov eax, edi
    ret
1:  pop rax
    lea rax, leak_popped[rip]
    xchg [rsp - 8], rax
    jmp [rsp - 8]
    .size by_pop, . - by_pop
    function leak_flags_of_another
    push rbx
    mov eax, 7
    xor ecx, ecx
    cpuid
    test ebx, 32
    pop rbx
    mov ecx, edi
    dec ecx
    jns 1f
    je 1f
    vpaddd ymm2, ymm1, ymm0
1:  mov eax, edi
    ret
    .size leak_flags_of_another, . - leak_flags_of_another
    function leak_string_store
    sub rsp, 40
    push rdi
    push rbx
    mov eax, 7
    xor ecx, ecx
    cpuid
    and ebx, 32
    mov [rsp + 24], ebx
    pop rbx
    mov rdi, rsp
    add rdi, 8
    mov eax, edi
    mov ecx, 4
    rep stosd
    pop rdi
    cmp dword ptr [rsp + 8], 0
    je 1f
    vpaddd ymm2, ymm1, ymm0
1:  add rsp, 40
    mov eax, edi
    ret
    .size leak_string_store, . - leak_string_store
    function compares
    push rbx
    mov eax, 7
    xor ecx, ecx
    cpuid
    shr ebx, 5
    and ebx, 1
    cmp ebx, 1
    pop rbx
    jb 1f
    call safe_compared
1:  mov eax, edi
    ret
    .size compares, . - compares
    function further_asm
    push rbx
    mov ebx, edi
    call by_distance
    mov edi, ebx
    call by_code_distance
    mov edi, ebx
    call by_return
    mov edi, ebx
    call leak_inside_immediate
    mov edi, ebx
    call leak_unrolled
    mov edi, ebx
    call by_pop
    mov edi, ebx
    call leak_flags_of_another
    mov edi, ebx
    call leak_string_store
    mov edi, ebx
    call compares
    mov eax, 7
    xor ecx, ecx
    push rbx
    cpuid
    test ebx, 32
    pop rbx
    je 1f
    call leak_distance
    call leak_distance_from_code
    call leak_pushed
    call leak_popped
1:  mov eax, ebx
    pop rbx
    ret
    .size further_asm, . - further_asm
    .section .rodata
    .p2align 2
distances:
    .long other - distances
    .long leak_distance - distances
code_distances:
    .long 0
    .long leak_distance_from_code - other
    .section .note.GNU-stack, "", @progbits
