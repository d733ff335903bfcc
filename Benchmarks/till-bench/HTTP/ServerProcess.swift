import Foundation
import StoreKit

/// A server in a process of its own, from its start to the end of its owner.
final class ServerProcess {
    let port: Int
    private let process: Process
    private let input: FileHandle?
    private let output: FileHandle?
    /// What it serves lives as long as it does.
    private let owner: AnyObject?

    var identifier: Int32 { process.processIdentifier }

    /// Starts ours, with answers that cost nothing.
    convenience init(_ arguments: [String]) throws {
        try self.init(word: BenchServer.word, arguments)
    }

    /// Starts a store in a folder that lives as long as the server.
    convenience init(_ store: StoreFolder) throws {
        try self.init(word: StoreProgram.word, [store.path] + [store.address].compactMap(\.self), keeping: store)
    }

    /// Starts a developer's own server with empty books, which asks a store.
    convenience init(backendIn folder: TemporaryFolder, store: ServerProcess) throws {
        try self.init(word: BackendProgram.word, [folder.path, String(store.port)], keeping: folder)
    }

    /// Starts the test processor of a store.
    convenience init(processorOf store: StoreFolder) throws {
        try self.init(word: ProcessorProgram.word, [store.path], keeping: store)
    }

    /// Starts an app on a device, which stays when it has begun.
    convenience init(appOf device: BenchDevice) throws {
        try device.profile.text.write(
            toFile: AppProgram.profile(in: device.path), atomically: true, encoding: .utf8)
        try self.init(word: AppProgram.word, [device.path])
    }

    /// Starts a process with so many sessions of StoreKitTest.
    convenience init(testSessions count: Int) throws {
        try self.init(word: TestSessionProgram.word, [String(count)])
    }

    private init(word: String, _ arguments: [String], keeping owner: AnyObject? = nil) throws {
        let pipes = (input: Pipe(), output: Pipe())
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [word] + arguments
        process.standardInput = pipes.input
        process.standardOutput = pipes.output
        input = pipes.input.fileHandleForWriting
        output = pipes.output.fileHandleForReading
        self.owner = owner
        try process.run()
        guard let port = Self.number(in: pipes.output.fileHandleForReading.availableData) else {
            throw BenchmarkError("our server did not start")
        }
        self.port = port
    }

    /// Starts nginx, which keeps its files in a folder of ours.
    init(
        nginxIn files: ServerFiles, identity: ServerIdentity? = nil, answer: String? = nil, products: String? = nil
    ) throws {
        let folder = files.folder
        owner = files
        port = try LoopbackSocket.freePort()
        let path = folder.appendingPathComponent("nginx.conf").path
        let configuration = NginxConfiguration(
            folder: folder, port: port, identity: identity, answer: answer, products: products)
        try configuration.text.write(toFile: path, atomically: true, encoding: .utf8)
        process = ChildProcess.make("nginx", ["-p", folder.path, "-c", path, "-e", folder.path + "/error.log"])
        // Debian keeps it where only root looks.
        process.environment = ["PATH": (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin"]
        process.standardError = FileHandle.nullDevice
        input = nil
        output = nil
        try process.run()
        guard LoopbackSocket.awaitListener(at: port) else {
            throw BenchmarkError("nginx did not start; `make setup` installs it")
        }
    }

    deinit {
        try? input?.close()
        if input == nil { process.terminate() }
        process.waitUntilExit()
    }

    /// What it answers to a body.
    func post(_ path: String, _ body: String, fields: [String] = []) throws -> String {
        let fields = ["Content-Type: application/json"] + fields
        return try ChildProcess.output(
            of: "curl",
            ["--silent", "--fail", "--data-binary", body] + fields.flatMap { ["--header", $0] }
                + ["http://127.0.0.1:\(port)\(path)"])
    }

    /// What it answers at a path.
    func get(_ path: String, fields: [String] = []) throws -> String {
        try ChildProcess.output(
            of: "curl",
            ["--silent", "--fail"] + fields.flatMap { ["--header", $0] } + ["http://127.0.0.1:\(port)\(path)"])
    }

    /// How many requests ours has at work.
    func requestsAtWork() throws -> Int {
        try input?.write(contentsOf: Data("\n".utf8))
        guard let number = output.flatMap({ Self.number(in: $0.availableData) }) else {
            throw BenchmarkError("our server says nothing")
        }
        return number
    }

    /// Memory that is the process's own, in bytes.
    func memory() throws -> Int {
        try ProcessMemory.resident(of: identifier)
    }

    private static func number(in data: Data) -> Int? {
        Int(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
