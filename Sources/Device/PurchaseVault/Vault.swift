public import Foundation
import StoreFoundation
import StoreSigning
import Synchronization

/// An encrypted record on the device of what a customer bought: unlocks, balances, and which transactions were delivered.
///
/// ```swift
/// let vault = try Vault("purchases", in: folder)
/// try vault.change { purchases in
///     guard try purchases.deliver(transaction) else { return }
///     try purchases.add(10, to: "credits")
/// }
/// ```
///
/// Every change is on the disk, whole, before ``change(_:)`` returns; finish the transaction after it. Several processes may use
/// one vault.
public final class Vault: Sendable {
    private struct State {
        var header: VaultHeader
        var contents: VaultContents
        var damagedBytes: Int
        var stamp: VaultFiles.Stamp?
    }

    /// Where the key came from.
    public let keySource: VaultKeySource
    /// Whether this opening found a record that was not written on this machine, or not last: it comes from a backup. Its balances
    /// are stale from then on, until they are confirmed.
    public let isRestored: Bool

    private let files: VaultFiles
    private let key: VaultKey
    private let scrypt: Scrypt
    private let state: Mutex<State>

    /// Opens a vault, and makes it if there is none.
    ///
    /// - Parameters:
    ///   - name: what its files are called.
    ///   - folder: the app's own, one that backups take. It is made if it is not there.
    ///   - keyPlace: where the key of a new vault is kept.
    ///   - recoveryPassphrase: opens the vault if its key is not on this machine, and was set by ``setRecoveryPassphrase(_:)``.
    /// - Throws: ``VaultError``. No file is changed then.
    public convenience init(
        _ name: String, in folder: URL, keyPlace: VaultKeyPlace = .automatic, recoveryPassphrase: String? = nil
    ) throws {
        try self.init(
            VaultFiles(name, in: folder), keyPlace: keyPlace, recoveryPassphrase: recoveryPassphrase,
            secrets: SecretService(), scrypt: .standard)
    }

    init(
        _ files: VaultFiles, keyPlace: VaultKeyPlace, recoveryPassphrase: String?, secrets: any SecretKeeper,
        scrypt: Scrypt
    ) throws {
        let keys = VaultKeys(files: files, secrets: secrets)
        let opened = try files.hold {
            try Vault.open(files, keys, keyPlace: keyPlace, recoveryPassphrase: recoveryPassphrase)
        }
        (self.files, self.scrypt) = (files, scrypt)
        (key, keySource, isRestored) = (opened.key, opened.source, opened.isRestored)
        state = Mutex(opened.state)
    }

    // MARK: Reading

    /// What the vault has now. A change that another process has made is seen.
    public var contents: VaultContents {
        get throws { try current().contents }
    }

    /// What of the record is damaged, in words for a log; nil if it is whole.
    ///
    /// What is intact can be read all the same; what is asked for and not found is refused, because it may be what was lost. Nothing
    /// is changed until ``repair()`` was called.
    public var damage: String? {
        get throws {
            let state = try current()
            guard state.damagedBytes > 0 || state.contents.lostEntries > 0 else { return nil }
            let (lost, bytes) = (state.contents.lostEntries, state.damagedBytes)
            return
                "\(bytes) bytes of \(files.recordPath) are damaged, and \(lost) of its \(state.header.count) entries lost"
        }
    }

    private func current() throws -> State {
        try state.withLock { state in
            try VaultError.translating {
                if let stamp = VaultFiles.Stamp(files.recordPath), stamp == state.stamp { return state }
                state = try files.hold { try Self.read(files, key) }
                return state
            }
        }
    }

    // MARK: Changing

    /// Changes what the vault has: all that the closure does, or, if it throws, nothing.
    ///
    /// What it returns is returned when the change is on the disk. The closure sees what other processes have done.
    public func change<Result: Sendable>(_ body: (inout VaultContents) throws -> Result) throws -> Result {
        try state.withLock { state in
            try files.hold {
                state = try Self.read(files, key)
                guard state.damagedBytes == 0 else {
                    throw VaultError(
                        .damaged,
                        "\(files.recordPath) is damaged; repair the vault, and let the person restore purchases")
                }
                var contents = state.contents
                let result = try body(&contents)
                guard contents != state.contents else { return result }
                var next = state
                next.contents = contents
                state = try Self.write(next, files, key)
                return result
            }
        }
    }

    /// Lets a passphrase open the vault where its key is missing: on a new machine whose Secret Service does not have it. nil takes it
    /// back.
    ///
    /// It takes a tenth of a second, so that guessing takes long.
    public func setRecoveryPassphrase(_ passphrase: String?) throws {
        if let passphrase {
            guard passphrase.count >= VaultLimits.shortestPassphrase else {
                throw VaultError(
                    .invalidValue, "a recovery passphrase has at least \(VaultLimits.shortestPassphrase) characters")
            }
            guard passphrase.utf8.count <= VaultLimits.passphraseBytes else {
                throw VaultError(
                    .tooLarge, "a recovery passphrase has at most \(VaultLimits.passphraseBytes) bytes")
            }
        }
        try state.withLock { state in
            try files.hold {
                state = try Self.read(files, key)
                guard state.damagedBytes == 0 else {
                    throw VaultError(.damaged, "\(files.recordPath) is damaged; repair the vault first")
                }
                var next = state
                next.header.recovery = try passphrase.map { try key.sealed(under: $0, scrypt: scrypt) } ?? []
                state = try Self.write(next, files, key)
            }
        }
    }

