import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("What customers say of items", .bounded)
struct CustomerReviewTests {
    @Test(
        "A text has a title, a body and a name of one line each that turns nothing around",
        arguments: [
            ("Title", "Body", "Name", true), ("", "Body", "Name", false), ("Title", " \n", "Name", false),
            ("Title", "Body", "", false), ("Ti\u{202E}tle", "Body", "Name", false),
            ("Title", "Body", "a\nb", false), ("Title", "two\nlines", "Name", true),
            ("Title", "<script>alert(1)</script>", "Name", true),
            (String(repeating: "x", count: 101), "Body", "Name", false),
            ("Title", String(repeating: "x", count: 4001), "Name", false),
            ("Title", "Body", String(repeating: "x", count: 31), false),
        ])
    func texts(_ title: String, _ body: String, _ nickname: String, _ isGood: Bool) {
        let text = try? CustomerReview.Text(title: title, body: body, nickname: nickname)
        #expect((text != nil) == isGood)
    }

    @Test("A score has the mean of its stars, and that of the current version")
    func score() async throws {
        try await StorefrontScene.on(.memory) { shop in
            #expect(ItemScore().average == nil)
            for (stars, count) in [(5, 2), (4, 1), (1, 1)] {
                for _ in 0..<count {
                    let customer = try await shop.customer()
                    try await shop.buy(shop.free, as: customer)
                    _ = try await shop.review(shop.free, stars, as: customer)
                }
            }
            let score = try #require(try await shop.ratings.scores(of: [shop.free, shop.book])[shop.free])
            #expect(score.counts == [1, 0, 0, 1, 2])
            #expect(score.average == 3.75)
            #expect(score.currentAverage == 3.75)
        }
    }

