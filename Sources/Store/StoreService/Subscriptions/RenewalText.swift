import Foundation
import StoreFoundation
package import StoreModel
package import StoreRules

/// What a subscription comes to after it was bought, in the words of the sheet: the offer and its end, when and for what it
/// renews, and until when it can be cancelled.
package struct RenewalText {
    private let texts: Texts
    private let language: String
    private let price: (Money) -> String

    /// - Parameter price: writes a price as people of the storefront do.
    package init(language: String, price: @escaping (Money) -> String) {
        texts = Texts.best(for: [language])
        self.language = language
        self.price = price
    }

    /// The sentences about an item; nil where it does not renew.
    ///
    /// - Parameters:
    ///   - isOwned: whether it runs already, so that its offer is for the next period.
    ///   - scale: how long the periods of the customer last.
    ///   - method: what later periods are paid with, as the customer knows it; nil if that is not known.
    ///   - newcomers: the offer that whoever is new gets, where it is not known whether the customer is.
    package func text(
        of item: SoldItem, isOwned: Bool, scale: PeriodScale, at now: Instant, paidWith method: String? = nil,
        newcomers: OfferTerms? = nil
    ) -> String? {
        guard item.kind == .autoRenewable, let period = item.period else { return nil }
        let renewal = renewal(of: period, at: item.regularPrice)
        guard let offer = item.offer else {
            guard let newcomers, newcomers.mode == .free else { return renewal }
            return texts("sheet.trial_new", trial(newcomers, then: period, item.regularPrice)) + " " + renewal
        }
        let amount = TextArgument.text(price(offer.price))
        if isOwned { return texts("sheet.offer_next", ["price": amount]) + " " + renewal }
        let first = scale.end(of: offer.period, times: offer.replacesPeriod ? offer.count : 1, from: now)
        let cancel = texts("sheet.offer_cancel", ["date": .text(date(first, now))])
        if offer.mode == .free {
            var arguments = trial(offer, then: period, item.regularPrice)
            arguments["method"] = method.map { .text($0) }
            return texts(method == nil ? "sheet.trial" : "sheet.trial_with", arguments) + " " + cancel
        }
        let last = scale.end(of: offer.period, times: offer.count, from: now)
        let offered =
            offer.mode == .payAsYouGo
            ? texts(
                "sheet.offer_each",
                ["count": .number(offer.count), "price": amount, "date": .text(date(last, now))])
            : texts("sheet.offer_until", ["date": .text(date(last, now))])
        return [offered, renewal, cancel].joined(separator: " ")
    }

    /// How long a trial lasts, and what follows.
    private func trial(
        _ offer: OfferTerms, then period: BillingPeriod, _ price: Money
    ) -> [String: TextArgument] {
        let length =
            switch offer.period.unit {
            case .day: "sheet.days"
            case .week: "sheet.weeks"
            case .month: "sheet.months"
            case .year: "sheet.years"
            }
        let each =
            switch period.unit {
            case .day: "sheet.each_day"
            case .week: "sheet.each_week"
            case .month: "sheet.each_month"
            case .year: "sheet.each_year"
            }
        return [
            "period": .text(texts(length, ["count": .number(offer.period.count * offer.count)])),
            "each": .text(texts(each, ["count": .number(period.count), "price": .text(self.price(price))])),
        ]
    }

    /// The sentence about a higher price that needs consent.
    package func text(of increase: PriceIncrease, from old: Money, on date: Instant, at now: Instant) -> String {
        texts(
            "consent.price",
            ["old": .text(price(old)), "new": .text(price(increase.price)), "date": .text(self.date(date, now))])
    }

    private func renewal(of period: BillingPeriod, at price: Money) -> String {
        let name =
            switch period.unit {
            case .day: "sheet.renews_day"
            case .week: "sheet.renews_week"
            case .month: "sheet.renews_month"
            case .year: "sheet.renews_year"
            }
        return texts(name, ["count": .number(period.count), "price": .text(self.price(price))])
    }

    /// A day, as people write it; of periods that were shortened also the time.
    private func date(_ instant: Instant, _ now: Instant) -> String {
        let isSoon = instant.millisecondsSinceEpoch - now.millisecondsSinceEpoch < 2 * 24 * 60 * 60 * 1000
        let style = Date.FormatStyle(
            date: .long, time: isSoon ? .shortened : .omitted, locale: Locale(identifier: language), timeZone: .gmt)
        return Date(timeIntervalSince1970: Double(instant.millisecondsSinceEpoch) / 1000).formatted(style)
    }
}
