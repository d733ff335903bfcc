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
        /// The page of the storefront that it is bought on, and that leads back to; nil for what apps sell inside.
        package let page: StoreLink?
        /// The secret of the view inside an app in which it is bought; nil in a browser of its own.
        package let view: String?
        /// The language of the device.
        package let language: String
        package let storefront: StorefrontRecord
        /// Who is signed in on the device, by the address.
        package let account: String?
        /// What the account has to pay with; the last one is used unless another one is chosen.
        package let methods: [PaymentMethod]
        /// What is being paid with, or was declined last.
        package let tried: PaymentMethod?
        /// Who is asked instead of paying; nil where the account buys by itself.
        package let approver: Approver?
        /// What the beginning costs whoever is new; nil where that is not known to be offered, or the price says so already.
        package let newcomerOffer: OfferTerms?
        package let form: PaymentForm
        /// Whether the account owns it already, so that it costs nothing.
        package let isOwned: Bool
        /// Whether the account has it with an album or a season, or is paying that: then it is not sold.
        package let hasWhole: Bool
        /// What keeps the device or the account from buying.
        package let obstacle: PurchaseFailure?
        /// How long the periods of the customer's subscriptions last, and the customer's time.
        package let scale: PeriodScale
        package let now: Instant

        /// What would be paid with; nil if the account has nothing.
        package var method: PaymentMethod? { methods.last }
    }

    /// Who decides about what a child asks for.
    package struct Approver: Hashable, Sendable {
        /// Empty where nobody in particular does.
        package let name: String
    }

    /// How the page of a product looks to a customer who is signed in, of whom nobody has heard.
    ///
    /// - Parameter offer: by which it is bought; without one the introductory offer that holds now.
    package func preview(
        _ details: ProductDetails, of app: CatalogueApp, in storefront: StorefrontRecord, language: String,
        offer: SubscriptionOffer? = nil
    ) async throws -> Content {
        let (product, code) = (details.product, StorefrontCode(storefront))
        guard let price = details.prices[code] else {
            throw ServiceError(.productUnavailable, "it is not sold in \(code)", parameter: "storefront")
        }
        let now = store.clocks.wall()
        let (team, trial) = try await store.catalogue.read { transaction in
            (
                try Teams.find(app.teamID, in: transaction),
                try offer.map { offer in offer.price(in: storefront).map { offer.terms(at: $0) } }
                    ?? Self.introductory(
                        of: product.itemID, in: storefront, store.environment, at: now, transaction)
            )
        }
        let full = SoldItem(
            id: product.itemID, product: product.productID, kind: product.kind, period: product.period,
            group: product.groupID, unitPrice: price, storefront: code)
        let item = trial.map { full.offered($0) } ?? full
        let request = CheckoutRequest(
            key: PurchaseKey(UUID()), item: item, quantity: 1, accountToken: nil,
            confirmation: try Confirmation(random: store.random))
        let purchase = StoredPurchase(
            request, fingerprint: [], total: item.unitPrice, as: try PurchaseID(number: 1), device: nil,
            customer: try CustomerID(number: 1), app: app.id, bundle: app.bundleID, at: store.clocks.now)
        let text = CustomerText(details.texts(in: store.environment), readIn: language, in: storefront, of: app)
        return Content(
            status: SaleStatus(imagined: purchase), app: app.name, seller: team?.name ?? "",
            title: text?.title ?? product.productID.text, description: text?.description ?? "",
            textLanguage: text?.language ?? language,
            image: details.picture(in: store.environment), page: nil, view: nil,
            language: language, storefront: storefront, account: "customer@example.com",
            methods: [PaymentMethod(try PaymentMethodID(number: 1), processor: "", token: "", label: "Visa •••• 4242")],
            tried: nil, approver: nil, newcomerOffer: nil, form: store.processor.form, isOwned: false, hasWhole: false,
            obstacle: nil, scale: .calendar, now: now)
    }

    /// The introductory offer of a subscription that holds now.
    private static func introductory(
        of item: ItemID, in storefront: StorefrontRecord, _ environment: StoreEnvironment, at now: Instant,
        _ transaction: any ReadTransaction
    ) throws -> OfferTerms? {
        guard let product = try Catalogue.product(item, in: transaction) else { return nil }
        let offers = try SubscriptionOffers.list(of: product, in: environment, transaction)
        let found = offers.first { $0.kind == .introductory && $0.isCurrent(at: now) }
        return found.flatMap { offer in offer.price(in: storefront).map { offer.terms(at: $0) } }
    }

    /// What the database says of a purchase and of its customer.
    private struct Found: Sendable {
        let status: SaleStatus
        let scope: DeviceScope?
        let account: Customer?
        let methods: [PaymentMethod]
        let tried: PaymentMethod?
        let isOwned: Bool
        let hasWhole: Bool
        let approver: Approver?
        let obstacle: PurchaseFailure?
        let scale: PeriodScale

        init(_ id: PurchaseID, _ clocks: StoreClocks, _ cause: ChangeCause, in transaction: any ReadTransaction) throws
        {
            status = try SaleStatus.require(id.sale, in: transaction)
            scope = try status.purchase?.device.flatMap { try DeviceScope.of($0, in: transaction) }
            let customer = try status.terms.customer
            account = try customer.map { try Customers.require($0, in: transaction) }
            methods = try customer.map { try Customers.paymentMethods(of: $0, in: transaction) } ?? []
            tried = try status.charge?.paymentMethod.flatMap { try Customers.paymentMethod($0, in: transaction) }
            let (item, now) = (try status.terms.item, clocks.now(by: scope?.clock).commerce)
            let isAsked = status.purchase?.state == .confirmation
            isOwned =
                try isAsked && item.kind.isOwnedOnce
                && customer.map { try Transactions.isFree(item.id, for: $0, at: now, in: transaction) } ?? false
            hasWhole = try isAsked && status.purchase.map { try Purchases.hasWhole(of: $0, in: transaction) } ?? false
            if isAsked, let purchase = status.purchase, let account,
                try Purchases.isAsked(
                    purchase.item, of: account, for: purchase.requireScope(), purchase.asksToBuy, at: now,
                    in: transaction)
            {
                let id = try Families.approver(of: account.id, in: transaction)
                approver = Approver(name: try id.map { try Customers.require($0, in: transaction).name } ?? "")
            } else {
                approver = nil
            }
            let app = status.purchase?.app
            let reason = try customer.flatMap { try Customers.obstacle(for: $0, in: app, transaction) }
            obstacle = scope?.purchasesAllowed == false ? .notAllowed : reason
            scale = try cause.scale(of: customer, in: transaction)
        }
    }

    func content(of id: PurchaseID, in pageLanguage: String? = nil) async throws -> Content {
        let (clocks, cause, environment) = (store.clocks, store.cause(.customer), store.environment)
        let found = try await store.database.read { try Found(id, clocks, cause, in: $0) }
        let (status, terms) = (found.status, try found.status.terms)
        let storefront = try terms.item.storefront.known()
        let language = found.scope?.language ?? pageLanguage ?? "en-US"
        // Who signs in may be new, and may be not.
        let mayBeNew =
            status.purchase?.state == .signIn && terms.item.kind == .autoRenewable && terms.item.offer == nil
        let wall = clocks.wall()
        let (app, team, text, image, page, trial) = try await store.catalogue.read { transaction in
            let app = try Catalogue.app(terms.bundle, in: transaction)
            let team = try app.flatMap { try Teams.find($0.teamID, in: transaction) }
            let product = try Catalogue.product(terms.item.id, in: transaction)
            let details = try product.map { try Catalogue.details(of: $0, in: transaction) }
            let text = details.flatMap {
                CustomerText($0.texts(in: environment), readIn: language, in: storefront, of: app)
            }
            let trial =
                mayBeNew
                ? try Self.introductory(of: terms.item.id, in: storefront, environment, at: wall, transaction) : nil
            let page =
                terms.bundle.text.hasPrefix(ItemShelf.prefix)
                ? try ItemShelf.page(charged: terms.item.id, in: environment, storefront, transaction) : nil
            let picture = details?.picture(in: environment) ?? page?.artwork.map(ProductImage.init)
            return (app, team, text, picture, page?.link, trial)
        }
        let view = if page == nil { String?.none } else { try await Visits(store).token(buying: id) }
        return Content(
            status: status, app: app?.name ?? terms.bundle.text, seller: team?.name ?? "",
            title: text?.title ?? terms.item.product.text, description: text?.description ?? "",
            textLanguage: text?.language ?? language, image: image, page: page,
            view: view, language: language,
            storefront: storefront, account: found.account?.email, methods: found.methods, tried: found.tried,
            approver: found.approver,
            newcomerOffer: trial, form: store.processor.form, isOwned: found.isOwned,
            hasWhole: found.hasWhole, obstacle: found.obstacle, scale: found.scale,
            now: clocks.now(by: found.scope?.clock).commerce)
    }
}
