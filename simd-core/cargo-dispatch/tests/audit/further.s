# Further ways in assembly: distances in tables, a jump into an instruction, returns and calls to computed places.
    .include "macros.s"
    .macro detect
    push rbx
    mov eax, 7
    xor ecx, ecx
    cpuid
    and ebx, 32
    mov eax, ebx
    pop rbx
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
    test_avx2
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
    test_avx2
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
    kernel leak_after_hole
    function after_branch
1:  dec edi
    jns 1b
    .size after_branch, . - after_branch
    kernel leak_after_branch
    function leak_shift_by_zero
    detect
    mov ecx, eax
    shr ecx, 5
    mov eax, 0
    cmp edi, 5
    shl eax, cl
    je 1f
    vpaddd ymm2, ymm1, ymm0
1:  mov eax, edi
    ret
    .size leak_shift_by_zero, . - leak_shift_by_zero
    function leak_after_trap
    detect
    test eax, eax
    je 1f
    call other
    mov eax, edi
    ret
1:  int3
    vpaddd ymm2, ymm1, ymm0
    mov eax, edi
    ret
    .size leak_after_trap, . - leak_after_trap
    function leak_bit_string
    detect
    lea rdx, bits[rip]
    mov dword ptr bits[rip], eax
    mov ecx, 37
    bt dword ptr bits[rip], ecx
    jnc 1f
    vpaddd ymm2, ymm1, ymm0
1:  mov eax, edi
    ret
    .size leak_bit_string, . - leak_bit_string
    function set_bits
    mov dword ptr bits[rip + 4], edi
    ret
    .size set_bits, . - set_bits
    function by_hole
    mov ecx, edi
    and ecx, 3
    lea rax, holes[rip]
    movsxd rcx, dword ptr [rax + rcx * 4]
    add rax, rcx
    jmp rax
    .size by_hole, . - by_hole
    function leak_hidden
    test edi, edi
    je 1f + 1
    mov eax, edi
    ret
1:  .byte 0xb8      # of which the number is code
    vpaddd ymm2, ymm1, ymm0
    ret
    .byte 6, 6
    .size leak_hidden, . - leak_hidden
    function leak_added_stack
    detect
    sub rsp, 24
    mov dword ptr [rsp + 8], eax
    movsxd rax, edi
    add rax, rsp
    mov dword ptr [rax], edi
    cmp dword ptr [rsp + 8], 0
    je 1f
    vpaddd ymm2, ymm1, ymm0
1:  mov eax, edi
    add rsp, 24
    ret
    .size leak_added_stack, . - leak_added_stack
    function further_asm
    push rbx
    mov ebx, edi
    call by_distance
    mov edi, ebx
    call after_branch
    mov edi, ebx
    call leak_shift_by_zero
    mov edi, ebx
    call leak_after_trap
    mov edi, ebx
    call set_bits
    mov edi, ebx
    call leak_bit_string
    mov edi, ebx
    call by_hole
    mov edi, ebx
    call leak_hidden
    mov edi, ebx
    call leak_added_stack
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
    call leak_after_hole
    call leak_after_branch
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
holes:
    .long other - holes
    .long 0
    .long leak_after_hole - holes
    .data
    .p2align 3
bits: .long 0, 0
    .section .note.GNU-stack, "", @progbits
