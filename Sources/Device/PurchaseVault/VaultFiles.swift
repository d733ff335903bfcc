import CLinux
import Foundation
import StoreFoundation
import StoreSigning

/// The files of a vault, in one folder.
///
/// ```
/// NAME.vault       the record
/// NAME.key         the key, if the Secret Service does not have it
/// NAME.place       what a backup cannot bring back: this very file, with the last generation in it
/// NAME.lock        held while the record is read or changed
/// NAME.damaged-1   a record that was set aside
/// ```
struct VaultFiles: Sendable {
    private static let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
    private static let longestName = 64
    private static let machineBytes = 64

    let folder: String
    let name: String
    let machine: String

    /// - Parameter machine: the file that names the machine.
    init(_ name: String, in folder: URL, machine: String = "/etc/machine-id") throws {
        guard !name.isEmpty, name.count <= Self.longestName, !name.hasPrefix("."),
            name.allSatisfy(Self.allowed.contains)
        else {
            throw VaultError(
                .invalidValue,
                "the name of a vault has 1 to \(Self.longestName) letters, digits, hyphens, dots and underscores, and begins with "
                    + "no dot")
        }
        (self.name, self.folder, self.machine) = (name, folder.path, machine)
    }

    private func path(_ ending: String) -> String { "\(folder)/\(name).\(ending)" }

    var recordPath: String { path("vault") }
    var keyPath: String { path("key") }

    /// Does something while no other process or thread reads or changes the vault.
    func hold<Result>(_ body: () throws -> Result) throws -> Result {
        try VaultError.translating {
            try PrivateFile.makeFolder(folder)
            let file = try SystemFile(path("lock"), O_RDWR | O_CREAT | O_NOFOLLOW, for: "locking")
            while flock(file.descriptor, LOCK_EX) != 0 {
                guard errno == EINTR else { throw FileFailure("locking", file.path) }
            }
            return try withExtendedLifetime(file) { try body() }
        }
    }

    // MARK: The record

    /// Tells one record from another without reading all of it.
    struct Stamp: Hashable, Sendable {
        private static let headBytes = 64

        private let numbers: [Int64]
        /// With the generation in it: the system gives numbers of files again, and its clock is coarse.
        private let head: [UInt8]

        init?(_ path: String) {
            guard let file = try? SystemFile(reading: path), let status = try? file.status(),
                let head = try? file.read(count: Self.headBytes)
            else { return nil }
            numbers = [
                Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size), Int64(status.st_mtim.tv_sec),
                Int64(status.st_mtim.tv_nsec),
            ]
            self.head = head
        }
    }

    func readRecord() throws -> [UInt8]? {
        try PrivateFile.read(recordPath, secret: false, limit: VaultLimits.recordBytes)
    }

    /// Writes the record as a whole: to a new file beside it, to the disk, and then into its place.
    ///
    /// - Parameter bytes: what is written, which may name the file that it is written to.
    func writeRecord(_ bytes: (SystemFile) throws -> [UInt8]) throws {
        let draft = recordPath + ".new"
        unlink(draft)
        let file = try SystemFile(making: draft)
        do {
            let bytes = try bytes(file)
            guard bytes.count <= VaultLimits.recordBytes else {
                throw VaultError(.tooLarge, "the record would exceed \(VaultLimits.recordBytes >> 20) MB")
            }
            try file.write(bytes)
            try file.synchronize()
            try SystemFile.rename(draft, to: recordPath)
        } catch {
            // A full disk is not filled with drafts.
            unlink(draft)
            throw error
        }
        try SystemFile.synchronizeFolder(of: recordPath)
    }

    /// Gives the record, or a copy of it, a name under which nothing touches it any more.
    ///
    /// - Returns: the name; nil if there is no record.
    func setAside(keepingRecord: Bool) throws -> String? {
        guard let bytes = try readRecord() else { return nil }
        for number in 1...VaultLimits.damagedRecords {
            let path = path("damaged-\(number)")
            guard access(path, F_OK) != 0 else { continue }
            if keepingRecord {
                try PrivateFile.write(bytes, to: path)
            } else {
                try SystemFile.rename(recordPath, to: path)
                try SystemFile.synchronizeFolder(of: path)
            }
            return path
        }
        throw VaultError(
            .tooLarge,
            "there are \(VaultLimits.damagedRecords) damaged records of \(name) in \(folder); look at them and remove them"
        )
    }

    // MARK: The key

    /// The key of the file; nil if there is none that can be read.
    func readKey() throws -> VaultKey? {
        guard let bytes = try PrivateFile.read(keyPath, secret: true) else { return nil }
        return try VaultKey(text: String(decoding: bytes, as: UTF8.self))
    }

    func writeKey(_ key: VaultKey) throws {
        try PrivateFile.write(Array("\(key.text)\n".utf8), to: keyPath)
    }

    // MARK: The place

    /// What tells a record of this place from its copies: the file that it is in, the file of the place, and the machine. A
    /// file is told by its number and by when it was made. A backup brings back the bytes of files and their dates, not
    /// these; and where it writes over files that are there, its record is in another file than the one it was written to,
    /// because each change makes a new one.
    func place(of record: SystemFile, making: Bool, _ key: VaultKey) throws -> [UInt8]? {
        if making, access(path("place"), F_OK) != 0 {
            _ = try SystemFile(path("place"), O_RDWR | O_CREAT | O_NOFOLLOW, for: "making")
        }
        guard access(path("place"), F_OK) == 0 else { return nil }
        let files = try "\(Self.number(of: SystemFile(reading: path("place")))) \(Self.number(of: record))"
        let machine = (try? SystemFile(machine, O_RDONLY, for: "reading").read(count: Self.machineBytes)) ?? []
        return try AuthenticationCode(secret: key.bytes).code(of: Array("place \(files) ".utf8) + machine)
    }

    /// The number of a file, which the system may give again, and when the file was made.
    private static func number(of file: SystemFile) throws -> String {
        var born: Int64 = 0
        guard till_birth_time(file.descriptor, &born) == 0 else { throw FileFailure("reading", file.path) }
        return "\(try file.status().st_ino) \(born)"
    }

    /// The generation that the place has seen; nil if it says none that this vault wrote.
    func seenGeneration(_ key: VaultKey) throws -> UInt64? {
        guard let bytes = try PrivateFile.read(path("place"), secret: false),
            let number = try? AESGCM(key: key.bytes).open(bytes, context: key.identity)
        else { return nil }
        return BigEndian.number(number)
    }

    /// Notes a generation, in place. It need not be brought to the disk: one that is too low is no sign of anything.
    func note(_ generation: UInt64, _ key: VaultKey) throws {
        let bytes = try AESGCM(key: key.bytes).seal(BigEndian.bytes(generation), context: key.identity)
        try SystemFile(path("place"), O_WRONLY | O_NOFOLLOW, for: "writing").write(bytes, at: 0)
    }
}
