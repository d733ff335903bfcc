import StoreCatalogue
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreService

/// Lists, items and files.
extension StorefrontRoutes {
    static let country = StorefrontFormRoutes.country
    private static let storeID = PathParameter<Int64>("storeId", rule: "the store id of an item") { text in
        Int64(text).flatMap { $0 > 0 ? $0 : nil }
    }
    private static let digest = PathParameter<String>("digest", rule: "the SHA-256 of a file") { $0 }

    /// What a request for a number of rows to leave out says; nothing else counts as none.
    private static func start(_ text: String?) -> Int {
        min(max(0, text.flatMap { Int($0) } ?? 0), StorefrontReader.most)
    }

    /// What is said where there is nothing of that name.
    static let nothing = APIError(.notFound, code: "path_unknown", "There is nothing at this path.", parameter: "path")

    // MARK: Lists

    var lists: [Route] {
        let sections = StorefrontSection.allCases.map { section in
            Route.get(RoutePattern("/{country}" + section.path), suspending: { try await category($0, section) })
        }
        let others: [Route] = [
            .get("/{country}/search", suspending: { try await search($0) }),
            .get("/{country}/suggestions", suspending: { try await suggestions($0) }),
            .get("/{country}/reviews/{storeId}", suspending: { try await reviews($0) }),
            .get(
                "/{country}/countries",
                suspending: { request in
                    try await answer(request, in: request[Self.country]) { asked in
                        let place = asked.query("to") ?? ""
                        return .page(
                            StorefrontCountries.page(asked.visit, to: EntryPages.isPlace(place) ? place : ""))
                    }
                }),
        ]
        return sections + others
    }

    private func category(_ request: HTTPRequest, _ section: StorefrontSection) async throws -> HTTPResponse {
        try await answer(request, in: request[Self.country]) { asked in
            let genre = asked.query("genre").flatMap { Int($0) }.flatMap(Genre.find)
            guard genre == nil || genre?.root == section.kind.rootGenre else { throw Self.nothing }
            let offset = Self.start(asked.query("offset"))
            let content = try await reader.category(
                section.kind, genre: genre?.id, from: offset, limit: StorefrontLimits.listed, for: asked.reader)
            let tiles = StorefrontTiles(visit: asked.visit, owned: try await owned(content.listings, asked))
            return .page(
                CategoryPage(tiles: tiles, section: section, genre: genre, content: content, offset: offset).page)
        }
    }

    private func search(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answer(request, in: request[Self.country]) { asked in
            let term = String((asked.query("term") ?? "").prefix(StorefrontLimits.term))
            let section = asked.query("kind").flatMap(StorefrontSection.init)
            let offset = Self.start(asked.query("from"))
            if let item = try await reader.item(numbered: term, for: asked.reader) {
                return .other(.redirect(to: asked.visit.link(item.link(in: asked.visit.storefront)).text))
            }
            let content = try await reader.search(
                term, kinds: Set(ItemKind.all.filter { section == nil || StorefrontSection($0) == section }),
                from: offset, limit: StorefrontLimits.listed, for: asked.reader,
                others: StorefrontCountries.near(asked.visit.storefront))
            let tiles = StorefrontTiles(visit: asked.visit, owned: try await owned(content.listings, asked))
            let suggested = try await reader.suggestions(term, for: asked.reader)
            return .page(
                SearchPage(
                    tiles: tiles, term: term, content: content, section: section, offset: offset,
                    suggestions: suggested.map { SearchSuggestion($0, tiles) }
                ).page)
        }
    }

    /// What the script shows below the field.
    private func suggestions(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answer(request, in: request[Self.country], keeps: false) { asked in
            let term = String((asked.query("term") ?? "").prefix(StorefrontLimits.term))
            let tiles = StorefrontTiles(visit: asked.visit)
            let found = try await reader.suggestions(term, for: asked.reader).map { SearchSuggestion($0, tiles) }
            return .other(HTTPResponse(part: SearchSuggestion.list(found, asked.visit)))
        }
    }

    private func reviews(_ request: HTTPRequest) async throws -> HTTPResponse {
        let storeID = try request[Self.storeID]
        return try await answer(request, in: request[Self.country]) { asked in
            let before = asked.query("before").flatMap { Int64($0) }.flatMap { try? ReviewID(number: $0) }
            let found = try await reader.reviews(
                of: storeID, before: before, limit: StorefrontLimits.reviews, for: asked.reader)
            guard let found else { throw Self.nothing }
            let owns = try await !owned([found.item], asked).isEmpty && asked.visit.session != nil
            let last = found.reviews.reviews.count == StorefrontLimits.reviews ? found.reviews.reviews.last?.id : nil
            let next = last.map { asked.visit.link("/reviews/\(storeID)", ("before", "\($0)")) }
            return .page(
                ReviewsPart(visit: asked.visit, item: found.item, content: found.reviews, owns: owns).page(
                    next: next, told: asked.query("told") == "report" ? asked.visit.text("shop.report_done") : nil))
        }
    }

    // MARK: Items and artists

