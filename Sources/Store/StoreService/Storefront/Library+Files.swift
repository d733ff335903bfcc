package import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreSigning

/// Fetching what is in a library, any number of times and by range.
extension Library {
    /// How long an address is good that needs no sign-in.
    package static let linkLife = HostingLimits.linkLife

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

    // MARK: Addresses that need no sign-in

    /// An address for a while.
    package struct FileLink: Hashable, Sendable {
        /// The last part of the address.
        package let ticket: String
        package let file: ItemFile
        package let expiresAt: Instant
    }

    /// An address of a file that a customer has, for a program or a device that has no cookies. It ends with the refund too.
    package func link(to place: Place, _ scope: WebScope) async throws -> FileLink {
        let file = try await file(at: place, scope)
        let ticket = FileTicket(
            customer: scope.customer, storeID: place.storeID, blob: file.blob,
            expiresAt: store.clocks.wall() + Self.linkLife)
        return FileLink(ticket: try await ticket.text(by: store.pageSecret), file: file, expiresAt: ticket.expiresAt)
    }

    /// The file behind an address, and whose it is.
    package func file(behind text: String) async throws -> (file: ItemFile, scope: WebScope) {
        guard let ticket = try await FileTicket(text, by: store.pageSecret) else {
            throw ServiceError(.contentUnknown, "there is no file at this address", parameter: "path")
        }
        guard store.clocks.wall() < ticket.expiresAt else {
            throw ServiceError(
                .linkExpired, "this address was good for a while only; get another from the library", parameter: "path")
        }
        let account = try await store.database.lookUp { try Customers.find(ticket.customer, in: $0) }
        guard let account, account.deletedAt == nil else {
            throw ServiceError(.itemNotOwned, "the account is gone", parameter: "path")
        }
        let scope = WebScope(customer: account.id, storefront: account.storefront)
        guard try await has([ticket.storeID], scope).contains(ticket.storeID) else {
            throw ServiceError(.itemNotOwned, "the account does not have this item any more", parameter: "path")
        }
        return (try await file(of: ticket.storeID) { $0.first { $0.blob == ticket.blob } }, scope)
    }
}

/// What the address of a file says: for whom, of what, which one, until when. Only the store can write one.
struct FileTicket: Hashable {
    let customer: CustomerID
    let storeID: Int64
    let blob: BlobID
    let expiresAt: Instant

    private static let purpose = SealedAddress(purpose: "library ")
    private static let numbers = 3

    init(customer: CustomerID, storeID: Int64, blob: BlobID, expiresAt: Instant) {
        (self.customer, self.storeID, self.blob, self.expiresAt) = (customer, storeID, blob, expiresAt)
    }

    func text(by secret: PageSecret) async throws -> String {
        let numbers = [customer.number, storeID, expiresAt.millisecondsSinceEpoch]
        return try await Self.purpose.seal(SealedAddress.bytes(of: numbers) + Array(blob.text.utf8), by: secret)
    }

    init?(_ text: String, by secret: PageSecret) async throws {
        let digits = 64
        guard let told = try await Self.purpose.open(text, bytes: 8 * Self.numbers + digits, by: secret) else {
            return nil
        }
        let numbers = SealedAddress.numbers(in: told.dropLast(digits))
        guard let customer = try? CustomerID(number: numbers[0]),
            let blob = BlobID(String(decoding: told.suffix(digits), as: UTF8.self))
        else { return nil }
        self.init(
            customer: customer, storeID: numbers[1], blob: blob, expiresAt: Instant(millisecondsSinceEpoch: numbers[2]))
    }
}

/// Bytes in an address that only the store can have written.
struct SealedAddress {
    /// Keeps addresses of one kind apart from all others of the store.
    private let purpose: [UInt8]

    private static let codeBytes = 32

    init(purpose: String) {
        self.purpose = Array(purpose.utf8)
    }

    func seal(_ bytes: [UInt8], by secret: PageSecret) async throws -> String {
        Base64.encode(bytes + (try await secret.code(of: purpose + bytes)), .url)
    }

    /// The bytes of an address; nil unless the store wrote it.
    func open(_ text: String, bytes count: Int, by secret: PageSecret) async throws -> [UInt8]? {
        guard text.utf8.count <= 2 * (count + Self.codeBytes), let all = Base64.decode(text, .url),
            all.count == count + Self.codeBytes
        else { return nil }
        let told = Array(all[..<count])
        let code = try await secret.code(of: purpose + told)
        return SecretComparison.areEqual(code, Array(all[count...])) ? told : nil
    }

    /// Numbers as eight bytes each.
    static func bytes(of numbers: [Int64]) -> [UInt8] {
        numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
    }

    static func numbers(in bytes: some Collection<UInt8>) -> [Int64] {
        let bytes = Array(bytes)
        return stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<min(start + 8, bytes.count)].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        }
    }
}
