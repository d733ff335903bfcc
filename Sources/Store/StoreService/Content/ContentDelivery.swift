package import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreSigning

/// Gives devices the content of what their customers own.
///
/// A version that a device was told of is promised: it is kept as long as the transaction is unfinished, even if a newer one
/// is approved meanwhile. An address is good for a while and is looked at again with each request, so that a refund or a
/// sign-out ends a running download at its next range.
package struct ContentDelivery: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// What there is for some transactions of the customer; the others are left out.
    package func contents(
        of ids: [TransactionID], as token: DeviceToken
    ) async throws -> [HostedContentAnswer] {
        let asked = try await store.read(as: token) { scope, transaction in
            let owner = try scope.requireCustomerScope()
            return try Set(ids).compactMap { id -> Asked? in
                do {
                    return try Asked(Transactions.require(id, of: owner, in: transaction), in: transaction)
                } catch let error as ServiceError where error.code == .transactionUnknown {
                    return nil
                }
            }
        }
        let mayHaveAny = asked.filter { $0.transaction.kind == .nonConsumable && $0.transaction.revocation == nil }
        guard !mayHaveAny.isEmpty else { return [] }
        let environment = store.environment
        let found = try await store.catalogue.read { transaction in
            try mayHaveAny.compactMap { asked -> (Asked, HostedContent)? in
                let item = asked.transaction.itemID
                let promised = try asked.promised.flatMap { try HostedContent.find($0, of: item, in: transaction) }
                if let promised, promised.isKept(in: environment) { return (asked, promised) }
                return try HostedContent.newest(of: item, in: environment, transaction).map { (asked, $0) }
            }
        }
        let new = found.filter { $0.promised != $1.number }.map { ($0.transaction.id, $1) }
        if !new.isEmpty { try await promise(new) }
        return found.compactMap { asked, content in
            guard let version = content.version, let archive = content.archive else { return nil }
            return HostedContentAnswer(
                transactionId: asked.transaction.id, productId: asked.transaction.productID, contentVersion: version,
                contentLength: archive.bytes)
        }
    }

    /// A transaction, and the number of the version that was promised for it.
    private struct Asked: Sendable {
        let transaction: StoreTransaction
        let promised: Int?

        init(_ found: StoreTransaction, in transaction: any ReadTransaction) throws {
            self.transaction = found
            promised = try transaction.optional(
                "SELECT number FROM content_promise WHERE transaction_id = $1", found.id
            ) { try $0.value(0, as: Int.self) }
        }
    }

    private func promise(_ contents: [(TransactionID, HostedContent)]) async throws {
        let wall = store.clocks.wall()
        try await store.database.write { transaction in
            for (id, content) in contents {
                try transaction.insertOrUpdate(
                    "content_promise", ["number": content.number, "asked_at": wall], key: ["transaction_id": id],
                    new: ["item_id": content.item, "promised_at": wall])
            }
        }
    }

    // MARK: Addresses

    /// Where the content of a transaction can be fetched from now on, for a while.
    ///
    /// - Parameter version: the one that is wanted; the newest, if it is nil.
    package func link(
        for id: TransactionID, version: ContentVersion?, as token: DeviceToken
    ) async throws -> ContentLinkAnswer {
        let (found, device) = try await store.read(as: token) { scope, transaction in
            (try Transactions.require(id, of: scope.requireCustomerScope(), in: transaction), scope.device)
        }
        guard found.revocation == nil else { throw Self.refused("what was bought was taken back") }
        let environment = store.environment
        let content = try await store.catalogue.read { transaction in
            let kept = try HostedContent.list(of: found.itemID, in: transaction).filter { $0.isKept(in: environment) }
            guard let newest = kept.max(by: HostedContent.isBelow) else {
                throw ServiceError(.contentUnknown, "the store hosts no content of \(found.productID)")
            }
            guard let wanted = try version.map({ wanted in try Self.require(wanted, among: kept) }) else {
                return newest
            }
            return wanted
        }
        guard let archive = content.archive, let known = content.version else { throw Self.gone }
        try await promise([(id, content)])
        let expiry = store.clocks.wall() + HostingLimits.linkLife
        let ticket = ContentTicket(
            transaction: id, device: device, item: content.item, number: content.number, expiresAt: expiry)
        return ContentLinkAnswer(
            transactionId: id, productId: found.productID, contentVersion: known, contentLength: archive.bytes,
            unpackedLength: archive.unpackedBytes, fileCount: archive.fileCount, digest: archive.blob.text,
            chunkLength: archive.chunkBytes, chunkDigests: Base64.encode(archive.chunkDigests),
            path: "/content/\(try await ticket.text(by: store.pageSecret))", expiresAt: expiry)
    }

    private static func require(
        _ version: ContentVersion, among kept: [HostedContent]
    ) throws(ServiceError) -> HostedContent {
        guard let found = kept.first(where: { $0.version == version }) else { throw gone }
        return found
    }

    private static let gone = ServiceError(
        .contentGone, "this version of the content is not kept any more; ask for the newest",
        parameter: "contentVersion")

    private static func refused(_ reason: String) -> ServiceError {
        ServiceError(.contentRefused, "the content is not for this device any more: \(reason)")
    }

    /// The archive behind an address, if it may still be had.
    package func archive(at text: String) async throws -> HostedContent.Archive {
        guard let ticket = try await ContentTicket(text, by: store.pageSecret) else {
            throw ServiceError(.contentUnknown, "there is no content at this address", parameter: "path")
        }
        guard store.clocks.wall() < ticket.expiresAt else {
            throw ServiceError(
                .linkExpired, "this address was good for a while only; ask for another", parameter: "path")
        }
        let isOwned = try await store.database.lookUpOnce { transaction in
            try transaction.optional(
                """
                SELECT transaction_revocation.transaction_id FROM store_transaction
                    JOIN device ON device.id = $2 AND device.customer_id = store_transaction.customer_id
                        AND device.app_id = store_transaction.app_id
                    LEFT JOIN transaction_revocation ON transaction_revocation.transaction_id = store_transaction.id
                WHERE store_transaction.id = $1
                """, ticket.transaction, ticket.device
            ) { try $0.value(0, as: TransactionID?.self) == nil }
        }
        switch isOwned {
        case nil: throw Self.refused("the customer has signed out there")
        case false: throw Self.refused("what was bought was taken back")
        default: break
        }
        let environment = store.environment
        return try await store.catalogue.lookUp { transaction in
            let content = try HostedContent.find(ticket.number, of: ticket.item, in: transaction)
            guard let content, content.isKept(in: environment), let archive = content.archive else { throw Self.gone }
            try BlobDamage.requireNone(of: archive.blob, in: transaction)
            return archive
        }
    }
}

