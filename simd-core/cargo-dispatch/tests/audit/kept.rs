// A crate that keeps in a struct what it has detected, and a program that uses it.
#![allow(unexpected_cfgs)]

#[cfg(program)]
fn main() {
    let mut hasher = std::hint::black_box(kept::Hasher::new());
    hasher.update();
    #[cfg(direct)]
    unsafe {
        kept::blake3_wide(&mut 1)
    }
    println!("{}", hasher.state);
}

#[cfg(not(program))]
mod library {
    enum Platform {
        Portable,
        Wide,
    }

    pub struct Hasher {
        platform: Platform,
        pub state: u64,
    }

    impl Hasher {
        #[inline(never)]
        #[allow(clippy::new_without_default)]
        pub fn new() -> Self {
            let wide = std::arch::is_x86_feature_detected!("avx2");
            Self { platform: if wide { Platform::Wide } else { Platform::Portable }, state: 1 }
        }

        #[inline(never)]
        pub fn update(&mut self) {
            match self.platform {
                Platform::Portable => self.state = self.state.wrapping_mul(5),
                Platform::Wide => unsafe { blake3_wide(&mut self.state) },
            }
        }
    }

    #[inline(never)]
    #[unsafe(no_mangle)]
    #[target_feature(enable = "avx2")]
    pub unsafe extern "C" fn blake3_wide(x: &mut u64) {
        unsafe { std::arch::asm!("vpaddd ymm0, ymm1, ymm2", out("xmm0") _) }
        *x = x.wrapping_mul(3);
    }
}
#[cfg(not(program))]
pub use library::*;
