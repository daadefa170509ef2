//! The files of a hand in the making.

use super::Job;
use super::item::Item;
use crate::plan::Resources;

/// The most files in a hand.
pub const MOST_FILES: usize = 256;

/// Files from which on there are enough to fill the lanes, whatever their lengths.
const ENOUGH_FILES: usize = 64;

/// Bytes from which on enough files are enough: more would not stay in the processor's own cache.
const ENOUGH_BYTES: usize = 1 << 20;

/// The files of a hand in the making, all of one device.
pub struct Selection<J> {
    /// In order.
    pub items: Vec<Item<J>>,
    /// Their device.
    pub device: Option<u64>,
    /// The room that is left.
    pub room: Room,
    /// Whether no other file is to go with these.
    pub is_full: bool,
}

impl<J: Job> Selection<J> {
    /// Of no files yet, for a hand of so many bytes.
    pub fn new(memory: usize) -> Self {
        Self { items: Vec::new(), device: None, room: Room::new(memory), is_full: false }
    }

    /// Takes a file.
    pub fn take(&mut self, item: Item<J>, resources: Resources) {
        self.room.take(item.room(resources));
        self.device = Some(item.facts.device);
        self.items.push(item);
    }

    /// Gives back large files that are too few to gain from each other, but for the first: others may take them meanwhile.
    pub fn give_back(&mut self) -> Vec<Item<J>> {
        let crossing = self.items.iter().find_map(|item| item.job.task()?.lanes()).map_or(1, |lanes| lanes.crossing());
        if self.items.len() >= crossing {
            return Vec::new();
        }
        self.items.split_off(1)
    }
}

/// How much more fits into a hand.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    memory: usize,
    files: usize,
    bytes: usize,
}

impl Room {
    /// The room of a hand that may take this much memory.
    pub fn new(memory: usize) -> Self {
        Self { memory, files: 0, bytes: 0 }
    }

    /// Whether there is room for a part of so many bytes; for the first one there always is.
    pub fn has(&self, bytes: usize) -> bool {
        let is_enough = self.files >= MOST_FILES || (self.files >= ENOUGH_FILES && self.bytes >= ENOUGH_BYTES);
        self.files == 0 || (!is_enough && self.bytes + bytes <= self.memory)
    }

    /// Takes the room a part needs.
    pub fn take(&mut self, bytes: usize) {
        self.files += 1;
        self.bytes += bytes;
    }
}
