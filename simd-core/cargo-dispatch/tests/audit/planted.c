// As `planted.rs`, in C: compilers' own detection, `cpuid` and `getauxval` by hand.
#if defined(__x86_64__)
#include <cpuid.h>
#define WIDE __asm__ volatile("vpaddd %%ymm0, %%ymm1, %%ymm2" ::: "xmm2")
#define DETECTED __builtin_cpu_supports("avx2")
static int asked(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 5 & 1;
}
#else
#include <sys/auxv.h>
#define WIDE __asm__ volatile(".inst 0x4e82a420" ::: "v0") // smmla v0.4s, v1.16b, v2.16b
#define DETECTED (getauxval(26) >> 13 & 1)
static int asked(void) { return getauxval(26) >> 13 & 1; }
#endif
#define KERNEL(name, by) \
    __attribute__((noinline)) static unsigned long long name(unsigned long long x) { WIDE; return x * 3 ^ by; }
typedef unsigned long long (*kernel)(unsigned long long);
KERNEL(safe_c_if, 101)
KERNEL(safe_c_asked, 102)
KERNEL(safe_c_flag, 103)
KERNEL(safe_c_pointer, 104)
KERNEL(leak_c_call, 151)
KERNEL(leak_c_else, 152)
KERNEL(leak_c_flag, 153)
KERNEL(leak_c_pointer, 154)
static int has = -1, always;
static kernel chosen, wrong;
__attribute__((noinline)) static unsigned long long flags(unsigned long long x) {
    if (has < 0) has = asked();
    if (has) x = safe_c_flag(x);
    if (always) x = leak_c_flag(x);
    return x;
}
unsigned long long run_c(unsigned long long x) {
    if (DETECTED) x = safe_c_if(x); else x = leak_c_else(x);
    if (asked()) x = safe_c_asked(x);
    x = flags(leak_c_call(x));
    always = x > 7 || asked();
    chosen = asked() ? safe_c_pointer : 0;
    wrong = x > 5 ? leak_c_pointer : 0;
    if (chosen) x = chosen(x);
    return wrong ? wrong(x) : x;
}
