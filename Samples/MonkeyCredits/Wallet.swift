import Foundation

/// What the person has, in a file of the app's own that survives its end at any moment.
///
/// What is delivered is on the disk before ``deliver(_:quantity:of:)`` returns, together with the identifier of its
/// transaction: whatever comes again is not counted again.
struct Wallet {
    private struct Content: Codable {
        var credits = 0
        var possessions: [String] = []
        var delivered: Set<String> = []
    }

    private let file: URL
    private var content = Content()

    var credits: Int { content.credits }
    var possessions: [String] { content.possessions }

    init(in folder: URL) throws {
        file = folder.appendingPathComponent("wallet.json")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        content = try read()
    }

    /// The folder of the app, as the XDG base directory specification says.
    static func standardFolder(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        let home = FileManager.default.homeDirectoryForCurrentUser
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        return (data ?? home.appendingPathComponent(".local/share")).appendingPathComponent("MonkeyCredits")
    }

    /// Adds what was bought, unless this transaction has brought it already, and says whether it did.
    mutating func deliver(_ goods: Goods, quantity: Int, of transaction: String) throws -> Bool {
        try change { content in
            guard content.delivered.insert(transaction).inserted else { return false }
            content.credits += goods.credits * quantity
            Self.add(goods, to: &content)
            return true
        }
    }

    /// Gives back what the person owned already. Credits were used up where they were bought.
    mutating func restore(_ goods: Goods) throws {
        try change { Self.add(goods, to: &$0) }
    }

    /// Takes away what the person does not own any more. Credits were spent.
    mutating func takeBack(_ goods: Goods) throws {
        try change { content in content.possessions.removeAll { $0 == goods.possession } }
    }

    private static func add(_ goods: Goods, to content: inout Content) {
        guard let possession = goods.possession, !content.possessions.contains(possession) else { return }
        content.possessions.append(possession)
    }

    /// Changes what the file says now: another window with the app may have changed it.
    private mutating func change<Result>(_ body: (inout Content) -> Result) throws -> Result {
        let lock = try lock()
        defer { try? lock.close() }
        var next = try read()
        let result = body(&next)
        try write(next)
        content = next
        return result
    }

    private func lock() throws -> FileHandle {
        let path = file.path + ".lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private func read() throws -> Content {
        guard FileManager.default.fileExists(atPath: file.path) else { return Content() }
        return try JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
    }

    /// Replaces the file as a whole, and returns when the disk has it.
    private func write(_ content: Content) throws {
        let draft = file.appendingPathExtension("new")
        try JSONEncoder().encode(content).write(to: draft)
        try Self.synchronize(draft)
        guard rename(draft.path, file.path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
        }
        try Self.synchronize(file.deletingLastPathComponent())
    }

    private static func synchronize(_ url: URL) throws {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
        }
        try handle.close()
    }
}
