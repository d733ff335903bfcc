package import StoreCatalogue
import StoreDatabase
import StoreModel

/// Fetching what is in a library, any number of times and by range.
extension Library {
    /// Where a file of an item is found in a library.
    package struct Place: Hashable, Sendable {
        package let storeID: Int64
        /// From 1.
        package let position: Int
        /// Of an app; nil for the newest.
        package let version: String?

        package init(_ storeID: Int64, position: Int = 1, version: String? = nil) {
            (self.storeID, self.position, self.version) = (storeID, position, version)
        }
    }

    /// The file of an item that a customer has. Whether it may be had is looked at with each request, so that a refund ends a
    /// running download at its next range.
    package func file(at place: Place, _ scope: WebScope) async throws -> ItemFile {
        guard try await has([place.storeID], scope).contains(place.storeID) else {
            throw ServiceError(.itemNotOwned, "the account does not have this item", parameter: "storeId")
        }
        return try await file(of: place.storeID) { files in
            files.first { $0.position == place.position && (place.version == nil || $0.version == place.version) }
        }
    }

    private func file(
        of storeID: Int64, _ choose: @escaping @Sendable ([ItemFile]) -> ItemFile?
    ) async throws -> ItemFile {
        let environment = store.environment
        return try await store.catalogue.read { transaction in
            guard let file = choose(try Self.packages(of: storeID, in: environment, transaction)) else {
                throw Self.noFile
            }
            try BlobDamage.requireNone(of: file.blob, in: transaction)
            return file
        }
    }

    /// What can be fetched of an item, the newest version of an app first.
    static func packages(
        of storeID: Int64, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [ItemFile] {
        guard let item = try ItemShelf.item(storeID, in: transaction) else { return [] }
        let versions = try item.appID.map { try AppVersions.list(of: $0, in: transaction) } ?? []
        let files = ItemFiles.shown(
            try ItemFiles.list(of: storeID, in: transaction), in: environment, versions: versions)
        return newestFirst(files.filter { $0.role == .package }, among: versions.reversed().map(\.version))
    }

    private static let noFile = ServiceError(.contentUnknown, "the item has no such file", parameter: "position")

    /// Keeps what a customer fetched last: once for each version and day, however many ranges it took.
    package func note(_ file: ItemFile, fetchedBy scope: WebScope) async throws {
        let now = store.clocks.wall()
        let (version, day) = (file.version ?? "", now - .seconds(24 * 60 * 60))
        let isKnown = try await store.database.lookUpOnce { transaction in
            try transaction.value(
                """
                SELECT count(*) FROM item_download
                WHERE customer_id = $1 AND store_id = $2 AND version = $3 AND digest = $4 AND at > $5
                """, scope.customer, file.storeID, version, file.blob, day, as: Int.self) > 0
        }
        guard !isKnown else { return }
        try await store.database.write(isolation: .snapshot) { transaction in
            try transaction.insertOrUpdate(
                "item_download", ["version": version, "digest": file.blob, "at": now],
                key: ["customer_id": scope.customer, "store_id": file.storeID])
        }
    }
}
