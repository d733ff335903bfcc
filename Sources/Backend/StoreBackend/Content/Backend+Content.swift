import Foundation
import StoreFoundation
public import StoreModel

extension Backend {
    /// The content of a product, for a user who has paid for it.
    ///
    /// A proof that comes with the request is recorded first, as by ``record(_:for:at:)``; without one, what was recorded
    /// earlier pays. The same user gets the content again and again. A subscription gives the products that it includes
    /// for as long as it runs.
    ///
    /// - Parameters:
    ///   - productID: the product.
    ///   - proof: the receipt or signed transaction, if the app sends it along.
    ///   - quantity: how many were bought as the app says, if it says so.
    ///   - appVersion: the version of the app, which gets the newest version that it may have.
    public func content(
        _ productID: ProductID, proof: ProofOfPayment? = nil, quantity: Int? = nil, for user: BackendUser,
        appVersion: String? = nil, at now: Instant
    ) async throws -> ContentFile {
        try await content(
            productID, proof: proof, quantity: quantity, for: user, appVersion: appVersion, at: now, recorded: { _ in })
    }

    /// The same.
    ///
    /// - Parameter tell: is told what the proof showed as soon as it is recorded.
    func content(
        _ productID: ProductID, proof: ProofOfPayment?, quantity: Int?, for user: BackendUser, appVersion: String?,
        at now: Instant, recorded tell: ([Recorded]) -> Void
    ) async throws -> ContentFile {
        let appVersion = try appVersion.map { try AppVersionRange.read($0, parameter: "appVersion") }
        let library = try requireLibrary()
        var recorded: [Recorded]?
        if let proof {
            let shown = try await record(proof, for: user, at: now)
            tell(shown)
            recorded = shown
        }
        let request = ContentRequest(
            productID: productID, recorded: recorded, quantity: quantity, user: user, backend: self, now: now)
        return try await database.transaction { connection in
            let (entitlement, product) = try request.payment(connection)
            let version = try Self.newest(of: product, for: appVersion, connection)
            try AuditTable(connection).note(
                .contentGranted, of: user.id, transaction: entitlement.transaction, product: productID,
                "\(version.name) \(version.version)", at: now)
            return version.file(in: library)
        }
    }

    /// The version of a product's content that a version of the app gets.
    private static func newest(
        of product: ListedProduct, for appVersion: ContentVersion?, _ connection: any BackendConnection
    ) throws -> ContentTable.Version {
        guard let name = product.content else {
            throw BackendError(.unknownContent, "There is no content of \(product.productID).")
        }
        let table = ContentTable(connection)
        if let version = try table.newest(name, for: appVersion) { return version }
        guard try !table.versions(of: name).isEmpty else {
            // It is paid for, so the app asks again until somebody has added it.
            throw BackendError(
                .contentUnavailable, "The content \(name) of \(product.productID) is not on the server yet.")
        }
        let version = appVersion.map { " for version \($0) of the app" } ?? ""
        throw BackendError(.unknownContent, "There is no content of \(product.productID)\(version).")
    }

    /// A certain version of the content of a product, for a user who has paid for it: for downloads that go on.
    ///
    /// Whether the user has it still is judged again.
    public func contentFile(
        _ productID: ProductID, version: String, for user: BackendUser, at now: Instant
    ) async throws -> ContentFile {
        let asked = try AppVersionRange.read(version, parameter: "version")
        let library = try requireLibrary()
        let request = ContentRequest(
            productID: productID, recorded: nil, quantity: nil, user: user, backend: self, now: now)
        return try await database.transaction { connection in
            let (_, product) = try request.payment(connection)
            let versions = try product.content.map { try ContentTable(connection).versions(of: $0) } ?? []
            guard let found = try versions.first(where: { try ContentVersion(parsing: $0.version) == asked }) else {
                throw BackendError(.unknownContent, "There is no version \(asked) of the content of \(productID).")
            }
            return found.file(in: library)
        }
    }

    // MARK: - Contents

    /// Adds a version of a content. Its file is copied, so it may be removed afterwards.
    ///
    /// - Parameters:
    ///   - file: where the file is.
    ///   - name: the name of the content, which products of the list have.
    ///   - version: the version, such as `1.0`; each is added once.
    ///   - minimumAppVersion: the first version of the app that may have it.
    ///   - maximumAppVersion: the last version of the app that may have it.
    @discardableResult
    public func addContent(
        _ file: String, as name: String, version: String, minimumAppVersion: String? = nil,
        maximumAppVersion: String? = nil, at now: Instant
    ) async throws -> ContentFile {
        let library = try requireLibrary()
        let fileName = (file as NSString).lastPathComponent
        guard ProductListRules.nameLength.contains(name.count), NameRule.flaw(of: name + fileName) == nil else {
            let length = ProductListRules.nameLength.upperBound
            throw BackendError(
                .invalidValue, "The name of a content has 1 to \(length) characters and no control characters.",
                parameter: "name")
        }
        let number = try AppVersionRange.read(version, parameter: "version")
        let first = try minimumAppVersion.map { try AppVersionRange.read($0, parameter: "minimumAppVersion") }
        let last = try maximumAppVersion.map { try AppVersionRange.read($0, parameter: "maximumAppVersion") }
        if let first, let last, last < first {
            throw BackendError(
                .invalidValue, "The last version of the app is before the first.", parameter: "maximumAppVersion")
        }
        let limits = settings.limits
        let added = try await OwnThread.run(named: "backend-content") {
            try library.add(file, atMost: limits.contentBytes)
        }
        let row = ContentTable.Version(
            name: name, version: version, digest: added.digest, bytes: added.bytes, fileName: fileName,
            minimumAppVersion: minimumAppVersion, maximumAppVersion: maximumAppVersion)
        try await database.transaction { connection in
            let table = ContentTable(connection)
            let versions = try table.versions(of: name)
            guard versions.count < limits.versionsPerContent else {
                throw BackendError(
                    .invalidValue, "A content has at most \(limits.versionsPerContent) versions.", parameter: "version")
            }
            let isTaken = try versions.contains { try ContentVersion(parsing: $0.version) == number }
            guard try !isTaken && table.add(row, at: now) else {
                throw BackendError(
                    .invalidValue, "There is a version \(version) of \(name) already; take a higher one.",
                    parameter: "version")
            }
            try AuditTable(connection).note(.contentAdded, "\(name) \(version), \(added.bytes) bytes", at: now)
        }
        return row.file(in: library)
    }

