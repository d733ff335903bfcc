import Foundation
import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules
import StoreSigning

/// Sales without a question: the operator, or a test, buys for a customer. The order has no purchase.
///
/// Where something is in the way, the sale stays a question after all: a purchase without a device, which failed, is
/// interrupted until that is settled, or waits for whoever approves what a child buys.
extension Checkout {
    /// Sells something to a customer.
    ///
    /// - Parameter key: names the sale, so that a repeated request sells once.
    /// - Returns: how the sale stands, and whether this request made it.
    package func sell(
        _ selection: Selection, to name: String, app bundle: BundleID, key: PurchaseKey?, _ cause: ChangeCause
    ) async throws -> (status: SaleStatus, isNew: Bool) {
        let scope = try await scope(of: name, in: bundle)
        let key = try key.map { try Self.orderKey($0, selection, scope) }
        if let key, let known = try await store.database.read({ try Self.known(key, in: $0) }) {
            return (try await store.database.read { try SaleStatus.require(known, in: $0) }, false)
        }
        let products = ProductLookup(store)
        let found = try await products.listings([selection.product], for: scope)
        let item = try products.item(
            selection.product, quantity: selection.quantity, among: found,
            in: scope.storefront)
        if selection.offer != nil, item.kind != .autoRenewable { throw OfferLookup.noOffers }
        let choice =
            item.kind == .autoRenewable
            ? try await OfferLookup(store).choice(selection, found.listings.first, app: scope.app, bundle: scope.bundle)
            : .none
        let id = try SaleID(number: await store.numbers.next(.purchases))
        let drawn = try await store.draw()
        let (made, charge) = try await Confirmation.drawn(store.random) { confirmation in
            let request = CheckoutRequest(
                key: key?.key ?? PurchaseKey(UUID()), item: item, quantity: selection.quantity,
                accountToken: selection.accountToken,
                asksToBuy: selection.asksToBuy && store.environment == .sandbox, confirmation: confirmation,
                offers: choice,
                requestedOffer: selection.offer)
            return try await store.afterAdvance {
                try await store.database.write { transaction in
                    let change = try cause.change(of: scope.customer, in: transaction)
                    if item.kind == .autoRenewable { try change.requireArrival() }
                    let made = try Self.order(request, to: scope, as: id, key, drawn, change)
                    return (made, try made == id ? Charges.find(id.charge, in: transaction) : nil)
                }
            }
        }
        if let charge { _ = try await ChargeDriver(store).drive(charge, isFirst: true, cause) }
        return (try await store.database.read { try SaleStatus.require(made, in: $0) }, made == id)
    }

    private func scope(of name: String, in bundle: BundleID) async throws -> CustomerScope {
        let customer = try await store.database.read { try Customers.named(name, in: $0) }
        guard let app = try await store.catalogue.read({ try Catalogue.app(bundle, in: $0) }) else {
            throw ServiceError(.appUnknown, "the store has no app \(bundle)", parameter: "bundleId")
        }
        return CustomerScope(customer: customer.id, app: app.id, bundle: bundle, storefront: customer.storefront)
    }

    private static func orderKey(_ key: PurchaseKey, _ selection: Selection, _ scope: CustomerScope) throws
        -> SaleOrder.Key
    {
        let parameters =
            "\(selection.product)\n\(selection.quantity)\n\(selection.accountToken?.description ?? "-")\n\(scope.app)\n\(scope.customer)"
            + (selection.offer.map { "\n\($0.fingerprint)" } ?? "")
        return SaleOrder.Key(key: key, fingerprint: try DigestAlgorithm.sha256.digest(parameters.utf8))
    }

    /// What a request with the same key made.
    private static func known(_ key: SaleOrder.Key, in transaction: any ReadTransaction) throws -> SaleID? {
        if let known = try SaleOrder.find(key, in: transaction)?.id
            ?? Purchases.find(key, in: transaction)?.id.sale
        {
            return known
        }
        try Purchases.requireNotForgotten(key.key, of: nil, in: transaction)
        return nil
    }

