import CommandOptions
import StoreCatalogue
import StoreModel
import StoreServer

/// What a trigger sells: an app, and the products in it that it takes.
struct TriggerScene: Sendable {
    let app: BundleID
    let product: ProductID
    /// Another one of the same group, of a lower service, where that is needed.
    var lower: ProductID?
    /// A promotional offer of the product that an offer is needed of.
    var offer: String?
    /// Whether it is the app that triggers make for themselves.
    var isOwn: Bool { app == TriggerApp.bundle }

    /// What has to be sold for a trigger.
    // Closed: each is looked for in its way.
    enum Need: Hashable, Sendable {
        /// Nothing but an app.
        case nothing
        /// What is used up.
        case consumable
        /// A subscription.
        case subscription
        /// A subscription that families share.
        case shared
        /// Two subscriptions of a group, one of a higher service.
        case levels
        /// A subscription with a promotional offer.
        case offer
        /// Two of a group, the higher one with a promotional offer.
        case offerAbove
        /// Two of a group, the lower one with a promotional offer.
        case offerBelow
        /// A subscription whose sale may be changed.
        case changeable
        /// A subscription of an app with a grace period, or without one.
        case grace(Bool)
    }
}

/// The app that triggers make for themselves, where no app of the store has what they need.
enum TriggerApp {
    // Safe: it has the form of a bundle id.
    static let bundle = try! BundleID(parsing: "com.example.trigger")

    // Safe: it has the form of the id of a product.
    static let gold = try! ProductID(parsing: "com.example.trigger.gold")

    /// What it sells, in the format of `till catalogue`.
    static let file = """
        {"format": "till-catalogue", "version": 1, "apps": [{
          "bundleId": "com.example.trigger", "name": "Trigger", "primaryLanguage": "en-US",
          "groups": [{"groupId": "trigger", "referenceName": "Trigger", "texts": {"en-US": {"name": "Trigger"}}}],
          "products": [
            \(subscription("gold", level: 1, price: "9.99")),
            \(subscription("silver", level: 2, price: "4.99")),
            {"productId": "com.example.trigger.coins", "type": "Consumable", "referenceName": "Coins",
             "texts": {"en-US": {"title": "Coins", "description": "What triggers use up."}},
             "price": {"amount": "0.99", "currency": "USD"}, "isClearedForSale": true}
          ]
        }]}
        """

    private static func subscription(_ name: String, level: Int, price: String) -> String {
        """
        {"productId": "com.example.trigger.\(name)", "type": "Auto-Renewable Subscription",
         "referenceName": "\(name)", "groupId": "trigger", "level": \(level), "period": "P1M",
         "isFamilyShareable": true, "isClearedForSale": true,
         "texts": {"en-US": {"title": "Trigger \(name)", "description": "What triggers subscribe to."}},
         "price": {"amount": "\(price)", "currency": "USD"},
         "offers": [{"offerId": "half", "kind": "promotional", "paymentMode": "pay_as_you_go", "period": "P1M",
           "periodCount": 1, "price": {"amount": "0.99", "currency": "USD"}}]}
        """
    }
}

extension TriggerRun {
    /// Finds an app that sells what is needed: the one that is named, else one that has an address for notifications, else any;
    /// and where none does, the app that triggers make for themselves.
    func findScene(for need: TriggerScene.Need, app: BundleID?, product: ProductID?) async throws -> TriggerScene {
        if let product, app == nil {
            let owner = try await store.app(nil, having: product.text)
            return try await findScene(for: need, app: owner, product: product)
        }
        if let app {
            guard let scene = try await scene(in: app, for: need, of: product) else {
                throw CommandFailure(
                    .failure,
                    "\(product.map { "\($0) of " } ?? "")\(app) has not what this needs, which is \(need.words); without "
                        + "--app and --product it is done in another app")
            }
            return scene
        }
        if need != .changeable {
            let apps = try await store.apps().map(\.bundleId).filter { $0 != TriggerApp.bundle }
            for candidate in try await addressedFirst(apps) {
                if let scene = try await scene(in: candidate, for: need, of: nil) { return scene }
            }
        }
        return try await ownScene(for: need)
    }

