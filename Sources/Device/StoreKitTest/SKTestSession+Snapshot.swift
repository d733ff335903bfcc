import Foundation
import StoreDatabase
import StoreModel

/// The way back, which Apple's platforms have not.
extension SKTestSession {
    /// Everything of a session at one moment: its store, its time, its settings, and what the app's StoreKit has kept on the first
    /// device.
    public struct Snapshot: Sendable {
        let databases: MemoryContents
        let customer: CustomerID
        let settings: TestSettings
        /// What is on the device, by path.
        let files: [String: Data]
        let parts: Parts
    }

    /// Keeps everything as it is now.
    public func snapshot() throws -> Snapshot {
        let (parts, settings) = (parts, values.current)
        return try settle { scene in
            guard let databases = try await scene.store.databases.contents() else {
                throw SKTestError(.serviceUnavailable, "The store of the test is not in memory.")
            }
            return Snapshot(
                databases: databases, customer: scene.store.customer, settings: settings,
                files: try scene.device.files(), parts: parts)
        }
    }

    /// Makes a session that goes on from a snapshot, as often as one likes: each has what was there then, and nothing of what
    /// the others do.
    ///
    /// The app begins as after a launch. Time runs on as if it had stood still meanwhile where the clock was ever advanced.
    public convenience init(_ snapshot: Snapshot) throws {
        self.init(try snapshot.parts.copy(of: snapshot))
    }

    /// Makes a session that goes on from the present moment of this one, which stays as it is.
    public func fork() throws -> SKTestSession { try SKTestSession(snapshot()) }
}
