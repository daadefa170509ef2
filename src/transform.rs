//! Input bytes → message bytes, for the modes that change them. Each is a state machine that carries over from one buffer to the next.

/// Makes line feeds of carriage returns, alone or with a line feed behind them (Perl's universal newlines).
#[derive(Debug, Default)]
pub struct Universal {
    /// The last byte was a carriage return, whose line feed is not yet written.
    pending: bool,
}

impl Universal {
    /// Passes the message's part that `data` completes to `sink`.
    pub fn apply(&mut self, data: &[u8], sink: &mut dyn FnMut(&[u8])) {
        let mut rest = data;
        while let Some(&first) = rest.first() {
            if self.pending {
                self.pending = false;
                sink(b"\n");
                if first == b'\n' {
                    rest = &rest[1..];
                    continue;
                }
            }
            let end = rest.iter().position(|&byte| byte == b'\r');
            let (line, after) = rest.split_at(end.unwrap_or(rest.len()));
            if !line.is_empty() {
                sink(line);
            }
            self.pending = end.is_some();
            rest = after.get(1..).unwrap_or_default();
        }
    }

    /// Passes what the end of the input completes to `sink`.
    pub fn finish(self, sink: &mut dyn FnMut(&[u8])) {
        if self.pending {
            sink(b"\n");
        }
    }
}

/// Takes the characters `0` and `1` as the message's bits, the first the highest of its byte, and skips all else (Perl's bits mode).
#[derive(Debug, Default)]
pub struct Bits {
    byte: u8,
    count: u32,
}

/// Whole bytes of bits handed on at once.
const BITS_CHUNK: usize = 4096;

impl Bits {
    /// Passes the bytes that `data` completes to `sink`.
    pub fn apply(&mut self, data: &[u8], sink: &mut dyn FnMut(&[u8])) {
        for part in data.chunks(8 * BITS_CHUNK) {
            let mut bytes = Vec::with_capacity(BITS_CHUNK);
            for bit in part.iter().filter(|byte| matches!(byte, b'0' | b'1')) {
                self.byte = self.byte << 1 | (bit & 1);
                self.count += 1;
                if self.count == 8 {
                    bytes.push(self.byte);
                    (self.byte, self.count) = (0, 0);
                }
            }
            sink(&bytes);
        }
    }

    /// The bits after the last whole byte, in the lowest places, and how many they are (0 to 7).
    pub fn finish(self) -> (u8, u32) {
        (self.byte, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn universal(parts: &[&[u8]]) -> Vec<u8> {
        let mut message = Vec::new();
        let mut transform = Universal::default();
        parts.iter().for_each(|part| transform.apply(part, &mut |bytes| message.extend_from_slice(bytes)));
        transform.finish(&mut |bytes| message.extend_from_slice(bytes));
        message
    }

    #[test]
    fn every_line_end_becomes_a_line_feed_wherever_the_buffers_part() {
        let input = b"a\r\nb\rc\n\r\r\n\n\rd\r";
        let wanted = b"a\nb\nc\n\n\n\n\nd\n";
        for first in 0..=input.len() {
            for second in first..=input.len() {
                let parts = [&input[..first], &input[first..second], &input[second..]];
                assert_eq!(universal(&parts), wanted, "{first} {second}");
            }
        }
    }

    #[test]
    fn bits_carry_over_and_the_rest_is_told() {
        let input = b"0110 0001 x0110-0010\n101";
        for cut in 0..=input.len() {
            let mut message = Vec::new();
            let mut bits = Bits::default();
            bits.apply(&input[..cut], &mut |bytes| message.extend_from_slice(bytes));
            bits.apply(&input[cut..], &mut |bytes| message.extend_from_slice(bytes));
            assert_eq!((message.as_slice(), bits.finish()), (&b"ab"[..], (0b101, 3)), "{cut}");
        }
    }

    #[test]
    fn no_bits_is_the_empty_message() {
        let mut bits = Bits::default();
        bits.apply(b"none here", &mut |bytes| assert!(bytes.is_empty()));
        assert_eq!(bits.finish(), (0, 0));
    }
}