    /// Removes a version of a content. Its file stays until ``removeUnusedFiles()``, for downloads that run.
    public func removeContent(_ name: String, version: String, at now: Instant) async throws {
        try await database.transaction { connection in
            guard try ContentTable(connection).remove(name, version: version) else {
                throw BackendError(.unknownContent, "There is no version \(version) of \(name).")
            }
            try AuditTable(connection).note(.contentRemoved, "\(name) \(version)", at: now)
        }
    }

    /// All versions of all contents, in the order of their names, the newest first within each.
    public func contents() async throws -> [ContentFile] {
        let library = try requireLibrary()
        return try await database.transaction { connection in
            try ContentTable(connection).versions().map { $0.file(in: library) }
        }
    }

    /// Removes the files that no content has any more, and says how many. Nothing may be added meanwhile.
    public func removeUnusedFiles() async throws -> Int {
        let library = try requireLibrary()
        let digests = Set(try await contents().map(\.digest))
        return try await OwnThread.run(named: "backend-content") { try library.removeAll(but: digests) }
    }

    private func requireLibrary() throws -> ContentLibrary {
        guard let library else {
            throw BackendError(.unknownContent, "This backend was made without a library of contents.")
        }
        return library
    }
}

/// A request for the content of a product: finds what pays for it, or says why nothing does.
struct ContentRequest: Sendable {
    let productID: ProductID
    /// What the proof of the request showed; nil if it had none.
    let recorded: [Recorded]?
    let quantity: Int?
    let user: BackendUser
    let backend: Backend
    let now: Instant

    /// What pays, and the product as its app lists it, or did before it was offered no longer.
    func payment(_ connection: any BackendConnection) throws -> (Entitlement, ListedProduct) {
        var products = ProductLookup(ProductTable(connection, cache: backend.lists))
        var listed: [BundleID: ListedProduct] = [:]
        for bundleID in backend.settings.bundleIDs {
            listed[bundleID] = try products.product(productID, of: bundleID)
        }
        guard !listed.isEmpty else {
            throw BackendError(.unknownProduct, "No list of this backend has \(productID).")
        }
        let all = try Entitlements(connection, settings: backend.settings, lists: backend.lists).all(of: user, at: now)
        let fitting = all.filter { pays($0.transaction, listed: listed) }
        let paying = fitting.filter { $0.isInForce && fits($0.transaction.quantity) }
        let proved = paying.first { one in recorded?.contains { $0.transaction == one.transaction } ?? false }
        guard let best = proved ?? paying.first, let product = listed[best.transaction.bundleID] else {
            throw refusal(of: fitting)
        }
        return (best, product)
    }

    private func pays(_ transaction: VerifiedTransaction, listed: [BundleID: ListedProduct]) -> Bool {
        guard let product = listed[transaction.bundleID] else { return false }
        return transaction.productID == productID || product.includedIn?.contains(transaction.productID) == true
    }

    private func fits(_ bought: Int) -> Bool { quantity.map { $0 == bought } ?? true }

    private func refusal(of fitting: [Entitlement]) -> BackendError {
        guard let newest = fitting.first(where: { $0.transaction.productID == productID }) ?? fitting.first else {
            let brought = recorded?.filter { $0.transaction.productID == productID } ?? []
            if brought.contains(where: { $0.state == .belongsToAnother }) { return Backend.belongsToAnother }
            let proof = recorded == nil ? "No purchase of this user pays" : "Nothing in the proof pays"
            return BackendError(.notPaid, "\(proof) for \(productID).")
        }
        if let quantity, let other = fitting.first(where: { $0.isInForce }) {
            let bought = other.transaction.quantity
            return BackendError(
                .wrongQuantity, "The request says \(quantity), and \(bought) were bought.", parameter: "quantity")
        }
        if newest.transaction.expiresDate != nil, !newest.transaction.isTakenBack, newest.transaction.purchaseDate > now
        {
            let begin = newest.transaction.purchaseDate.rfc3339
            return BackendError(.notPaid, "The period that pays for \(productID) begins at \(begin).")
        }
        if let end = newest.expires, !newest.transaction.isTakenBack {
            return BackendError(.expired, "The subscription has ended at \(end.rfc3339).")
        }
        let instant = newest.transaction.revocationDate.map { " at \($0.rfc3339)" } ?? ""
        return BackendError(.revoked, "The purchase was refunded or withdrawn\(instant).")
    }
}
