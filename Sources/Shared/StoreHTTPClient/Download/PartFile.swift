import Foundation
import StoreFoundation
import StoreHTTP

/// The part of a file with its record, up to its rename. Belongs to the disk thread.
///
/// If the process or the machine stops at any moment, either part and record can be continued, or the file is complete.
/// The part always matches the record, because it is emptied before a record of another file is written, and filled
/// afterwards.
// Safe: it is used on the disk thread only.
final class PartFile: @unchecked Sendable {
    static let partEnding = ".part"
    static let recordEnding = ".part.json"
    private static let draftEnding = ".part.json.new"

    /// How much is written before it is synchronized.
    private static let synchronizedPiece = 32 * 1024 * 1024

    private let destination: String
    private var descriptor: Int32
    private(set) var length = 0
    private(set) var record: DownloadRecord?

    private var path: String { destination + Self.partEnding }
    private var recordPath: String { destination + Self.recordEnding }

    /// Opens the part of a file, or creates one, and locks it against other processes and downloads.
    init(of destination: String, identity: String, boot: String) throws(DownloadError) {
        self.destination = destination
        descriptor = try Self.openLocked(destination + Self.partEnding)
        do throws(DownloadError) {
            length = try currentLength()
            record = readRecord().flatMap { $0.identity == identity ? $0 : nil }
            let usable = record?.usableLength(of: length, boot: boot) ?? 0
            if usable < length { try truncate(to: usable) }
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { release() }

    /// Unlocks and closes the part. The last call.
    func release() {
        guard descriptor >= 0 else { return }
        // A process that is just being started has a copy of the descriptor for a moment.
        flock(descriptor, LOCK_UN)
        close(descriptor)
        descriptor = -1
    }

    // MARK: Opening

    private static func openLocked(_ path: String) throws(DownloadError) -> Int32 {
        guard !path.utf8.contains(0) else { throw DownloadError(.file, "The path of the file cannot be used.") }
        // The former holder of the lock may just have renamed the part.
        for _ in 0..<8 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw failure("opened", path) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw DownloadError(.busy, "\(path) is being written by another download.")
            }
            var held = stat()
            var named = stat()
            if fstat(descriptor, &held) == 0, lstat(path, &named) == 0, held.st_ino == named.st_ino,
                held.st_dev == named.st_dev
            {
                guard held.st_mode & S_IFMT == S_IFREG else {
                    close(descriptor)
                    throw DownloadError(.file, "\(path) is no file; remove it.")
                }
                return descriptor
            }
            close(descriptor)
        }
        throw DownloadError(.busy, "\(path) is being written by another download.")
    }

    private func currentLength() throws(DownloadError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure("examined", path) }
        return Int(status.st_size)
    }

    private func readRecord() -> DownloadRecord? {
        guard let file = OpenFile(path: recordPath), file.length <= DownloadRecord.maximumBytes else { return nil }
        return file.read(at: 0, count: file.length).flatMap { DownloadRecord(json: $0) }
    }

    /// Whether an earlier process ended after the rename, so only the record is left.
    var wasFinished: Bool {
        guard length == 0, let record, record.isComplete, let length = record.length,
            let file = OpenFile(path: destination)
        else { return false }
        return file.length == length
    }

    // MARK: Writing

    /// Starts over: empties the part, then writes the new record.
    func restart(_ record: DownloadRecord) throws(DownloadError) {
        try truncate(to: 0)
        try write(record)
    }

    /// Updates the record.
    func update(_ record: DownloadRecord) throws(DownloadError) {
        if record != self.record { try write(record) }
    }

    func append(_ bytes: [UInt8]) throws(DownloadError) {
        var position = 0
        while position < bytes.count {
            let written = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: position), bytes.count - position, off_t(length))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Self.failure("written", path) }
            position += written
            length += written
        }
        if length - (record?.synchronized ?? 0) >= Self.synchronizedPiece { try synchronize() }
    }

    /// Empties the part.
    func truncate(to length: Int) throws(DownloadError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw Self.failure("shortened", path) }
        self.length = length
        if let record, record.synchronized > length { self.record?.synchronized = length }
    }

    /// Synchronizes the part and records its length.
    func synchronize() throws(DownloadError) {
        guard var record, record.synchronized != length else { return }
        guard fsync(descriptor) == 0 else { throw Self.failure("synchronised", path) }
        record.synchronized = length
        try write(record)
    }

    private func write(_ record: DownloadRecord) throws(DownloadError) {
        do throws(FileFailure) {
            try SystemFile.replace(recordPath, with: record.json, draft: destination + Self.draftEnding)
        } catch {
            throw Self.failure("written", error.path, error.number)
        }
        self.record = record
    }

    // MARK: The end

    /// Reads all of it, in pieces.
    func readAll(_ use: (UnsafeRawBufferPointer) throws -> Void) throws { try read(0..<length, use) }

    /// Reads some of it, in pieces.
    func read(_ range: Range<Int>, _ use: (UnsafeRawBufferPointer) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var position = range.lowerBound
        while position < range.upperBound {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(position))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("read", path) }
            try use(UnsafeRawBufferPointer(rebasing: buffer[..<min(count, range.upperBound - position)]))
            position += count
        }
    }

    /// Renames the complete part to the destination.
    func finish() throws(DownloadError) {
        guard fsync(descriptor) == 0 else { throw Self.failure("synchronised", path) }
        if var record {
            record.length = length
            record.synchronized = length
            record.isComplete = true
            try write(record)
        }
        do throws(FileFailure) {
            try SystemFile.rename(path, to: destination)
            try SystemFile.synchronizeFolder(of: destination)
        } catch {
            throw Self.failure("renamed", path, error.number)
        }
        unlink(recordPath)
    }

    /// Removes the record that an earlier process left after its rename.
    func removeRest() {
        unlink(path)
        unlink(recordPath)
    }

    private static func failure(_ what: String, _ path: String, _ number: Int32 = errno) -> DownloadError {
        if number == ENOSPC || number == EDQUOT {
            let message =
                "The disk is full; \(path) is kept. Make room and start the download again to go on from there."
            return DownloadError(.diskFull, message)
        }
        return DownloadError(.file, "\(path) cannot be \(what): \(String(cString: strerror(number))).")
    }
}
