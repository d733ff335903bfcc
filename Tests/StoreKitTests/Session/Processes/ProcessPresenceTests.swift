import Foundation
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

@Suite("The presence of a process")
struct ProcessPresenceTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("presence-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    @Test("A process that begins is not taken for one that was left behind, however others sweep")
    func sweeping() throws {
        try withFolder { folder in
            let other = try ProcessPresence(in: folder)
            let isOver = Mutex(false)
            let swept = DispatchGroup()
            for _ in 0..<2 {
                swept.enter()
                Thread.detachNewThread {
                    while !isOver.withLock({ $0 }) { other.sweep() }
                    swept.leave()
                }
            }
            var present: [ProcessPresence] = []
            for _ in 0..<(RandomizedRun.isSoak ? 20_000 : 2000) {
                let one = try ProcessPresence(in: folder)
                present.append(one)
                if present.count == 20 {
                    for one in present { #expect(other.isAlive(one.name)) }
                    present = []
                }
            }
            isOver.withLock { $0 = true }
            swept.wait()
        }
    }

    @Test("What a process leaves behind is swept, and nothing else")
    func left() throws {
        try withFolder { folder in
            let one = try ProcessPresence(in: folder)
            try Data().write(to: URL(fileURLWithPath: folder + "/process-dead"))
            try Data().write(to: URL(fileURLWithPath: folder + "/lease"))
            #expect(!one.isAlive("dead"))
            one.sweep()
            #expect(one.isAlive(one.name))
            let left = try Set(FileManager.default.contentsOfDirectory(atPath: folder))
            #expect(left == ["lease", "process-" + one.name])
        }
    }
}
