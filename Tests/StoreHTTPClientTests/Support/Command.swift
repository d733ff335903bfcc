import Foundation

/// Another program, run to its end.
enum Command {
    struct Failed: Error {
        let words: [String]
        let output: String
    }

    /// Runs it and answers what it wrote.
    @discardableResult static func run(_ words: String..., in folder: String? = nil) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(words: words, output: text) }
        return text
    }
}
