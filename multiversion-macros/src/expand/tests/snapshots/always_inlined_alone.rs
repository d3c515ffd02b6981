#[inline(always)]
fn add(a: u32, b: u32) -> u32 {
    a.wrapping_add(b)
}
const _: () = {
    #[deprecated(
        note = "`inline(always)` makes this private function a part of its callers' clones, and so it has none: \
                remove `dispatch`, or `inline(always)` if callers without the attribute need the clones"
    )]
    const NO_CLONES: () = ();
    NO_CLONES
};
