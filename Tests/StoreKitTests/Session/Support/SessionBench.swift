import Foundation
import StoreHTTP
import StoreHTTPClient
import StoreHTTPListener
import StoreModel
import Synchronization
import Testing

@testable import StoreKit

/// A device with folders of its own, on which sessions begin and end.
final class SessionBench: Sendable {
    let store: SessionStore
    let profile: SessionProfile
    let folder: URL
    let log = Transcript()
    let preferences = Shared(DevicePreferences())
    let connection: any StoreConnection
    /// Open once whoever waits for a payment loses patience. The clock does not decide it: the cores may be busy for long.
    let patience = Gate()

    init(
        _ store: SessionStore, connection: (any StoreConnection)? = nil, address: String = "http://127.0.0.1:1"
    ) async throws {
        self.store = store
        self.connection = connection ?? MemoryConnection(store.transport)
        profile = try await store.profile(at: address)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "till-session-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static let account = AutomaticPrompt(account: (SessionStore.email, SessionStore.password))

    func settings(
        prompt: any PurchasePrompt = account, connection: (any StoreConnection)? = nil
    ) -> SessionSettings {
        let (log, preferences, patience) = (log, preferences, patience)
        var settings = SessionSettings(
            profile: profile, connection: connection ?? self.connection, prompt: prompt,
            folders: DeviceFolders(settings: folder.path + "/config", data: folder.path + "/data"),
            description: DeviceDescription(appVersion: "1.0", language: "en-US"),
            preferences: { preferences.value }, wall: store.time.reading, report: { log.write($0) })
        settings.machine = "0123456789abcdef0123456789abcdef"
        // The cores are shared with all other tests.
        settings.longestRequest = .seconds(60)
        settings.retries.firstDelay = .milliseconds(1)
        settings.retries.longestDelay = .milliseconds(20)
        settings.retries.wait = { duration in
            guard duration == SessionLimits.patience else { return try await Task.sleep(for: duration) }
            await patience.pass()
        }
        return settings
    }

    /// A session on this device, for as long as something is done with it.
    func withSession<Value>(
        prompt: any PurchasePrompt = account, connection: (any StoreConnection)? = nil,
        _ body: (SessionClient) async throws -> Value
    ) async throws -> Value {
        let client = SessionClient(try DeviceSession(settings(prompt: prompt, connection: connection)))
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

/// An app that uses a session: it keeps everything it was told, and waits for more.
final class SessionClient: Sendable {
    let session: DeviceSession
    private struct State {
        var told: [SessionNews] = []
        var waiting: [(condition: ([SessionNews]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    init(_ session: DeviceSession) {
        self.session = session
    }

    func attach() {
        session.attach(telling: { [self] news in take(news) })
    }

    private func take(_ news: SessionNews) {
        let ready = state.withLock { state in
            state.told.append(news)
            let ready = state.waiting.filter { $0.condition(state.told) }.map(\.continuation)
            let told = state.told
            state.waiting.removeAll { $0.condition(told) }
            return ready
        }
        for continuation in ready { continuation.resume() }
    }

    var told: [SessionNews] { state.withLock { $0.told } }

    /// Lets go of everything it was told, as a process does that ends.
    func forget() { state.withLock { $0.told = [] } }

    /// Waits until what was told fulfils a condition.
    func until(_ condition: @escaping @Sendable ([SessionNews]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isFulfilled = state.withLock { state in
                if condition(state.told) { return true }
                state.waiting.append((condition, continuation))
                return false
            }
            if isFulfilled { continuation.resume() }
        }
    }

    /// What was told as words: `purchasing com.example…`.
    var words: [String] { Self.words(told) }

    static func words(_ told: [SessionNews]) -> [String] {
        told.flatMap { news -> [String] in
            switch news {
            case .attached(let entries): ["attached"] + entries.map(word)
            case .updated(let entries): entries.map(word)
            case .removed(let keys): keys.map { _ in "removed" }
            case .restoreFinished: ["restore finished"]
            case .restoreFailed(let failure): ["restore failed: \(failure.reason)"]
            case .revoked(let products): products.map { "revoked \(name($0))" }
            case .storefrontChanged: ["storefront"]
            case .shouldContinue: ["should continue"]
            case .promoted(let product, _): ["promoted \(name(product.identifier))"]
            }
        }
    }

    private static func word(_ entry: QueueEntry) -> String {
        "\(entry.state) \(name(entry.product))" + (entry.failure.map { ": \($0.reason)" } ?? "")
    }

    private static func name(_ product: String) -> String { String(product.split(separator: ".").last ?? "") }

    /// Waits until a word was told so often.
    func until(_ word: String, times: Int = 1) async {
        await until { told in Self.words(told).filter { $0 == word }.count >= times }
    }

    /// The last entry that was told of in a state.
    func last(_ state: QueueEntry.State) throws -> QueueEntry {
        let entries = told.flatMap { news -> [QueueEntry] in
            switch news {
            case .attached(let entries), .updated(let entries): entries
            default: []
            }
        }
        return try #require(entries.last { $0.state == state })
    }

    func buy(_ product: String, quantity: Int = 1, username: String? = nil) {
        session.add(product: product, quantity: quantity, username: username)
    }

    /// Signs in without buying anything.
    func signIn() async throws {
        try await session.device.prepare()
        try await session.device.signIn(SessionStore.email, SessionStore.password)
    }

    /// Waits until the store has heard of everything that was finished.
    func untilFinishesAreTold() async throws {
        while !(try session.journal.finishes()).isEmpty { await session.tellFinishes() }
    }
}

/// Runs something with a store over memory, and the same over a socket.
func overBothTransports(_ body: (SessionBench) async throws -> Void) async throws {
    try await body(try await SessionBench(SessionStore()))
    try await overSocket { bench, _ in try await body(bench) }
}

/// Runs something with a store over a socket.
func overSocket(_ body: (SessionBench, HTTPListener) async throws -> Void) async throws {
    let store = try await SessionStore()
    var configuration = ListenerConfiguration(.tcp(port: 0), threads: 2)
    configuration.limits.farewellTime = .milliseconds(100)
    let listener = try HTTPListener(configuration, serving: store.service)
    do {
        let address = "http://127.0.0.1:\(try #require(listener.endpoint.port))"
        let connection = NetworkConnection(try StoreAddress(parsing: address))
        try await body(try await SessionBench(store, connection: connection, address: address), listener)
        await listener.stop(within: .milliseconds(300))
    } catch {
        await listener.stop(within: .milliseconds(300))
        throw error
    }
}