/// What the address of a download says: for what, for which device, until when. Only the store can write one.
struct ContentTicket: Hashable {
    let transaction: TransactionID
    let device: DeviceID
    let item: ItemID
    let number: Int
    let expiresAt: Instant

    private static let numbers = 5
    private static let codeBytes = 32

    private var bytes: [UInt8] {
        [transaction.number, device.number, item.number, Int64(number), expiresAt.millisecondsSinceEpoch].flatMap {
            number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
    }

    init(transaction: TransactionID, device: DeviceID, item: ItemID, number: Int, expiresAt: Instant) {
        self.transaction = transaction
        self.device = device
        self.item = item
        self.number = number
        self.expiresAt = expiresAt
    }

    func text(by secret: PageSecret) async throws -> String {
        Base64.encode(bytes + (try await secret.code(of: Self.purpose + bytes)), .url)
    }

    /// Reads an address; nil unless the store wrote it.
    init?(_ text: String, by secret: PageSecret) async throws {
        let size = 8 * Self.numbers
        guard text.utf8.count <= 200, let all = Base64.decode(text, .url), all.count == size + Self.codeBytes else {
            return nil
        }
        let told = Array(all[..<size])
        let code = try await secret.code(of: Self.purpose + told)
        guard SecretComparison.areEqual(code, Array(all[size...])) else { return nil }
        let numbers = stride(from: 0, to: size, by: 8).map { start in
            told[start..<start + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        }
        guard let transaction = try? TransactionID(number: numbers[0]), let device = try? DeviceID(number: numbers[1]),
            let item = try? ItemID(number: numbers[2])
        else { return nil }
        self.init(
            transaction: transaction, device: device, item: item, number: Int(numbers[3]),
            expiresAt: Instant(millisecondsSinceEpoch: numbers[4]))
    }

    /// Keeps what this signs apart from all other addresses of the store.
    private static let purpose = Array("content ".utf8)
}

/// What devices of an environment were told of, for those who look after the store.
package struct ContentPromise: Hashable, Sendable {
    package let transaction: TransactionID
    package let number: Int
    package let promisedAt: Instant
    /// When a device last asked where it is.
    package let askedAt: Instant

    /// The newest promises of a product in an environment.
    package static func list(of item: ItemID, limit: Int, by store: EnvironmentStore) async throws -> [ContentPromise] {
        try await store.database.read { try list(of: item, limit: limit, in: $0) }
    }

    private static func list(
        of item: ItemID, limit: Int, in transaction: any ReadTransaction
    ) throws -> [ContentPromise] {
        try transaction.query(
            """
            SELECT transaction_id, number, promised_at, asked_at FROM content_promise WHERE item_id = $1
            ORDER BY asked_at DESC, transaction_id DESC LIMIT $2
            """, item, limit
        ) { row in
            var cells = row.cells
            return try ContentPromise(
                transaction: cells.next(), number: cells.next(), promisedAt: cells.next(), askedAt: cells.next())
        }
    }
}

extension ContentDelivery {
    /// The table of an environment that says which version the device of a customer was told of. A row is kept until nobody
    /// can ask for the version.
    static let tables: [SQL] = [
        """
        CREATE TABLE content_promise (
            transaction_id \(.integer) NOT NULL PRIMARY KEY, item_id \(.integer) NOT NULL, number \(.integer) NOT NULL,
            promised_at \(.integer) NOT NULL, asked_at \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE INDEX content_promise_version ON content_promise (item_id, number)",
    ]
}
