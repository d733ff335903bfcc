import Foundation
import StoreHTTP
import TestSupport
import Testing

@testable import StoreHTTPClient

@Suite("A download through a proxy that spoils everything ends with the right bytes", .bounded)
struct FaultyDownloadTests {
    private static let bytes = SplitMix64Bytes.make(3_000_000)

    private func nginx() throws -> NginxServer {
        let nginx = try NginxServer.start()
        try nginx.publish(Self.bytes, as: "file")
        return nginx
    }

    @Test("nginx behind a proxy that cuts at every so many bytes", arguments: [7_000, 64_000, 500_000, 2_999_000])
    func nginxBehindProxy(count: Int) async throws {
        let nginx = try nginx()
        let proxy = try FaultyProxy(toPort: nginx.port) { number in number % 2 == 0 ? .cut(count) : .reset(count) }
        defer { proxy.stop() }
        let bench = try DownloadBench()
        try await bench.fetch(proxy.url("/file")) { $0.policy = bench.policy(attempts: 20) }
        #expect(bench.file == Self.bytes && bench.folder.names == ["file"])
        #expect(proxy.accepted >= Self.bytes.count / count)
        await bench.client.shutDown()
    }

    @Test("a server that falls silent is left after the idle time") func serverFallsSilent() async throws {
        let nginx = try nginx()
        let proxy = try FaultyProxy(toPort: nginx.port) { number in number == 0 ? .stall(1_000_000) : .none }
        defer { proxy.stop() }
        let bench = try DownloadBench()
        try await bench.fetch(proxy.url("/file")) { $0.request.timeouts = ClientTimeouts(idle: .seconds(1)) }
        #expect(bench.file == Self.bytes && proxy.accepted == 2)
        await bench.client.shutDown()
    }

    @Test("any faults in any order") func anyFaultsAny() async throws {
        let nginx = try nginx()
        // Most of a round is waiting, before somebody tries again.
        for round in 0..<(RandomizedRun.isSoak ? 60 : 4) {
            var random = RandomizedRun.generator(named: "faulty downloads \(round)")
            // After so many faults everything goes right, so that even a server that is never trusted again is done.
            var faults: [FaultyProxy.Fault] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                faults.append(.random(upTo: Self.bytes.count, using: &random))
            }
            let plan = faults
            let proxy = try FaultyProxy(toPort: nginx.port) { $0 < plan.count ? plan[$0] : .none }
            let bench = try DownloadBench()
            let order = bench.order(proxy.url("/file")) { $0.digest = TestDigest.expected(of: Self.bytes) }
            // Whoever spoils a file three times in a row is given up; another start then finds the way.
            var error = await bench.failure(of: Download(order, with: bench.client))
            while let failed = error, failed.code == .unexpectedContent || failed.code == .transfer {
                error = await bench.failure(of: Download(order, with: bench.client))
            }
            #expect(error == nil, "round \(round), TILL_SEED=\(RandomizedRun.seed): \(plan)")
            #expect(bench.file == Self.bytes, "round \(round), TILL_SEED=\(RandomizedRun.seed): \(plan)")
            #expect(bench.folder.names == ["file"])
            proxy.stop()
            await bench.client.shutDown()
        }
    }

    @Test("whatever stands in the record of a part, the file comes out right") func whateverStandsRecord() async throws
    {
        let nginx = try nginx()
        let url = nginx.url("/file")
        let head = try await TestClient.make().send(ClientRequest(.head, url))
        var record = DownloadRecord(identity: url, boot: DownloadRecord.currentBoot)
        record.entityTag = head.fields["ETag"]
        record.length = Self.bytes.count
        let bench = try DownloadBench()
        for mutant in Mutants("download records", of: [record.json], rounds: 60) {
            try bench.folder.write(mutant.bytes, to: "file.part.json")
            try bench.folder.write(Array(Self.bytes.prefix(1_000_000)), to: "file.part")
            try await bench.fetch(url)
            #expect(bench.file == Self.bytes, "\(mutant)")
            #expect(bench.folder.names == ["file"], "\(mutant)")
        }
        await bench.client.shutDown()
    }
}
