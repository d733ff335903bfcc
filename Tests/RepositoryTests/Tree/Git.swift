import Foundation

/// The history of a repository, as the git command tells it.
struct Git {
    struct Object {
        let kind: String
        let size: Int
        let path: String
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let root: URL

    /// Everything that the current commit and its ancestors hold.
    func objects() throws -> [Object] {
        let list = try run("rev-list", "--objects", "HEAD")
        let format = "--batch-check=%(objecttype) %(objectsize) %(rest)"
        return try run("cat-file", format, input: list).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, let size = Int(parts[1]) else { return nil }
            return Object(kind: String(parts[0]), size: size, path: String(parts[2]))
        }
    }

    private func run(_ arguments: String..., input: String = "") throws -> String {
        // Input and output are files: a pipe that nobody empties would stop both sides.
        let folder = URL.temporaryDirectory.appending(path: "till-git-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (inputFile, outputFile) = (folder.appending(path: "input"), folder.appending(path: "output"))
        try Data(input.utf8).write(to: inputFile)
        try Data().write(to: outputFile)

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // The tree may belong to another user than the one who tests it.
        process.arguments = ["git", "-c", "safe.directory=*", "-C", root.path] + arguments
        process.standardInput = try FileHandle(forReadingFrom: inputFile)
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                description: "git \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
        }
        return String(decoding: try Data(contentsOf: outputFile), as: UTF8.self)
    }
}
