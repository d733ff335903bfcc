import Foundation
package import StoreCatalogue
import StoreDatabase
package import StoreModel
package import StoreRules

extension PaymentSheet {
    /// What the page shows.
    package struct Content: Sendable {
        package let status: SaleStatus
        package let app: String
        /// Whose app it is.
        package let seller: String
        /// In the language of the storefront; the id of a product that is not in the catalogue any more.
        package let title: String
        package let description: String
        /// The language of both, in which prices are written too.
        package let textLanguage: String
        package let image: ProductImage?
        /// The language of the device.
        package let language: String
        package let storefront: StorefrontRecord
        /// Who is signed in on the device, by the address.
        package let account: String?
        /// What would be paid with; nil if the account has nothing.
        package let method: PaymentMethod?
        package let form: PaymentForm
        /// Whether the account owns it already, so that it costs nothing.
        package let isOwned: Bool
        /// What keeps the device or the account from buying.
        package let obstacle: PurchaseFailure?
        /// How long the periods of the customer's subscriptions last, and the customer's time.
        package let scale: PeriodScale
        package let now: Instant
    }

    /// How the page of a product looks to a customer who is signed in, of whom nobody has heard.
    package func preview(
        _ details: ProductDetails, of app: CatalogueApp, in storefront: StorefrontRecord, language: String
    ) async throws -> Content {
        let (product, code) = (details.product, StorefrontCode(storefront))
        guard let price = details.prices[code] else {
            throw ServiceError(.productUnavailable, "it is not sold in \(code)", parameter: "storefront")
        }
        let item = SoldItem(
            id: product.itemID, product: product.productID, kind: product.kind, period: product.period,
            group: product.groupID, unitPrice: price, storefront: code)
        let request = CheckoutRequest(
            key: PurchaseKey(UUID()), item: item, quantity: 1, accountToken: nil,
            confirmation: try Confirmation(random: store.random))
        let purchase = StoredPurchase(
            request, fingerprint: [], total: price, as: try PurchaseID(number: 1), device: nil,
            customer: try CustomerID(number: 1), app: app.id, bundle: app.bundleID, at: store.clocks.now)
        let team = try await store.catalogue.read { try Teams.find(app.teamID, in: $0) }
        let text = CustomerText(details.texts(in: store.environment), readIn: language, in: storefront, of: app)
        return Content(
            status: SaleStatus(imagined: purchase), app: app.name, seller: team?.name ?? "",
            title: text?.title ?? product.productID.text, description: text?.description ?? "",
            textLanguage: text?.language ?? language,
            image: details.picture(in: store.environment),
            language: language, storefront: storefront, account: "customer@example.com", method: nil,
            form: store.processor.form, isOwned: false, obstacle: nil, scale: .calendar, now: store.clocks.wall())
    }

    func content(of id: PurchaseID, in pageLanguage: String? = nil) async throws -> Content {
        let clocks = store.clocks
        let cause = store.cause(.customer)
        let (status, scope, account, method, isOwned, obstacle, scale) = try await store.database.read { transaction in
            let status = try SaleStatus.require(id.sale, in: transaction)
            let scope = try status.purchase?.device.flatMap { try DeviceScope.of($0, in: transaction) }
            let customer = try status.terms.customer
            let account = try customer.map { try Customers.require($0, in: transaction) }
            let method = try customer.flatMap { try Customers.paymentMethods(of: $0, in: transaction).last }
            let isAsked = status.purchase?.state == .confirmation
            let item = try status.terms.item
            let isOwned =
                try isAsked && item.kind.isOwnedOnce
                && customer.map {
                    try Transactions.isFree(
                        item.id, for: $0, at: clocks.now(by: scope?.clock).commerce, in: transaction)
                } ?? false
            var obstacle = try customer.flatMap { try Customers.obstacle(for: $0, in: transaction) }
            if scope?.purchasesAllowed == false { obstacle = .notAllowed }
            let scale = try cause.scale(of: customer, in: transaction)
            return (status, scope, account?.email, method, isOwned, obstacle, scale)
        }
        let terms = try status.terms
        let storefront = try terms.item.storefront.known()
        let (language, environment) = (scope?.language ?? pageLanguage ?? "en-US", store.environment)
        let (app, team, text, image) = try await store.catalogue.read { transaction in
            let app = try Catalogue.app(terms.bundle, in: transaction)
            let team = try app.flatMap { try Teams.find($0.teamID, in: transaction) }
            let product = try Catalogue.product(terms.item.id, in: transaction)
            let details = try product.map { try Catalogue.details(of: $0, in: transaction) }
            let text = details.flatMap {
                CustomerText($0.texts(in: environment), readIn: language, in: storefront, of: app)
            }
            return (app, team, text, details?.picture(in: environment))
        }
        return Content(
            status: status, app: app?.name ?? terms.bundle.text, seller: team?.name ?? "",
            title: text?.title ?? terms.item.product.text, description: text?.description ?? "",
            textLanguage: text?.language ?? language, image: image, language: language, storefront: storefront,
            account: account, method: method, form: store.processor.form,
            isOwned: isOwned,
            obstacle: obstacle, scale: scale, now: clocks.now(by: scope?.clock).commerce)
    }
}
