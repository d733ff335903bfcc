import Foundation
import StoreHTTPListener
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// A store over a socket that hosts content for the jungle, a proxy before it, and a device behind that.
struct DownloadScene: Sendable {
    let store: SessionStore
    let proxy: CuttingProxy
    let bench: SessionBench

    /// - Parameter plan: where the line breaks while content comes.
    static func with(
        _ package: HostedPackage? = nil, archive: [UInt8]? = nil, plan: @escaping CuttingProxy.Plan = { _, _ in nil },
        _ body: (DownloadScene) async throws -> Void
    ) async throws {
        let store = try await SessionStore()
        if let package { try await store.host(package, archive: archive) }
        var configuration = ListenerConfiguration(.tcp(port: 0), threads: 2)
        configuration.limits.farewellTime = .milliseconds(100)
        let listener = try HTTPListener(configuration, serving: store.service)
        let proxy = try CuttingProxy(toPort: try #require(listener.endpoint.port), plan: plan)
        let address = "http://127.0.0.1:\(proxy.port)"
        let result: Result<Void, any Error>
        do {
            let connection = NetworkConnection(try StoreAddress(parsing: address))
            let bench = try await SessionBench(store, connection: connection, address: address)
            result = .success(try await body(DownloadScene(store: store, proxy: proxy, bench: bench)))
        } catch {
            result = .failure(error)
        }
        proxy.stop()
        await listener.stop(within: .milliseconds(300))
        try result.get()
    }

    /// Settings that do not wait long between two attempts.
    func settings(_ change: (inout SessionSettings) -> Void = { _ in }) -> SessionSettings {
        var settings = bench.settings()
        change(&settings)
        return settings
    }

    /// A session on this device, for as long as something is done with it.
    func withSession<Value>(
        _ change: (inout SessionSettings) -> Void = { _ in }, _ body: (SessionClient) async throws -> Value
    ) async throws -> Value {
        let client = SessionClient(try DeviceSession(settings(change)))
        do {
            let value = try await body(client)
            await client.session.shutDown()
            return value
        } catch {
            await client.session.shutDown()
            throw error
        }
    }
}

extension SessionClient {
    /// Buys the jungle, and returns its download as the app sees it.
    func buyContent() async throws -> DownloadEntry {
        attach()
        buy(SessionStore.jungle)
        try await untilDecided()
        return try #require(try last(.purchased).download)
    }

    /// Waits until a download was told in a state.
    func until(_ state: DownloadEntry.State) async throws {
        try await until { Self.downloads($0).last?.state == state }
    }

    /// Waits until a download was told as having received so much.
    func untilReceived(_ count: Int) async throws {
        try await until { (Self.downloads($0).last?.received ?? 0) >= count }
    }

    /// Waits until a download was told as having ended, and returns it.
    func untilEnded() async throws -> DownloadEntry {
        try await until { Self.downloads($0).last?.isTerminal ?? false }
        return try #require(downloads.last)
    }

    /// What was told of downloads.
    var downloads: [DownloadEntry] { Self.downloads(told) }

    private static func downloads(_ told: [SessionNews]) -> [DownloadEntry] {
        told.flatMap { news -> [DownloadEntry] in
            if case .downloads(let entries) = news { return entries }
            return []
        }
    }
}
