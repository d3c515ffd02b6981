#![allow(non_camel_case_types)]

pub struct guard;

pub struct Guard;

#[simd_core::dispatch(targets = "avx2")]
pub fn release(guard: guard) {}

#[simd_core::dispatch(targets = "avx2")]
pub fn release_as_usual(Guard: Guard) {}

fn main() {}
