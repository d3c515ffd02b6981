# Ways into the middle of functions: a jump, an address in a table, and the end of the function before.
    .include "macros.s"
    .text
    kernel leak_jump
    kernel leak_table
    function asm_guarded
    mov eax, 7
    xor ecx, ecx
    push rbx
    cpuid
    test ebx, 32
    pop rbx
    je 2f
1:  call leak_jump
2:  mov eax, edi
    ret
3:  call leak_table
    ret
    .size asm_guarded, . - asm_guarded
    function asm_jumps
    test edi, edi
    jne 1b
    ret
    .size asm_jumps, . - asm_jumps
    function asm_computed
    lea rax, table[rip]
    jmp [rax]
    .size asm_computed, . - asm_computed
    function leak_fall_through
    vpaddd ymm2, ymm1, ymm0
    ret
    .size leak_fall_through, . - leak_fall_through
    .section .data.rel, "aw"
table:
    .quad 3b
    .section .note.GNU-stack, "", @progbits
