import Foundation
import Testing

@testable import StoreKit

@Suite("The lock of a process")
struct FileLockTests {
    @Test("A lock has a descriptor for writing below it and one above it: one is closed after it in either order")
    func order() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("lock-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let lock = try #require(FileLock(path))
        let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int($0) }.sorted()
        let own = all.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
        let isForWriting = try own.map { descriptor in
            let text = try String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
            // The last digit of the flags, which are octal, is how the file was opened.
            let flags = try #require(text.split(separator: "\n").first { $0.hasPrefix("flags:") })
            return flags.hasSuffix("1")
        }
        #expect(isForWriting == [true, false, true])
        #expect(FileLock(path) == nil)
        withExtendedLifetime(lock) {}
    }
}
