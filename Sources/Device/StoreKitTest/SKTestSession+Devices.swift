package import StoreKit

/// The devices with the app on them, of which Apple's platforms have one and no way to end its app.
extension SKTestSession {
    /// A device with the app on it.
    public final class Device: Sendable {
        private let session: SKTestSession
        private let device: SessionDevice

        init(_ device: SessionDevice, of session: SKTestSession) {
            self.device = device
            self.session = session
        }

        /// Lets StoreKit talk to this device while something is done, in the present task and in all that it begins.
        @discardableResult
        public func asCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
            try CurrentSession.$own.withValue(device.context, operation: body)
        }

        /// Lets StoreKit talk to this device while something is done, in the present task and in all that it begins.
        @discardableResult
        public func asCurrent<Result>(
            isolation: isolated (any _Concurrency.Actor)? = #isolation, _ body: () async throws -> Result
        ) async rethrows -> Result {
            try await CurrentSession.$own.withValue(device.context, operation: body, isolation: isolation)
        }

        /// Ends the app on this device and starts it anew.
        ///
        /// Observers are gone, and transactions that were not finished come again, as in a new process. A payment that was under
        /// way goes on. What the app itself keeps in memory is the test's to forget.
        public func relaunch() throws {
            let device = device
            try session.settle { _ in try await device.relaunch() }
        }
    }

    /// Adds a device with the app on it, signed in with the account of the customer, or with another one. Not known on Apple's
    /// platforms.
    ///
    /// ```swift
    /// let tablet = try session.addDevice()
    /// try await session.asCurrent { try await shop.buy("monkeys.club") }
    /// let hasClub = await tablet.asCurrent { await shop.hasClub }
    /// let stranger = try session.addDevice(signedInAs: "grace@example.com")
    /// ```
    ///
    /// What the session does, such as ``allTransactions()``, ``buyProduct(identifier:options:)`` and refunds, is about the customer's
    /// account alone, whichever device is there. Another account begins with nothing, pays as willingly, and lives by the same clock.
    ///
    /// - Parameter email: the e-mail address of the account. One that the session does not know becomes a new account; nil is the
    ///   customer's own.
    public func addDevice(signedInAs email: String? = nil) throws -> Device {
        Device(try settle { try await $0.addDevice(signedInAs: email) }, of: self)
    }

    /// Ends the app and starts it anew, as ``Device/relaunch()`` does. Not known on Apple's platforms.
    public func relaunch() throws {
        let device = parts.scene.device
        try settle { _ in try await device.relaunch() }
    }

    /// Ends the app's engine, and gives the way to the store and the token that the device shows there: for what sends the
    /// requests itself, as benchmarks do.
    package func withoutApp() async throws -> (connection: any StoreConnection, token: String) {
        let (store, session) = (parts.scene.store, parts.scene.device.session)
        guard let token = try session.journal.value(.token) else {
            throw SKTestError(.serviceUnavailable, "The device of the test is not registered.")
        }
        await session.shutDown()
        return (MemoryConnection(store.transport(store.quietService)), token)
    }
}
