// Further ways in C++.
#include <algorithm>
#include <functional>
#include <mutex>
#include <typeinfo>
#include "ways.h"
KERNEL(leak_thunk) KERNEL(leak_lambda) KERNEL(leak_sorted) KERNEL(leak_once) KERNEL(leak_local_static) KERNEL(leak_cleanup) KERNEL(leak_array_new)
KERNEL(safe_local_static) KERNEL(safe_once) KERNEL(leak_cast) KERNEL(leak_wrong_type)
struct A { virtual int a(int x) { return x; } virtual ~A() {} };
struct B { virtual int b(int x) { return x; } virtual ~B() {} int y = 2; };
struct C : A, B { int b(int x) override { return leak_thunk(x) + y; } };
NOINLINE int call_b(B *b, int x) { return b->b(x); }
NOINLINE int local(int x) { static const bool on = has(); static int seed = leak_local_static(x); return on ? safe_local_static(seed) : seed; }
static std::once_flag flag; static bool on, wrong;
struct E { int x; E() : x(leak_array_new(1)) {} };
struct F { int x; ~F() { if (!has()) x = leak_cleanup(x); } };
NOINLINE int thrower(int x) { if (x > 3) throw x; return x; }
NOINLINE int cleans(int x) { F f{x}; return thrower(x) + f.x; }
struct P { virtual ~P() {} }; struct Q : P { int x = 1; };
NOINLINE int casts(P *p, int x) { if (auto *q = dynamic_cast<Q *>(p)) return leak_cast(q->x); return x; }
NOINLINE int typed(P *p, int x) { return typeid(*p) == typeid(Q) ? leak_wrong_type(x) : x; }
extern "C" NOINLINE int leak_beside_data(int x) {
    if (x > 9) __asm__ volatile("jmp 1f\n.byte 6\n1:");
    try { return thrower(x); } catch (int y) { WIDE; return y; }
}
extern "C" int further_cpp(int x) {
    C c; int xs[4] = {x, 2, 3, 1};
    std::sort(xs, xs + 4, [](int a, int b) { return leak_sorted(a) < b; });
    std::function<int(int)> f = [x](int y) { return leak_lambda(y) + x; };
    std::call_once(flag, [x] { on = has(); wrong = x > 2; });
    int s = call_b(&c, x) + local(x) + f(x) + (on ? safe_once(x) : 0) + (wrong ? leak_once(x) : 0);
    E *e = new E[x & 7]; s += e->x; delete[] e;
    P p; Q q; s += casts(x > 1 ? &p : &q, x) + typed(x > 2 ? &p : &q, x);
    s += leak_beside_data(x);
    try { s += cleans(x); } catch (int y) { s += y; }
    return s;
}
