import Foundation
import StoreModel
import StoreService

/// Where a test processor keeps its log and listens.
struct ProcessorFolder: Sendable {
    static let socketName = "processor.sock"

    let path: String

    init(_ directory: DataDirectory, _ environment: StoreEnvironment) {
        path = "\(directory.path)/processor/\(environment.rawValue)"
    }

    var logPath: String { path + "/effects.jsonl" }
    var directory: DataDirectory { DataDirectory(path) }

    /// Takes the log, after waiting for another process to end that has it.
    func open(waiting seconds: Int) async throws -> TestProcessorLogFile {
        try directory.make()
        var attempts = seconds * Self.attemptsPerSecond
        while true {
            let failure: TestProcessorLogError
            do throws(TestProcessorLogError) {
                return try TestProcessorLogFile(path: logPath)
            } catch {
                failure = error
            }
            guard failure.code == .busy, attempts > 0 else { throw failure }
            attempts -= 1
            try await Task.sleep(for: .seconds(1) / Self.attemptsPerSecond)
        }
    }

    private static let attemptsPerSecond = 50
}
