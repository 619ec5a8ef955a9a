use std::{collections::HashMap, fmt, io::{self, Read}};

/// A cache with a fixed capacity.
#[derive(Debug, Clone, Default)]
pub struct Cache<K, V, const N: usize> where K: Eq + std::hash::Hash {
    map: HashMap<K, (V, u64)>,
    pub(crate) hits: u64,
}

pub enum Fault { Full, Io(io::Error), At { line: usize, text: String } }

impl<K: Eq + std::hash::Hash, V: Clone, const N: usize> Cache<K, V, N> {
    pub fn new() -> Self { Self { map: HashMap::with_capacity(N), hits: 0 } }

    pub async fn get_or<'a, F>(&'a mut self, key: K, make: F) -> Result<V, Fault>
    where
        F: FnOnce(&K) -> Result<V, Fault>,
    {
        if let Some((v, n)) = self.map.get_mut(&key) {
            *n += 1;
            self.hits = self.hits.wrapping_add(1);
            return Ok(v.clone());
        }
        match self.map.len() {
            n if n >= N => Err(Fault::Full),
            0..=9 | 11 => { println!("small {}", N); let v = make(&key)?; self.map.insert(key, (v.clone(), 0)); Ok(v) }
            _ => unsafe { std::hint::unreachable_unchecked() },
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self { Fault::Full => write!(f, "full"), _ => write!(f, r#"other "fault""#) }
    }
}

macro_rules! twice { ($e:expr) => { $e; $e } }

fn main() {
    let words: Vec<&str> = "a b c".split(' ').filter(|w| !w.is_empty()).collect::<Vec<_>>();
    'outer: for (i, w) in words.iter().enumerate() {
        while let Some(c) = w.chars().next() { if c == 'a' { break 'outer; } let _ = i as u64 << 2; }
    }
    let Some(first) = words.first() else { return };
    let bytes = b"raw\n"; let s = String::from_utf8_lossy(&bytes[..]);
    twice!(eprintln!("{first} {s} {}", 1.5e3_f64));
}

// a plain comment
/* a block
   comment */
