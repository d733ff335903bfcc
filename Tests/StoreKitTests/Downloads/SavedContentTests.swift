import Foundation
import StoreModel
import Testing

@testable import StoreKit

/// What does not need a store: estimates, and marks for programs that make backups.
@Suite("Estimates and marks of content")
struct SavedContentTests {
    @Test(
        "R6.6: the time that is left is unknown until something was seen for a second, and follows the line from then on"
    )
    func rate() {
        var rate = TransferRate()
        func at(_ seconds: Double) -> Instant { SessionTime.start + .milliseconds(Int64(seconds * 1000)) }
        rate.note(0, at: at(0))
        #expect(rate.seconds(for: 1000) == nil)
        rate.note(90, at: at(0.9))
        #expect(rate.seconds(for: 1000) == nil)
        rate.note(200, at: at(2))
        #expect(rate.seconds(for: 1000) == 10)
        // A slower line counts for less than a third at first.
        rate.note(220, at: at(4))
        #expect(rate.seconds(for: 730) == 10)
        // A clock that is set back, or a part that was cut off, begins anew and forgets nothing.
        rate.note(100, at: at(3))
        #expect(rate.seconds(for: 730) == 10)
        #expect(rate.seconds(for: -5) == 0)
    }

    @Test("R6.9: a marked folder says so in both ways, and marking it again changes nothing")
    func marks() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-mark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(!BackupExclusion.isMarked(folder))
        #expect(BackupExclusion.mark(folder) && BackupExclusion.mark(folder))
        #expect(BackupExclusion.isMarked(folder))
        let tag = try String(contentsOf: folder.appendingPathComponent("CACHEDIR.TAG"), encoding: .utf8)
        // The beginning that the specification asks for.
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["CACHEDIR.TAG"])
        #expect(!BackupExclusion.mark(folder.appendingPathComponent("missing")))
    }
}
