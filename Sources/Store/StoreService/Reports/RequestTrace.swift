import StoreDatabase
package import StoreModel

/// What the books tell of a request: which device asked, and what came of it.
package struct RequestTrace: Sendable {
    package let device: DeviceRecord?
    package let purchase: SaleID?

    /// How many devices of an app are looked for.
    private static let mostDevices = 1_000

    /// - Parameters:
    ///   - request: its id.
    ///   - bearer: the hash of the token that it showed.
    package init(of request: String, bearer: [UInt8]?, in store: EnvironmentStore) async throws {
        (device, purchase) = try await store.database.read { transaction in
            (
                try bearer.flatMap { try DeviceRecord.showing($0, in: transaction) },
                try? SaleStatus.number(named: request, in: transaction)
            )
        }
    }

    /// The hashes of the tokens of the devices that a text names: one device, or those of an app.
    package static func bearers(of text: String, in store: EnvironmentStore) async throws -> Set<[UInt8]> {
        guard !text.isEmpty else { return [] }
        return try await store.database.read { transaction in
            if let id = DeviceID(text) {
                return Set([try DeviceRecord.bearer(of: id, in: transaction)].compactMap(\.self))
            }
            guard let bundle = BundleID(text) else { return [] }
            return try DeviceRecord.bearers(of: bundle, limit: mostDevices, in: transaction)
        }
    }
}
