import Foundation
import StoreCatalogue
import StoreDatabase
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreSigning
import Synchronization

/// The page of a purchase, on which a person says yes or no: by its address, which only the device is told.
package struct PaymentSheet: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    // MARK: Its address

    /// The last part of the address of the page of a purchase.
    package func token(of id: PurchaseID) async throws -> String {
        let code = try await store.pageSecret.code(of: id.description.utf8)
        return "\(id)-\(Base64.encode(Array(code.prefix(Self.codeBytes)), .url))"
    }

    private static let codeBytes = 18

    func id(of token: String) async throws -> PurchaseID {
        guard let hyphen = token.firstIndex(of: "-"), let id = PurchaseID(String(token[..<hyphen])),
            SecretComparison.areEqual(Array(token.utf8), Array(try await self.token(of: id).utf8))
        else { throw ServiceError(.purchaseUnknown, "there is no such purchase") }
        return id
    }

    // MARK: What happens on it

    /// - Parameter language: that of the page where no device has one.
    package func content(_ token: String, in language: String? = nil) async throws -> Content {
        try await content(of: id(of: token), in: language)
    }

    /// Signs somebody in on the device of the purchase. It may cost something else for the account, and is asked again.
    ///
    /// Gives what proves it for a while; nil where nobody was to sign in any more, and no password was looked at.
    package func signIn(
        _ token: String, email: String, password: String, from peer: PeerAddress, request: String?
    ) async throws -> String? {
        let id = try await id(of: token)
        let (purchase, scope) = try await device(of: id)
        guard purchase.state == .signIn else { return nil }
        try await Accounts(store).signIn(
            email: email, password: password, at: .page(peer, of: scope.device), on: scope,
            store.cause(.customer, request: request))
        return try await proof(of: id, for: email)
    }

    /// Makes an account in the storefront of the device, and signs it in there. Testers are made by developers.
    package func signUp(
        _ token: String, email: String, password: String, firstName: String, lastName: String,
        from peer: PeerAddress, request: String?
    ) async throws -> String? {
        let id = try await id(of: token)
        let (purchase, scope) = try await device(of: id)
        guard store.environment == .production, purchase.state == .signIn else {
            throw ServiceError(.notAllowed, "accounts are made here by customers of production who are not signed in")
        }
        let accounts = Accounts(store)
        _ = try await accounts.create(
            .init(
                email: email, password: password, firstName: firstName, lastName: lastName,
                storefront: scope.storefront), store.cause(.customer, request: request))
        try await accounts.signIn(
            email: email, password: password, at: .page(peer, of: scope.device), on: scope,
            store.cause(.customer, request: request))
        return try await proof(of: id, for: email)
    }

    /// Says that a password is forgotten, which ends the purchase: the app hears of it.
    package func recoverPassword(_ token: String, of email: String, request: String?) async throws {
        let (purchase, scope) = try await device(of: id(of: token))
        guard purchase.state == .signIn else { return }
        try await Accounts(store).recoverPassword(
            of: email, on: scope, store.cause(.customer, request: request))
    }

    /// The last part of the address of the page of the purchase that waits under a code.
    package func token(waitingUnder typed: String) async throws -> String {
        guard let code = Confirmation.code(typed: typed) else {
            throw ServiceError(.valueInvalid, "this is no code", parameter: "code")
        }
        guard let found = try await store.database.read({ try Purchases.find(code: code, in: $0) }) else {
            throw ServiceError(.codeUnknown, "no purchase waits under this code", parameter: "code")
        }
        return try await token(of: found.id)
    }

    /// How long a sign-in on the page stands for the password.
    package static let proofTime = Duration.seconds(10 * 60)

    /// What proves for a while that the account of a purchase has signed in on its page; nil if the purchase went on as that
    /// of somebody else, who signed in at the same moment.
    func proof(of id: PurchaseID, for email: String) async throws -> String? {
        let address = try EmailAddress(email)
        let customer = try await store.database.read { transaction -> CustomerID? in
            let account = try Customers.find(address, in: transaction)?.id
            return try Purchases.require(id, in: transaction).customer == account ? account : nil
        }
        guard let customer else { return nil }
        return try await proof(of: id, customer)
    }

    /// What proves for a while that the account of a purchase has shown its password on the page.
    func proof(of id: PurchaseID, _ customer: CustomerID) async throws -> String {
        let end = (store.clocks.wall() + Self.proofTime).millisecondsSinceEpoch
        return try await "\(end).\(proof(of: id, customer, until: end))"
    }

    private func proof(of id: PurchaseID, _ customer: CustomerID, until end: Int64) async throws -> String {
        // With another password it proves nothing.
        let hash = try await store.database.read { try Customers.passwordHash(of: customer, in: $0) } ?? ""
        let code = try await store.pageSecret.code(of: "signed-in \(id) \(customer) \(end) \(hash)".utf8)
        return Base64.encode(Array(code), .url)
    }

    /// Whether somebody signed in on the page a moment ago, as the account for which the purchase is.
    package func isProven(_ token: String, by proof: String) async throws -> Bool {
        let id = try await id(of: token)
        let parts = proof.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let end = Int64(parts[0]),
            store.clocks.wall() < Instant(millisecondsSinceEpoch: end),
            let customer = try await store.database.read({ try Purchases.require(id, in: $0).customer })
        else { return false }
        return try await SecretComparison.areEqual(
            Array(parts[1].utf8), Array(self.proof(of: id, customer, until: end).utf8))
    }

    private func device(of id: PurchaseID) async throws -> (StoredPurchase, DeviceScope) {
        try await store.database.read { transaction in
            let purchase = try Purchases.require(id, in: transaction)
            guard let scope = try purchase.device.flatMap({ try DeviceScope.of($0, in: transaction) }) else {
                throw ServiceError(.deviceUnknown, "the device of this purchase is gone")
            }
            return (purchase, scope)
        }
    }
}

/// What only this store can put into the addresses of pages. It is drawn once and kept with the books, so that all servers of
/// a database make the same addresses.
package final class PageSecret: Sendable {
    private let database: any Database
    private let random: RandomBytes
    private let known = Mutex<AuthenticationCode?>(nil)

    init(_ database: any Database, random: RandomBytes) {
        self.database = database
        self.random = random
    }

    func code(of message: some Sequence<UInt8>) async throws -> [UInt8] {
        try await secret().code(of: message)
    }

    /// As much of the code of a name as a row is found by.
    func shortCode(of name: String) async throws -> [UInt8] {
        Array(try await code(of: name.utf8).prefix(Self.shortBytes))
    }

    private static let shortBytes = 16

    /// What makes the codes, for those who need several within a transaction.
    func secret() async throws -> AuthenticationCode {
        if let known = known.withLock({ $0 }) { return known }
        // Where nothing can be written, what is read by it still can be.
        let found = try await database.lookUp { try StoreProperty.value(of: Self.name, in: $0) }
        let drawn = Base64.encode(try random(Self.bytes))
        let kept =
            if let found { found } else {
                try await database.write { try StoreProperty.keepFirst(drawn, as: Self.name, in: $0) }
            }
        let secret = try AuthenticationCode(secret: kept.utf8)
        known.withLock { $0 = secret }
        return secret
    }

    private static let (bytes, name) = (32, "page-secret")
}
