#[inline(always)]
fn add(a: u32, b: u32) -> u32 {
    const _: () = {
        #[deprecated(
            note = "this private function is inlined into its callers' clones, because of `inline(always)`, and has no clones of its own: remove `dispatch`; or remove `inline(always)`, if callers without the attribute need the clones"
        )]
        const WITHOUT_CLONES: () = ();
        WITHOUT_CLONES
    };
    a.wrapping_add(b)
}
