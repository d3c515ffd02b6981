// leak_*: can run on a CPU without AVX2. safe_*: cannot.
#include <cpuid.h>
#define NOINLINE __attribute__((noinline, noclone))
#define WIDE __asm__ volatile("vpaddd %%ymm0, %%ymm1, %%ymm2" ::: "xmm2")
#ifdef __cplusplus
#define KERNEL(name) extern "C" NOINLINE int name(int x) { WIDE; return x * 3 + (int)sizeof(#name); }
#else
#define KERNEL(name) NOINLINE int name(int x) { WIDE; return x * 3 + (int)sizeof(#name); }
#endif
static inline int has(void) { __builtin_cpu_init(); return __builtin_cpu_supports("avx2") != 0; }
