// Further ways around a test, in C.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include "ways.h"
KERNEL(leak_offset_label) KERNEL(leak_signal) KERNEL(leak_constructor) KERNEL(leak_at_exit) KERNEL(leak_compared) KERNEL(leak_on_thread)
KERNEL(leak_bit_field) KERNEL(leak_wider_store) KERNEL(leak_memset) KERNEL(leak_vector_store) KERNEL(leak_stack_array) KERNEL(leak_alias_target)
KERNEL(leak_subleaf) KERNEL(leak_leaf_number) KERNEL(leak_system_only) KERNEL(leak_xored) KERNEL(leak_tagged) KERNEL(leak_asm_goto)
KERNEL(leak_argument) KERNEL(leak_name_of_library) KERNEL(leak_toggled) KERNEL(leak_union) KERNEL(leak_selected)
KERNEL(leak_packed) KERNEL(leak_unset) KERNEL(leak_stack_pointer) KERNEL(leak_state_store) KERNEL(leak_auxiliary) KERNEL(leak_init)
KERNEL(safe_unset) KERNEL(safe_argument) KERNEL(safe_bit_field) KERNEL(safe_stack) KERNEL(safe_dense) KERNEL(safe_library)
volatile int out;
__attribute__((cold)) NOINLINE void log_it(int x) { out = x; }
NOINLINE int plain(int x) { return x * 7; }
NOINLINE int offsets(const unsigned char *code, int x) {
    static const int to[] = {&&stop - &&stop, &&add - &&stop, &&wide - &&stop};
    if (x == 7 && has()) goto wide;
    goto *(&&stop + to[*code++]);
add: x += 3; goto *(&&stop + to[*code++]);
wide: x = leak_offset_label(x); goto *(&&stop + to[*code++]);
stop: return x;
}
static void on_signal(int x) { out = leak_signal(x); }
__attribute__((constructor)) static void early(void) { out = leak_constructor(1); }
static void late(void) { out = leak_at_exit(2); }
static int compare(const void *a, const void *b) { return leak_compared(*(const int *)a) - *(const int *)b; }
static void *run_thread(void *x) { out = leak_on_thread(*(int *)x); return 0; }
static struct { unsigned wide : 1, other : 1, third : 1; } fields;
NOINLINE int by_field(int x) {
    if (fields.wide) x = safe_bit_field(x);
    if (fields.other) x = leak_bit_field(x);
    return x;
}
static unsigned char parts[8];
NOINLINE void fill(int x) { parts[1] = has(); if (x > 3) { int y = x * 0x01010101; memcpy(parts, &y, 4); } }
NOINLINE int by_part(int x) { return parts[1] ? leak_wider_store(x) : x; }
static unsigned char whole[64];
NOINLINE int by_whole(int x) { whole[5] = has(); if (x > 4) memset(whole, x, sizeof whole); return whole[5] ? leak_memset(x) : x; }
static struct { long a, b; } pair;
NOINLINE void fill_pair(long a, long b) { pair.a = a; pair.b = b; }
NOINLINE int by_pair(int x) { return pair.b ? leak_vector_store(x) : x; }
NOINLINE int by_stack(int x, int n) {
    volatile int on[4] = {0}; on[1] = has(); on[n & 3] = x;
    return on[1] ? leak_stack_array(x) : x;
}
NOINLINE int by_own_stack(int x) { volatile int on = has(); out = x; return on ? safe_stack(x) : x; }
int other_name(int) __attribute__((alias("leak_alias_target")));
NOINLINE int leaves(int x) {
    unsigned a, b, c, d;
    __cpuid_count(7, 1, a, b, c, d);
    if (b & 1u << 5) x = leak_subleaf(x);
    __cpuid(0, a, b, c, d);
    if (a >= 7) x = leak_leaf_number(x);
    __cpuid(1, a, b, c, d);
    if (c & 1u << 27) { unsigned e, f; __asm__ volatile("xgetbv" : "=a"(e), "=d"(f) : "c"(0)); if ((e & 6) == 6) x = leak_system_only(x); }
    return x;
}
NOINLINE int xored(int x, unsigned long key) { volatile unsigned long p = (unsigned long)leak_xored ^ key; return ((int (*)(int))(p ^ key))(x); }
NOINLINE int tagged(int x, unsigned long tag) { volatile unsigned long p = (unsigned long)leak_tagged | (tag & 1) << 63; return ((int (*)(int))(p & ~(1ul << 63)))(x); }
NOINLINE int by_goto(int x) {
    __asm__ goto("test %0, %0; js %l1" :: "r"(x) : "cc" : wide);
    if (!has()) return x;
wide: return leak_asm_goto(x);
}
NOINLINE int with(int x, int wide) { return wide ? leak_argument(x) : x; }
NOINLINE int with_both(int x) { return with(x, has()) + with(x + 1, x > 6); }
static NOINLINE int only(int x) { return has() ? safe_argument(x) : x; }
unsigned OPENSSL_ia32cap_P[4];
NOINLINE void configure(int x) { OPENSSL_ia32cap_P[2] = x; }
NOINLINE int by_name(int x) { return OPENSSL_ia32cap_P[2] & 32 ? leak_name_of_library(x) : x; }
static int toggled; NOINLINE void toggle(void) { toggled ^= 1; }
NOINLINE int by_toggle(int x) { toggled = has(); if (x > 2) toggle(); return toggled ? leak_toggled(x) : x; }
static union { unsigned char bytes[4]; unsigned word; } both;
NOINLINE int by_union(int x) { both.word = has() ? 1u << 8 : 0; both.bytes[1] |= x > 3; return both.word & 0x100 ? leak_union(x) : x; }
NOINLINE int dense(int op, int x) {
    if (!has()) return x;
    switch (op) {
    case 0: x += 11; log_it(1); break;
    case 1: x *= 13; log_it(2); break;
    case 2: x ^= 0x55; log_it(3); break;
    case 3: x = safe_dense(x); break;
    case 4: x -= 5; log_it(4); break;
    case 5: x = x << 3; log_it(5); break;
    }
    return x;
}
typedef int (*kernel)(int);
NOINLINE kernel choose(int n) {
    switch (n) {
    case 0: return plain;
    case 1: return only;
    case 2: return leak_selected;
    case 3: return by_part;
    case 4: return by_field;
    case 5: return by_goto;
    }
    return plain;
}
struct __attribute__((packed)) { char tag; kernel run; } rows[] = {{1, plain}, {2, leak_packed}, {3, plain}};
NOINLINE int by_packed(int x) { return rows[x % 3].run(x); }
static int unset = -1;
NOINLINE void set_unset(void) { unset = has(); }
NOINLINE int by_unset(int x) { return unset ? leak_unset(x) : x; }
static int lazy = -1;
NOINLINE int by_lazy(int x) { if (lazy == -1) lazy = has(); return lazy ? safe_unset(x) : x; }
NOINLINE void through(volatile int *p, int x) { *p = x; }
NOINLINE int by_stack_pointer(int x, long n) {
    volatile int on[8] = {0};
    on[1] = has();
    through(&on[n + 4], x);
    return on[1] ? leak_stack_pointer(x) : x;
}
static union { _Alignas(64) unsigned char bytes[512]; struct { int before[100]; int on; } parts; } state;
NOINLINE int by_state(int x) {
    state.parts.on = has();
    if (x > 3) __asm__ volatile("fxsave %0" : "=m"(state));
    return state.parts.on ? leak_state_store(x) : x;
}
NOINLINE int by_auxiliary(int x) { return getauxval(AT_PAGESZ) & 4096 ? leak_auxiliary(x) : x; }
NOINLINE void by_init(void) { out = leak_init(1); }
int further_asm(int), further_cpp(int);
int main(int argc, char **argv) {
    pthread_t thread;
    int n = argc, xs[3] = {argc, 3, 2};
    signal(SIGUSR1, on_signal);
    atexit(late);
    qsort(xs, 3, sizeof *xs, compare);
    pthread_create(&thread, 0, run_thread, &n);
    pthread_join(thread, 0);
    fields.wide = has(); fields.other = n > 2; fields.third = n & 1;
    configure(n); fill(n); fill_pair(n, has()); fill_pair(has(), n);
    int s = offsets((void *)*argv, n) + by_field(n) + by_part(n) + by_whole(n) + by_pair(n) + by_stack(n, n) + other_name(n) + leaves(n);
    s += by_own_stack(n) + xored(n, **argv) + tagged(n, n) + by_goto(n) + with_both(n) + only(n) + by_name(n) + by_toggle(n) + by_union(n);
    s += dense(n, n) + choose(n)(n) + further_cpp(n) + further_asm(n);
    s += by_packed(n) + by_unset(n) + by_lazy(n) + by_stack_pointer(n, n) + by_state(n) + by_auxiliary(n);
    if (n > 2) set_unset();
    if (has()) { s += leak_packed(s); by_init(); }
    if (has()) s += leak_selected(s) + leak_xored(s) + leak_tagged(s) + safe_library(s) + leak_alias_target(s) + leak_constructor(s);
    return s;
}
