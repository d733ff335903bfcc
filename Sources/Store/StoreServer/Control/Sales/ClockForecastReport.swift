import StoreCatalogue
package import StoreModel
import StoreRules
import StoreService

/// What an advance of a clock would do.
package struct ClockForecastReport: Codable, Hashable, Sendable {
    /// Subscriptions that end, for a reason.
    package struct Ending: Codable, Hashable, Sendable {
        package var reason: String
        package var count: Int
    }

    /// Something that happens to a subscription.
    package struct Step: Codable, Hashable, Sendable {
        package var date: Instant
        package var customerId: CustomerID
        package var originalTransactionId: TransactionID
        package var productId: ProductID
        package var event: String
        /// Of a renewal.
        package var price: MoneyReport?
    }

    /// A price that begins.
    package struct Price: Codable, Hashable, Sendable {
        package var bundleId: BundleID
        package var productId: ProductID
        /// Missing for all storefronts without a price of their own.
        package var storefront: StorefrontCode?
        package var date: Instant
        package var price: MoneyReport
    }

    /// An offer that nobody can take any more.
    package struct Offer: Codable, Hashable, Sendable {
        package var bundleId: BundleID
        package var productId: ProductID
        package var offerId: String
        package var date: Instant
    }

    package var from: Instant
    package var to: Instant
    /// Missing for the clock of the environment.
    package var customerId: CustomerID?
    /// What will happen in one sentence.
    package var summary: String
    package var renewals: Int
    /// What the renewals cost, by currency.
    package var charged: [MoneyReport]
    package var unpaid: Int
    package var graces: Int
    package var retries: Int
    package var endings: [Ending]
    package var offerEndings: Int
    package var approvalEndings: Int
    package var notifications: Int
    package var prices: [Price]
    package var closedOffers: [Offer]
    /// What happens to subscriptions, the earliest first; at most 100 of ``stepCount``.
    package var steps: [Step]
    package var stepCount: Int
    /// Whether there is more than was looked at, so that the numbers are the least there will be.
    package var isCut: Bool

    init(_ forecast: ClockForecast) {
        (from, to, customerId) = (forecast.from, forecast.goal, forecast.tester)
        summary = forecast.sentence
        (renewals, unpaid, graces, retries) = (forecast.renewals, forecast.unpaid, forecast.graces, forecast.retries)
        charged = forecast.charged.map(MoneyReport.init)
        endings = forecast.endings.map { Ending(reason: $0.key.word, count: $0.value) }
            .sorted { $0.reason < $1.reason }
        (offerEndings, approvalEndings) = (forecast.offerEndings, forecast.approvalEndings)
        notifications = forecast.notifications
        prices = forecast.prices.map {
            Price(
                bundleId: $0.app, productId: $0.product, storefront: $0.change.storefront, date: $0.change.startsAt,
                price: MoneyReport($0.change.price))
        }
        closedOffers = forecast.closedOffers.map {
            Offer(bundleId: $0.app, productId: $0.product, offerId: $0.offer, date: $0.endsAt)
        }
        steps = forecast.steps.map { step in
            var price: MoneyReport?
            if case .renewed(let money, _) = step.event { price = MoneyReport(money) }
            return Step(
                date: step.at, customerId: step.customer, originalTransactionId: step.original,
                productId: step.product, event: step.event.word, price: price)
        }
        (stepCount, isCut) = (forecast.stepCount, forecast.isCut)
    }
}
