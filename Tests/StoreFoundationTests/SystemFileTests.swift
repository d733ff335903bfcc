import Foundation
import StoreFoundation
import Testing

@Suite("Files of the system")
struct SystemFileTests {
    /// Runs a test in a folder of its own.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("file-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test("What is written is read, and what is beyond the end is not there")
    func content() throws {
        try withFolder { folder in
            let file = try SystemFile(making: folder + "/a")
            try file.write([1, 2, 3])
            try file.write([])
            try file.write([4])
            try file.synchronize()
            let reading = try SystemFile(reading: folder + "/a")
            #expect(try reading.status().st_size == 4)
            #expect(try reading.status().st_mode & 0o777 == 0o600)
            #expect(try reading.read(count: 4) == [1, 2, 3, 4])
            #expect(try reading.read(at: 1, count: 2) == [2, 3])
            #expect(try reading.read(at: 3, count: 10) == [4])
            #expect(try reading.read(at: 9, count: 10) == [])
        }
    }

    @Test("A file is made only where there is none, and a link is not followed")
    func making() throws {
        try withFolder { folder in
            _ = try SystemFile(making: folder + "/a")
            #expect(throws: FileFailure("making", folder + "/a", EEXIST)) { try SystemFile(making: folder + "/a") }
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder + "/a")
            #expect(throws: FileFailure("reading", folder + "/link", ELOOP)) {
                try SystemFile(reading: folder + "/link")
            }
            let failure = FileFailure("reading", folder + "/b", ENOENT)
            #expect(throws: failure) { try SystemFile(reading: folder + "/b") }
            #expect(failure.description == "reading \(folder)/b: No such file or directory")
            #expect(!failure.isFull && FileFailure("writing", "a", ENOSPC).isFull)
        }
    }

    @Test("A replaced file is the new one, whatever a crash left of an earlier draft, and no draft stays")
    func replacing() throws {
        try withFolder { folder in
            let (path, draft) = (folder + "/a", folder + "/a.new")
            try SystemFile.replace(path, with: [1], draft: draft)
            try SystemFile(making: draft).write([9, 9, 9])
            try SystemFile.replace(path, with: [2, 2], draft: draft, isDurable: false)
            try SystemFile.synchronizeFolder(of: path)
            #expect(try SystemFile(reading: path).read(count: 9) == [2, 2])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
            try FileManager.default.createDirectory(atPath: folder + "/full/b", withIntermediateDirectories: true)
            #expect(throws: FileFailure.self) { try SystemFile.replace(folder + "/full", with: [3], draft: draft) }
            #expect(access(draft, F_OK) != 0)
        }
    }

    @Test("A file that is created is whole, and one that is there stays as it is")
    func creating() throws {
        try withFolder { folder in
            let (path, draft) = (folder + "/a", folder + "/a.new")
            try SystemFile.create(path, with: [1, 2], draft: draft)
            try SystemFile.create(path, with: [3], draft: draft)
            #expect(try SystemFile(reading: path).read(count: 9) == [1, 2])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
            #expect(throws: FileFailure("making", folder + "/none/a.new", ENOENT)) {
                try SystemFile.create(folder + "/none/a", draft: folder + "/none/a.new")
            }
        }
    }

    @Test(
        "One at a time has the lock of a file, until its object is gone; a program that is being started keeps it not")
    func locking() throws {
        try withFolder { folder in
            func file() throws -> SystemFile {
                try SystemFile(folder + "/lock", O_RDWR | O_CREAT | O_NOFOLLOW, for: "locking")
            }
            var first: SystemFile? = try file()
            let second = try file()
            #expect(try first?.lock() == true)
            #expect(try second.lock() == false)
            // What a process that is being started has for a moment: the same open file.
            let copy = dup(try #require(first).descriptor)
            defer { close(copy) }
            first = nil
            #expect(try second.lock())
        }
    }
}
