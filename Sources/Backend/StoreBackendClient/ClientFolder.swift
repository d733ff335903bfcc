import Foundation
import StoreFoundation
import StoreModel
import StoreSigning
import Synchronization

/// What the client keeps on the device, each file whole or not at all.
///
/// ```
/// <folder>/products.json              the last list, with its tag
///          session.json               who is signed in; for the owner's eyes only, as all of it
///          content.json               which content is here, and whether it is activated
///          content/<product>/<sha256>/<name>
///          kept/<sha256>.json         proofs that were kept for later
/// ```
final class ClientFolder: Sendable {
    let path: String
    /// Within this process; the lock of the file is between processes.
    private let turn = Mutex(())

    init(_ path: String) throws {
        self.path = path
        try Self.failing {
            try Self.makeFolder(path)
            try Self.makeFolder(path + "/kept")
        }
    }

    // MARK: Records

    /// The record in a file; nil if there is none, or one that cannot be used.
    func read<Record: Decodable>(_ name: String, as type: Record.Type) -> Record? {
        guard let file = try? SystemFile(reading: path + "/" + name), let status = try? file.status(),
            status.st_size <= ClientLimit.recordBytes, let bytes = try? file.read(count: Int(status.st_size))
        else { return nil }
        return try? JSONDecoder().decode(type, from: Data(bytes))
    }

    /// Writes a record, and returns when the disk has it.
    func write(_ record: some Encodable, to name: String) throws {
        try turn.withLock { _ in try replace(name, with: record) }
    }

    /// Removes a record.
    func remove(_ name: String) throws {
        guard unlink(path + "/" + name) == 0 || errno == ENOENT else {
            throw Self.error(FileFailure("removing", path + "/" + name))
        }
    }

    private func replace(_ name: String, with record: some Encodable) throws {
        let bytes = Array(try JSONEncoder().encode(record))
        try Self.failing {
            try SystemFile.replace(path + "/" + name, with: bytes, draft: path + "/" + name + ".new")
            try SystemFile.synchronizeFolder(of: path + "/" + name)
        }
    }

    // MARK: Content

    /// Content that is here, or on its way to be activated.
    struct Entry: Codable, Hashable, Sendable {
        var product: String
        var version: String
        var sha256: String
        var name: String
        var bytes: Int64
        var isActivated: Bool
    }

    private struct Index: Codable {
        var entries: [Entry] = []
    }

    /// The content of a product that is activated; nil if there is none, or its file is gone.
    func activated(_ product: String) -> Entry? {
        entries.last { $0.product == product && $0.isActivated && isThere($0) }
    }

    /// What is known of a file with this digest; nil if the file is not here.
    func entry(_ product: String, sha256: String) -> Entry? {
        entries.last { $0.product == product && $0.sha256 == sha256 && isThere($0) }
    }

    private var entries: [Entry] { read("content.json", as: Index.self)?.entries ?? [] }

    /// Notes that the file of an entry is here, complete.
    func note(_ entry: Entry) throws {
        try change { entries in
            entries.removeAll { $0.product == entry.product && $0.sha256 == entry.sha256 }
            entries.append(entry)
        }
    }

    /// Makes an entry the one that counts, and removes what it replaces.
    func activate(_ entry: Entry) throws {
        var replaced: [Entry] = []
        try change { entries in
            replaced = entries.filter { $0.product == entry.product && $0.isActivated && $0.sha256 != entry.sha256 }
            entries.removeAll { $0.product == entry.product && ($0.isActivated || $0.sha256 == entry.sha256) }
            var activated = entry
            activated.isActivated = true
            entries.append(activated)
        }
        for old in replaced { try? FileManager.default.removeItem(atPath: folder(old)) }
    }

    /// Removes all content of a product.
    func removeContent(_ product: String) throws {
        guard let folder = folder(product) else { return }
        try change { entries in entries.removeAll { $0.product == product } }
        if access(folder, F_OK) == 0 { try FileManager.default.removeItem(atPath: folder) }
    }

    /// Where the file of an entry lies, or will. Its folder is made.
    func makePlace(_ entry: Entry) throws -> String {
        try Self.failing { try Self.makeFolder(folder(entry)) }
        return file(entry)
    }

    func file(_ entry: Entry) -> String { folder(entry) + "/" + entry.name }

    private func folder(_ entry: Entry) -> String { "\(path)/content/\(entry.product)/\(entry.sha256)" }

    private func folder(_ product: String) -> String? {
        Self.isName(product) ? "\(path)/content/\(product)" : nil
    }

    /// Whether a text from outside can be the name of a file here.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 200 && !text.hasPrefix(".")
            && !text.utf8.contains { $0 == 0x2F || $0 < 0x20 }
    }

    private func isThere(_ entry: Entry) -> Bool {
        var status = stat()
        return lstat(file(entry), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && Int64(status.st_size) == entry.bytes
    }

    /// Changes the index as it is now on the disk: another process of the app may have changed it.
    private func change(_ body: (inout [Entry]) -> Void) throws {
        try turn.withLock { _ in
            let lock = try Self.failing {
                try SystemFile(path + "/lock", O_RDWR | O_CREAT | O_NOFOLLOW, for: "locking")
            }
            while flock(lock.descriptor, LOCK_EX) != 0 {
                guard errno == EINTR else { throw Self.error(FileFailure("locking", lock.path)) }
            }
            var index = read("content.json", as: Index.self) ?? Index()
            body(&index.entries)
            try replace("content.json", with: index)
            withExtendedLifetime(lock) {}
        }
    }

    // MARK: Kept proofs

    /// A proof that was kept, to be sent later.
    struct KeptProof: Codable, Hashable, Sendable {
        var product: String
        var quantity: Int?
        var proof: Data
        /// Who was signed in then; nobody else sends it.
        var user: String?
    }

    /// Keeps a proof; the same one twice is kept once.
    func keep(_ proof: KeptProof) throws { try write(proof, to: try Self.name(of: proof)) }

    /// Forgets a proof that the server has recorded.
    func forget(_ proof: KeptProof) throws { try remove(try Self.name(of: proof)) }

    var kept: [KeptProof] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/kept")) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().compactMap {
            read("kept/" + $0, as: KeptProof.self)
        }
    }

    private static func name(of proof: KeptProof) throws -> String {
        let digest = try DigestAlgorithm.sha256.digest(Array(proof.product.utf8) + [0] + Array(proof.proof))
        return "kept/\(Hexadecimal.encode(digest)).json"
    }

    // MARK: Files

    /// Makes a folder that only its owner may read, and those above it.
    private static func makeFolder(_ path: String) throws(FileFailure) {
        let above = (path as NSString).deletingLastPathComponent
        if !above.isEmpty, access(above, F_OK) != 0 { try makeFolder(above) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileFailure("making", path) }
    }

    private static func failing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as FileFailure {
            throw error(failure)
        }
    }

    private static func error(_ failure: FileFailure) -> BackendClientError {
        BackendClientError(failure.isFull ? .diskFull : .file, failure.description)
    }
}
