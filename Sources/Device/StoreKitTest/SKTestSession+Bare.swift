package import StoreKit

extension SKTestSession {
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
