import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreWeb
import TestSupport
import Testing

@Suite("No customer sees what another has", .bounded)
struct StorefrontScopeTests {
    /// Something that a stranger asks of a route with the numbers of somebody else's things.
    private struct Row {
        let path: String
        var form: [String: String]?
    }

    /// What is asked of each route that is for one person; other routes are the same for everybody.
    private static func rows(
        _ shop: StorefrontBench, review: ReviewID, subscription: String
    ) -> [String: Row] {
        let (book, back) = ("\(shop.book)", "?to=/library")
        return [
            "GET /{country}/library": Row(path: "/us/library"),
            "GET /{country}/library/{storeId}/file/{role}/{position}": Row(path: shop.download(shop.book)),
            "GET /{country}/review": Row(path: "/us/review?item=\(book)"),
            "GET /{country}/report": Row(path: "/us/report?review=\(review)"),
            "GET /{country}/sign-in": Row(path: "/us/sign-in"),
            "GET /{country}/sign-up": Row(path: "/us/sign-up"),
            "GET /{country}/reviews/{storeId}": Row(path: "/us/reviews/\(book)"),
            "GET /{country}/search": Row(path: "/us/search?term=walden"),
            "GET /{country}/suggestions": Row(path: "/us/suggestions?term=wal"),
            "GET /{country}/countries": Row(path: "/us/countries"),
            "GET /{country}/books": Row(path: "/us/books"),
            "GET /{country}/book/{name}/{id}": Row(path: "/us/book/walden/id\(book)"),
            "GET /{country}/book/{id}": Row(path: "/us/book/id\(book)"),
            "POST /{country}/sign-in": Row(
                path: "/us/sign-in", form: ["email": "ada@example.com", "password": "wrong"]),
            "POST /{country}/sign-up": Row(
                path: "/us/sign-up", form: ["email": "ada@example.com", "password": "long enough"]),
            "POST /{country}/review": Row(
                path: "/us/review\(back)", form: ["item": book, "stars": "1", "title": "", "body": ""]),
            "POST /{country}/review/removal": Row(path: "/us/review/removal\(back)", form: ["item": book]),
            "POST /{country}/report": Row(path: "/us/report\(back)", form: ["review": "\(review)", "reason": "spam"]),
            "GET /view/{viewToken}": Row(path: "/view/1-x"),
            "POST /view/{viewToken}/done": Row(path: "/view/1-x/done", form: [:]),
            "POST /view/{viewToken}/choice": Row(path: "/view/1-x/choice", form: ["productId": "x"]),
            "POST /view/{viewToken}/closing": Row(path: "/view/1-x/closing", form: ["view": "1-x"]),
            "POST /{country}/buy": Row(path: "/us/buy\(back)", form: ["item": book]),
            "POST /{country}/subscriptions/renewal": Row(
                path: "/us/subscriptions/renewal", form: ["subscription": subscription, "renews": "no"]),
            "POST /{country}/sign-out": Row(path: "/us/sign-out", form: [:]),
        ]
    }

    /// Routes that differ from one of a row by the kind of page, or have no country, and are the same for everybody.
    private static func isLike(_ route: Route) -> Bool {
        let segments = route.pattern.text.split(separator: "/").map(String.init)
        let pages = StorePage.known.map(\.rawValue) + ["apps", "music", "films", "tv", "books", "audiobooks"]
        let isHome = segments.count == 1 && segments[0].count == 2
        return isHome || segments.contains { pages.contains($0) } || ["WebObjects", "files"].contains(segments[0])
    }

    private static func routes(_ bench: ListenerBench) -> [Route] {
        StorefrontRoutes(bench.store, prices: PriceText(), blobs: .none, address: { nil }).routes
    }

