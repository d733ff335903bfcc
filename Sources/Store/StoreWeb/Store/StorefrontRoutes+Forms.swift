import StoreCatalogue
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreService

/// What is for one person: the library, and the forms.
extension StorefrontRoutes {
    var forms: [Route] {
        [
            .get("/{country}/library", suspending: { try await library($0) }),
            .get(
                "/{country}/sign-in",
                suspending: { request in try await form(request) { pages, _ in pages.signIn } }),
            .get(
                "/{country}/sign-up",
                suspending: { request in
                    guard store.environment == .production else { throw Self.nothing }
                    return try await form(request) { pages, _ in pages.signUp }
                }),
            .get("/{country}/review", suspending: { try await review($0) }),
            .get("/{country}/report", suspending: { try await report($0) }),
        ]
    }

    /// A form, with the page that it leads back to.
    private func form(
        _ request: HTTPRequest, _ body: @escaping @Sendable (EntryPages, Request) async throws -> Page
    ) async throws -> HTTPResponse {
        try await answer(request, in: request[Self.country], keeps: false) { asked in
            let pages = EntryPages(visit: asked.visit, place: Self.place(asked.query("to")))
            return .other(try await body(pages, asked).response())
        }
    }

    private static func place(_ text: String?) -> String {
        let place = text ?? ""
        return EntryPages.isPlace(place) ? place : ""
    }

    /// What leads to sign in, and from there back.
    private func signInFirst(_ request: HTTPRequest) -> HTTPResponse {
        let place = Self.place(of: request.target)
        let country = request.target.segments.first ?? "us"
        let view = StorefrontFormRoutes.view(of: request, after: "&")
        return .redirect(to: "/\(country)/sign-in?to=\(StorefrontVisit.encoded(place))\(view)")
    }

    private func library(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answer(request, in: request[Self.country], keeps: false) { asked in
            guard let session = asked.visit.session else { return .other(signInFirst(request)) }
            var wanted = LibraryPage.Asked(section: asked.query("kind").flatMap(StorefrontSection.init))
            wanted.words = String((asked.query("q") ?? "").prefix(StorefrontLimits.term))
            wanted.order = asked.query("sort").map(Library.Order.init(rawValue:)) ?? .newest
            wanted.start = min(max(0, asked.query("from").flatMap { Int($0) } ?? 0), Library.most)
            let listing = try await Library(store).list(
                of: session.scope, languages: [asked.visit.texts.language],
                kinds: Set(ItemKind.all.filter { wanted.section != nil && StorefrontSection($0) == wanted.section }),
                words: wanted.words, by: wanted.order, from: wanted.start)
            let subscriptions = try await OwnSubscriptions(store).list(
                of: session.scope, language: asked.visit.texts.language)
            return .page(
                LibraryPage(visit: asked.visit, library: listing, subscriptions: subscriptions, asked: wanted).page)
        }
    }

    private func review(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answer(request, in: request[Self.country], keeps: false) { asked in
            guard let session = asked.visit.session else { return .other(signInFirst(request)) }
            guard let id = asked.query("item").flatMap({ Int64($0) }) else { throw Self.nothing }
            // Nobody is to write what is refused then.
            let isHad = try await Library(store).has([id], session.scope).contains(id)
            let own = isHad ? nil : try await Ratings(store).own(of: id, by: session.scope)
            guard isHad || own != nil else {
                throw ServiceError(.itemNotOwned, "only those rate an item who have it", parameter: "item")
            }
            return .other(try await reviewForm(of: id, session, asked).response())
        }
    }

    private func reviewForm(
        of storeID: Int64, _ session: WebSession, _ asked: Request, problem: String? = nil, sent: QueryItems? = nil
    ) async throws -> Page {
        guard let item = try await reader.listing(storeID, for: asked.reader) else { throw Self.nothing }
        let own = try await Ratings(store).own(of: storeID, by: session.scope)
        let place = StorefrontVisit.place(of: item.link(in: asked.visit.storefront))
        return EntryPages(visit: asked.visit, place: place, problem: problem, sent: sent).review(of: item, own: own)
    }

    private func report(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answer(request, in: request[Self.country], keeps: false) { asked in
            guard asked.visit.session != nil else { return .other(signInFirst(request)) }
            let id = asked.query("review").flatMap { Int64($0) }.flatMap { try? ReviewID(number: $0) }
            guard let id, let review = try await reader.review(id) else { throw Self.nothing }
            let pages = EntryPages(visit: asked.visit, place: "/reviews/\(review.storeID)")
            return .other(pages.report(review).response())
        }
    }

