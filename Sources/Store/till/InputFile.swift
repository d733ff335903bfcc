import CommandOptions
import Foundation

/// A file that a command reads; `-` is standard input.
enum InputFile {
    /// The bytes of a file, no more of them than the limit and one.
    static func read(_ path: String, limit: Int) throws -> [UInt8] {
        let failure = CommandFailure(.inputMissing, "\(path) cannot be read")
        let handle = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let handle else { throw failure }
        do {
            var bytes: [UInt8] = []
            while bytes.count <= limit, let piece = try handle.read(upToCount: 1 << 16), !piece.isEmpty {
                bytes += piece
            }
            return bytes
        } catch {
            throw failure
        }
    }
}
