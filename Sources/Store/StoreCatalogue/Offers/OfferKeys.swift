package import StoreDatabase
package import StoreModel
package import StoreSigning

/// The public keys of developers, by which the store verifies the signatures of promotional offers. Private keys it does not keep.
///
/// A key serves both environments, as on the App Store: who adds or revokes one changes what production sells.
package enum OfferKeys {
    /// The characters of a key id: capital letters and digits, as App Store Connect has them.
    package static let idLength = 10
    private static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    /// The most of one app.
    package static let most = 20

    /// A key of an app.
    package struct Entry: Hashable, Sendable {
        package let id: String
        package let name: String
        /// In PEM.
        package let publicKey: String
        package let createdAt: Instant
        package let revokedAt: Instant?

        fileprivate static let columns: SQL = "key_id, name, public_key, created_at, revoked_at"

        fileprivate init(_ row: Row) throws {
            var cells = row.cells
            (id, name, publicKey) = (try cells.next(), try cells.next(), try cells.next())
            (createdAt, revokedAt) = (try cells.next(), try cells.next())
        }
    }

    package static func list(of app: AppID, in transaction: any ReadTransaction) throws -> [Entry] {
        try transaction.query(
            "SELECT \(Entry.columns) FROM offer_key WHERE app_id = $1 ORDER BY created_at, key_id", app, row: Entry.init
        )
    }

    /// A new id for a key.
    package static func drawnID(_ random: RandomBytes) throws -> String {
        String(try random(idLength).map { letters[Int($0) % letters.count] })
    }

    /// Lets a key sign the promotional offers of an app.
    ///
    /// - Parameters:
    ///   - pem: its public half.
    ///   - isOfTestFile: whether it comes of a `.storekit` file, in which ids have another form.
    package static func add(
        _ pem: String, as id: String, isOfTestFile: Bool = false, name: String, of app: AppID, _ change: CatalogueChange
    ) throws -> Entry {
        // A key serves both environments, also once its app sells.
        try change.require(.secrets, in: .production)
        let hasForm =
            id.utf8.count == idLength
            && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        guard hasForm || isOfTestFile else {
            throw CatalogueError(
                .valueInvalid, "the id of a key has \(idLength) capital letters and digits", field: "keyId")
        }
        let name = try CatalogueText.line(name, atMost: 100, field: "name")
        guard !PrivateKey.isPrivate(pem) else {
            throw CatalogueError(
                .valueInvalid, "this is a private key; the store wants the public half only", field: "publicKey")
        }
        guard let key = try? PublicKey(pemRepresentation: pem), key.algorithm == .p256 else {
            throw CatalogueError(
                .valueInvalid, "it is a public key of the curve P-256, in PEM", field: "publicKey")
        }
        guard try list(of: app, in: change.transaction).count < most else {
            throw CatalogueError(.limitReached, "an app has at most \(most) keys of offers")
        }
        let text = try key.pemRepresentation
        let isNew = try CatalogueAudit.audit(.app(app), "offer key \(id)", change) {
            try change.transaction.insertIfNew(
                into: "offer_key",
                ["key_id": id, "app_id": app, "name": name, "public_key": text, "created_at": change.at])
        }
        guard isNew else { throw CatalogueError(.nameTaken, "there is a key of this id", field: "keyId") }
        return try require(id, of: app, in: change.transaction)
    }

    /// Takes a key out of use: what it has signed is refused from now on.
    package static func revoke(
        _ id: String, of app: AppID, _ change: CatalogueChange
    ) throws -> Entry {
        try change.require(.secrets, in: .production)
        let known = try require(id, of: app, in: change.transaction)
        guard known.revokedAt == nil else { return known }
        _ = try CatalogueAudit.audit(.app(app), "offer key \(id) revoked", change) {
            try change.transaction.update("offer_key", ["revoked_at": change.at], where: ["key_id": id])
        }
        return try require(id, of: app, in: change.transaction)
    }

    private static func require(_ id: String, of app: AppID, in transaction: any ReadTransaction) throws -> Entry {
        guard let found = try list(of: app, in: transaction).first(where: { $0.id == id }) else {
            throw CatalogueError(.nameUnknown, "the app has no key of this id", field: "keyId")
        }
        return found
    }
}

extension PrivateKey {
    /// Whether a PEM text has a private half in it, encrypted or not.
    static func isPrivate(_ pem: String) -> Bool { pem.contains("PRIVATE KEY") }
}

extension OfferKeys {
    /// The public keys of developers, by which signatures of promotional offers are verified: of the catalogue.
    static let tables: [SQL] = [
        """
        CREATE TABLE offer_key (
            key_id \(.text) NOT NULL PRIMARY KEY, app_id \(.integer) NOT NULL, name \(.text) NOT NULL,
            public_key \(.text) NOT NULL, created_at \(.integer) NOT NULL, revoked_at \(.integer)
        ) \(.table)
        """,
        "CREATE INDEX offer_key_of_app ON offer_key (app_id, key_id)",
    ]
}
