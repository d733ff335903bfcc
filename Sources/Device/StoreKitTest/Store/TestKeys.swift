import Foundation
import StoreModel
import StoreSigning

/// The keys of the stores of this process's tests, made once: making them takes longer than everything else.
enum TestKeys {
    static let sandbox = Result { try make() }

    private static func make() throws -> EnvironmentKeys {
        let folder = FileManager.default.temporaryDirectory.path + "/storekit-test-keys-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = KeyStore(dataDirectory: folder)
        _ = try store.create(.sandbox, organization: "StoreKitTest", at: Instant(millisecondsSinceEpoch: madeAt))
        return try store.load(.sandbox)
    }

    /// The chains of the sandbox are valid for a century, so that it does not matter when they were made.
    private static let madeAt: Int64 = 1_790_000_000_000
}