    // MARK: Again

    /// A form that was refused, as it was left, with what is wrong in words.
    func again(
        _ request: HTTPRequest, _ form: StorefrontForm, _ error: ServiceError, _ sent: QueryItems
    ) async throws -> HTTPResponse {
        try await answer(request, in: request[Self.country], keeps: false) { asked in
            let problem = sentence(for: error, asked.visit)
            guard let problem else { throw error }
            var pages = EntryPages(
                visit: asked.visit, place: Self.place(asked.query("to")), problem: problem, sent: sent)
            switch form {
            case .signIn: return .other(pages.signIn.response(refusing: error))
            case .signUp: return .other(pages.signUp.response(refusing: error))
            case .review(let id):
                guard let session = asked.visit.session else { return .other(signInFirst(request)) }
                let page = try await reviewForm(of: id, session, asked, problem: problem, sent: sent)
                return .other(page.response(refusing: error))
            case .report(let id):
                guard let review = try await reader.review(id) else { throw error }
                pages.place = "/reviews/\(review.storeID)"
                return .other(pages.report(review).response(refusing: error))
            case .purchase(let id):
                let found = try await reader.item(id, reviews: StorefrontLimits.reviewsShown, for: asked.reader)
                guard let content = found else { throw error }
                var tiles = StorefrontTiles(visit: asked.visit)
                let link = content.page.listing.link(in: asked.visit.storefront)
                tiles.visit.place = StorefrontVisit.place(of: link)
                tiles.owned = try await owned([content.page.listing] + content.page.children, asked)
                let page = ItemFrontPage(tiles: tiles, content: content, problem: problem).page.page
                return .other(page.response(refusing: error))
            }
        }
    }

    /// What was wrong, in the words of the page; nil for what nobody can mend on it.
    private func sentence(for error: ServiceError, _ visit: StorefrontVisit) -> String? {
        let texts = visit.texts
        return switch error.code {
        case .tooMany: texts("error.too_many")
        case .emailTaken: visit.text("sheet.email_taken")
        case .valueInvalid where error.parameter == "password": visit.text("sheet.password_short")
        case .valueInvalid where error.parameter == "email": visit.text("sheet.email_wrong")
        case .valueMissing where error.parameter == "password": visit.text("sheet.password_missing")
        case .valueMissing where error.parameter == "stars": visit.text("shop.review_stars")
        case .tooLate: visit.text("shop.owned")
        case .itemNotOwned: visit.text("shop.not_yours")
        case .valueMissing, .valueInvalid: visit.text("shop.review_incomplete")
        default: texts.find(error.code)
        }
    }
}

/// Errors as pages of the storefront, with the ways on.
struct StorefrontErrors: ErrorForm {
    let environment: StoreEnvironment
    let prices: PriceText

    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        let segment = request.target.segments.first ?? ""
        let storefront = StorefrontRecord.storefront(alpha2: segment.uppercased())
        let isNotOwned = error.code == RefusalCode.itemNotOwned.rawValue
        guard [.notFound, .tooManyRequests].contains(error.status) || isNotOwned,
            let shown = storefront ?? StorefrontRecord.storefront(alpha2: "US")
        else {
            return PageErrorForm().response(to: error, for: request)
        }
        let visit = StorefrontVisit(
            environment: environment, storefront: shown,
            texts: StorefrontRoutes.texts(of: request, in: storefront, environment), session: nil, view: nil, place: "",
            prices: prices, address: nil)
        let (heading, lede) =
            switch error.status {
            case .notFound: ("shop.not_found", "shop.not_found_lede")
            case .forbidden: ("shop.not_had", "shop.not_had_lede")
            default: ("shop.too_many", "shop.too_many_lede")
            }
        return StorefrontPage(visit, visit.text(heading)) {
            div(.class("nothing")) {
                h1 { visit.text(heading) }
                p { visit.text(lede) }
                ul(.class("ways")) {
                    if isNotOwned { li { a(.href(visit.link("/library"))) { visit.text("shop.library") } } }
                    li { a(.href(visit.link(""))) { visit.text("shop.to_home") } }
                    li { a(.href(visit.link("/search"))) { visit.text("shop.search") } }
                }
            }
        }.page.response(error.status).carrying(error.fields)
    }
}