    /// Writes the order, delivers it if it costs nothing, and opens its charge if it does. Returns the number of the sale,
    /// or of the one that exists already: of a repeated request, or of what is owned once and waits to be finished.
    private static func order(
        _ request: CheckoutRequest, to scope: CustomerScope, as id: SaleID, _ key: SaleOrder.Key?,
        _ drawn: Drawn, _ change: Change
    ) throws -> SaleID {
        let transaction = change.transaction
        if let key, let known = try known(key, in: transaction) { return known }
        // Of two sales at once that both have a trial, one has to see the other.
        if request.offers != .none { try Customers.claim(scope.customer, in: transaction) }
        var request = request
        request.item = try Offers.apply(request.offers, to: request.item, for: scope, change)
        try Offers.keep(request.offers, of: id, app: scope.app, customer: scope.customer, change)
        let item = request.item
        func ask(_ event: Purchase.Event, asking approver: CustomerID? = nil) throws -> SaleID {
            try Purchases.open(
                request, fingerprint: key?.fingerprint ?? [], as: id.purchase, for: scope, then: event,
                asking: approver, change
            ).sale
        }
        if let reason = try Customers.obstacle(for: scope.customer, in: scope.app, transaction) {
            return try ask(.prevented(reason))
        }
        let customer = try Customers.require(scope.customer, in: transaction)
        let isAsked = try Purchases.isAsked(
            item, of: customer, for: scope, request.asksToBuy, at: change.commerce, in: transaction)
        if !isAsked, let again = try again(item, for: scope, change) {
            try Offers.use(id, by: scope.customer, change)
            return again
        }
        if customer.interruptsPurchases { return try ask(.confirmedButInterrupted) }
        if isAsked {
            return try ask(
                .confirmed(.toBeApproved), asking: Families.approver(of: scope.customer, in: transaction))
        }
        if let reason = try place(request, to: scope, as: id, key, drawn, change) { return try ask(.prevented(reason)) }
        return id
    }

    /// Writes the order, and delivers it or opens its charge. Returns what is in the way; nil if nothing is.
    private static func place(
        _ request: CheckoutRequest, to scope: CustomerScope, as id: SaleID, _ key: SaleOrder.Key?,
        _ drawn: Drawn, _ change: Change
    ) throws -> PurchaseFailure? {
        let (item, transaction) = (request.item, change.transaction)
        let owned =
            item.kind.isOwnedOnce && item.kind != .autoRenewable
            ? try Transactions.owned(item.id, by: scope.customer, at: change.commerce, in: transaction) : nil
        let order = try SaleOrder(
            id, .operator, of: item, quantity: request.quantity, to: scope, commission: drawn.commission,
            continuing: owned?.originalID, orderLine: drawn.orderLine, accountToken: request.accountToken,
            at: change.commerce)
        switch try Sales.offer(
            of: item, total: order.total, to: scope, at: change.commerce, in: transaction)
        {
        case .prevented(let reason): return reason
        case .terms(.beingPaid, _): return .beingPaid
        case .terms(.toBePaid, let method?):
            try order.insert(key: key, change)
            try Offers.use(id, by: scope.customer, change)
            _ = try Charges.open(order, paidWith: method, isAttended: true, change)
        case .terms:
            try order.insert(key: key, change)
            try Offers.use(id, by: scope.customer, change)
            try Sales.deliverUnasked(order, isPaid: false, drawn, change)
        }
        return nil
    }

    /// The order whose transaction is delivered again instead: one that waits to be finished, or a subscription that runs.
    private static func again(
        _ item: SoldItem, for scope: CustomerScope, _ change: Change
    ) throws -> SaleID? {
        var waiting = try Transactions.waiting(of: item, for: scope, at: change.commerce, in: change.transaction)
        if item.kind == .autoRenewable,
            let terms = try Subscriptions.terms(of: item, for: scope, at: change.commerce, in: change.transaction),
            terms != .beingPaid
        {
            waiting = try Subscriptions.keepOn(item, for: scope, change)
        }
        guard let found = try waiting.flatMap({ try Transactions.find($0, in: change.transaction) }),
            let order = found.orderID
        else { return nil }
        try CustomerEvents.append(
            .transaction, to: scope.customer, app: scope.app, device: nil, purchase: found.orderID?.purchase,
            transaction: found.id, change)
        try change.transaction.signal(Signal(.redeliveries, subject: found.id.description))
        return order
    }
}
