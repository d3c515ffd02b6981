// Ways into tested code that are not those of the test, and tests that show something else.
#include "ways.h"
KERNEL(leak_after_cold) KERNEL(safe_after_cold) KERNEL(leak_case) KERNEL(safe_case) KERNEL(leak_goto) KERNEL(leak_label)
KERNEL(leak_hypervisor) KERNEL(leak_avx) KERNEL(leak_leaf) KERNEL(leak_supports) KERNEL(leak_make) KERNEL(leak_flag)
KERNEL(leak_member) KERNEL(safe_bit) KERNEL(safe_supports)
int leak_named(int x) __asm__("__total__avx2");
NOINLINE int leak_named(int x) { WIDE; return x + 4; }
volatile int sink;
__attribute__((cold)) NOINLINE void warn(int x) { sink = x; }
NOINLINE int cold(int x) {
    if (!has()) warn(x);
    return leak_after_cold(x) + 1;
}
NOINLINE int warm(int x) {
    if (!has()) return x;
    if (__builtin_expect(x > 5, 0)) warn(x);
    return safe_after_cold(x) + 1;
}
NOINLINE int cases(int op, int x) {
    if (x > 100 && has()) goto wide;
    switch (op) {
    case 0: x += 11; warn(1); break;
    case 1: x *= 13; warn(2); break;
    case 2: x ^= 0x55; warn(3); break;
    case 3: wide: x = leak_case(x); break;
    case 4: x -= 5; warn(4); break;
    case 5: x = x << 3; warn(5); break;
    }
    return x;
}
NOINLINE int tested_cases(int op, int x) {
    if (has()) x = safe_case(x);
    switch (op) {
    case 0: x += 11; warn(1); break;
    case 1: x *= 13; warn(2); break;
    case 2: x ^= 0x55; warn(3); break;
    case 3: x -= 5; warn(4); break;
    case 4: x = x << 3; warn(5); break;
    }
    return x;
}
NOINLINE int threaded(const unsigned char *code, int x) {
    static const void *const to[] = {&&stop, &&add, &&wide};
    if (x == 7 && has()) goto wide;
    goto *to[*code++];
add: x += 3; goto *to[*code++];
wide: x = leak_goto(x); goto *to[*code++];
stop: return x;
}
NOINLINE int labelled(int x, void **keep) {
    if (!*keep) { *keep = &&wide; return x; }
    if (has()) goto wide;
    goto **keep;
wide: return leak_label(x) + 2;
}
NOINLINE int bits(int x, unsigned leaf) {
    unsigned a, b, c, d;
    __cpuid_count(7, 0, a, b, c, d);
    if (b & 1u << 5) x = safe_bit(x);
    __cpuid(1, a, b, c, d);
    if (c & 1u << 31) x = leak_hypervisor(x);
    if (c & 1u << 28) x = leak_avx(x);
    __cpuid_count(leaf, 0, a, b, c, d);
    if (b & 1u << 5) x = leak_leaf(x);
    return x;
}
NOINLINE int model(int x) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) x = safe_supports(x);
    if (__builtin_cpu_supports("sse4.2")) x = leak_supports(x);
    if (__builtin_cpu_is("intel")) x = leak_make(x);
    return x;
}
static unsigned char flags[8];
NOINLINE void set(unsigned n, int to) { flags[n] = to; }
NOINLINE int flagged(int x) { return flags[0] ? leak_flag(x) : x; }
struct op { const char *name; int (*run)(int); };
__attribute__((used, section("kernels"))) struct op plain = {"plain", 0}, wide = {"wide", leak_member};
extern struct op __start_kernels[], __stop_kernels[];
NOINLINE int members(const char *name, int x) {
    for (struct op *o = __start_kernels; o < __stop_kernels; o++) if (*o->name == *name && o->run) x += o->run(x);
    return x;
}
int asm_guarded(int), asm_jumps(int), asm_computed(int), run_cpp(int);
int main(int argc, char **argv) {
    void *keep = 0;
    flags[0] = has();
    set(argc - 1, 1);
    int s = cold(argc) + warm(argc) + cases(argc, **argv) + tested_cases(argc, **argv) + threaded((void *)*argv, argc);
    s += labelled(argc, &keep) + labelled(argc, &keep) + bits(argc, argc) + model(argc) + flagged(argc) + members(*argv, argc);
    if (has()) s += wide.run(s) + asm_guarded(s);
    return s + leak_named(s) + asm_jumps(s) + asm_computed(s) + run_cpp(s);
}
