import Foundation
import StoreKit
import StoreModel
import StoreService

/// A store, a device and an app on it, for one test session.
final class TestScene: Sendable {
    let store: TestStore
    let device: DeviceSession
    let folder: SessionFolder
    private let work: Task<Void, Never>

    init(
        _ configuration: TestConfiguration, _ values: TestValues, _ clocks: StoreClocks, on thread: SessionThread,
        dialogs: @escaping @Sendable () -> (any PurchasePrompt)?
    ) async throws {
        let store = try await TestStore(configuration, values, for: Self.bundle, clocks)
        self.store = store
        let folder = try SessionFolder()
        self.folder = folder
        let connection = MemoryConnection(store.transport(store.service))
        var settings = SessionSettings(
            profile: try SessionProfile(await store.profile(), bundle: nil),
            connection: TestConnection(store: connection, values: values),
            prompt: TestPrompt(values: values, dialogs: dialogs),
            folders: DeviceFolders(settings: folder.path + "/settings", data: folder.path + "/data"),
            description: DeviceDescription(appVersion: "1.0", language: configuration.settings.language),
            preferences: { DevicePreferences(language: values.current.language) }, wall: clocks.wall,
            report: SessionLog.write)
        settings.executor = thread
        device = try DeviceSession(settings)
        thread.start { await store.follow(.customerEvents) }
        thread.start { await store.follow(.purchases) }
        thread.start { await store.follow(.visits) }
        thread.start { await store.follow(.work) }
        thread.start { await store.follow(.clocks) }
        work = thread.start { await store.work() }
        try await device.catchUp()
        guard let id = device.deviceID else { return }
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

    /// Says yes or no to a purchase that waits for it, and returns when the device has the answer.
    func decide(_ identifier: Int, isApproved: Bool) async throws {
        let key = try await store.decide(identifier, isApproved: isApproved)
        let device = device
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in device.journal.changes() {
                    if !device.entries.contains(where: { $0.key == .payment(key) && $0.isOpen }) { return }
                }
            }
            // Nobody on the device may follow the purchase any more.
            group.addTask { try? await Task.sleep(for: Self.longestAnswer) }
            await group.next()
            group.cancelAll()
        }
    }

    private static let longestAnswer = Duration.seconds(5)

    func end() async {
        work.cancel()
        await work.value
        await device.shutDown()
        await store.close()
        folder.remove()
    }
}
