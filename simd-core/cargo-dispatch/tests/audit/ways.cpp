// Handlers, destructors, virtual functions and initialisers.
#include "ways.h"
KERNEL(leak_handler) KERNEL(leak_destructor) KERNEL(leak_after_throw) KERNEL(leak_virtual) KERNEL(safe_virtual) KERNEL(leak_static)
KERNEL(leak_method) KERNEL(safe_thrower)
struct D { int x; ~D() { x = leak_destructor(x); } };
NOINLINE void check(int x) { if (x > 2) throw x; }
NOINLINE int handles(int x) {
    D d{x};
    try { check(x); if (has()) x = safe_thrower(x); return x; } catch (int y) { return leak_handler(y); }
}
NOINLINE int throws(int x) {
    try { check(x); if (has()) throw 'c'; return x; } catch (...) { return leak_after_throw(x); }
}
struct Base { virtual int run(int x) { return x; } };
struct Wide : Base { int run(int x) override { return safe_virtual(x); } };
struct Leak : Base { int run(int x) override { return leak_virtual(x); } };
struct M { int f(int x) { return leak_method(x); } int g(int x) { return x; } };
static int first = leak_static(3);
extern "C" int run_cpp(int x) {
    Leak l; Base b, *one = has() ? new Wide : new Base, *other = x > 1 ? &l : &b;
    int (M::*m)(int) = x > 2 ? &M::f : &M::g; M o;
    return handles(x) + throws(x) + one->run(x) + other->run(x) + (o.*m)(x) + first;
}
