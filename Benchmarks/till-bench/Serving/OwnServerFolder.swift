import Foundation

/// `till backend serve` as a developer starts it, with one product whose content is a file of some size, and the store that it asks.
final class OwnServerFolder {
    private static let product = "\(StoreFolder.bundle).level.1"

    private let folder: TemporaryFolder
    private let store: ServerProcess
    private let receipt: String
    private let program: URL
    /// Of the user, who signs up in the first run.
    private var token: String?

    init(contentBytes: Int) throws {
        let books = try StoreFolder(customers: 4)
        receipt = try ReceiptBodies(books, count: 1).path
        store = try ServerProcess(books)
        folder = try TemporaryFolder()
        program = try TillServer.program()
        let content = folder.path + "/content.bin"
        try Data().write(to: URL(fileURLWithPath: content))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: content))
        try file.truncate(atOffset: UInt64(contentBytes))
        try file.close()
        let list = folder.path + "/products.json"
        try """
        {"bundleId": "\(StoreFolder.bundle)", "products": [
          {"productId": "\(Self.product)", "kind": "Non-Consumable", "content": "level"}]}
        """.write(toFile: list, atomically: true, encoding: .utf8)
        try run(["backend", "products", "publish", list])
        try run(["backend", "content", "add", "level", content, "--version", "1.0"])
        try FileManager.default.removeItem(atPath: content)
    }

    private func process(_ words: [String]) -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = words + ["--data", folder.path + "/backend"]
        process.standardError = FileHandle.nullDevice
        return process
    }

    private func run(_ words: [String]) throws {
        let process = process(words)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError("till \(words.joined(separator: " ")) failed")
        }
    }

    /// The most memory that the server had, in bytes, when somebody had downloaded the content.
    func memoryOfDownload() throws -> Int {
        let process = process([
            "backend", "serve", "--bundle", StoreFolder.bundle, "--listen", "127.0.0.1:0", "--log-format", "json",
            "--store-sandbox", "http://127.0.0.1:\(store.port)",
        ])
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let address = line.firstMatch(of: /"url":"([^"]+)"/)?.1 else {
            throw BenchmarkError("till backend serve did not become ready")
        }
        let token = try token ?? signUp(at: address)
        self.token = token
        _ = try curl([
            "--location", "--output", "/dev/null", "--header", "Authorization: Bearer \(token)", "--json",
            proof(), "\(address)/v1/content/\(Self.product)",
        ])
        return try ProcessMemory.largest(of: process.processIdentifier)
    }

    private func signUp(at address: Substring) throws -> String {
        let user = try curl(["--json", BackendProgram.user, "\(address)/v1/users"])
        guard let token = user.firstMatch(of: /"token":"([^"]+)"/)?.1 else {
            throw BenchmarkError("nobody can sign in:\n\(user)")
        }
        return String(token)
    }

    private func curl(_ arguments: [String]) throws -> String {
        try ChildProcess.output(of: "curl", ["--silent", "--fail"] + arguments)
    }

    /// The receipt as this server takes it.
    private func proof() throws -> String {
        try String(contentsOfFile: receipt, encoding: .utf8).replacing("receipt-data", with: "proof")
    }
}

/// The memory that a download takes.
final class DownloadMemory: Contestant {
    private let server: OwnServerFolder

    init(_ server: OwnServerFolder) {
        self.server = server
    }

    /// The time of the rate is the memory of one in gigabytes.
    func run(seconds: Double) throws -> Rate {
        Rate(operations: 1, seconds: Double(try server.memoryOfDownload()) / 1e9)
    }
}
