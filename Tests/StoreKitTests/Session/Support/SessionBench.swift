import Foundation
import StoreHTTP
import StoreHTTPClient
import StoreHTTPListener
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// A device with folders of its own, on which sessions begin and end.
final class SessionBench: Sendable {
    let store: SessionStore
    let profile: SessionProfile
    let folder: URL
    let log = Transcript()
    /// Every signed transaction whose signature was verified, each as often as it was.
    let verified = Transcript()
    let preferences = Shared(DevicePreferences())
    let connection: any StoreConnection
    /// Opened to let the patience for a payment end. The clock does not decide it: the cores may be busy for long.
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
        let (log, verified, preferences, patience) = (log, verified, preferences, patience)
        var settings = SessionSettings(
            profile: profile, connection: connection ?? self.connection, prompt: prompt,
            folders: DeviceFolders(settings: folder.path + "/config", data: folder.path + "/data"),
            description: DeviceDescription(appVersion: "1.0", language: "en-US"),
            preferences: { preferences.value }, wall: store.time.reading, report: { log.write($0) })
        settings.verificationObserver = { verified.write($0) }
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
        heard: Observed<[SessionNews]> = Observed([]), _ body: (SessionClient) async throws -> Value
    ) async throws -> Value {
        let client = SessionClient(
            try DeviceSession(settings(prompt: prompt, connection: connection)), heard: heard)
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
    private let heard: Observed<[SessionNews]>
    private let sink: SessionSink

    /// - Parameter heard: what the app is told; another client may share it.
    init(_ session: DeviceSession, heard: Observed<[SessionNews]> = Observed([])) {
        self.session = session
        self.heard = heard
        sink = SessionSink { [heard] news in heard.update { $0.append(news) } }
    }

    func attach() { session.attach(sink) }
    func detach() { session.detach(sink) }

    var told: [SessionNews] { heard.value }

    /// Forgets everything it was told.
    func forget() { heard.update { $0 = [] } }

    /// Waits until what was told meets a condition.
    func until(_ condition: @escaping @Sendable ([SessionNews]) -> Bool) async throws {
        try await heard.wait(until: condition)
    }

    /// What was told as words: `purchasing com.example…`.
    var words: [String] { Self.words(told) }

    static func words(_ told: [SessionNews]) -> [String] {
        told.flatMap { news -> [String] in
            switch news {
            case .attached(let entries): ["attached"] + entries.map(word)
            case .updated(let entries): entries.map(word)
            case .removed(let keys): keys.map { _ in "removed" }
            case .downloads(let entries): entries.map { "download \($0.state) \(name($0.product))" }
            case .restoreFinished: ["restore finished"]
            case .restoreFailed(let failure): ["restore failed: \(failure.reason)"]
            case .revoked(let products): products.map { "revoked \(name($0))" }
            case .storefrontChanged: ["storefront"]
            case .heard: []
            case .shouldContinue: ["should continue"]
            case .shouldShowPriceConsent: ["price"]
            case .promoted(let product, _): ["promoted \(name(product.identifier))"]
            }
        }
    }

    private static func word(_ entry: QueueEntry) -> String {
        "\(entry.state) \(name(entry.payment.product))" + (entry.failure.map { ": \($0.reason)" } ?? "")
    }

    private static func name(_ product: String) -> String { String(product.split(separator: ".").last ?? "") }

    /// Waits until a word was told so often.
    func until(_ word: String, times: Int = 1) async throws {
        try await until { told in Self.words(told).count { $0 == word } >= times }
    }

    /// Waits until a payment was told as purchased or failed.
    func untilDecided() async throws {
        try await until { told in
            Self.words(told).contains { $0.hasPrefix("purchased") || $0.hasPrefix("failed") }
        }
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

    @discardableResult
    func buy(_ product: String, quantity: Int = 1, username: String? = nil) -> QueueEntry.Key {
        session.add(Payment(product, quantity: quantity, username: username))
    }

    /// Signs in without buying anything.
    func signIn() async throws {
        try await session.device.prepare()
        try await session.device.signIn(SessionStore.email, SessionStore.password)
    }

    /// Waits until the store has heard of everything that was finished.
    func untilFinishesAreTold() async throws {
        while !(try session.journal.finishes()).isEmpty {
            try Task.checkCancellation()
            await session.tellFinishes()
        }
    }

    /// Finishes what was decided as it comes, until the store has heard that everything it sold was finished.
    func finishEverything(of store: SessionStore) async throws {
        for await _ in session.journal.changes() {
            session.bringUpToDate()
            for entry in session.entries where !entry.isOpen { session.finish(entry.key) }
            try await untilFinishesAreTold()
            if try await store.counts().unfinished == 0 { return }
        }
        throw CancellationError()
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

extension Journal {
    /// Waits until the journal meets a condition, which is looked at once, and again after each change of it.
    func until(_ isMet: (Journal) async throws -> Bool) async throws {
        for await _ in changes() where try await isMet(self) { return }
        throw CancellationError()
    }
}
