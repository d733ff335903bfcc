import StoreCatalogue
import StoreModel
import StoreRules
import Testing

@testable import StoreWeb

@Suite("Words of the console for what programs name by codes")
struct ConsoleWordsTests {
    @Test(
        "A field of the audit is named as people name it",
        arguments: [
            ("prices.AFG", "price in Afghanistan"), ("prices.USA", "price in the United States"),
            ("priceChanges.2027-01-01T00:00:00Z USA", "price in the United States from 2027-01-01 00:00 UTC"),
            ("priceChanges.2027-01-01T00:00:00Z everywhere", "price from 2027-01-01 00:00 UTC"),
            ("basePrice", "price"), ("isClearedForSale", "cleared for sale"),
            ("texts.de-DE", "text in German (Germany)"),
            ("members.a@b.example", "member a@b.example"), ("versions.1.0", "version 1.0"), ("expiresAt", "good until"),
            ("supportAddress", "support address"),
        ])
    func fields(key: String, words: String) { #expect(ConsoleWords.field(key) == words) }

    @Test(
        "A value of the audit has no JSON, no milliseconds and no codes",
        arguments: [
            (
                "agreements.paid", #"{ "acceptedAt" : 1795741639051, "endsAt" : null }"#,
                "accepted: 2026-11-27 01:07 UTC; ends: none"
            ),
            ("expiresAt", "1795741639051", "2026-11-27 01:07 UTC"),
            ("state", "waiting_for_review", "waiting for review"),
            ("withdrawn", "AFG | USA", "Afghanistan, the United States"), ("period", "P1M", "one month"),
            ("prices.USA", "0.99 USD", "0.99 USD"), ("level", "1795741639051", "1795741639051"),
            ("offers.trial", "introductory, free P2W", "introductory, free 2 weeks"),
            // What somebody has written stays.
            ("texts.en-US", "AND P1M a_b", "AND P1M a_b"),
        ])
    func values(field: String, value: String, words: String) { #expect(ConsoleWords.value(value, of: field) == words) }

    @Test("What was done names storefronts, and keeps currencies")
    func prose() {
        #expect(ConsoleWords.prose("price in DEU, drafted") == "price in Germany, drafted")
        #expect(ConsoleWords.prose("published (1.29 EUR)") == "published (1.29 EUR)")
        #expect(ConsoleWords.prose("from 2027-01-01T00:00:00Z") == "from 2027-01-01 00:00 UTC")
    }

    @Test(
        "A browser is named with its system; what is none is shown as it is, and not without end",
        arguments: [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
                "Chrome on Linux"
            ),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                    + "Version/18.0 Mobile/15E148 Safari/604.1", "Safari on iPhone"
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 "
                    + "Safari/537.36 Edg/142.0.0.0", "Edge on Mac"
            ),
            (
                "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile "
                    + "Safari/537.36", "Chrome on Android"
            ), ("curl/8.5.0", "curl/8.5.0"), ("", "unknown"),
        ])
    func browsers(client: String, words: String) {
        #expect(BrowserName.words(of: client) == words)
        let long = String(repeating: "x", count: 500)
        #expect(BrowserName.words(of: long).count == BrowserName.longest && BrowserName.words(of: nil) == "unknown")
    }

    @Test("An offer is the sentence of the sheet, with who gets it and when")
    func offers() throws {
        func words(_ offer: SubscriptionOffer) throws -> OfferWords {
            OfferWords(
                offer: offer, period: try BillingPeriod(1, .month), regular: Money(minorUnits: 499, currency: .usd),
                storefront: StorefrontCode(rawValue: "USA")
            ) { $0.description }
        }
        let week = try BillingPeriod(1, .week)
        let trial = try words(SubscriptionOffer(id: "t", kind: .introductory, paymentMode: .free, period: week))
        #expect(trial.sentence == "Free for one week, then 4.99 USD a month")
        #expect(trial.audience == "Who is new to the group" && trial.dates == "Until you end it")
        let back = try words(
            SubscriptionOffer(
                id: "b", kind: .winBack, paymentMode: .payAsYouGo, period: BillingPeriod(1, .month), periodCount: 3,
                basePrice: Money(minorUnits: 99, currency: .usd), endsAt: Instant(rfc3339: "2027-01-01T00:00:00Z"),
                audience: .init(paidMonths: 3, waitMonths: 1)))
        #expect(back.sentence == "0.99 USD a month, 3 times, then 4.99 USD a month")
        #expect(back.audience == "Who left: paid 3 months, once in 1 month")
        #expect(back.dates == "Until 2027-01-01 00:00 UTC")
    }
}
