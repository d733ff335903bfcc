import Foundation
import Synchronization
import TestSupport
import Testing

@testable import StoreHTTPClient

/// Downloads run in real processes that are killed, or whose disk fails; whatever is left must lead to the right file.
@Suite("kill -9 and a failing disk while a file is downloaded", .serialized, .bounded) struct DownloadCrashTests {
    private static let bytes = SplitMix64Bytes.make(1_500_000)
    private static let calls = ["openat", "pwrite64", "write", "ftruncate", "fsync", "rename", "unlink"]

    /// A file at nginx behind a proxy that cuts the first connection of each trial, and a folder to put it.
    private struct Place {
        let nginx: NginxServer
        let proxy: FaultyProxy
        let folder: TemporaryFolder
        private let isFresh = Flag()

        init() throws {
            nginx = try NginxServer.start()
            try nginx.publish(bytes, as: "file")
            proxy = try FaultyProxy(toPort: nginx.port) { [isFresh] _ in isFresh.take() ? .cut(800_000) : .none }
            folder = try TemporaryFolder()
        }

        var download: InjectedFault {
            let destination = folder.file("file")
            let request = FetchProcess.download(proxy.url("/file"), to: destination)
            let endings = ["", ".part", ".part.json", ".part.json.new"]
            return InjectedFault(
                FetchProcess.executable, [request], calls: DownloadCrashTests.calls,
                at: endings.map { destination + $0 } + [folder.path])
        }

        /// The calls of a download without faults.
        func calls() throws -> [InjectedFault.Call] {
            isFresh.set()
            return try download.calls(within: folder.path)
        }

        /// Begins a trial with nothing there.
        func clear() throws {
            for name in folder.names { try FileManager.default.removeItem(atPath: folder.file(name)) }
            isFresh.set()
        }

        /// What is neither something that a later start goes on from, nor the file.
        func brokenness() -> [String] {
            let file = folder.read("file")
            if file != nil, file != bytes { return ["another file"] }
            // What a record vouches for is a beginning of the file.
            guard let part = folder.read("file.part"), folder.read("file.part.json") != nil else { return [] }
            return bytes.starts(with: part) ? [] : ["a part of another file"]
        }

        /// Starts it again without faults, and says what is not as it should be then.
        func completion() throws -> [String] {
            let request = FetchProcess.download(proxy.url("/file"), to: folder.file("file"))
            let answer = try Command.run(FetchProcess.executable.path, request)
            guard answer.contains(#"{"ok":"#), folder.read("file") == bytes else { return ["not completed: \(answer)"] }
            let rest = folder.names.filter { !["file", "file.part.json.new"].contains($0) }
            return rest.isEmpty ? [] : ["left: \(rest)"]
        }
    }

    /// Something that is so until it is asked for.
    private final class Flag: Sendable {
        private let state = Mutex(false)

        func set() { state.withLock { $0 = true } }

        func take() -> Bool {
            state.withLock { state in
                defer { state = false }
                return state
            }
        }
    }

    @Test("a download killed at any call goes on from what is left") func downloadKilledAt() async throws {
        let (faults, killed, names) = try await onOwnThread {
            let place = try Place()
            defer { place.proxy.stop() }
            let calls = try place.calls()
            var faults: [String] = []
            var killed = 0
            // The later writes of content are like the earlier ones.
            for call in calls where call.number <= 10 {
                try place.clear()
                if try place.download.run(.kill, at: call).status != 0 { killed += 1 }
                faults += try (place.brokenness() + place.completion()).map { "killed at \(call): \($0)" }
            }
            return (faults, killed, Set(calls.map(\.name)))
        }
        #expect(faults == [])
        #expect(killed >= 20)
        #expect(names == Set(Self.calls))
    }

    @Test("a download killed twice goes on still") func downloadKilledTwice() async throws {
        let faults = try await onOwnThread {
            let place = try Place()
            defer { place.proxy.stop() }
            var random = RandomizedRun.generator(named: "downloads killed twice")
            let calls = try place.calls().filter { $0.number <= 10 }
            var faults: [String] = []
            for _ in 0..<RandomizedRun.cases(6) {
                try place.clear()
                let chosen = (0..<2).map { _ in calls[Int.random(in: 0..<calls.count, using: &random)] }
                for call in chosen { _ = try place.download.run(.kill, at: call) }
                faults += try (place.brokenness() + place.completion()).map { "killed at \(chosen): \($0)" }
            }
            return faults
        }
        #expect(faults == [], "TILL_SEED=\(RandomizedRun.seed)")
    }

    @Test(
        "a disk that is full or fails is told, and what is there is kept",
        arguments: [
            ("pwrite64", "ENOSPC", "disk_full", 3), ("write", "ENOSPC", "disk_full", 4), ("pwrite64", "EIO", "file", 2),
            ("fsync", "EIO", "file", 4), ("rename", "EIO", "file", 4), ("ftruncate", "EIO", "file", 1),
            ("openat", "EACCES", "file", 1),
        ])
    func diskFullFails(
        call: String, error: String, code: String, count: Int
    ) async throws {
        let faults = try await onOwnThread {
            let place = try Place()
            defer { place.proxy.stop() }
            let calls = try place.calls().filter { $0.name == call }
            var faults = calls.count < count ? ["only \(calls)"] : []
            for call in calls.prefix(count) {
                try place.clear()
                let output = try place.download.run(.error(error), at: call).output
                if !output.contains(#""code":"\#(code)""#) { faults.append("\(call): \(output)") }
                faults += try (place.brokenness() + place.completion()).map { "\(error) at \(call): \($0)" }
            }
            return faults
        }
        #expect(faults == [])
    }
}
