import Foundation
import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// Selling an item of the storefront to a customer who is signed in on its page: without a device, and by the payment sheet that
/// everything is paid on.
///
/// | what must not happen | what prevents it |
/// |---|---|
/// | a button that is pressed twice opens two sheets | the row of the customer, which both change; the second finds the first |
/// | two sheets of one item are both paid | what is owned once, and what is being paid, as for every purchase |
/// | a song is paid that came with its album meanwhile | ``Purchases/hasWhole(of:in:)``, at the yes, at every other card and at an approval |
package struct ItemSales: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Where a sale goes on.
    package struct Opened: Hashable, Sendable {
        package let purchase: PurchaseID
        /// The last part of the address of the payment sheet.
        package let token: String
        /// What proves on the sheet that the password was typed a moment ago; nil if it was not.
        package let proof: String?
    }

    /// Opens the purchase of an item, or finds the one that is not over yet.
    ///
    /// Refuses what the account has (`tooLate`), what is not sold in its storefront, and what is sold in another one than the page
    /// is of.
    ///
    /// - Parameters:
    ///   - country: the storefront of the page.
    ///   - scope: who buys, on a page of the store or in a view inside an app.
    ///   - isProven: whether the password was typed on the page a moment ago.
    ///   - referral: by which partner's link the customer came; nil inside apps.
    package func open(
        _ storeID: Int64, in country: StorefrontCode, as scope: WebScope, isProven: Bool = false, referral: Referral?,
        request: String?
    ) async throws -> Opened {
        guard country == scope.storefront else {
            throw ServiceError(
                .productUnavailable, "the account buys in \(scope.storefront), and this page is of \(country)",
                parameter: "storefront")
        }
        let (item, shelf, whole, isEmpty) = try await item(storeID)
        guard try await !Library(store).has([storeID], scope).contains(storeID) else { throw Self.owned }
        let (products, customer) = (ProductLookup(store), scope.inApp(shelf))
        let id = try ItemShelf.productID(of: item.storeID).text
        let found = try await products.listings([id], for: customer)
        guard !isEmpty else {
            throw ServiceError(.productUnavailable, "there is nothing in it yet", parameter: "storeId")
        }
        guard !found.listings.isEmpty || item.kind.parent == nil else {
            throw ServiceError(
                .productUnavailable, "it is not sold by itself, only with what it is part of", parameter: "storeId")
        }
        let sold = try products.item(id, quantity: 1, among: found, in: scope.storefront)
        let purchase = try await open(sold, partOf: whole, for: customer, referral, request)
        let sheet = PaymentSheet(store)
        return Opened(
            purchase: purchase.id, token: try await sheet.token(of: purchase.id),
            proof: isProven ? try await sheet.proof(of: purchase.id, scope.customer) : nil)
    }

    private static let owned = ServiceError(
        .tooLate, "the account has this already; it is in its library", parameter: "storeId")

    /// Finishes what was sold if it is an item of the storefront: it is in the library at once, and no app waits for it.
    static func finish(_ sold: StoreTransaction, _ change: Change) throws {
        guard sold.bundleID.text.hasPrefix(ItemShelf.prefix) else { return }
        _ = try change.transaction.insertIfNew(
            into: "transaction_finish",
            ["transaction_id": sold.id, "device_id": DeviceID?.none, "finished_at": change.commerce])
    }

    /// An item, the shelf on which it stands, the album or season that it is part of, and whether it is one with nothing in it.
    private func item(_ storeID: Int64) async throws -> (CatalogueItem, CatalogueApp, ItemID?, Bool) {
        let environment = store.environment
        return try await store.catalogue.lookUp { transaction in
            guard let item = try ItemShelf.item(storeID, in: transaction),
                let shelf = try Catalogue.app(ItemShelf.bundleID(of: item.teamID), in: transaction)
            else { throw ServiceError(.productUnknown, "the store has no item \(storeID)", parameter: "storeId") }
            let whole = try item.facts.parent.flatMap { try ItemShelf.item($0, in: transaction)?.itemID }
            let isEmpty =
                try item.kind.isCollection
                && ItemShelf.children(of: storeID, in: environment, transaction).isEmpty
            return (item, shelf, whole, isEmpty)
        }
    }

    private func open(
        _ item: SoldItem, partOf whole: ItemID?, for scope: CustomerScope, _ referral: Referral?, _ request: String?
    ) async throws -> StoredPurchase {
        let id = try PurchaseID(number: await store.numbers.next(.purchases))
        let cause = store.cause(.customer, request: request)
        return try await Confirmation.drawn(store.random) { confirmation in
            let checkout = CheckoutRequest(
                key: PurchaseKey(UUID()), item: item, quantity: 1, accountToken: nil, confirmation: confirmation,
                partOf: whole)
            return try await store.database.write { transaction in
                let change = try cause.change(of: scope.customer, in: transaction)
                if let waiting = try Purchases.waiting(for: item, by: scope, in: transaction),
                    !waiting.state.waitsForPerson || !waiting.isOver(at: change.times)
                {
                    // Whoever presses the button again comes by another link, by none, or in an app.
                    if waiting.state == .confirmation { try Referrals.keep(referral, of: waiting.id.sale, change) }
                    return waiting
                }
                let opened = try Purchases.open(checkout, as: id, for: scope, change)
                try Referrals.keep(referral, of: opened.id.sale, change)
                return opened
            }
        }
    }
}

extension Purchases {
    /// The purchase without a device that asks a customer, or whoever approves, for the same at the same price, or that is being
    /// paid.
    static func waiting(
        for item: SoldItem, by scope: CustomerScope, in transaction: any ReadTransaction
    ) throws -> StoredPurchase? {
        try transaction.query(
            """
            SELECT \(StoredPurchase.table.columns) FROM purchase
            WHERE customer_id = $1 AND app_id = $2 AND item_id = $3 AND device_id IS NULL
                AND \(Purchase.State.notFinal)
            ORDER BY id DESC LIMIT 1
            """, scope.customer, scope.app, item.id, row: StoredPurchase.init
        ).first { $0.item == item }
    }

    /// Whether the customer of a purchase has what is bought with something that it is part of, or is paying that.
    static func hasWhole(of purchase: StoredPurchase, in transaction: any ReadTransaction) throws -> Bool {
        guard let whole = purchase.whole, let customer = purchase.customer else { return false }
        return try Transactions.owned(whole, by: customer, at: purchase.openedAt, in: transaction) != nil
            || Charges.isBeingPaid(whole, by: customer, in: transaction)
    }

    /// Refuses to sell what a customer has, or is about to have, with something that it is part of.
    static func requireNoWhole(of purchase: StoredPurchase, in transaction: any ReadTransaction) throws {
        guard try hasWhole(of: purchase, in: transaction) else { return }
        throw ServiceError(
            .tooLate, "the account has this with what it is part of, or is paying that; nothing was sold")
    }
}
