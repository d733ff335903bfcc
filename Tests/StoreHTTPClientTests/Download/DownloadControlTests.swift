import Foundation
import StoreHTTP
import TestSupport
import Testing

@testable import StoreHTTPClient

@Suite("A download can be paused, resumed, cancelled and watched", .bounded) struct DownloadControlTests {
    private static let bytes = SplitMix64Bytes.make(300_000)

    /// A server that sends so much of what is asked for and then waits for the client to go.
    private static func stalling(
        after count: Int,
        then test: (DownloadBench, _ heads: Collected<String>, _ ended: Collected<Int>, ScriptedServer) async throws ->
            Void
    ) async throws {
        let (heads, ended) = (Collected<String>(), Collected<Int>())
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            heads.append(head)
            let start = head.contains("Range: bytes=") ? count : 0
            let rest = Self.bytes[start...]
            let status = start > 0 ? "206 Part" : "200 OK"
            let range = "Content-Range: bytes \(start)-\(Self.bytes.count - 1)/\(Self.bytes.count)"
            let fields = ["HTTP/1.1 \(status)", "Content-Length: \(rest.count)", "ETag: \"1\"", range]
            connection.write(fields.joined(separator: "\r\n") + "\r\n\r\n")
            connection.write(Array(number == 0 ? rest.prefix(count) : rest))
            connection.waitForEnd()
            ended.append(number)
        }
        defer { server.stop() }
        let bench = try DownloadBench()
        try await test(bench, heads, ended, server)
        await bench.client.shutDown()
    }

    /// Waits until so much has arrived.
    private static func arrived(_ count: Int, of download: Download) async {
        for await progress in download.progress where progress.received >= count { return }
    }

    @Test("a pause ends the connection, and after it the rest is fetched") func pauseEndsConnection() async throws {
        try await Self.stalling(after: 100_000) { bench, heads, ended, server in
            let download = Download(bench.order(server.url()), with: bench.client)
            let running = Task { try await download.run() }
            await Self.arrived(100_000, of: download)
            download.pause()
            await ended.wait(for: 1)
            #expect(bench.part == Array(Self.bytes.prefix(100_000)))
            #expect(heads.all.count == 1)
            download.resume()
            try await running.value
            #expect(bench.file == Self.bytes && bench.folder.names == ["file"])
            #expect(heads.all.count == 2 && heads.all[1].contains("Range: bytes=100000-"))
        }
    }

    @Test("cancelling removes what is there, in the middle and in a pause") func cancellingRemovesWhat() async throws {
        for isPaused in [false, true] {
            try await Self.stalling(after: 100_000) { bench, heads, _, server in
                let download = Download(bench.order(server.url()), with: bench.client)
                let running = Task { await bench.failure(of: download) }
                await Self.arrived(100_000, of: download)
                if isPaused { download.pause() }
                download.cancel()
                // Nothing brings it back.
                download.resume()
                #expect(await running.value?.code == .cancelled)
                #expect(bench.folder.names == [] && heads.all.count == 1)
            }
        }
    }

    @Test("cancelling its task keeps what is there, in the middle, in a pause and in a wait") func cancellingTaskKeeps()
        async throws
    {
        for moment in 0..<3 {
            try await Self.stalling(after: 100_000) { bench, heads, _, server in
                let waiting = Collected<Bool>()
                let policy = DownloadBench.endlessWait(waiting)
                let order = bench.order(server.url()) { $0.policy = policy }
                let download = Download(order, with: bench.client)
                let running = Task { await bench.failure(of: download) }
                await Self.arrived(100_000, of: download)
                if moment == 1 { download.pause() }
                if moment == 2 {
                    server.stop()
                    await waiting.wait(for: 1)
                }
                running.cancel()
                #expect(await running.value?.code == .cancelled)
                #expect(bench.folder.names == ["file.part", "file.part.json"])
                #expect(bench.part == Array(Self.bytes.prefix(100_000)))
            }
        }
    }

    @Test("resuming cuts a wait short") func resumingCutsWait() async throws {
        let host = FileHost(.init(bytes: Self.bytes, status: "503 Later"))
        let server = try ScriptedServer { connection, _ in host.serve(connection) }
        defer { server.stop() }
        let bench = try DownloadBench()
        let waiting = Collected<Bool>()
        let policy = DownloadBench.endlessWait(waiting)
        let download = Download(bench.order(server.url()) { $0.policy = policy }, with: bench.client)
        let running = Task { try await download.run() }
        await waiting.wait(for: 1)
        host.change { $0.status = nil }
        download.resume()
        try await running.value
        #expect(bench.file == Self.bytes)
    }

    @Test("progress never goes back while a file stays the same, and ends with the download") func progressNeverGoes()
        async throws
    {
        try await DownloadBench.with(.init(bytes: Self.bytes, cut: 20_000)) { bench, host, server in
            let download = Download(bench.order(server.url()), with: bench.client)
            let watched = Task {
                var all: [DownloadProgress] = []
                for await progress in download.progress { all.append(progress) }
                return all
            }
            try await download.run()
            let all = await watched.value
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.received <= $1.received })
            #expect(all.last == DownloadProgress(received: 300_000, expected: 300_000))
            var late: [DownloadProgress] = []
            for await progress in download.progress { late.append(progress) }
            #expect(late == [DownloadProgress(received: 300_000, expected: 300_000)])
        }
    }

    @Test("one part has one download at a time, and one download runs once") func onePartHas() async throws {
        try await Self.stalling(after: 100_000) { bench, _, _, server in
            let download = Download(bench.order(server.url()), with: bench.client)
            let running = Task { await bench.failure(of: download) }
            await Self.arrived(100_000, of: download)
            #expect(await bench.failure(server.url())?.code == .busy)
            #expect(await bench.failure(of: download)?.code == .busy)
            running.cancel()
            _ = await running.value
            try await bench.fetch(server.url())
            #expect(bench.file == Self.bytes)
        }
    }

    @Test("many downloads at a time, some of them cancelled at any instant, leave whole files or parts")
    func manyDownloadsAt()
        async throws
    {
        let host = FileHost(.init(bytes: Self.bytes, cut: 70_000))
        let server = try ScriptedServer { connection, _ in host.serve(connection) }
        defer { server.stop() }
        let bench = try DownloadBench()
        var random = RandomizedRun.generator(named: "cancelled downloads")
        for _ in 0..<RandomizedRun.cases(6) {
            await withTaskGroup { group in
                for number in 0..<8 {
                    let yields = 1 << Int.random(in: 0...10, using: &random)
                    group.addTask {
                        let order = bench.order(server.url()) { $0.destination = bench.folder.file("\(number)") }
                        let download = Download(order, with: bench.client)
                        let running = Task { await bench.failure(of: download) }
                        await RandomizedRun.giveWay(yields)
                        running.cancel()
                        _ = await running.value
                    }
                }
            }
        }
        for number in 0..<8 {
            try await bench.fetch(server.url()) { $0.destination = bench.folder.file("\(number)") }
            #expect(bench.folder.read("\(number)") == Self.bytes)
        }
        #expect(bench.folder.names == (0..<8).map { "\($0)" })
        await bench.client.shutDown()
    }
}
