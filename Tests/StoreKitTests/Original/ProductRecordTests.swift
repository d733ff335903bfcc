import Foundation
import StoreModel
import Testing

@testable import StoreKit

@Suite("What an app sees of a product")
struct ProductRecordTests {
    private static func answer(
        _ language: String, _ amount: String, _ currency: Currency, offers: [SubscriptionOfferAnswer]? = nil
    ) throws -> ProductListingAnswer {
        ProductListingAnswer(
            productId: try ProductID(parsing: "club"), itemId: try ItemID(number: 7), type: .autoRenewable,
            title: "Club",
            description: "", language: language, price: price(amount, currency), isFamilyShareable: true,
            subscriptionPeriod: .threeMonths, subscriptionGroupIdentifier: try SubscriptionGroupID(parsing: "G"),
            offers: offers)
    }

    private static func price(_ amount: String, _ currency: Currency) -> PriceAnswer {
        PriceAnswer(amount: amount, currency: CurrencyCode(currency), display: "")
    }

    @Test(
        "R1.6: A price reads by its locale as people of the storefront write it",
        arguments: [
            ("USA", "en-US", "1.99", "$1.99"), ("JPN", "ja", "160", "¥160"), ("TUR", "tr", "64.99", "₺64,99"),
            ("CHN", "zh-Hans", "12.00", "¥12.00"), ("DEU", "de-DE", "1.99", "1,99\u{A0}€"),
            ("FRA", "fr-FR", "1.99", "1,99\u{A0}€"),
        ])
    func golden(_ code: String, _ language: String, _ amount: String, _ text: String) throws {
        let storefront = try #require(StorefrontRecord.storefront(alpha3: code))
        let answer = try Self.answer(language, amount, storefront.currency)
        let product = SKProduct(record: ProductRecord(answer, in: StorefrontCode(storefront)))
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        // Foundation here writes yen with the wide sign in Japanese.
        let shown = formatter.string(from: product.price)?.replacing("\u{FFE5}", with: "¥")
        #expect(shown == text)
        #expect(product.priceLocale.currency?.identifier == storefront.currency.code)
    }

    @Test("R1.4: A subscription has its period, its group, and the offers that can be had")
    func subscription() throws {
        func offer(
            _ id: String, _ kind: WireWord<OfferKind>, _ mode: WireWord<OfferPaymentMode>, count: Int = 1
        ) -> SubscriptionOfferAnswer {
            SubscriptionOfferAnswer(
                offerId: id, kind: kind, paymentMode: mode, period: .oneWeek, periodCount: count,
                price: Self.price("0.50", .eur))
        }
        let offers = [
            offer("a", WireWord(.promotional), WireWord(.payAsYouGo), count: 3),
            offer("b", WireWord(.winBack), WireWord(.free)),
            offer("c", WireWord(.introductory), WireWord(rawValue: "later")),
            offer("d", WireWord(.introductory), WireWord(.free)),
            offer("e", WireWord(.promotional), WireWord(.payUpFront)),
            offer("f", WireWord(rawValue: "gift"), WireWord(.free)),
        ]
        let answer = try Self.answer("de-DE", "1.99", .eur, offers: offers)
        let product = SKProduct(record: ProductRecord(answer, in: StorefrontCode(rawValue: "DEU")))
        #expect(product.subscriptionPeriod?.numberOfUnits == 3 && product.subscriptionPeriod?.unit == .month)
        #expect(product.subscriptionGroupIdentifier == "G")
        let introductory = try #require(product.introductoryPrice)
        #expect(introductory.type == .introductory && introductory.identifier == nil)
        #expect(introductory.paymentMode == .freeTrial && introductory.subscriptionPeriod.unit == .week)
        #expect(product.discounts.map(\.identifier) == ["a", "e"])
        #expect(product.discounts.map(\.numberOfPeriods) == [3, 1])
        #expect(product.discounts.map(\.paymentMode) == [.payAsYouGo, .payUpFront])
        #expect(product.discounts.allSatisfy { $0.type == .subscription && $0.price == NSDecimalNumber(string: "0.5") })
        #expect(product.discounts.first?.priceLocale.identifier == product.priceLocale.identifier)
    }
}
