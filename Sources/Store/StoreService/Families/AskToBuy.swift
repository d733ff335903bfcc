import StoreCatalogue
import StoreDatabase
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreSigning

/// Approvals: what children of a family want to buy and somebody else decides, or whoever tests it in the sandbox.
///
/// The organiser pays for what a child gets; where nobody in particular decides, the customer does.
package struct AskToBuy: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// A purchase that waits for an approval.
    package struct Waiting: Sendable {
        package let purchase: StoredPurchase
        /// The address of the account that asks.
        package let asker: String
        /// That of the account that would pay, if it is another one.
        package let approver: String?
    }

    package func waiting(after id: PurchaseID?, limit: Int) async throws -> [Waiting] {
        try await store.database.read { transaction in
            try Purchases.waitingForApproval(after: id, limit: limit, in: transaction).map {
                try Self.waiting($0, in: transaction)
            }
        }
    }

    private static func waiting(_ purchase: StoredPurchase, in transaction: any ReadTransaction) throws -> Waiting {
        Waiting(
            purchase: purchase,
            asker: try purchase.customer.map { try Customers.require($0, in: transaction).email } ?? "",
            approver: try purchase.approver.map { try Customers.require($0, in: transaction).email })
    }

    // MARK: Deciding

    /// Says yes or no, as somebody who looks after the store. The same answer again changes nothing.
    package func decide(named name: String, isApproved: Bool, _ cause: ChangeCause) async throws -> SaleStatus {
        let id = try await store.database.read { try SaleStatus.number(named: name, in: $0) }
        return try await Checkout(store).decide(id.purchase, isApproved: isApproved, cause)
    }

    // MARK: The page

    /// The last part of the address of the page on which an approver decides.
    package func token(of id: PurchaseID) async throws -> String {
        let code = try await store.pageSecret.code(of: "approve \(id)".utf8)
        return "\(id)-\(Base64.encode(Array(code.prefix(Self.codeBytes)), .url))"
    }

    private static let codeBytes = 18

    private func id(of token: String) async throws -> PurchaseID {
        guard let hyphen = token.firstIndex(of: "-"), let id = PurchaseID(String(token[..<hyphen])),
            SecretComparison.areEqual(Array(token.utf8), Array(try await self.token(of: id).utf8))
        else { throw ServiceError(.purchaseUnknown, "there is no such purchase") }
        return id
    }

    /// What the page shows.
    package struct Content: Sendable {
        package let sheet: PaymentSheet.Content
        package let asker: String
        /// Whether an approver has to sign in; where nobody in particular decides, the address of the page is enough.
        package let needsPassword: Bool
    }

    package func content(_ token: String) async throws -> Content {
        let id = try await id(of: token)
        let waiting = try await store.database.read { transaction in
            try Self.waiting(Purchases.require(id, in: transaction), in: transaction)
        }
        return Content(
            sheet: try await PaymentSheet(store).content(of: id), asker: waiting.asker,
            needsPassword: waiting.purchase.approver != nil)
    }

    /// Decides on the page, as the organiser or another adult of the family.
    package func decide(
        _ token: String, isApproved: Bool, email: String, password: String, from peer: PeerAddress, request: String?
    ) async throws -> Content {
        let id = try await id(of: token)
        let purchase = try await store.database.read { try Purchases.require(id, in: $0) }
        var actor = Actor.approver
        if purchase.approver != nil {
            let asker = try purchase.requireScope().customer
            let approver = try await Accounts(store).owner(email, password, at: .page(peer))
            let isAllowed = try await store.database.read { transaction in
                let family = try Families.find(of: asker, in: transaction)
                return family?[approver.id]?.role.approves == true
            }
            guard isAllowed else {
                throw ServiceError(
                    .notAllowed, "this account is no adult of the family of the child", parameter: "email")
            }
            actor = .approver(approver.id)
        }
        _ = try await Checkout(store).decide(id, isApproved: isApproved, store.cause(actor, request: request))
        return try await content(token)
    }
}

extension Checkout {
    /// Says yes or no to a purchase that waits for an approval. An answer that was given already is given again.
    func decide(_ id: PurchaseID, isApproved: Bool, _ cause: ChangeCause) async throws -> SaleStatus {
        let drawn = try await store.draw()
        return try await change(id.sale, as: isApproved ? .approved : .refused, cause) { purchase, change in
            if purchase.state != .approval, try Self.isDecided(purchase, as: isApproved, change) { return }
            _ = try Self.handling(isApproved ? .approved : .refused, purchase, change) {
                try isApproved
                    ? Purchases.approve(purchase, drawn, change) : Purchases.handle(.refused, of: purchase, change)
            }
        }
    }

    private static func isDecided(_ purchase: StoredPurchase, as isApproved: Bool, _ change: Change) throws -> Bool {
        guard isApproved else { return purchase.rules.failure == .refused }
        guard purchase.state == .charging || purchase.state == .purchased else { return false }
        return try change.transaction.value(
            "SELECT count(*) FROM purchase_history WHERE purchase_id = $1 AND event = 'approved'", purchase.id,
            as: Int.self) > 0
    }
}