    /// Goes on with what can be read of a damaged record. The record as it is is set aside, and balances are stale, because a
    /// delivery may be among what is lost.
    ///
    /// - Returns: where the damaged record is now; nil if nothing was damaged.
    @discardableResult
    public func repair() throws -> URL? {
        try state.withLock { state in
            try files.hold {
                state = try Self.read(files, key)
                guard state.damagedBytes > 0 else { return nil }
                let aside = try files.setAside(keepingRecord: true)
                var next = state
                next.contents.lostEntries = 0
                next.contents.markStale()
                state = try Self.write(next, files, key)
                return aside.map { URL(fileURLWithPath: $0) }
            }
        }
    }

    /// Sets a record aside that cannot be opened at all, so that the next opening makes an empty one, which a restore fills.
    ///
    /// - Returns: where the record is now; nil if there is none.
    @discardableResult
    public static func setAside(_ name: String, in folder: URL) throws -> URL? {
        let files = try VaultFiles(name, in: folder)
        return try files.hold { try files.setAside(keepingRecord: false).map { URL(fileURLWithPath: $0) } }
    }
}

// What is done while the lock is held.
extension Vault {
    private struct Opened {
        var key: VaultKey
        var source: VaultKeySource
        var state: State
        var isRestored: Bool
    }

    private static func open(
        _ files: VaultFiles, _ keys: VaultKeys, keyPlace: VaultKeyPlace, recoveryPassphrase: String?
    ) throws -> Opened {
        guard let bytes = try files.readRecord() else {
            let (key, place) = try keys.make(at: keyPlace)
            var header = VaultHeader(identity: key.identity)
            header.keyPlace = place
            let state = State(header: header, contents: VaultContents(), damagedBytes: 0)
            return try Opened(key: key, source: .new, state: write(state, files, key), isRestored: false)
        }
        let (key, source) = try keys.find(for: bytes, recoveryPassphrase: recoveryPassphrase)
        var state = try read(files, key)
        let isRestored = try !isHere(state.header, files, key)
        let isMoved = source == .recoveryPassphrase
        if isMoved { state.header.keyPlace = try keys.keep(key, at: keyPlace) }
        // A damaged record is not written over; what it says is stale as long as it stays so.
        if isRestored || isMoved, state.damagedBytes == 0 { state = try write(state, files, key) }
        return Opened(key: key, source: source, state: state, isRestored: isRestored)
    }

    /// Reads the record. If it is one that a backup brought, its balances are stale.
    private static func read(_ files: VaultFiles, _ key: VaultKey) throws -> State {
        guard let bytes = try files.readRecord() else {
            throw VaultError(.file, "\(files.recordPath) is not there any more; open the vault again")
        }
        guard let reading = try VaultRecord.read(bytes, key: key) else {
            throw VaultError(
                .damaged, "nothing in \(files.recordPath) opens; set it aside, and let the person restore purchases")
        }
        var contents = reading.contents
        if try !isHere(reading.header, files, key) { contents.markStale() }
        return State(
            header: reading.header, contents: contents, damagedBytes: reading.damagedBytes,
            stamp: VaultFiles.Stamp(files.recordPath))
    }

    /// Whether a record was written on this machine, to the file that it is in, and no later one has been.
    private static func isHere(_ header: VaultHeader, _ files: VaultFiles, _ key: VaultKey) throws -> Bool {
        let record = try SystemFile(reading: files.recordPath)
        guard try files.place(of: record, making: false, key) == header.place,
            let seen = try files.seenGeneration(key)
        else { return false }
        return seen <= header.generation
    }

    /// Writes the next generation: first the record, then the note that it was written, so that no crash looks like a backup.
    private static func write(_ former: State, _ files: VaultFiles, _ key: VaultKey) throws -> State {
        var state = former
        try files.writeRecord { file in
            state.header.place = try files.place(of: file, making: true, key) ?? state.header.place
            let seen = try files.seenGeneration(key)
            if seen == nil { try files.note(0, key) }
            // Above what any record of this place has been, so that none of them passes for a later one.
            state.header.generation = max(state.header.generation, seen ?? 0) + 1
            state.header.count = UInt32(state.contents.count)
            return try VaultRecord.bytes(state.header, state.contents, key: AESGCM(key: key.bytes))
        }
        state.damagedBytes = 0
        state.stamp = VaultFiles.Stamp(files.recordPath)
        // The change is made. A note that is too low is no sign of anything.
        try? files.note(state.header.generation, key)
        return state
    }
}
