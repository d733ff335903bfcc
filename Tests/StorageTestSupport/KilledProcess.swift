import Foundation
import TestSupport
import Testing

/// A program of ours that is killed after it has printed so many lines.
package enum KilledProcess {
    /// Runs a program that stands beside the tests and kills it, `kill -9`, once it has printed `count` lines; 0 kills it as
    /// soon as it runs. Gives every whole line.
    package static func lines(
        of program: String, _ words: [String], killedAfter count: Int
    ) async throws -> [String] {
        try await onOwnThread { try run(program, words, killedAfter: count) }
    }

    private static func run(_ program: String, _ words: [String], killedAfter count: Int) throws -> [String] {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent(program)
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        var bytes: [UInt8] = []
        var printed = 0
        var isKilled = false
        while true {
            if !isKilled, printed >= count {
                kill(process.processIdentifier, SIGKILL)
                isKilled = true
            }
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { break }
            bytes += piece
            printed += piece.count { $0 == UInt8(ascii: "\n") }
        }
        process.waitUntilExit()
        let message = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
        try #require(isKilled, "\(program) ended by itself: \(message)")
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}
