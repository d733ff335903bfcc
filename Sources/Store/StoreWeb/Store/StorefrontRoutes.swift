import Foundation
package import StoreCatalogue
import StoreFoundation
package import StoreHTTP
package import StoreModel
package import StoreService
import Synchronization

/// The pages of the storefront.
///
/// ```
/// GET /{country}                                home
/// GET /{country}/apps … /audiobooks             all of a kind; genre, offset
/// GET /{country}/app/{name}/id{n}?mt=8          an item; so /album, /movie, /tv-season, /book, /audiobook
/// GET /{country}/artist/{name}/id{n}            who made things; so /developer
/// GET /{country}/reviews/{storeId}              what customers say of an item
/// GET /{country}/search                         term, kind, from
/// GET /{country}/suggestions                    term; the list below the field of the search
/// GET /{country}/countries                      to
/// GET /{country}/library                        kind, q, sort, from
/// GET /{country}/sign-in, /sign-up, /review, /report    the forms that StorefrontFormRoutes take
/// GET /files/{storeId}/{digest}                 a picture or a sample
/// ```
///
/// An item and an artist have one canonical address each, to which all other forms of links lead. `l` in a query chooses the
/// language and is kept in a cookie; `view` is the secret of a view inside an app.
package struct StorefrontRoutes: Sendable {
    let store: EnvironmentStore
    private let prices: PriceText
    let blobs: BlobSource
    private let signUps: RateLimit?
    private let searches: RateLimit?
    private let address: @Sendable () -> StoreAddress?
    private let pages = RememberedPages()
    /// Those in which apps show pages.
    private let windows: PageWindows

    /// - Parameters:
    ///   - signUps: how many accounts are made from one address.
    ///   - searches: how much is looked for from one address.
    ///   - address: where this environment is reached, for addresses that other programs read.
    ///   - wait: how long a view inside an app may be without a window.
    package init(
        _ store: EnvironmentStore, prices: PriceText, blobs: BlobSource, signUps: RateLimit? = nil,
        searches: RateLimit? = nil,
        address: @escaping @Sendable () -> StoreAddress?,
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        windows = PageWindows(wait)
        (self.store, self.prices, self.blobs, self.address) = (store, prices, blobs, address)
        (self.signUps, self.searches) = (signUps, searches)
    }

    package var routes: [Route] {
        let own = homes + lists + items + forms + [file]
        let errors = StorefrontErrors(environment: store.environment, prices: prices)
        return own.map { route in
            var route = route
            route.errors = errors
            route.middleware += [SecurityHeaders.pages()]
            let isSearch = ["/{country}/search", "/{country}/suggestions"].contains(route.pattern.text)
            if isSearch, let searches { route.middleware.append(searches) }
            return route
        } + StorefrontFormRoutes(store, blobs: blobs, signUps: signUps, files: errors, refused: again).routes
            + ViewRoutes(store, windows).routes
    }

    var reader: StorefrontReader { StorefrontReader(store) }

    // MARK: Where a page is looked at

    /// A request for a page, with who asks.
    struct Request: Sendable {
        let http: HTTPRequest
        var visit: StorefrontVisit

        /// Who is signed in in the browser. In a view inside an app too: the app knows its secret, and learns nothing by it of
        /// what the customer of the device has or says.
        var customer: WebScope? { visit.session?.scope }

        var reader: StorefrontReader.Reader {
            StorefrontReader.Reader(
                in: visit.storefront, languages: [visit.texts.language], scope: customer)
        }

        func query(_ name: String) -> String? { http.target.query[name] }
    }

    /// Answers with a page, which is remembered where it is the same for everybody.
    func answer(
        _ request: HTTPRequest, in storefront: StorefrontRecord, keeps: Bool = true,
        _ body: @escaping @Sendable (Request) async throws -> Answer
    ) async throws -> HTTPResponse {
        if let chosen = try languageChosen(request) { return chosen }
        let session = try await StorefrontFormRoutes.session(of: request, in: store)
        let view = request.target.query["view"]
        let shown: Visits.Shown? = if let view { try await Visits(store).find(view) } else { nil }
        if let view, shown?.state != .open { return HTTPResponse.redirect(to: "/view/\(PercentEncoding.encode(view))") }
        var visit = self.visit(of: request, in: storefront, session: session)
        visit.app = shown?.app
        visit.window = view.map(windows.open)
        let asked = Request(http: request, visit: visit)
        let ticket = try await self.ticket(request, isInApp: view != nil)
        guard keeps, session == nil, view == nil, ticket == nil else {
            var response = try await body(asked).response
            response.fields["Cache-Control"] = "no-store"
            if let ticket { response.fields["Set-Cookie"] = ticket.text }
            return response
        }
        return try await remembered(asked, body)
    }

    private func remembered(
        _ asked: Request, _ body: (Request) async throws -> Answer
    ) async throws -> HTTPResponse {
        let key = RememberedPages.Key(
            target: asked.http.target.raw, language: asked.visit.texts.language, address: asked.visit.address)
        let revision = try await reader.revision()
        let now = store.clocks.now(by: nil)
        if let kept = pages.find(key, of: revision, at: now) { return kept }
        let answer = try await body(asked)
        var response = answer.response
        response.fields["Cache-Control"] = "no-cache"
        response.fields["Vary"] = "Accept-Language, Cookie"
        if case .page = answer, case .bytes(let bytes) = response.body {
            response.fields["ETag"] = EntityTag(RememberedPages.digest(bytes)).text
            pages.keep(response, bytes: bytes.count, for: key, of: revision, at: now)
        }
        return response
    }

    /// What answers a request for a page.
    enum Answer: Sendable {
        // Closed: these two are what there is.
        case page(StorefrontPage)
        case other(HTTPResponse)

        var response: HTTPResponse {
            switch self {
            case .page(let page): page.page.response()
            case .other(let response): response
            }
        }
    }

    private func visit(
        of request: HTTPRequest, in storefront: StorefrontRecord, session: WebSession?
    ) -> StorefrontVisit {
        StorefrontVisit(
            environment: store.environment, storefront: storefront,
            texts: Self.texts(of: request, in: storefront, store.environment), session: session,
            view: request.target.query["view"], place: Self.place(of: request.target), prices: prices,
            address: address())
    }

    /// The page without its country, with what of its query makes it another page.
    static func place(of target: RequestTarget) -> String {
        let path = target.segments.dropFirst().map { "/" + PercentEncoding.encode($0) }.joined()
        let items = target.query.all.filter { !["l", "view", "at", "ct"].contains($0.name) }
        let query = items.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    /// In the language that was chosen, or else the first of the browser that there is, or else that of the country.
    static func texts(
        of request: HTTPRequest, in storefront: StorefrontRecord?, _ environment: StoreEnvironment
    ) -> Texts {
        let chosen = request.cookies[languageCookie(of: environment)]
        let accepted = (request.fields["Accept-Language"] ?? "").split(separator: ",").map {
            String($0.prefix { $0 != ";" }).trimmingPrefix(" ")
        }
        return Texts.best(
            for: [chosen].compactMap(\.self) + accepted.map(String.init) + (storefront?.languages ?? []))
    }

    private static func languageCookie(of environment: StoreEnvironment) -> String { "till_\(environment)_language" }
    private static let languageLife = 365 * 24 * 60 * 60

    /// Keeps the language that somebody chose in the foot, and leads back to the page.
    private func languageChosen(_ request: HTTPRequest) throws -> HTTPResponse? {
        guard let language = request.target.query["l"] else { return nil }
        let path = "/" + request.target.segments.map(PercentEncoding.encode).joined(separator: "/")
        let items = request.target.query.all.filter { $0.name != "l" }
        let query = items.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
        var response = HTTPResponse.redirect(to: query.isEmpty ? path : "\(path)?\(query)")
        if Texts.languages.contains(language) {
            response.fields["Set-Cookie"] =
                SetCookie(
                    Self.languageCookie(of: store.environment), language, maxAge: Self.languageLife,
                    isSecure: request.isSecure)?.text
        }
        return response
    }

    /// What a browser keeps that comes by the link of a partner. Inside apps it counts for nothing.
    private func ticket(_ request: HTTPRequest, isInApp: Bool) async throws -> SetCookie? {
        guard !isInApp, let token = request.target.query["at"] else { return nil }
        let referrals = Referrals(store)
        guard let ticket = try await referrals.ticket(token: token, campaign: request.target.query["ct"]) else {
            return nil
        }
        return SetCookie(
            referrals.cookie, ticket, maxAge: Int(Referral.life.components.seconds), isSecure: request.isSecure)
    }

    /// Of some items, those that whoever is signed in has.
    func owned(_ listings: [ItemListing], _ request: Request) async throws -> Set<Int64> {
        guard let customer = request.customer, !listings.isEmpty else { return [] }
        return try await Library(store).has(listings.map(\.storeID), customer)
    }

    // MARK: Home

    /// A route for each country, so that other paths of one word are what they were: nothing.
    private var homes: [Route] {
        StorefrontRecord.all.map { storefront in
            let home = "/\(storefront.alpha2.lowercased())"
            return .get(
                RoutePattern(home),
                suspending: { request in
                    try await answer(request, in: storefront) { asked in
                        let content = try await reader.home(for: asked.reader)
                        let all = content.features + content.newest.values.joined() + content.charts.all
                        let tiles = StorefrontTiles(visit: asked.visit, owned: try await owned(all, asked))
                        return .page(HomePage(tiles: tiles, content: content).page)
                    }
                })
        }
    }
}

/// Pages that are the same for everybody, as they were made: until the catalogue changes, and not for long, because ratings and
/// prices that were set beforehand change without it.
private final class RememberedPages: Sendable {
    struct Key: Hashable {
        let target: String
        let language: String
        let address: StoreAddress?
    }

    private struct Content {
        var revision: Int64 = 0
        var entries: [Key: (response: HTTPResponse, from: StoreTimes)] = [:]
        var bytes = 0
    }

    private static let life = Duration.seconds(10)
    private let content = Mutex(Content())

    func find(_ key: Key, of revision: Int64, at now: StoreTimes) -> HTTPResponse? {
        content.withLock { content in
            guard content.revision == revision, let entry = content.entries[key],
                entry.from.wall <= now.wall, now.wall < entry.from.wall + Self.life,
                entry.from.commerce <= now.commerce, now.commerce < entry.from.commerce + Self.life
            else { return nil }
            return entry.response
        }
    }

    func keep(_ response: HTTPResponse, bytes: Int, for key: Key, of revision: Int64, at now: StoreTimes) {
        content.withLock { content in
            // Another may have seen a newer one meanwhile.
            guard revision >= content.revision else { return }
            if revision > content.revision || content.bytes + bytes > StorefrontLimits.rememberedBytes
                || content.entries.count >= StorefrontLimits.remembered
            {
                content = Content(revision: revision)
            }
            content.entries[key] = (response, now)
            content.bytes += bytes
        }
    }

    /// FNV-1a: it tells one state of a page from another, and protects nothing.
    static func digest(_ bytes: [UInt8]) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}
