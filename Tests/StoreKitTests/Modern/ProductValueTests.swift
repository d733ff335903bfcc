import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// What an app sees of a product, its offers and its periods.
@Suite("Values of products", .bounded)
struct ProductValueTests {
    private static func price(_ amount: String, _ display: String) -> PriceAnswer {
        PriceAnswer(amount: amount, currency: CurrencyCode(rawValue: "EUR"), display: display)
    }

    private static func offer(
        _ id: String, _ kind: WireWord<OfferKind>, _ mode: WireWord<OfferPaymentMode>, count: Int = 1
    ) -> SubscriptionOfferAnswer {
        SubscriptionOfferAnswer(
            offerId: id, kind: kind, paymentMode: mode, period: .oneWeek, periodCount: count,
            price: price("0.99", "0,99 €"))
    }

    private static func listing(title: String = "Klub", language: String = "de-DE") throws -> ProductListingAnswer {
        ProductListingAnswer(
            productId: try ProductID(parsing: "club"), itemId: try ItemID(number: 7), type: .autoRenewable,
            title: title, description: "Der Klub", language: language, price: price("1234.5", "1.234,50 €"),
            isFamilyShareable: true, subscriptionPeriod: .threeMonths,
            subscriptionGroupIdentifier: try SubscriptionGroupID(parsing: "G"), subscriptionGroupName: "Klubs",
            subscriptionGroupLevel: 2,
            offers: [
                offer("first", .init(.introductory), .init(.free)),
                offer("spring", .init(.promotional), .init(.payAsYouGo), count: 3),
                offer("back", .init(.winBack), .init(.payUpFront)),
                offer("later", .init(rawValue: "barter"), .init(rawValue: "goods")),
            ])
    }

    private static func product(title: String = "Klub", language: String = "de-DE") throws -> Product {
        Product(try listing(title: title, language: language), in: StorefrontCode(rawValue: "DEU"))
    }

    @Test("X1: A product says what the store lists")
    func members() throws {
        let product = try Self.product()
        #expect(product.id == "club" && product.type == .autoRenewable && product.displayName == "Klub")
        #expect(product.description == "Der Klub" && product.price == Decimal(string: "1234.5"))
        #expect(product.displayPrice == "1.234,50 €" && product.isFamilyShareable)
        let terms = try #require(product.subscription)
        #expect(terms.subscriptionGroupID == "G" && terms.groupDisplayName == "Klubs" && terms.groupLevel == 2)
        #expect(terms.subscriptionPeriod == .everyThreeMonths)
        #expect(terms.introductoryOffer?.id == nil && terms.introductoryOffer?.paymentMode == .freeTrial)
        #expect(terms.promotionalOffers.map(\.id) == ["spring"] && terms.promotionalOffers[0].periodCount == 3)
        #expect(terms.winBackOffers.map(\.id) == ["back"] && terms.winBackOffers[0].type == .winBack)
        #expect(terms.winBackOffers[0].displayPrice == "0,99 €" && terms.winBackOffers[0].period == .weekly)
        #expect(terms.pricingTerms.map(\.billingPlanType) == [.upFront])
    }

    @Test("X1: A product that does not renew itself has no terms, and one without a group is its own")
    func groups() throws {
        var listing = try Self.listing()
        listing.subscriptionGroupIdentifier = nil
        #expect(Product(listing, in: nil).subscription?.subscriptionGroupID == "club")
        listing.subscriptionPeriod = nil
        #expect(Product(listing, in: nil).subscription == nil)
    }

    @Test("X1: Products are equal if the store says the same of them")
    func equality() throws {
        let (product, again) = try (Self.product(), Self.product())
        #expect(product == again && product.hashValue == again.hashValue)
        #expect(try product != Self.product(title: "Verein"))
    }

    @Test("X1: The JSON of a product has locale, group and currency where apps look for them")
    func json() throws {
        let product = try Self.product()
        let json = try #require(JSONSerialization.jsonObject(with: product.jsonRepresentation) as? [String: Any])
        let attributes = try #require(json["attributes"] as? [String: Any])
        #expect(attributes["icuLocale"] as? String == "de_DE@currency=EUR")
        #expect(attributes["subscriptionFamilyRank"] as? Int == 2)
        #expect(attributes["subscriptionFamilyName"] as? String == "Klubs")
        let offer = try #require((attributes["offers"] as? [[String: Any]])?.first)
        #expect(offer["currencyCode"] as? String == "EUR" && offer["price"] as? String == "1234.5")
        let discounts = try #require(offer["discounts"] as? [[String: Any]])
        #expect(discounts.compactMap { $0["type"] as? String } == ["IntroOffer", "AdhocOffer", "WinBack", "barter"])
        #expect(product.debugDescription.contains("\"offerName\":\"club\""))
    }

