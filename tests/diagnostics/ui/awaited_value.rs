async fn text() -> String {
    String::new()
}

#[simd_core::dispatch(targets = "avx2 | sve2")]
async fn number() -> u32 {
    let number: u32 = text().await;
    number
}

fn main() {
    drop(number());
}