    /// All forms of links: with and without country and name, and the old ones.
    var items: [Route] {
        let forms = StorePage.known.map(\.rawValue).sorted().flatMap { page in
            ["/{country}/\(page)/{name}/{id}", "/{country}/\(page)/{id}", "/\(page)/{name}/{id}", "/\(page)/{id}"]
        }
        return (forms + ["/WebObjects/MZStore.woa/wa/{action}"]).map { form in
            var route = Route.get(RoutePattern(form), suspending: { try await linked($0) })
            // Some programs end links so; the canonical one has none.
            route.mayEndWithSlash = true
            return route
        }
    }

    private func linked(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let link = try? StoreLink(parsing: request.target.raw),
            link.country == nil || link.storefront != nil
        else { throw Self.nothing }
        let storefront = link.storefront ?? Self.storefront(of: request)
        return try await answer(request, in: storefront) { asked in
            if link.page == .artist || link.page == .developer { return try await artist(link, asked) }
            return try await item(link, asked)
        }
    }

    /// Where somebody probably is whose link has no country: in that of the first language of the browser.
    private static func storefront(of request: HTTPRequest) -> StorefrontRecord {
        let languages: [Substring] = (request.fields["Accept-Language"] ?? "").split(separator: ",")
        let regions = languages.compactMap { language -> Substring? in
            let tag: Substring = language.prefix { $0 != ";" }
            return tag.split(separator: "-").dropFirst().first { $0.count == 2 }
        }
        return regions.lazy.compactMap { StorefrontRecord.storefront(alpha2: $0.uppercased()) }.first
            ?? StorefrontRecord.storefront(alpha2: "US") ?? StorefrontRecord.all[0]
    }

    private func item(_ link: StoreLink, _ asked: Request) async throws -> Answer {
        let content = try await reader.item(
            link.storeID, reviews: StorefrontLimits.reviewsShown, for: asked.reader)
        guard let content else {
            if let app = try await reader.outsideApp(link.storeID, for: asked.reader) { return outside(app, asked) }
            return try await artist(link, asked)
        }
        let listing = content.page.listing
        let chosen = link.item.flatMap { id in content.page.children.first { $0.storeID == id }?.storeID }
        var canonical = listing.link(in: asked.visit.storefront)
        if let chosen { canonical.item = chosen }
        if let elsewhere = Self.redirect(asked, to: canonical, among: content.page.purchases) {
            return .other(elsewhere)
        }
        let page = content.page
        let shown = [listing] + page.children + page.related + page.byArtist
        let tiles = StorefrontTiles(visit: asked.visit, owned: try await owned(shown, asked))
        return .page(ItemFrontPage(tiles: tiles, content: content, chosen: chosen).page)
    }

    private func outside(_ app: StorefrontReader.OutsideApp, _ asked: Request) -> Answer {
        let link = AppOutsidePage.link(of: app.app, in: asked.visit.storefront)
        if let elsewhere = Self.redirect(asked, to: link, among: app.purchases) { return .other(elsewhere) }
        return .page(AppOutsidePage(visit: asked.visit, content: app).page)
    }

    private func artist(_ link: StoreLink, _ asked: Request) async throws -> Answer {
        let content = try await reader.artist(link.storeID, limit: StorefrontLimits.listed, for: asked.reader)
        guard let content else { throw Self.nothing }
        if let elsewhere = Self.redirect(asked, to: content.artist.link(in: asked.visit.storefront)) {
            return .other(elsewhere)
        }
        let shown = content.works.flatMap(\.listings)
        let tiles = StorefrontTiles(visit: asked.visit, owned: try await owned(shown, asked))
        return .page(ArtistPage(tiles: tiles, content: content).page)
    }

    /// The way from another form of a link to its canonical one; nil for that itself.
    ///
    /// - Parameter products: what is sold in an app. The link of one, which names it as `item`, leads to its place on the page.
    private static func redirect(
        _ asked: Request, to link: StoreLink, among products: [ProductListing] = []
    ) -> HTTPResponse? {
        let (target, kept) = (asked.http.target, ["view"])
        let own = target.query.all.filter { !kept.contains($0.name) }
        // However it is escaped.
        let path = "/" + target.segments.map(PercentEncoding.encode).joined(separator: "/")
        let isCanonical =
            path == StorefrontVisit.path(of: link.path) && own == StorefrontVisit.query(of: link.path)
            && !target.endsWithSlash
        guard !isCanonical else { return nil }
        let product = asked.query("item").flatMap { Int64($0) }.flatMap { number in
            products.first { $0.product.itemID.number == number }?.product.productID.text
        }
        let place = product.map { "#\($0)" } ?? ""
        return .redirect(to: asked.visit.link(link).text + place, status: .movedPermanently)
    }

    // MARK: Files

    /// A picture or a sample. Its address has its digest, so that browsers keep it for ever; nothing of it is a page of the store.
    var file: Route {
        .get(
            "/files/{storeId}/{digest}",
            suspending: { request in
                let found = try await reader.publicFile(request[Self.digest], of: request[Self.storeID])
                guard let file = found, let content = try blobs.content(of: file.blob, bytes: file.bytes) else {
                    throw Self.nothing
                }
                var response = try HTTPResponse.blob(content, type: file.mediaType, to: request)
                response.fields["Cache-Control"] = "public, max-age=31536000, immutable"
                response.fields["Content-Security-Policy"] = "sandbox; default-src 'none'"
                response.fields["Cross-Origin-Resource-Policy"] = "cross-origin"
                return response
            })
    }
}
