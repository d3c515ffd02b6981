//! Where the one mistake is in a share that somebody has typed.
//!
//! The check value has 64 bits. So if a share has the right one after one change, that change undoes the mistake.
use std::vec::Vec;

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::cursor::Place;
use crate::share_files::binary::{Header, hash_of};
use crate::share_files::error::Mistake;

pub(super) const CHECK: usize = 8;

/// Shares with more values are not searched: it takes the square of that in time.
const LONGEST: usize = 256;

/// The digits of a share and their places, unless there are too many.
#[derive(Default)]
pub(super) struct Typed {
    digits: Zeroizing<Vec<u8>>,
    places: Vec<Place>,
}

impl Typed {
    pub(super) fn new() -> Self {
        Self { digits: Zeroizing::new(Vec::with_capacity(2 * LONGEST + 2)), places: Vec::new() }
    }

    pub(super) fn place(&mut self, place: Place) {
        if self.places.len() <= 2 * LONGEST {
            self.places.push(place);
        }
    }

    pub(super) fn digits(&mut self, digits: &[u8]) {
        let room = (2 * LONGEST + 1).saturating_sub(self.digits.len());
        self.digits.extend_from_slice(&digits[..digits.len().min(room)]);
    }

    /// The mistake, if it is one and the check value shows where. `head` has the places of the threshold, the digits of the set and
    /// the point; `check` is as it was typed.
    pub(super) fn find(&self, header: Header, head: &Head, check: [u8; CHECK]) -> Option<(Place, Mistake)> {
        let count = self.digits.len();
        if count > 2 * LONGEST {
            return None;
        }
        let mut value = Zeroizing::new(Vec::with_capacity(count + 1));
        let is_right = |hash: Sha256| hash.finalize()[..CHECK] == check;
        let nibble = |digit: u8| (digit & 15) + 9 * (digit >> 6);
        value.extend(self.digits.iter().map(|digit| nibble(*digit)));
        // The hash of digits, behind one of as many as come before.
        let with = |mut hash: Sha256, digits: &[u8]| {
            digits.chunks_exact(2).for_each(|two| hash.update([two[0] << 4 | two[1]]));
            hash
        };
        let found = in_head(header, head, |header| is_right(with(hash_of(header), &value)));
        if count.is_multiple_of(2) && found.is_some() {
            return found;
        }
        let mut before = hash_of(&header);
        for i in 0..=count {
            // From the byte on that the digit is in.
            let start = i / 2 * 2;
            let mut rest = Zeroizing::new(Vec::with_capacity(count + 2 - start));
            let mut try_with = |change: &dyn Fn(&mut Vec<u8>)| {
                rest.clear();
                rest.extend_from_slice(&value[start..]);
                change(&mut rest);
                rest.len().is_multiple_of(2) && is_right(with(before.clone(), &rest))
            };
            let at = i - start;
            let mistake = if count.is_multiple_of(2) {
                if i < count && (1..16).any(|other| try_with(&|rest| rest[at] ^= other)) {
                    Some(Mistake::Other)
                } else {
                    (i + 1 < count && try_with(&|rest| rest.swap(at, at + 1))).then_some(Mistake::Exchanged)
                }
            } else if i < count && try_with(&|rest| _ = rest.remove(at)) {
                Some(Mistake::Extra)
            } else {
                (0..16).any(|digit| try_with(&|rest| rest.insert(at, digit))).then_some(Mistake::Missing)
            };
            if let Some(mistake) = mistake {
                let last = self.places.last().map_or(head.point, |(line, column)| (*line, column + 1));
                return Some((self.places.get(i).copied().unwrap_or(last), mistake));
            }
            if i % 2 == 1 && i < count {
                before = with(before, &value[start..=i]);
            }
        }
        None
    }
}

/// The mistake, if it is before the values.
fn in_head(header: Header, head: &Head, is_right: impl Fn(&Header) -> bool) -> Option<(Place, Mistake)> {
    let with = |change: &dyn Fn(&mut Header)| {
        let mut other = header;
        change(&mut other);
        other.check().is_ok() && is_right(&other)
    };
    if (1..=255).any(|x| with(&|header| header.x = x)) {
        return Some((head.point, Mistake::Other));
    }
    if (1..=255).any(|threshold| with(&|header| header.set.threshold = threshold)) {
        return Some((head.threshold, Mistake::Other));
    }
    let digit = |id: &[u8; 16], i: usize| id[i / 2] >> (4 * (1 - i % 2)) & 15;
    for (i, place) in head.set.iter().enumerate().take(32) {
        let change = |id: &mut [u8; 16], i: usize, mask: u8| id[i / 2] ^= mask << (4 * (1 - i % 2));
        if (1..16).any(|mask| with(&|header| change(&mut header.set.id, i, mask))) {
            return Some((*place, Mistake::Other));
        }
        let exchange = |header: &mut Header| {
            let mask = digit(&header.set.id, i) ^ digit(&header.set.id, i + 1);
            change(&mut header.set.id, i, mask);
            change(&mut header.set.id, i + 1, mask);
        };
        if i < 31 && with(&exchange) {
            return Some((*place, Mistake::Exchanged));
        }
    }
    None
}

/// The mistake in a check value that is not the right one, if it is one.
pub(super) fn find_in_check(check: [u8; CHECK], right: [u8; CHECK], places: &[Place]) -> Option<(Place, Mistake)> {
    let digits = |bytes: [u8; CHECK]| bytes.into_iter().flat_map(|byte| [byte >> 4, byte & 15]).collect::<Vec<u8>>();
    let (typed, right) = (digits(check), digits(right));
    let wrong: Vec<usize> = (0..2 * CHECK).filter(|i| typed[*i] != right[*i]).collect();
    match wrong[..] {
        [i] => Some((places[i], Mistake::Other)),
        [i, j] if i + 1 == j && typed[i] == right[j] && typed[j] == right[i] => Some((places[i], Mistake::Exchanged)),
        _ => None,
    }
}

/// Where the parts are that are before the values.
#[derive(Default)]
pub(super) struct Head {
    pub(super) threshold: Place,
    pub(super) set: Vec<Place>,
    pub(super) point: Place,
}
