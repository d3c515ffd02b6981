//! An analysis of one function asks here for what is outside of it.

use std::collections::HashMap;

use crate::image::Value;

/// The knowledge of the world around a function.
pub(crate) trait Oracle {
    /// The content of memory at an address, or in another file where its symbol stands.
    fn load(&self, _from: Value, _bytes: u64) -> Value {
        Value::Unknown
    }

    /// The value of a register that identifies the CPU, and those of `cpuid` in `eax`, `ebx`, `ecx` and `edx`.
    fn identify(&self, _leaf: Value, _part: Value) -> [Value; 4] {
        [Value::Unknown; 4]
    }

    /// The values that a call with this first argument returns, unless it never does.
    fn call(&self, _to: Value, _argument: Value) -> Option<[Value; 2]> {
        Some([Value::Unknown; 2])
    }
}

/// Of which nothing is known.
pub(crate) struct Unknown;

impl Oracle for Unknown {}

/// The registers that point into the stack, each with the offset from which on something else may point there too.
pub(crate) type Frame = HashMap<usize, i64>;