    @Test("P43: Prices are written for the storefront, in its currency, whatever the device speaks")
    func prices() throws {
        let product = try Self.product()
        #expect(product.priceFormatStyle.currencyCode == "EUR")
        #expect(product.price.formatted(product.priceFormatStyle) == "1.234,50\u{A0}€")
        #expect((product.price / 3).formatted(product.priceFormatStyle) == "411,50\u{A0}€")
    }

    @Test(
        "X1: Periods are written in the language of the product",
        arguments: [
            ("de-DE", "3 Monate", "Monat"), ("en-US", "3 months", "month"), ("fr-FR", "3 mois", "mois"),
            ("ja", "3か月間", "か月"), ("ko", "3 months", "month"),
        ])
    func periods(language: String, text: String, unit: String) throws {
        let product = try Self.product(language: language)
        let period = try #require(product.subscription?.subscriptionPeriod)
        #expect(period.formatted(product.subscriptionPeriodFormatStyle) == text)
        #expect(period.unit.formatted(product.subscriptionPeriodUnitFormatStyle) == unit)
    }

    @Test("X1: A time is written in the unit that it is a whole number of, the subscription's own first")
    func wholeUnits() throws {
        let start = Date(timeIntervalSince1970: 1_790_000_000)
        let style = Product.SubscriptionPeriod.RangeFormatStyle(locale: Locale(identifier: "en_US"), preferred: .month)
        let periods: [(Product.SubscriptionPeriod, String)] = [
            (.yearly, "12 months"), (.weekly, "1 week"), (.everyThreeDays, "3 days"), (.monthly, "1 month"),
            (.everyTwoWeeks, "2 weeks"),
        ]
        for (period, text) in periods { #expect(period.formatted(style, referenceDate: start) == text) }
        let plain = Product.SubscriptionPeriod.RangeFormatStyle(locale: Locale(identifier: "en_US"), preferred: nil)
        #expect(Product.SubscriptionPeriod.yearly.formatted(plain, referenceDate: start) == "1 year")
        #expect(plain.format(start..<start + 86_400 * 2.5) == "3 days")
        #expect(plain.locale(Locale(identifier: "de_DE")).format(start..<start + 86_400) == "1 Tag")
        let coded = try JSONDecoder().decode(
            Product.SubscriptionPeriod.RangeFormatStyle.self, from: JSONEncoder().encode(style))
        #expect(coded == style)
    }

    @Test("X1: A period ends by the calendar: the last of January and a month is the last of February")
    func dates() throws {
        let january = Date(timeIntervalSince1970: 1_769_860_800)
        let range = Product.SubscriptionPeriod.monthly.dateRange(referenceDate: january)
        #expect(range.upperBound.timeIntervalSince(january) == 28 * 86_400)
        #expect(
            Product.SubscriptionPeriod.everyTwoWeeks.dateRange(referenceDate: january).upperBound
                == january + 14 * 86_400)
        #expect(DateComponents(subscriptionPeriod: .everySixMonths).month == 6)
        #expect(DateComponents(subscriptionPeriod: .weekly).weekOfYear == 1)
        let style = Duration.UnitsFormatStyle(allowedUnits: [.days], width: .wide)
        #expect(Product.SubscriptionPeriod.weekly.formatted(style, referenceDate: january).hasPrefix("7"))
        #expect("\(Product.SubscriptionPeriod.everyTwoWeeks)".contains("2"))
        #expect(Product.SubscriptionPeriod.monthly.debugDescription == "1 month")
    }

    @Test("X1: Units have an order, from the shortest to the longest")
    func units() {
        let units: [Product.SubscriptionPeriod.Unit] = [.year, .day, .month, .week]
        #expect(units.sorted() == [.day, .week, .month, .year])
        #expect(Product.SubscriptionPeriod.Unit.week.debugDescription == "week")
    }

    @Test("X1: A storefront knows its currency")
    func storefronts() throws {
        #expect(Storefront(countryCode: "JPN", id: "143462").currency == Locale.Currency("JPY"))
        #expect(Storefront(countryCode: "XXX", id: "1").currency == nil)
    }
}
