//! A store that hands out whole records at a cost each and keeps none of them: what a ZFS dataset with large records and no data
//! cache is to its readers. It is a FUSE file system with one file.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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

const FILE: INodeNo = INodeNo(2);

/// A mounted store, unmounted when it is dropped.
pub struct RecordStore {
    records_fetched: Arc<AtomicU64>,
    _session: BackgroundSession,
    folder: TempDir,
}

impl RecordStore {
    /// Mounts a store whose file has `size` bytes in records of `record_size` bytes, a power of two. A read takes `cost` for every
    /// record it touches; reads asked for at once are served at once.
    ///
    /// # Errors
    /// Where there is no FUSE, or no right to mount.
    pub fn mount(record_size: u32, size: u64, cost: Duration) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let records_fetched = Arc::<AtomicU64>::default();
        let content = content(PERIOD + LARGEST_READ);
        let store = Store { record_size, size, cost, content, records_fetched: records_fetched.clone() };
        let mut config = Config::default();
        config.mount_options = vec![MountOption::RO, MountOption::FSName("records".into())];
        config.n_threads = Some(READS_AT_ONCE);
        let session = Session::new(store, folder.path(), &config)?.spawn()?;
        Ok(Self { records_fetched, _session: session, folder })
    }

    /// The file's name.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("file")
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
    record_size: u32,
    size: u64,
    cost: Duration,
    content: Vec<u8>,
    records_fetched: Arc<AtomicU64>,
}

impl Store {
    fn attributes(&self, inode: INodeNo) -> FileAttr {
        let is_file = inode == FILE;
        let time = SystemTime::UNIX_EPOCH;
        FileAttr {
            ino: inode,
            size: if is_file { self.size } else { 0 },
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
            blksize: self.record_size,
            flags: 0,
        }
    }
}

impl Filesystem for Store {
    fn lookup(&self, _request: &Request, _parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        if name == "file" {
            reply.entry(&LIFETIME, &self.attributes(FILE), Generation(0));
        } else {
            reply.error(Errno::ENOENT);
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
        _inode: INodeNo,
        _handle: FileHandle,
        offset: u64,
        length: u32,
        _flags: OpenFlags,
        _lock_owner: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let length = u64::from(length).min(self.size.saturating_sub(offset));
        if length == 0 {
            return reply.data(&[]);
        }
        let record_size = u64::from(self.record_size);
        let records = (offset + length - 1) / record_size - offset / record_size + 1;
        self.records_fetched.fetch_add(records, Ordering::Relaxed);
        thread::sleep(self.cost * records as u32);
        let start = (offset % PERIOD as u64) as usize;
        reply.data(&self.content[start..start + length as usize]);
    }
}
