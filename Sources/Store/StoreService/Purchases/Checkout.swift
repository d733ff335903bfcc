import Foundation
import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// Buying: a device opens a purchase, its person confirms or cancels it; the operator sells without a question.
///
/// What is confirmed becomes an order, and what costs something a charge, which ``ChargeDriver`` drives before the caller
/// gets its answer.
///
/// These changes, and those of ``ChargeDriver``, are the path of every sale, so they run in `.snapshot` and bring their own
/// guards, against each other and against everything else that happens to a customer:
///
/// | what must not happen | the row or key that both change |
/// |---|---|
/// | a purchase or a charge goes two ways | its own row, with its `history_count` |
/// | one request opens two purchases | the unique keys of `purchase` and `sale_order` |
/// | what is owned once is paid twice, two plans of a group are paid at once, or an account pays that was deleted | the row of the customer, which ``Charges/open(_:paidWith:isAttended:_:)`` and every event change |
/// | a purchase waits for a sign-in that has just happened | the row of the device, by ``Devices/claim(_:in:)`` |
///
/// Nothing guards the number of purchases that wait: of several opened at once, a few more than the limit may be.
package struct Checkout: Sendable {
    let store: EnvironmentStore
    private let products: ProductLookup
    let charges: ChargeDriver

    package init(_ store: EnvironmentStore) {
        self.store = store
        products = ProductLookup(store)
        charges = ChargeDriver(store)
    }

    // MARK: On a device

    private var look: (wall: Instant, patience: Duration) { (store.clocks.wall(), store.policy.patience) }

    /// Opens a purchase. A repeated request with the same key is the same purchase, with a new token while it waits for a
    /// yes.
    package func open(
        _ selection: Selection, key: PurchaseKey, as token: DeviceToken, request: String?
    ) async throws -> Answer {
        let (scope, known) = try await store.lookUp(as: token) { scope, transaction in
            let known = try Purchases.find(key, of: scope, in: transaction)
            if known == nil { try Purchases.requireNotForgotten(key, on: scope, in: transaction) }
            return (scope, known)
        }
        guard !scope.isSimulator else { throw ServiceError(.simulator, "nothing can be bought in a simulator") }
        let (item, choice) = try await item(selection, known: known, scope)
        let id = try PurchaseID(number: await store.numbers.next(.purchases))
        return try await Confirmation.drawn(store.random) { confirmation in
            let checkout = CheckoutRequest(
                key: key, item: item, quantity: selection.quantity, accountToken: selection.accountToken,
                asksToBuy: selection.asksToBuy && store.environment == .sandbox, confirmation: confirmation,
                offers: choice, requestedOffer: selection.offer)
            return try await store.write(as: token, isolation: .snapshot, request: request) { scope, change in
                let opened = try Purchases.open(checkout, as: id, in: scope, change)
                let isNew = opened.id == id
                // The answer with a former token may have been lost on its way.
                let secret = isNew || opened.state.isOpen ? confirmation.token : nil
                return try Answer(
                    opened, scope, token: secret, isNew: isNew, at: change.commerce, look: isNew ? nil : look,
                    in: change.transaction)
            }
        }
    }

    /// What is bought: by a repeated request what it was the first time, whatever became of the product since.
    private func item(
        _ selection: Selection, known: StoredPurchase?, _ scope: DeviceScope
    ) async throws -> (SoldItem, OfferChoice) {
        if let known {
            guard known.item.product.text == selection.product else { throw ServiceError.keyReused }
            return (known.item, .none)
        }
        let found = try await products.listings([selection.product], for: scope)
        let item = try products.item(
            selection.product, quantity: selection.quantity, among: found, in: scope.storefront)
        guard item.kind == .autoRenewable else {
            guard selection.offer == nil else { throw OfferLookup.noOffers }
            return (item, .none)
        }
        let lookup = OfferLookup(store)
        guard case .code = selection.offer else {
            return (
                item, try await lookup.choice(selection, found.listings.first, app: scope.app, bundle: scope.bundle)
            )
        }
        return (
            item,
            try await OfferCodeBatches(store).guessing(on: scope.device) {
                try await lookup.choice(selection, found.listings.first, app: scope.app, bundle: scope.bundle)
            }
        )
    }

    /// How a purchase stands.
    ///
    /// - Parameters:
    ///   - wait: how long to wait while `isKnown` says that the caller knows this state already.
    package func status(
        of key: PurchaseKey, as token: DeviceToken, waitingUpTo wait: Duration = .zero,
        while isKnown: @Sendable (Answer) -> Bool = { _ in false }
    ) async throws -> Answer {
        var answer = try await find(key, as: token)
        if answer.purchase.state == .charging {
            _ = try await charges.look(after: answer.status.id.charge)
            answer = try await find(key, as: token)
        }
        guard wait > .zero, isKnown(answer) else { return answer }
        let found = try await store.waiters.wait(
            for: answer.purchase.id.description, on: .purchases, upTo: wait
        ) { () -> Answer? in
            let found = try await find(key, as: token, countsAsSeen: false)
            return isKnown(found) ? nil : found
        }
        return found ?? answer
    }

    private func find(_ key: PurchaseKey, as token: DeviceToken, countsAsSeen: Bool = true) async throws -> Answer {
        try await store.lookUp(as: token, countsAsSeen: countsAsSeen) {
            [look, clocks = store.clocks] scope, transaction in
            try Answer(
                Purchases.require(key, of: scope, in: transaction), scope,
                at: clocks.now(by: scope.clock).commerce, look: look, in: transaction)
        }
    }

    /// What a device proves with that its person says yes.
    // Closed: there are these two ways, both of the sandbox.
    package enum Proof: Sendable {
        case token(String)
        /// The password of the account, with the code of the purchase as it was shown.
        case password(String, code: String)
    }

    /// Says yes on the device, which only the sandbox takes.
    package func confirm(
        _ key: PurchaseKey, with proof: Proof?, as token: DeviceToken, request: String?
    ) async throws -> Answer {
        if store.environment != .sandbox {
            // Without a token of production that is the refusal, and nothing else.
            _ = try await find(key, as: token)
            try store.requireSandbox(
                "in production a purchase is confirmed elsewhere, by its code; a device never does it")
        }
        guard let proof else {
            throw ServiceError(
                .valueMissing, "a confirmation has the token of the purchase, or the password", parameter: "token")
        }
        if case .password(let password, let code) = proof {
            let found = try await find(key, as: token)
            if found.purchase.state.isOpen {
                try await Accounts(store).require(
                    password, of: found.scope.requireCustomer(), and: code, for: found.purchase,
                    at: .device(found.scope.device))
            }
        }
        let drawn = try await store.draw()
        return try await change(key, as: token, request) { purchase, change in
            guard purchase.state.isOpen else { return purchase }
            switch proof {
            case .token(let secret):
                guard try purchase.isConfirmed(by: secret) else {
                    throw ServiceError(.credentialsWrong, "this is not the token of the purchase", parameter: "token")
                }
            case .password(_, let code):
                guard Confirmation.code(typed: code) == purchase.code else {
                    throw ServiceError(.credentialsWrong, "this is not the code of the purchase", parameter: "code")
                }
            }
            return try Self.handling(.confirmed, purchase, change) { try Purchases.confirm(purchase, drawn, change) }
        }
    }

    /// Says no on the device.
    package func cancel(_ key: PurchaseKey, as token: DeviceToken, request: String?) async throws -> Answer {
        try await change(key, as: token, request) { purchase, change in
            try purchase.state == .cancelled ? purchase : Self.cancel(purchase, change)
        }
    }

    /// Changes a purchase of a device, and drives its charge if it has one then.
    private func change(
        _ key: PurchaseKey, as token: DeviceToken, _ request: String?,
        _ body: @escaping @Sendable (StoredPurchase, Change) throws -> StoredPurchase
    ) async throws -> Answer {
        let (answer, isFirst) = try await store.afterAdvance {
            try await store.write(as: token, isolation: .snapshot, request: request) { scope, change in
                let found = try Purchases.require(key, of: scope, in: change.transaction)
                let before =
                    try found.state == .charging ? Charges.find(found.id.sale.charge, in: change.transaction) : nil
                let changed = try body(found, change)
                let answer = try Answer(
                    changed, scope, at: change.commerce, look: found.state == .purchased ? look : nil,
                    in: change.transaction)
                return (answer, answer.status.charge?.state != before?.state)
            }
        }
        guard let charge = answer.status.charge, charge.state.awaitsProcessor else { return answer }
        let cause = store.cause(.customer, request: request)
        let driven = try await charges.drive(charge, isFirst: isFirst, cause)
        return try await store.database.lookUp { transaction in
            try Answer(
                Purchases.require(answer.purchase.id, in: transaction), answer.scope, charge: driven, at: nil,
                in: transaction)
        }
    }
}
