import Foundation
import StoreHTTP
import StoreHTTPClient
import StoreModel
import StoreRules
import StoreService
import TestProcessor

@testable import till

/// `till processor serve` as a process of its own, and a client of it.
// Safe: nothing of it is changed after it was made, and Process may be asked and killed from any thread.
final class ProcessorProcess: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()
    let pid: Int32
    let client: TestProcessorClient

    /// Starts it and returns when it takes calls.
    init(
        _ data: String, timeout: Duration = .seconds(200), patience: Duration = .zero, options: [String] = [],
        through launcher: (program: String, words: [String])? = nil
    ) throws {
        let output = Pipe()
        let words = ["processor", "serve", "--data", data, "--until-input-ends"] + options
        process.executableURL = launcher.map { URL(fileURLWithPath: $0.program) } ?? TillProcess.executable
        process.arguments = (launcher.map { $0.words + [TillProcess.executable.path] } ?? []) + words
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = output.fileHandleForReading.availableData
        guard let ready = try? JSONDecoder().decode(Ready.self, from: line) else { throw NotReady() }
        pid = ready.pid
        client = try TestProcessorClient(
            socketPath: Self.socket(data), timeout: timeout, patience: patience, secret: "s")
    }

    struct NotReady: Error {}

    private struct Ready: Decodable { let pid: Int32 }

    static func folder(_ data: String) -> ProcessorFolder { ProcessorFolder(DataDirectory(data), .sandbox) }

    static func socket(_ data: String) -> String { folder(data).path + "/" + ProcessorFolder.socketName }

    /// The records on the disk.
    static func log(_ data: String) throws -> TestProcessorState {
        var processor = TestProcessorState()
        try TestProcessorLogFile.read(folder(data).logPath) { record throws(TestProcessorLogError) in
            do throws(TestProcessorRefusal) {
                try processor.add(record)
            } catch {
                throw TestProcessorLogError(.damaged, error.message)
            }
        }
        return processor
    }

    /// Ends it the hard way, and returns when it is gone.
    func kill() {
        Foundation.kill(pid, SIGKILL)
        process.waitUntilExit()
    }

    func waitUntilExit() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Lets its input end and answers its status.
    func end() async -> Int32 {
        await client.shutDown()
        try? input.fileHandleForWriting.close()
        return waitUntilExit()
    }

    func send(_ method: HTTPMethod, _ path: String, _ json: String, _ data: String) async throws -> ClientResponse {
        let http = HTTPClient(HTTPClientConfiguration(addresses: .everywhere))
        let response = try await http.send(
            ClientRequest(
                method, "http://processor" + path, fields: ["Content-Type": "application/json"],
                body: .bytes(Array(json.utf8)), socketPath: Self.socket(data)))
        await http.shutDown()
        return response
    }
}

extension AuthorisationRequest {
    static func sample(_ key: String, _ amount: Int64 = 500, _ method: String = "test_approved") -> AuthorisationRequest
    {
        AuthorisationRequest(
            key: key, amount: Money(minorUnits: amount, currency: .usd), method: method, description: "Monkey food")
    }
}
