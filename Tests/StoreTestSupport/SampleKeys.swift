import Foundation
package import StoreModel
package import StoreSigning

/// Keys of both environments, made once for all tests of a process.
package enum SampleKeys {
    package static func of(_ environment: StoreEnvironment) throws -> EnvironmentKeys {
        try all.get().load(environment)
    }

    /// The folder with these keys, which nobody changes.
    package static func folder() throws -> KeyStore { try all.get() }

    /// The keys of a store that nobody here trusts.
    package static func ofAnotherStore(_ environment: StoreEnvironment) throws -> EnvironmentKeys {
        try others.get().load(environment)
    }

    /// A key store with the same keys in a folder of its own, as another server of the same store has it.
    package static func copy() throws -> KeyStore {
        let folder = FileManager.default.temporaryDirectory.path + "/till-keys-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let copy = KeyStore(dataDirectory: folder)
        try FileManager.default.copyItem(atPath: all.get().path, toPath: copy.path)
        return copy
    }

    /// When the keys were made.
    package static let madeAt = Instant(millisecondsSinceEpoch: 1_790_000_000_000)

    private static let all = make("Corner Shop")
    private static let others = make("Shop across the Street")

    /// Stays until the process ends; the system's temporary folder is its last owner.
    private static func make(_ organization: String) -> Result<KeyStore, any Error> {
        Result {
            let folder = FileManager.default.temporaryDirectory.path + "/till-keys-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let store = KeyStore(dataDirectory: folder)
            for environment in StoreEnvironment.allCases {
                _ = try store.create(environment, organization: organization, at: madeAt)
            }
            return store
        }
    }
}
