import Foundation
import StoreDatabase
import StoreKit
import StoreModel
import StoreService

/// A device of its own for an app of a store, as StoreKit runs it in a process.
struct BenchDevice {
    static let product = "com.example.monkey.coins"

    let profile: SessionProfile
    let address: StoreAddress
    private let folder: TemporaryFolder

    /// Where nothing listens.
    static let nowhere = 1

    /// - Parameter port: where the store listens.
    init(of store: StoreFolder, port: Int = nowhere) throws {
        let address = try StoreAddress(parsing: "http://127.0.0.1:\(port)")
        let keys = store.keys
        let text = try store.open { databases in
            try await ProfileIssuer(.sandbox, at: { address }, keys: { keys }).profile(
                for: BundlePattern(parsing: StoreFolder.bundle), in: databases.catalogue, now: BenchClock.now())
        }
        (profile, self.address, folder) = (try SessionProfile(text, bundle: nil), address, try TemporaryFolder())
    }

    /// The folder with the journal, and the profile in it for another process.
    var path: String { folder.path }

    /// Begins a session, as the start of an app does.
    func begin() throws -> DeviceSession { try Self.begin(profile, in: folder.path, address) }

    /// Begins a session with a profile; it reports what is wrong, unless it is to find no store.
    static func begin(_ profile: SessionProfile, in folder: String, _ address: StoreAddress) throws -> DeviceSession {
        try DeviceSession(
            SessionSettings(
                profile: profile, connection: NetworkConnection(address),
                prompt: AutomaticPrompt(account: (StoreFolder.account, StoreFolder.password)),
                folders: DeviceFolders(settings: folder + "/config", data: folder + "/data"),
                description: DeviceDescription(appVersion: "1.0", language: "en-US"),
                preferences: { DevicePreferences() }, wall: BenchClock.now,
                report: {
                    if !address.description.hasSuffix(":\(nowhere)") { StandardError.print("till-bench: \($0)") }
                }))
    }
}
