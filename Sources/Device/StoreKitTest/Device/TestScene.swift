import Foundation
import StoreKit
import StoreModel
import StoreService
import Synchronization

/// A store with the devices of its customer, for one test session.
final class TestScene: Sendable {
    let store: TestStore
    /// The device that the session begins with.
    let device: SessionDevice
    private let others = Mutex<[SessionDevice]>([])
    private let add: @Sendable (SessionFolder) throws -> SessionDevice
    private let work: Task<Void, Never>

    var devices: [SessionDevice] { [device] + others.withLock { $0 } }

    /// - Parameter snapshot: what the session goes on from; nil for a new store.
    init(
        _ configuration: TestConfiguration, _ values: TestValues, _ clocks: StoreClocks, on thread: SessionThread,
        from snapshot: SKTestSession.Snapshot? = nil, dialogs: @escaping @Sendable () -> (any PurchasePrompt)?
    ) async throws {
        let store = try await TestStore(configuration, values, for: Self.bundle, clocks, from: snapshot)
        self.store = store
        let profile = try SessionProfile(await store.profile(), bundle: nil)
        let language = configuration.settings.language
        add = { folder in
            try SessionDevice(folder) { folder in
                let connection = TestConnection(
                    usual: MemoryConnection(store.transport(store.service)),
                    quiet: MemoryConnection(store.transport(store.quietService)), values: values)
                var settings = SessionSettings(
                    profile: profile, connection: connection,
                    prompt: TestPrompt(values: values, dialogs: dialogs),
                    folders: DeviceFolders(settings: folder.path + "/settings", data: folder.path + "/data"),
                    description: DeviceDescription(appVersion: "1.0", language: language),
                    preferences: { DevicePreferences(language: values.current.language) }, wall: clocks.wall,
                    report: SessionLog.write)
                settings.executor = thread
                settings.paymentsMayAsk = false
                settings.simulatedFailure = { values.current.failure(of: $0)?.thrown }
                return try DeviceSession(settings)
            }
        }
        device = try add(snapshot.map { try SessionFolder(files: $0.files) } ?? SessionFolder())
        store.follow(on: thread)
        work = thread.start { await store.work() }
        try await device.catchUp()
        guard snapshot == nil, let id = device.session.deviceID else { return }
        try await store.signIn(on: id)
        try await store.begin(with: configuration.settings)
        try await device.catchUp()
    }

    /// The app under test; a name of our own where the program has none.
    private static var bundle: BundleID {
        get throws {
            let own = Bundle.main.bundleIdentifier.flatMap { try? BundleID(parsing: $0) }
            return try own ?? BundleID(parsing: "com.example.app")
        }
    }

    /// Adds a device with the app on it.
    ///
    /// - Parameter email: of the account that is signed in; nil for the customer's own.
    func addDevice(signedInAs email: String?) async throws -> SessionDevice {
        let account = if let email { try await store.account(email) } else { store.customer }
        let device = try add(SessionFolder())
        try await device.catchUp()
        if let id = device.session.deviceID {
            try await store.signIn(account, on: id)
            try await device.catchUp()
        }
        others.withLock { $0.append(device) }
        return device
    }

    /// Returns when every device has what the store tells.
    func catchUp() async throws {
        for device in devices { try await device.catchUp() }
    }

    /// Lets the app be done with transactions on every device.
    func finish(where isMeant: (QueueEntry) -> Bool) {
        for device in devices {
            for entry in device.session.entries where isMeant(entry) { device.session.finish(entry.key) }
        }
    }

    /// Says yes or no to a purchase that waits for it, and returns when the devices have the answer.
    func decide(_ identifier: Int, isApproved: Bool) async throws {
        let key = try await store.decide(identifier, isApproved: isApproved)
        for device in devices { await device.hear(of: key) }
    }

    func end() async {
        work.cancel()
        await work.value
        for device in devices { await device.end() }
        await store.close()
    }
}
