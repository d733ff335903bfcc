import Foundation
import TestSupport

/// What happened, line by line, for tests that wait for lines.
final class Transcript: Sendable {
    private let written = Observed<[String]>([])

    var lines: [String] { written.value }

    func write(_ line: String) { written.update { $0.append(line) } }

    /// Waits until a line was written so often.
    func untilCount(_ count: Int, of line: String) async throws {
        try await written.wait { $0.count { $0 == line } >= count }
    }

    /// Waits until a line was written.
    func until(_ line: String) async throws {
        try await written.wait { $0.contains(line) }
    }
}

/// Waits until everything that is on its way to the main queue has arrived.
func mainQueueDrained() async throws {
    let isDrained = Observed(false)
    DispatchQueue.main.async { isDrained.update { $0 = true } }
    try await isDrained.wait { $0 }
}
