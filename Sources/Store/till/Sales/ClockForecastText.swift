import CommandOptions
import StoreModel
import StoreServer
import StoreService

/// What an advance would do, for a terminal.
enum ClockForecastText {
    static func lines(_ report: ClockForecastReport) -> [String] {
        let steps = report.steps.map { step in
            let price = step.price.map { "  \($0.amount) \($0.currency)" } ?? ""
            return "  \(step.date.rfc3339)  customer \(step.customerId)  \(step.productId)  \(step.event)\(price)"
        }
        let prices = report.prices.map { price in
            let place = price.storefront.map { " in \($0)" } ?? ""
            return "  \(price.date.rfc3339)  \(price.bundleId) \(price.productId) costs \(price.price.amount) "
                + "\(price.price.currency)\(place)"
        }
        let offers = report.closedOffers.map {
            "  \($0.date.rfc3339)  \($0.bundleId) \($0.productId): the offer \(PrintableText($0.offerId, limit: 100)) is over"
        }
        let more = report.stepCount - report.steps.count
        return ["From \(report.from.rfc3339) to \(report.to.rfc3339): \(report.summary)"] + steps
            + (more > 0 ? ["  and \(more) more"] : []) + prices + offers
            + ["Nothing was changed. Payments are taken to come out as the test cards say."]
    }
}
