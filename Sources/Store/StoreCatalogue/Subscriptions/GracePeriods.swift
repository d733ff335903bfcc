package import StoreDatabase
package import StoreModel
package import StoreRules

/// How long the subscriptions of an app count that could not be paid: a setting of the app.
package struct GracePeriodSetting: Hashable, Sendable {
    /// Nil where they do not count.
    package let grace: GracePeriod?
    /// Whether it holds in production; in the sandbox it always does.
    package let isInProduction: Bool

    /// Throws ``CatalogueError`` with the name of the field that breaks a rule.
    package init(days: Int?, isOnlyPaid: Bool, isInProduction: Bool) throws(CatalogueError) {
        if let days, !GracePeriod.lengths.contains(days) {
            throw CatalogueError(.valueInvalid, "it is 3, 16 or 28, or 0 for none", field: "days")
        }
        grace = days.map { GracePeriod(days: $0, isOnlyPaid: isOnlyPaid) }
        self.isInProduction = isInProduction && days != nil
    }

    /// In one line, for people and for the audit.
    package var summary: String {
        guard let grace else { return "none" }
        return "\(grace.days) days\(grace.isOnlyPaid ? ", after paid periods" : "")\(isInProduction ? "" : ", sandbox")"
    }
}

/// What is said of a grace period; what is nil of it stays as it is.
package struct GracePeriodDraft: Hashable, Sendable {
    /// 0 where what could not be paid does not count; then nothing else of the setting is kept.
    package let days: Int?
    package let isOnlyPaid: Bool?
    package let isInProduction: Bool?

    package init(days: Int?, isOnlyPaid: Bool? = nil, isInProduction: Bool? = nil) {
        self.days = days
        self.isOnlyPaid = isOnlyPaid
        self.isInProduction = isInProduction
    }

    /// The setting that it makes of the one that is there.
    func setting(after former: GracePeriodSetting?) throws(CatalogueError) -> GracePeriodSetting {
        let days = days ?? former?.grace?.days
        return try GracePeriodSetting(
            days: days == 0 ? nil : days, isOnlyPaid: isOnlyPaid ?? former?.grace?.isOnlyPaid ?? false,
            isInProduction: isInProduction ?? former?.isInProduction ?? false)
    }
}

package enum GracePeriods {
    /// The setting of an app.
    package static func setting(
        of app: AppID, in transaction: any ReadTransaction
    ) throws -> GracePeriodSetting {
        let found = try transaction.optional(
            "SELECT grace_days, grace_only_paid, grace_in_production FROM app WHERE app_id = $1", app
        ) { row in
            var cells = row.cells
            return try GracePeriodSetting(
                days: cells.next(), isOnlyPaid: cells.next(as: Bool?.self) ?? false,
                isInProduction: cells.next(as: Bool?.self) ?? false)
        }
        return try found ?? GracePeriodSetting(days: nil, isOnlyPaid: false, isInProduction: false)
    }

    /// The grace period that holds in an environment.
    package static func of(
        _ app: AppID, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> GracePeriod? {
        let setting = try setting(of: app, in: transaction)
        return environment == .sandbox || setting.isInProduction ? setting.grace : nil
    }

    /// Sets what is said, and gives the setting that holds from now on.
    @discardableResult
    package static func put(
        _ draft: GracePeriodDraft, of app: AppID, _ change: CatalogueChange
    ) throws -> GracePeriodSetting {
        let setting = try draft.setting(after: setting(of: app, in: change.transaction))
        _ = try CatalogueAudit.audit(.app(app), "grace period \(setting.summary)", change) {
            try change.transaction.update(
                "app",
                [
                    "grace_days": setting.grace?.days, "grace_only_paid": setting.grace?.isOnlyPaid,
                    "grace_in_production": setting.isInProduction,
                ], where: ["app_id": app])
        }
        return setting
    }
}

extension Catalogue {
    /// How the next periods of a subscription are sold.
    package struct RenewalMarket: Sendable {
        package let isSold: Bool
        /// What it costs at one time and another; nil if it has no price in the storefront.
        package let prices: PriceTimeline?
    }

    /// How the next period of a subscription is sold.
    ///
    /// - Parameter moment: when the period begins.
    /// - Returns: whether it is sold, and what it costs then; nil if it has no price in the storefront.
    package static func renewal(
        of product: ProductID, app: AppID, in storefront: StorefrontCode, _ environment: StoreEnvironment,
        at moment: CatalogueMoment, _ transaction: any ReadTransaction
    ) throws -> (isSold: Bool, price: Money?) {
        let market = try renewalMarket(
            of: product, app: app, in: storefront, environment, wall: moment.wall, transaction)
        return (market.isSold, market.prices?.price(at: moment.commerce))
    }

    /// How the next periods of a subscription are sold, whenever they begin.
    ///
    /// Nobody is charged anew for a product that was removed or taken off the shelves, nor for one whose developer may not
    /// sell: is suspended, or has no valid agreement about paid apps. What was paid for runs to its end.
    package static func renewalMarket(
        of product: ProductID, app: AppID, in storefront: StorefrontCode, _ environment: StoreEnvironment,
        wall: Instant, _ transaction: any ReadTransaction
    ) throws -> RenewalMarket {
        let found = try Catalogue.product(product, of: app, in: environment, transaction)
        guard let found, found.removedAt == nil, found.isClearedForSale, found.state != .removedFromSale,
            try Agreements.isValid(.paid, ofApps: [app], at: wall, in: transaction).contains(app),
            try Teams.find(ofApps: [app], in: transaction)[app]?.suspendedAt == nil
        else { return RenewalMarket(isSold: false, prices: nil) }
        let prices = try storefront.storefront.flatMap {
            try PriceTimeline.of(product, app: app, in: $0, environment, transaction)
        }
        return RenewalMarket(isSold: true, prices: prices)
    }
}
