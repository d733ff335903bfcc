@_exported public import StoreKit
import StoreModel
import StoreService

/// A store of the test's own: StoreKit in this process sells what a configuration says, to a customer who pays.
///
/// The store is a whole one, with databases in memory and keys of its own, and nothing leaves the process. When a session
/// is made, StoreKit talks to it from then on, until the session goes away or another one is made.
///
/// ```swift
/// let session = try SKTestSession(configurationFileNamed: "Products")
/// session.disableDialogs = true
/// session.clearTransactions()
/// ```
///
/// Tests that run side by side have a session each. ``asCurrent(_:)-(()->Result)`` says which of them StoreKit talks to
/// in the present task and in what that begins.
///
/// Every method returns when the store has done what it was asked, the app's journal has it, and the callbacks that come of
/// it are on the main queue. None of them waits for the main queue.
// Safe: nothing of the session changes after it was made but behind a mutex; what it holds is Sendable.
open class SKTestSession: NSObject, @unchecked Sendable {
    let parts: Parts

    var configuration: TestConfiguration { parts.configuration }
    var values: TestValues { parts.values }

    /// Makes a session of a file among the resources of a bundle.
    ///
    /// - Parameter filename: the name of a `.storekit` file, without that ending. It is looked for in the bundles of the
    ///   process, among them those of a package's targets.
    public convenience init(configurationFileNamed filename: String) throws {
        try self.init(contentsOf: TestConfiguration.url(named: filename))
    }

    /// Makes a session of a file.
    ///
    /// - Parameter fileURL: the address of a `.storekit` file, of any version that Xcode has written so far.
    public convenience init(contentsOfURL fileURL: URL) throws {
        try self.init(contentsOf: fileURL)
    }

    /// Makes a session of a file.
    ///
    /// - Parameter fileURL: the address of a `.storekit` file, of any version that Xcode has written so far.
    public init(contentsOf fileURL: URL) throws {
        parts = try Parts(
            contentsOf: fileURL, { StoreClocks(commerce: SystemClock.now, wall: SystemClock.now) },
            dialogs: TestPrompt.terminal)
        super.init()
        CurrentSession.activate(parts.scene.device.session)
    }

    /// - Parameters:
    ///   - clocks: by which the store judges; they may stand still.
    ///   - dialogs: makes what asks the person while dialogs are on.
    init(
        contentsOf fileURL: URL, _ clocks: @autoclosure @escaping @Sendable () -> StoreClocks,
        dialogs: @escaping @Sendable () -> (any PurchasePrompt)?
    ) throws {
        parts = try Parts(contentsOf: fileURL, clocks, dialogs: dialogs)
        super.init()
        CurrentSession.activate(parts.scene.device.session)
    }

    /// Makes a session that goes on from a snapshot.
    init(_ parts: Parts) {
        self.parts = parts
        super.init()
        CurrentSession.activate(parts.scene.device.session)
    }

    deinit {
        let scene = parts.scene
        CurrentSession.deactivate(scene.device.session)
        parts.thread.start { await scene.end() }
    }

    /// Makes this the session that StoreKit talks to while something is done, in the present task and in all that it
    /// begins. Not known on Apple's platforms, where tests run one after the other.
    ///
    /// From then on the rest of the process talks to it no longer: it is the session of whoever names it.
    @discardableResult
    public func asCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
        CurrentSession.deactivate(parts.scene.device.session)
        return try CurrentSession.$own.withValue(parts.scene.device.context, operation: body)
    }

    /// Makes this the session that StoreKit talks to while something is done, in the present task and in all that it
    /// begins. Not known on Apple's platforms, where tests run one after the other.
    ///
    /// From then on the rest of the process talks to it no longer: it is the session of whoever names it.
    @discardableResult
    public func asCurrent<Result>(
        isolation: isolated (any _Concurrency.Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        CurrentSession.deactivate(parts.scene.device.session)
        return try await CurrentSession.$own.withValue(
            parts.scene.device.context, operation: body, isolation: isolation)
    }

    /// Does something with the store, and returns when the app's journal has what came of it.
    func settle<Value: Sendable>(_ body: @escaping @Sendable (TestScene) async throws -> Value) throws -> Value {
        let work = settling(body)
        return try Self.translating { try parts.thread.run(work) }
    }

    /// The same, without a thread that waits.
    func settleAsync<Value: Sendable>(
        _ body: @escaping @Sendable (TestScene) async throws -> Value
    ) async throws -> Value {
        let result = await parts.thread.task(settling(body)).result
        return try Self.translating { try result.get() }
    }

    private func settling<Value: Sendable>(
        _ body: @escaping @Sendable (TestScene) async throws -> Value
    ) -> @Sendable () async throws -> Value {
        let scene = parts.scene
        // What the server of the app does while it is told something cannot wait until it has been told.
        let isTelling = TestNotificationReceiver.isTelling
        return {
            try await scene.store.doWhatIsDue()
            let value = try await body(scene)
            try await scene.store.doWhatIsDue()
            if !isTelling { try await scene.store.deliverNotifications() }
            try await scene.catchUp()
            return value
        }
    }

    private static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as SKTestError {
            throw error
        } catch {
            throw SKTestError(.serviceUnavailable, "The store of the test could not do it: \(error)")
        }
    }
}

extension SKTestSession {
    /// What a session is made of.
    struct Parts: Sendable {
        let configuration: TestConfiguration
        let values: TestValues
        let thread = SessionThread()
        let scene: TestScene
        private let clocks: @Sendable () -> StoreClocks
        private let dialogs: @Sendable () -> (any PurchasePrompt)?

        init(
            contentsOf url: URL, _ clocks: @escaping @Sendable () -> StoreClocks,
            dialogs: @escaping @Sendable () -> (any PurchasePrompt)?
        ) throws {
            let configuration = try TestConfiguration(contentsOf: url)
            try self.init(configuration, configuration.settings, clocks, dialogs)
            for line in configuration.warnings { SessionLog.write("\(url.lastPathComponent) \(line)") }
        }

        private init(
            _ configuration: TestConfiguration, _ settings: TestSettings, from snapshot: Snapshot? = nil,
            _ clocks: @escaping @Sendable () -> StoreClocks, _ dialogs: @escaping @Sendable () -> (any PurchasePrompt)?
        ) throws {
            let values = TestValues(settings)
            (self.configuration, self.values, self.clocks, self.dialogs) = (configuration, values, clocks, dialogs)
            do {
                scene = try thread.run { [thread] in
                    try await TestScene(
                        configuration, values, clocks(), on: thread, from: snapshot, dialogs: dialogs)
                }
            } catch {
                throw SKTestError(.serviceUnavailable, "The store of the test could not be made: \(error)")
            }
        }

        /// What another session is made of that goes on from a snapshot of this one.
        func copy(of snapshot: Snapshot) throws -> Parts {
            try Parts(configuration, snapshot.settings, from: snapshot, clocks, dialogs)
        }
    }
}
