import Foundation

/// `till serve` as an operator starts it, in a data directory that goes with its owner.
final class TillServer {
    private let folder: URL
    private let program: URL

    var path: String { folder.path }

    /// Makes the data directory by a first start.
    init() throws {
        program = try Self.program()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-bench-\(UUID().uuidString)")
        _ = try start { _, _ in }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The program beside this one.
    static func program() throws -> URL {
        let bench = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let program = bench.deletingLastPathComponent().appendingPathComponent("till")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw BenchmarkError("there is no \(program.path); `make bench` builds it")
        }
        return program
    }

    /// A command of `till` about this store.
    func command(_ words: [String]) -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = words + ["--data", folder.path]
        return process
    }

    /// Starts the store, hands over its process and its first line once it is ready, and stops it. Answers the seconds
    /// from the start to that line.
    func start(_ body: (_ process: Int32, _ line: String) throws -> Void) throws -> Double {
        let process = command([
            "serve", "--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0",
            "--log-format", "json",
        ])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let clock = ContinuousClock()
        let began = clock.now
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let time = clock.now - began
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        guard line.hasPrefix(#"{"event":"ready""#) else { throw BenchmarkError("till serve did not become ready") }
        try body(process.processIdentifier, line)
        let (seconds, fraction) = time.components
        return Double(seconds) + Double(fraction) / 1e18
    }
}
