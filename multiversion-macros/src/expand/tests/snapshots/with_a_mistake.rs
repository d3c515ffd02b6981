fn f() {
    g()
}
::core::compile_error! {
    "unknown target feature `avx22`\nhelp: did you mean `avx2`?"
}
