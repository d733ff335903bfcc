import CommandOptions
import Foundation

/// Writes to the streams that every process is given.
enum StandardStream {
    @Sendable static func writeOutput(_ bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }

    @Sendable static func writeError(_ bytes: [UInt8]) { write(bytes, to: STDERR_FILENO) }

    /// Writes everything. Output that cannot be written ends the command, for it would be taken for complete.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { exit(ExitCode.inputOutput.rawValue) }
            rest = rest.dropFirst(count)
        }
    }
}