    @Test("R7.1: Whoever has an item reviews it once, and changes and removes that", arguments: StoreEngine.usual)
    func once(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            let refusal = try await shop.refusal { _ = try await shop.review(shop.book, 5, as: ada) }
            #expect(refusal == .itemNotOwned)
            try await shop.buy(shop.book, as: ada)
            #expect(try await shop.refusal { _ = try await shop.review(shop.book, 6, as: ada) } == .valueInvalid)
            let first = try await shop.review(shop.book, 2, "Dry", as: ada)
            let second = try await shop.review(shop.book, 4, "It grew on me", as: ada)
            #expect(second.id == first.id)
            let shown = try await shop.ratings.list(of: shop.book, for: ada)
            #expect(shown.reviews == [second])
            #expect(shown.own == second)
            #expect(shown.count == 1)
            #expect(shown.score.counts == [0, 0, 0, 1, 0])
            try await shop.ratings.remove(of: shop.book, as: ada, request: nil)
            let nothing = try await shop.ratings.list(of: shop.book, for: ada)
            #expect(nothing.reviews.isEmpty)
            #expect(nothing.score.count == 0)
            #expect(nothing.own == nil)
        }
    }

    @Test(
        "What is taken off a page does not count, waits once it was changed, and counts again when it is kept",
        arguments: StoreEngine.allCases)
    func moderated(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let (ada, ben) = (try await shop.customer(), try await shop.customer())
            let owner = shop.store.cause(.owner)
            try await shop.buy(shop.book, as: ada)
            let review = try await shop.review(shop.book, 1, "Buy at my site", as: ada)
            for _ in 0..<2 {
                try await shop.ratings.report(review.id, because: .spam, as: ben, request: nil)
            }
            let waiting = try await shop.ratings.queue(limit: 10, for: .owner)
            #expect(waiting.map(\.review.id) == [review.id])
            #expect(waiting.first?.reasons == [.spam: 1])
            #expect(waiting.first?.item?.storeID == shop.book)
            let wordless = try await shop.refusal {
                _ = try await shop.ratings.decide(review.id, .hide, because: nil, owner)
            }
            #expect(wordless == .valueMissing)
            _ = try await shop.ratings.decide(review.id, .hide, because: "advertising", owner)
            #expect(try await shop.ratings.waitingCount() == 0)
            #expect(try await shop.ratings.list(of: shop.book).score.count == 0)
            #expect(try await shop.ratings.list(of: shop.book).reviews.isEmpty)

            let changed = try await shop.review(shop.book, 3, "A fair book", as: ada)
            #expect(changed.state == .held)
            #expect(try await shop.ratings.list(of: shop.book).score.count == 0)
            #expect(try await shop.ratings.waitingCount() == 1)
            _ = try await shop.ratings.decide(review.id, .keep, because: nil, owner)
            #expect(try await shop.ratings.list(of: shop.book).score.counts == [0, 0, 1, 0, 0])
            #expect(try await shop.ratings.waitingCount() == 0)
        }
    }

    @Test(
        "What was taken off or reported and is taken back waits when it is written again",
        arguments: StoreEngine.usual, [true, false])
    func takenBack(_ engine: StoreEngine, _ isHidden: Bool) async throws {
        try await StorefrontScene.on(engine) { shop in
            let (ada, ben) = (try await shop.customer(), try await shop.customer())
            try await shop.buy(shop.book, as: ada)
            let review = try await shop.review(shop.book, 1, "Buy at my site", as: ada)
            try await shop.ratings.report(review.id, because: .spam, as: ben, request: nil)
            if isHidden {
                _ = try await shop.ratings.decide(review.id, .hide, because: "no", shop.store.cause(.owner))
            }
            for _ in 1...2 { try await shop.ratings.remove(of: shop.book, as: ada, request: nil) }
            #expect(try await shop.ratings.own(of: shop.book, by: ada) == nil)
            #expect(try await shop.ratings.list(of: shop.book, for: ada).score.count == 0)
            #expect(try await shop.ratings.waitingCount() == 0)
            #expect(try await shop.scene.count("SELECT count(*) FROM customer_review WHERE body IS NOT NULL") == 0)
            let gone = try await shop.refusal {
                _ = try await shop.ratings.decide(review.id, .keep, because: nil, shop.store.cause(.owner))
            }
            #expect(gone == .reviewUnknown)

            // Stars first and the text after them is no way round it.
            _ = try await shop.review(shop.book, 1, as: ada)
            let again = try await shop.review(shop.book, 1, "Buy at my site", as: ada)
            #expect(again.state == .held && again.id == review.id)
            #expect(try await shop.ratings.list(of: shop.book).score.count == 0)
            #expect(try await shop.ratings.queue(limit: 10, for: .owner).map(\.review.id) == [review.id])
        }
    }

    @Test("A review is answered by the team of its item and nobody else's", arguments: StoreEngine.usual)
    func answered(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            try await shop.buy(shop.book, as: ada)
            let review = try await shop.review(shop.book, 3, "Where is the map?", as: ada)
            let cause = shop.store.cause(.owner)
            let answered = try await shop.ratings.answer(review.id, with: "On page 9.", cause)
            #expect(answered.answer?.text == "On page 9.")
            #expect(try await shop.ratings.list(of: shop.book).reviews.first?.answer?.text == "On page 9.")
            let customer = try await shop.refusal {
                _ = try await shop.ratings.answer(review.id, with: "Me too", shop.store.cause(.nobody))
            }
            #expect(customer == .notAllowed)
            for (team, refusal) in [("other-team", RefusalCode.reviewUnknown), ("my-team", nil)] {
                let member = try await Actor.bearer(
                    of: .developer, team: TeamID(parsing: team), shop.store.catalogue)
                let refused = try await shop.refusal {
                    _ = try await shop.ratings.answer(review.id, with: "On page 10.", shop.store.cause(member))
                }
                #expect(refused == refusal, "\(team)")
                // What is shown is the store's to decide about.
                let decided = try await shop.refusal {
                    _ = try await shop.ratings.decide(review.id, .hide, because: "no", shop.store.cause(member))
                }
                #expect(decided == .notAllowed, "\(team)")
            }
            #expect(try await shop.ratings.answer(review.id, with: nil, cause).answer == nil)
        }
    }

    @Test("A customer writes and reports so many reviews a day", arguments: StoreEngine.usual)
    func floods(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            try await shop.buy(shop.book, as: ada)
            for number in 0..<ReviewLimits.writesPerDay {
                _ = try await shop.review(shop.book, 1 + number % 5, as: ada)
            }
            #expect(try await shop.refusal { _ = try await shop.review(shop.book, 1, as: ada) } == .tooMany)
            shop.scene.time.pass(.seconds(24 * 60 * 60 + 1))
            #expect(try await shop.refusal { _ = try await shop.review(shop.book, 1, as: ada) } == nil)
        }
    }

    @Test("With an account goes what it wrote, and what it counted", arguments: StoreEngine.usual)
    func forgotten(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            try await shop.buy(shop.book, as: ada)
            _ = try await shop.review(shop.book, 5, "Splendid", as: ada)
            try await Accounts(shop.store).delete(ada.customer.description, shop.store.cause(.owner))
            #expect(try await shop.scene.count("SELECT count(*) FROM customer_review") == 0)
            #expect(try await shop.ratings.list(of: shop.book).score.count == 0)
        }
    }
}
