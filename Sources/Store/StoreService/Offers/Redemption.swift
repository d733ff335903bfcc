import Foundation
package import StoreCatalogue
import StoreDatabase
package import StoreHTTP
package import StoreModel
import StoreRules

/// Codes that customers redeem on a page, without a device: `/redeem`.
///
/// Whoever has signed in there and has a code that is good is led to the page of a purchase, as for everything else that is
/// bought: it says what the code gives, what is charged now and what follows, and has every outcome. The devices of the
/// customer hear of it as of all that was bought elsewhere.
package struct Redemption: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Where a redemption goes on.
    package struct Opened: Sendable {
        /// The last part of the address of the page of the purchase.
        package let token: String
        /// What proves for a while that the customer has signed in.
        package let proof: String?
    }

    /// The app that a page is about; nil if there is none of that name.
    package func app(_ bundle: BundleID) async throws -> CatalogueApp? {
        try await store.catalogue.lookUp { try Catalogue.app(bundle, in: $0) }
    }

    /// Opens the purchase of what a code gives, for an account whose password is typed with it.
    ///
    /// - Parameters:
    ///   - bundle: the app that the code is for; nil where only one app has such a code.
    ///   - peer: whose page it is.
    package func open(
        _ typed: String, app bundle: BundleID?, email: String, password: String, from peer: PeerAddress,
        request: String?
    ) async throws -> Opened {
        let customer = try await Accounts(store).owner(email, password, at: .page(peer))
        try customer.requireUnspent(parameter: "email")
        let codes = OfferCodeBatches(store)
        let (code, app, batch) = try await codes.guessing(as: customer.id, from: peer) {
            guard let code = OfferCodes.normal(typed) else { throw OfferCodes.unknown }
            let app = try await self.app(of: code, bundle)
            return (code, app, try await codes.batch(of: code, app: app.id).batch)
        }
        let scope = CustomerScope(
            customer: customer.id, app: app.id, bundle: app.bundleID, storefront: customer.storefront)
        let purchase = try await open(batch, code, for: scope, request)
        let sheet = PaymentSheet(store)
        return Opened(
            token: try await sheet.token(of: purchase.id), proof: try await sheet.proof(of: purchase.id, for: email))
    }

    private func app(of code: String, _ bundle: BundleID?) async throws -> CatalogueApp {
        if let bundle {
            guard let app = try await app(bundle) else { throw OfferCodes.unknown }
            return app
        }
        let ids = try await store.database.lookUp { try OfferCodes.apps(with: code, in: $0) }
        guard ids.count <= 1 else {
            throw ServiceError(.valueMissing, "several apps have this code; say which one is meant", parameter: "app")
        }
        guard let id = ids.first, let app = try await store.catalogue.lookUp({ try Catalogue.app(id, in: $0) }) else {
            throw OfferCodes.unknown
        }
        return app
    }

    private func open(
        _ batch: OfferCodes.Batch, _ code: String, for scope: CustomerScope, _ request: String?
    ) async throws -> StoredPurchase {
        let clocks = store.clocks
        // Why a code is not good is said before why it is not for this customer.
        try await store.database.read { transaction in
            let now = clocks.now(by: try CustomerClock.of(scope.customer, in: transaction)).commerce
            try OfferCodes.require(code, for: scope, at: now, in: transaction)
        }
        let selection = try Checkout.Selection(
            product: batch.product.text, quantity: nil, accountToken: nil, offer: .code(code))
        let products = ProductLookup(store)
        let found = try await products.listings([selection.product], for: scope)
        let item = try products.item(selection.product, quantity: 1, among: found, in: scope.storefront)
        let choice = try await OfferLookup(store).choice(
            selection, found.listings.first, app: scope.app, bundle: scope.bundle)
        let id = try PurchaseID(number: await store.numbers.next(.purchases))
        let cause = store.cause(.customer, request: request)
        return try await Confirmation.drawn(store.random) { confirmation in
            let checkout = CheckoutRequest(
                key: PurchaseKey(UUID()), item: item, quantity: 1, accountToken: nil, confirmation: confirmation,
                offers: choice, requestedOffer: selection.offer)
            return try await store.database.write { transaction in
                try Purchases.open(
                    checkout, as: id, for: scope, cause.change(of: scope.customer, in: transaction))
            }
        }
    }
}
