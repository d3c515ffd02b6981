# A function, one that needs AVX2, and a test for it in the flags.
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
    .macro test_avx2
    push rbx
    mov eax, 7
    xor ecx, ecx
    cpuid
    test ebx, 32
    pop rbx
    .endm
