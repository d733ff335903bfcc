import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules

/// Says yes or no to a purchase by its code: for the operator, and for the pages where a person is signed in.
package struct Approvals: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Answers the purchase that waits under a code. Where nobody is signed in on the device, the account that is named is.
    ///
    /// - Parameter name: the number or the address of the account it is for.
    package func answer(
        code typed: String, for name: String?, isApproved: Bool, _ cause: ChangeCause
    ) async throws -> SaleStatus {
        guard let code = Confirmation.code(typed: typed) else {
            throw ServiceError(
                .valueInvalid, "a code has eight letters, none of them a vowel, as in BDFG-HJKM", parameter: "code")
        }
        let waiting = try await waiting(under: code)
        if waiting.state == .signIn, isApproved {
            guard let name else {
                throw ServiceError(
                    .notSignedIn, "nobody is signed in on the device of this purchase; name the account it is for",
                    parameter: "customer")
            }
            try await Accounts(store).signIn(name, forPurchase: waiting, cause)
        } else if let name {
            let named = try await store.database.read { try Customers.named(name, in: $0).id }
            guard waiting.customer == named else {
                throw ServiceError(
                    .notAllowed, "somebody else is signed in on the device of this purchase", parameter: "customer")
            }
        }
        guard isApproved else { return try await decline(waiting.id.sale, cause) }
        return try await Checkout(store).confirm(waiting.id.sale, cause) { purchase, _ in
            // The code stands for the price it was shown with.
            if let current = purchase.code, current != waiting.code {
                throw ServiceError(
                    .priceChanged,
                    "this costs \(purchase.total) for the account, which lives in \(purchase.item.storefront); nothing was "
                        + "sold, and \(current) says yes to that price",
                    parameter: "code")
            }
            // A yes that is repeated says nothing of what interrupted the purchase.
            return !purchase.state.isFinal && purchase.state != .interrupted && purchase.state != .approval
        }
    }

    private func decline(_ id: SaleID, _ cause: ChangeCause) async throws -> SaleStatus {
        let status = try await store.database.read { try SaleStatus.require(id, in: $0) }
        if status.purchase?.state.isFinal ?? true { return status }
        return try await Checkout(store).cancel(id, cause)
    }

    private func waiting(under code: String) async throws -> StoredPurchase {
        try await store.database.read { transaction in
            guard let found = try Purchases.find(code: code, in: transaction) else {
                throw ServiceError(
                    .codeUnknown, "no purchase waits under this code; it may be over, or was answered already",
                    parameter: "code")
            }
            return found
        }
    }
}
