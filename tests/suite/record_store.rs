//! A store that hands out whole records at a cost each and keeps none of them: what a ZFS dataset with large records and no data
//! cache is to its readers. It may be a disk besides, which serves one read after the other and takes its time for each that does
//! not go on where the last one ended. It is a FUSE file system of files that lie one behind the other.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use fuser::{
    BackgroundSession, Config, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation, INodeNo,
    LockOwner, MountOption, OpenFlags, ReplyAttr, ReplyData, ReplyEntry, ReplyOpen, Request, Session,
};
use tempfile::TempDir;

/// Reads it serves at once.
const READS_AT_ONCE: usize = 32;

/// The most bytes the kernel asks a FUSE file system for in one read: longer reads arrive in pieces.
pub const LARGEST_READ: usize = 1 << 20;

/// Bytes after which the content repeats itself; prime, so that no two records are equal.
const PERIOD: usize = 1_000_003;

/// How long the kernel may keep the file's name and attributes.
const LIFETIME: Duration = Duration::from_secs(60);

/// The inode of the first file.
const FIRST: u64 = 2;

/// What a store holds and what reading it costs.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Bytes of a record, a power of two.
    pub record_size: u32,
    /// How many files it has; they all have the same content.
    pub files: u64,
    /// Bytes of each file.
    pub size: u64,
    /// What each record a read touches takes.
    pub cost: Duration,
    /// What a jump takes, if it is a disk. Otherwise reads that are asked for at once are served at once.
    pub jump: Option<Duration>,
}

/// A mounted store, unmounted when it is dropped.
pub struct RecordStore {
    records_fetched: Arc<AtomicU64>,
    _session: BackgroundSession,
    folder: TempDir,
}

impl RecordStore {
    /// Mounts a store.
    ///
    /// # Errors
    /// Where there is no FUSE, or no right to mount.
    pub fn mount(shape: Shape) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let records_fetched = Arc::<AtomicU64>::default();
        let content = content(PERIOD + LARGEST_READ);
        let store = Store { shape, content, records_fetched: records_fetched.clone(), head: Mutex::default() };
        let mut config = Config::default();
        config.mount_options = vec![MountOption::RO, MountOption::FSName("records".into())];
        config.n_threads = Some(READS_AT_ONCE);
        let session = Session::new(store, folder.path(), &config)?.spawn()?;
        Ok(Self { records_fetched, _session: session, folder })
    }

    /// The name of the file with this number, from 0.
    pub fn file(&self, number: u64) -> PathBuf {
        self.folder.path().join(number.to_string())
    }

    /// Records fetched since the last call.
    pub fn records_fetched(&self) -> u64 {
        self.records_fetched.swap(0, Ordering::Relaxed)
    }
}

/// The first `size` bytes of any store's file.
pub fn content(size: usize) -> Vec<u8> {
    let byte = |offset| (offset ^ (offset >> 8) ^ (offset >> 16)) as u8;
    (0..PERIOD).map(byte).cycle().take(size).collect()
}

struct Store {
    shape: Shape,
    content: Vec<u8>,
    records_fetched: Arc<AtomicU64>,
    /// Where a disk stands.
    head: Mutex<u64>,
}

impl Store {
    /// Takes the time a read takes.
    fn wait(&self, inode: INodeNo, offset: u64, length: u64) {
        let Shape { record_size, size, cost, jump, .. } = self.shape;
        let record_size = u64::from(record_size);
        let records = (offset + length - 1) / record_size - offset / record_size + 1;
        self.records_fetched.fetch_add(records, Ordering::Relaxed);
        let time = cost * records as u32;
        let Some(jump) = jump else { return thread::sleep(time) };
        let mut head = self.head.lock().unwrap_or_else(PoisonError::into_inner);
        let position = (inode.0 - FIRST) * size + offset;
        thread::sleep(if *head == position { time } else { time + jump });
        *head = position + length;
    }

    fn attributes(&self, inode: INodeNo) -> FileAttr {
        let is_file = inode.0 >= FIRST;
        let time = SystemTime::UNIX_EPOCH;
        FileAttr {
            ino: inode,
            size: if is_file { self.shape.size } else { 0 },
            blocks: 0,
            atime: time,
            mtime: time,
            ctime: time,
            crtime: time,
            kind: if is_file { FileType::RegularFile } else { FileType::Directory },
            perm: if is_file { 0o444 } else { 0o555 },
            nlink: 1,
            uid: 0,
            gid: 0,
            rdev: 0,
            blksize: self.shape.record_size,
            flags: 0,
        }
    }
}

impl Filesystem for Store {
    fn lookup(&self, _request: &Request, _parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let number = name.to_str().and_then(|name| name.parse::<u64>().ok());
        match number.filter(|number| *number < self.shape.files) {
            Some(number) => reply.entry(&LIFETIME, &self.attributes(INodeNo(FIRST + number)), Generation(0)),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn getattr(&self, _request: &Request, inode: INodeNo, _handle: Option<FileHandle>, reply: ReplyAttr) {
        reply.attr(&LIFETIME, &self.attributes(inode));
    }

    fn open(&self, _request: &Request, _inode: INodeNo, _flags: OpenFlags, reply: ReplyOpen) {
        // Each read comes here, past the page cache.
        reply.opened(FileHandle(0), FopenFlags::FOPEN_DIRECT_IO);
    }

    fn read(
        &self,
        _request: &Request,
        inode: INodeNo,
        _handle: FileHandle,
        offset: u64,
        length: u32,
        _flags: OpenFlags,
        _lock_owner: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let length = u64::from(length).min(self.shape.size.saturating_sub(offset));
        if length == 0 {
            return reply.data(&[]);
        }
        self.wait(inode, offset, length);
        let start = (offset % PERIOD as u64) as usize;
        reply.data(&self.content[start..start + length as usize]);
    }
}
