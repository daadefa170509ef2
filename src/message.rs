//! A message in the making: an input's bytes become the message's, which are digested as they come.

use std::io::{self, ErrorKind};

use crate::algorithm::{Algorithm, BitHasher, Checksum, Checksums, Hasher};
use crate::kernel;
use crate::plan::{InputMode, Resources};
use crate::spread::Spread;
use crate::transform::{Bits, Universal};

/// The message in the making of one input, for each of several algorithms.
pub struct Messages {
    messages: Vec<Message>,
    spread: Spread,
}

impl Messages {
    /// An empty message for each algorithm.
    ///
    /// # Errors
    /// As [`Message::new`].
    pub fn new(algorithms: &[&Algorithm], mode: InputMode, resources: Resources) -> io::Result<Self> {
        let messages = algorithms.iter().map(|algorithm| Message::new(algorithm, mode)).collect::<io::Result<_>>()?;
        Ok(Self { messages, spread: Spread::new(algorithms.len(), resources) })
    }

    /// Appends what the input's next bytes become, by several algorithms at once.
    pub fn append(&mut self, input: &[u8]) {
        self.spread.each(&mut self.messages, input, Message::append);
    }

    /// The digests, at the input's end.
    pub fn finish(self) -> Checksums {
        self.messages.into_iter().map(Message::finish).collect()
    }
}

/// A message in the making.
pub struct Message(Kind);

enum Kind {
    Binary(Box<dyn Hasher>),
    Universal(Box<dyn Hasher>, Universal),
    Bits(Box<dyn BitHasher>, Bits),
}

impl Message {
    /// An empty message.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] when the algorithm does not have the mode.
    pub fn new(algorithm: &Algorithm, mode: InputMode) -> io::Result<Self> {
        let kind = match mode {
            InputMode::Binary => Kind::Binary((algorithm.hasher)()),
            InputMode::Universal => Kind::Universal((algorithm.hasher)(), Universal::default()),
            InputMode::Bits => {
                let perl = algorithm.perl.as_ref().ok_or(ErrorKind::Unsupported)?;
                Kind::Bits((perl.bit_hasher)(), Bits::default())
            }
        };
        Ok(Self(kind))
    }

    /// Appends what the input's next bytes become.
    pub fn append(&mut self, input: &[u8]) {
        match &mut self.0 {
            Kind::Binary(hasher) => {
                kernel::with_prefetch(input, hasher.piece_size(), &mut |piece| hasher.update(piece));
            }
            Kind::Universal(hasher, universal) => {
                kernel::with_prefetch(input, hasher.piece_size(), &mut |piece| {
                    universal.apply(piece, &mut |bytes| hasher.update(bytes));
                });
            }
            Kind::Bits(hasher, bits) => {
                kernel::with_prefetch(input, hasher.piece_size(), &mut |piece| {
                    bits.apply(piece, &mut |bytes| hasher.update(bytes));
                });
            }
        }
    }

    /// The digest, at the input's end.
    pub fn finish(self) -> Checksum {
        match self.0 {
            Kind::Binary(hasher) => hasher.finish(),
            Kind::Universal(mut hasher, universal) => {
                universal.finish(&mut |bytes| hasher.update(bytes));
                hasher.finish()
            }
            Kind::Bits(hasher, bits) => {
                let (tail, count) = bits.finish();
                hasher.finish_bits(tail, count)
            }
        }
    }
}
