import Foundation

/// A Python program that stays alive for the whole row, so that neither its start nor its imports are measured.
///
/// It reads its input as one line of JSON, answers `ready`, and from then on answers each line `run SECONDS` with
/// `OPERATIONS SECONDS`, timed inside: by the processor time of its thread, or by the wall where it uses all cores.
final class PythonReference: Contestant {
    private let process: Process
    private let input: FileHandle
    private let output: FileHandle
    private var unread = Data()

    init(script: String, input value: some Encodable) throws {
        guard let path = Bundle.module.path(forResource: script, ofType: "py") else {
            throw BenchmarkError("the script \(script).py is not among the benchmark's resources")
        }
        let pipes = (input: Pipe(), output: Pipe())
        process = ChildProcess.make(Self.interpreter, [path])
        process.standardInput = pipes.input
        process.standardOutput = pipes.output
        input = pipes.input.fileHandleForWriting
        output = pipes.output.fileHandleForReading
        // A child that ends early must show as an error here, not end this program.
        signal(SIGPIPE, SIG_IGN)
        try process.run()
        try send(JSONEncoder().encode(value) + Data("\n".utf8))
        guard try readLine() == "ready" else { throw failure }
    }

    deinit {
        try? input.close()
        process.waitUntilExit()
    }

    func run(seconds: Double) throws -> Rate {
        try send(Data("run \(seconds)\n".utf8))
        let fields = try readLine().split(separator: " ")
        guard fields.count == 2, let operations = Int(fields[0]), let seconds = Double(fields[1]) else { throw failure }
        return Rate(operations: operations, seconds: seconds)
    }

    private func send(_ line: Data) throws {
        do {
            try input.write(contentsOf: line)
        } catch {
            throw failure
        }
    }

    private func readLine() throws -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = Data(unread[(end + 1)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.availableData
            if more.isEmpty { throw failure }
            unread.append(more)
        }
    }

    private var failure: BenchmarkError {
        BenchmarkError(
            "\(Self.interpreter) failed; `make setup` installs what it needs, TILL_BENCH_PYTHON names another")
    }

    private static var interpreter: String {
        ProcessInfo.processInfo.environment["TILL_BENCH_PYTHON"] ?? ".venv/bin/python"
    }
}