    @Test("Every route, asked by a stranger and by nobody, shows nothing of a customer and changes nothing of hers")
    func table() async throws {
        try await StorefrontBench.with { shop in
            let ada = try await shop.customer("ada@example.com")
            try await shop.buy(shop.book, as: ada)
            let said = [
                "item": "\(shop.book)", "stars": "5", "title": "Mine", "body": "Said by ada", "nickname": "henry",
            ]
            #expect(try await shop.send("/us/review", said, as: ada).status == 303)
            _ = try await shop.get(shop.download(shop.book), as: ada)
            let club = try await shop.bench.device().buy("\(ListenerBench.bundle).club")
            #expect(club.json["state"] as? String == "purchased")
            _ = try await shop.customer("ben@example.com")
            let review = try #require(try await Ratings(shop.bench.store).list(of: shop.book).reviews.first)
            let before = try await standing(of: ada, shop)
            let subscription = try #require(before.renewals.keys.first)
            let rows = Self.rows(shop, review: review.id, subscription: subscription)

            let names = Self.routes(shop.bench).map { "\($0.method.rawValue) \($0.pattern.text)" }
            #expect(Set(rows.keys).subtracting(names) == [], "a row without a route")
            for route in Self.routes(shop.bench) {
                let name = "\(route.method.rawValue) \(route.pattern.text)"
                guard let row = rows[name] else {
                    #expect(Self.isLike(route), "\(name) has no row")
                    continue
                }
                let ben = try await shop.signIn("ben@example.com")
                for asker in [ben, nil] {
                    let answer =
                        if let form = row.form { try await shop.send(row.path, form, as: asker) } else {
                            try await shop.get(row.path, as: asker)
                        }
                    let what = "\(name) as \(asker == nil ? "nobody" : "a stranger")"
                    #expect(answer.status < 500, "\(what): \(answer.status)")
                    #expect(!answer.text.contains("quiet desperation"), "\(what) gives the file")
                    #expect(!answer.text.contains("In library"), "\(what) says that it is owned")
                    #expect(!answer.text.contains("ada@example.com") || row.form?["email"] != nil, "\(what)")
                    let cookie = answer.fields["Set-Cookie"] ?? ""
                    #expect(!cookie.hasPrefix("till_sandbox_customer=") || cookie.contains("Max-Age=0"), "\(what)")
                }
            }
            #expect(try await standing(of: ada, shop) == before)
        }
    }

    /// What somebody has and says.
    private struct Standing: Equatable {
        let items: [Int64]
        /// Of each subscription, whether it renews.
        let renewals: [String: Bool]
        let downloads: [Library.Download?]
        let review: CustomerReview.Text?
        let stars: Int?
        let status: Int
    }

    private func standing(of cookie: String, _ shop: StorefrontBench) async throws -> Standing {
        let token = try WebToken(text: String(cookie.split(separator: "=")[1]))
        let session = try #require(try await WebSessions(shop.bench.store).find(token))
        let entries = try await Library(shop.bench.store).list(of: session.scope, languages: ["en"]).entries
        let own = try await Ratings(shop.bench.store).own(of: shop.book, by: session.scope)
        let subscriptions = try await OwnSubscriptions(shop.bench.store).list(of: session.scope, language: "en")
        return Standing(
            items: entries.map(\.listing.storeID),
            renewals: Dictionary(uniqueKeysWithValues: subscriptions.map { ("\($0.id)", $0.rules.renews) }),
            downloads: entries.map(\.download), review: own?.text,
            stars: own?.stars, status: try await shop.get(shop.download(shop.book), as: cookie).status)
    }

    @Test("A session of one environment is nobody's in the other, and an invented one is nobody's anywhere")
    func invented() async throws {
        try await StorefrontBench.with { shop in
            let ada = try await shop.customer("ada@example.com")
            try await shop.buy(shop.book, as: ada)
            let secret = ada.drop { $0 != "=" }
            for cookie in ["till_production_customer\(secret)", "till_sandbox_customer=x", "\(ada)x"] {
                let answer = try await shop.get(shop.download(shop.book), as: cookie)
                #expect(answer.status == 303, "\(cookie)")
            }
        }
    }
}
