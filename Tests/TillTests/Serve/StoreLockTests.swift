import CommandOptions
import Foundation
import Testing

@testable import till

@Suite("The lock of a data directory")
struct StoreLockTests {
    private let transcript: Transcript
    private var directory: DataDirectory { DataDirectory(transcript.data) }

    init() throws {
        transcript = try Transcript()
    }

    @Test("One has it at a time, and gives it back by letting go")
    func exclusion() throws {
        var first: StoreLock? = try StoreLock(directory)
        #expect(first != nil)
        #expect(try StoreLock(directory) == nil)
        first = nil
        #expect(try StoreLock(directory) != nil)
    }

    @Test("Who has it says so, in one line that does nothing to a terminal")
    func description() throws {
        #expect(StoreLock.description(directory) == nil)
        let lock = try #require(try StoreLock(directory))
        lock.describe("process 1234567, production at http://127.0.0.1:80\nmore")
        lock.describe("process 1, at \u{1B}[2Jx\nmore")
        #expect(StoreLock.description(directory) == "process 1, at \\u{1B}[2Jx")
        #expect(StoreLock.refusal(directory).message.contains("process 1, at"))
        #expect(StoreLock.refusal(directory).exitCode == .tryAgain)
    }

    @Test("A link in its place is not followed")
    func link() throws {
        let target = try transcript.file("elsewhere", "kept")
        try FileManager.default.createSymbolicLink(atPath: directory.lockPath, withDestinationPath: target)
        #expect(throws: CommandFailure.self) { try StoreLock(directory) }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
    }
}

@Suite("The data directory")
struct DataDirectoryTests {
    @Test("It is made with everything above it, closed to others")
    func making() throws {
        let transcript = try Transcript()
        let directory = DataDirectory(transcript.data + "/a/b")
        try directory.make()
        try directory.make()
        for path in [transcript.data + "/a", directory.path] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
        }
    }

    @Test("One that others may use is refused, with what to do", arguments: [0o777, 0o720, 0o704, 0o750])
    func openToOthers(mode: Int) throws {
        let transcript = try Transcript()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: transcript.data)
        let failure = #expect(throws: CommandFailure.self) { try DataDirectory(transcript.data).make() }
        #expect(failure?.message.contains("chmod 700") == true)
        #expect(failure?.exitCode == .configuration)
    }

    @Test("What kills have left of packages and restored databases goes, and nothing else")
    func remains() throws {
        let transcript = try Transcript()
        let directory = DataDirectory(transcript.data)
        let left = ["packages/7-1-A.pkg", "packages/demo-B/Contents/chapter.txt", "databases.restoring/sandbox.sqlite"]
        let kept = ["databases/sandbox.sqlite", "blobs/ab/cd/abcd", "drafts/C"]
        for name in left + kept {
            let path = URL(fileURLWithPath: "\(directory.path)/\(name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data([1]).write(to: path)
        }
        directory.removeRemains(holding: try #require(try StoreLock(directory)))
        for (names, isThere) in [(left, false), (kept, true)] {
            for name in names {
                #expect(FileManager.default.fileExists(atPath: "\(directory.path)/\(name)") == isThere, "\(name)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.packagesPath) == [])
    }

    @Test("A file in its place is refused")
    func file() throws {
        let transcript = try Transcript()
        let path = try transcript.file("data", "")
        let failure = #expect(throws: CommandFailure.self) { try DataDirectory(path).make() }
        #expect(failure?.message.contains("no folder") == true)
    }
}