    /// The app that triggers make for themselves, as its file has it.
    private func ownScene(for need: TriggerScene.Need) async throws -> TriggerScene {
        let path = "\(base)/apps/\(TriggerApp.bundle)"
        _ = try await store.ask(
            "PUT", path + "/import?name=Trigger", bytes: Array(TriggerApp.file.utf8), as: ImportReports.self)
        if case .grace(let isWanted) = need {
            let wanted = GracePeriodMessage(days: isWanted ? 16 : 0, isOnlyPaid: false, isInProduction: false)
            _ = try await store.ask("PUT", path + "/grace-period", wanted, as: GracePeriodMessage.self)
        }
        guard let scene = try await scene(in: TriggerApp.bundle, for: need, of: nil) else {
            throw CommandFailure(.failure, "\(TriggerApp.bundle) could not be made to have \(need.words)")
        }
        let reason =
            need == .changeable ? "All who subscribe to a product feel it" : "No app here has \(need.words)"
        say("\(reason), so \(TriggerApp.bundle), which was made for this, is used.")
        return scene
    }

    private func addressedFirst(_ apps: [BundleID]) async throws -> [BundleID] {
        var (first, rest): ([BundleID], [BundleID]) = ([], [])
        for app in apps {
            if try await hasAddress(app) { first.append(app) } else { rest.append(app) }
        }
        return first + rest
    }

    private func scene(
        in app: BundleID, for need: TriggerScene.Need, of product: ProductID?
    ) async throws -> TriggerScene? {
        let sold = try await store.all(
            "\(base)/apps/\(app)/products", of: CatalogueProductAnswer.self
        ).filter { $0.isClearedForSale && $0.price != nil && (product == nil || $0.productId == product) }
        let renewing = sold.filter { $0.type == .autoRenewable }
        switch need {
        case .nothing: return sold.first.map { TriggerScene(app: app, product: $0.productId) }
        case .consumable: return first(of: sold.filter { $0.type == .consumable }, app)
        case .subscription, .changeable: return first(of: renewing, app)
        case .shared: return first(of: renewing.filter(\.isFamilyShareable), app)
        case .grace(let isWanted):
            let setting = try await store.ask("GET", "\(base)/apps/\(app)/grace-period", as: GracePeriodMessage.self)
            return (setting.days != nil) == isWanted ? first(of: renewing, app) : nil
        case .offer:
            for one in renewing {
                guard let offer = try await offer(of: one, in: app) else { continue }
                return TriggerScene(app: app, product: one.productId, offer: offer)
            }
            return nil
        case .levels, .offerAbove, .offerBelow:
            let group = try await store.all("\(base)/apps/\(app)/products", of: CatalogueProductAnswer.self)
                .filter { $0.isClearedForSale && $0.price != nil && $0.type == .autoRenewable }
            return try await pair(among: group, including: product, in: app, for: need)
        }
    }

    private func first(of products: [CatalogueProductAnswer], _ app: BundleID) -> TriggerScene? {
        products.first.map { TriggerScene(app: app, product: $0.productId) }
    }

    private func pair(
        among products: [CatalogueProductAnswer], including wanted: ProductID?, in app: BundleID,
        for need: TriggerScene.Need
    ) async throws -> TriggerScene? {
        for upper in products {
            for lower in products where lower.groupId == upper.groupId {
                guard let above = upper.level, let below = lower.level, above < below,
                    wanted == nil || wanted == upper.productId || wanted == lower.productId
                else { continue }
                var scene = TriggerScene(app: app, product: upper.productId, lower: lower.productId)
                if need != .levels {
                    guard let offer = try await offer(of: need == .offerAbove ? upper : lower, in: app) else {
                        continue
                    }
                    scene.offer = offer
                }
                return scene
            }
        }
        return nil
    }

    private func offer(of product: CatalogueProductAnswer, in app: BundleID) async throws -> String? {
        try await store.ask(
            "GET", "\(base)/apps/\(app)/products/\(product.productId)/offers", as: Page<OfferMessage>.self
        ).items.first { $0.kind == "promotional" }?.offerId
    }
}

extension TriggerScene.Need {
    /// What it is, in words.
    var words: String {
        switch self {
        case .nothing: "something to sell"
        case .consumable: "a consumable"
        case .subscription, .changeable: "a subscription that renews"
        case .shared: "a subscription that families share"
        case .levels: "two subscriptions of different levels in a group"
        case .offer: "a subscription with a promotional offer"
        case .offerAbove: "two subscriptions of a group, the higher one with a promotional offer"
        case .offerBelow: "two subscriptions of a group, the lower one with a promotional offer"
        case .grace(true): "a subscription, and a grace period for those that cannot be paid"
        case .grace(false): "a subscription, and no grace period for those that cannot be paid"
        }
    }
}
