import StoreHTTP
import Synchronization
import Testing

@testable import StoreHTTPClient

/// A folder to download into, a client, and a record of how long downloads waited; nobody really waits.
final class DownloadBench: Sendable {
    let folder: TemporaryFolder
    let client: HTTPClient
    let waits = Collected<Duration>()

    init() throws {
        folder = try TemporaryFolder()
        client = TestClient.make()
    }

    var destination: String { folder.file("file") }

    var policy: RetryPolicy { policy(attempts: 500) }

    func policy(attempts: Int) -> RetryPolicy {
        RetryPolicy(attempts: attempts, random: { 0 }, wait: { [waits] in waits.append($0) })
    }

    /// Says that it waits, and does so until it is cancelled.
    static func endlessWait(_ waiting: Collected<Bool>) -> RetryPolicy {
        RetryPolicy(
            attempts: 100,
            wait: { _ in
                waiting.append(true)
                try await Task.sleep(for: .seconds(1000))
            })
    }

    func order(_ url: String, _ change: (inout DownloadRequest) -> Void = { _ in }) -> DownloadRequest {
        var order = DownloadRequest(.get(url), to: destination, policy: policy)
        change(&order)
        return order
    }

    /// Runs a download to its end.
    func fetch(_ url: String, _ change: (inout DownloadRequest) -> Void = { _ in }) async throws {
        try await Download(order(url, change), with: client).run()
    }

    func failure(_ url: String, _ change: (inout DownloadRequest) -> Void = { _ in }) async -> DownloadError? {
        await failure(of: Download(order(url, change), with: client))
    }

    func failure(of download: Download) async -> DownloadError? {
        do throws(DownloadError) {
            try await download.run()
            return nil
        } catch {
            return error
        }
    }

    var file: [UInt8]? { folder.read("file") }
    var part: [UInt8]? { folder.read("file.part") }

    /// A server of one file for the length of a test.
    static func with(
        _ file: FileHost.File, test: (DownloadBench, FileHost, ScriptedServer) async throws -> Void
    ) async throws {
        let host = FileHost(file)
        let server = try ScriptedServer { connection, _ in host.serve(connection) }
        defer { server.stop() }
        let bench = try DownloadBench()
        try await test(bench, host, server)
        await bench.client.shutDown()
    }
}
