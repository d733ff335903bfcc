import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import TestSupport
import Testing

@Suite("What the console does for subscribers and those who ask", .bounded)
struct ConsoleSubscriberTests {
    private static let app = "/apps/\(ListenerBench.bundle)"
    private static let product = "\(ListenerBench.bundle).club"
    private static let club = "\(app)/products/\(product)"
    private static let offer = [
        "offerId": "gift", "kind": "code", "paymentMode": "pay_up_front", "period": "P1M", "price": "0.99",
        "eligibility": "new",
    ]

    @Test("X7, R4.2: Grace periods and offers are set there, and what is wrong is said")
    func settings() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        #expect(try await owner.get(Self.app).text.contains("Another grace period"))
        #expect(try await owner.send(Self.app + "/grace-period", ["days": "16"]).status == 303)
        #expect(try await bench.control("GET", Self.app + "/grace-period").json["days"] as? Int == 16)
        let wrongDays = try await owner.send(Self.app + "/grace-period", ["days": "5"])
        #expect(wrongDays.status == 200 && wrongDays.text.contains("3, 16 or 28"))
        let kept = try await bench.control("PUT", Self.app + "/grace-period", ["isOnlyPaid": true]).json
        #expect(kept["days"] as? Int == 16 && kept["isOnlyPaid"] as? Bool == true, "what is left out stays")
        #expect(try await bench.control("PUT", Self.app + "/grace-period", ["days": 0]).json["days"] == nil)

        func offers() async throws -> [String] {
            let found = try await bench.control("GET", Self.club + "/offers").json["items"] as? [[String: Any]]
            return (found ?? []).compactMap { $0["offerId"] as? String }
        }
        let before = try await offers()
        #expect(try await owner.send(Self.club + "/new-offer", Self.offer).status == 303)
        #expect(try await offers().sorted() == (before + ["gift"]).sorted())
        let wrongPrice = try await owner.send(Self.club + "/new-offer", Self.offer.merging(["price": "much"]) { $1 })
        #expect(wrongPrice.status == 200 && wrongPrice.text.contains("such as 1.99"))
        let wrongPeriod = try await owner.send(Self.club + "/new-offer", Self.offer.merging(["period": "P1H"]) { $1 })
        #expect(wrongPeriod.status == 200 && wrongPeriod.text.contains(#"role="alert""#))
        #expect(try await owner.send(Self.club + "/offers", ["offer": "gift"]).status == 303)
        #expect(try await offers() == before)
    }

    @Test("What a form does not ask stays as till had set it")
    func kept() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let (now, japan) = (bench.time.current, StorefrontCode(rawValue: "JPN"))
        let till = try SubscriptionOffer(
            id: "gift", kind: .code, referenceName: "Gift", paymentMode: .payUpFront, period: .oneMonth,
            basePrice: Money(minorUnits: 49, currency: .usd), prices: [japan: Money(minorUnits: 70, currency: .jpy)],
            startsAt: now, endsAt: now + .seconds(60), audience: .init(eligibility: [.new], isStackable: true))
        try await bench.databases.catalogue.write { transaction in
            let cause = CatalogueCause(.owner, at: now)
            let app = try #require(try Catalogue.app(BundleID(parsing: ListenerBench.bundle), in: transaction))
            let club = try #require(
                try Catalogue.product(ProductID(parsing: Self.product), of: app.id, in: transaction))
            _ = try GracePeriods.put(
                GracePeriodDraft(days: 16, isOnlyPaid: true, isInProduction: true), of: app.id,
                cause.change(in: transaction))
            try SubscriptionOffers.put(till, of: club, cause.change(in: transaction))
        }

        let form = ["days": "28", "production": "on"]
        #expect(try await owner.send(Self.app + "/grace-period", form).status == 303)
        let setting = try await bench.control("GET", Self.app + "/grace-period").json
        #expect(setting["days"] as? Int == 28)
        #expect(setting["isOnlyPaid"] as? Bool == true && setting["isInProduction"] as? Bool == true)

        // The form as its page shows it, with another price.
        let listed = try await owner.get(Self.club + "/offers").text
        #expect(listed.contains("then $1.49 a month") && !listed.contains("pay up front"), "\(listed)")
        let page = try await owner.get(Self.club + "/offers/gift").text
        let fields = try #require(ShownForm.all(in: page).first { $0.action.hasSuffix("/offers/gift") }).fields
        var sent: [String: String] = [:]
        for field in fields where field.kind != "hidden" && (!field.isTick || field.isTicked) {
            sent[field.name] = field.value
        }
        let saved = try await owner.send(Self.club + "/offers/gift", sent.merging(["price": "0.99"]) { $1 })
        #expect(saved.status == 303, "\(saved.text)")
        let offers = try await bench.control("GET", Self.club + "/offers").json["items"] as? [[String: Any]]
        let gift = try #require(offers?.first { $0["offerId"] as? String == "gift" })
        #expect((gift["price"] as? [String: Any])?["amount"] as? String == "0.99")
        #expect(gift["prices"] as? [String: String] == ["JPN": "70"])
        #expect(gift["referenceName"] as? String == "Gift" && gift["isStackable"] as? Bool == true)
        #expect(gift["eligibility"] as? [String] == ["new"])
        #expect(gift["startsAt"] != nil && gift["endsAt"] != nil)
    }

    @Test("X7: A code is redeemed for a customer, a price brought to those who subscribe, and a refund asked for")
    func acts() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        _ = try await bench.device()
        #expect(try await owner.send(Self.club + "/new-offer", Self.offer).status == 303)
        let codes: [String: Any] = ["productId": Self.product, "offerId": "gift", "custom": "HELLO", "count": 5]
        #expect(try await bench.control("POST", Self.app + "/codes", codes).status == 201)
        let page = "/customers/ada@example.com/redemption"
        let wrong = try await owner.send(
            page, ["app": ListenerBench.bundle, "code": "NOTHING", "key": UUID().uuidString])
        #expect(wrong.status == 200 && wrong.text.contains(#"role="alert""#))
        let form = ["app": ListenerBench.bundle, "code": "hello", "key": UUID().uuidString]
        #expect(try await owner.send(page, form).status == 303)
        #expect(try await owner.send(page, form).status == 303)
        let found = try await bench.control("GET", "/transactions").json["items"] as? [[String: Any]]
        let number = try #require(found?.first?["transactionId"] as? String)
        #expect(found?.count == 1)

        let raise = Self.club + "/price-increase"
        let nobody = try await owner.send(raise, ["storefront": "USA"])
        #expect(nobody.status == 303 && nobody.fields["Location"]?.contains("unraised") == true)
        #expect(try await bench.control("PUT", Self.club + "/prices/USA", ["amount": "9.99"]).status == 200)
        let raised = try await owner.send(raise, ["storefront": "USA", "consent": "ask"])
        #expect(raised.fields["Location"]?.hasSuffix("done=raised") == true)
        let subscription = try await bench.control("GET", "/subscriptions/\(number)").text
        #expect(subscription.contains("9.99"))
        #expect(try await owner.send(raise, ["storefront": "XXX"]).text.contains(#"role="alert""#))

        let asked = try await owner.send(
            "/transactions/\(number)/refund-request", ["reason": "UNINTENDED_PURCHASE", "note": "It was my cat."])
        #expect(asked.status == 303 && asked.fields["Location"]?.contains("/refunds/") == true)
        #expect(try await owner.get("/refunds").text.contains("ada@example.com"))
    }
}
