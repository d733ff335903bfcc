import StoreCatalogue
package import StoreHTTP
package import StoreModel
package import StoreService
import Synchronization

/// `GET /search` and `/lookup`, as clients of the App Store's search API call them.
///
/// The answer is JSON in `text/javascript`, or a call of the function that the client names. Anybody may ask, so many times a
/// minute; the store's own pages do not ask here.
package struct SearchRoutes: Sendable {
    private let search: StorefrontSearch
    private let prices: PriceText
    private let rate: SearchRate?
    private let address: @Sendable () -> StoreAddress?
    private let tellsReasons: Bool

    /// - Parameters:
    ///   - rate: how often one address may ask; nil for as often as it likes.
    ///   - address: where the store is reached; links are without a host where that is not known.
    ///   - tellsReasons: whether callers are told in `Till-Reason` what a look-up found wrong.
    package init(
        _ store: EnvironmentStore, prices: PriceText, rate: SearchRate? = nil, tellsReasons: Bool? = nil,
        address: @escaping @Sendable () -> StoreAddress?
    ) {
        search = StorefrontSearch(store)
        (self.prices, self.rate, self.address) = (prices, rate, address)
        self.tellsReasons = tellsReasons ?? (store.environment == .sandbox)
    }

    package var routes: [Route] {
        let all = [
            Route.get("/search", suspending: { try await answer($0, of: found) }).documented(Self.searchDocumentation),
            Route.get("/lookup", suspending: { try await answer($0, of: lookedUp) }).documented(
                Self.lookupDocumentation),
        ]
        return all.map { route in
            var route = route
            route.errors = SearchErrors()
            route.mayEndWithSlash = true
            return route
        }
    }

    private func answer(
        _ request: HTTPRequest, of results: (SearchCall, QueryItems) async throws -> Answer
    ) async throws -> HTTPResponse {
        try rate?.require(request)
        let query = request.target.query
        let call: SearchCall
        do throws(SearchCall.Fault) {
            call = try SearchCall(query)
        } catch {
            return SearchErrors.invalid(error.keys)
        }
        let answer = try await results(call, query)
        let writer = SearchResultWriter(
            answer.results, in: call.storefront, version: call.version, prices: prices, address: address())
        var response = SearchRoutes.response(writer.objects, callback: call.callback)
        if tellsReasons { response.fields["Till-Reason"] = answer.reason }
        return response
    }

    private struct Answer {
        var results: StorefrontSearch.Results
        /// What was wrong with what was asked, though the answer has no place for it.
        var reason: String?
    }

    private func found(_ call: SearchCall, _: QueryItems) async throws -> Answer {
        guard let term = call.term, !call.kinds.isEmpty else { return Answer(results: .init()) }
        var request = search.request(term, kinds: call.kinds, in: call.storefront)
        request.attribute = call.attribute
        request.genre = call.genre
        request.allowsExplicit = call.allowsExplicit
        request.isNewestFirst = call.isNewestFirst
        return Answer(
            results: try await search.results(
                request, language: call.language, offset: call.offset, limit: call.limit))
    }

    private func lookedUp(_ call: SearchCall, _ query: QueryItems) async throws -> Answer {
        let asked = LookupCall(query)
        var ids =
            try await asked.storeIDs
            + search.storeIDs(apps: asked.bundles, books: asked.books, trade: asked.trade)
        if call.hasKinds {
            let wanted = ItemKind.all.filter { call.kinds.contains(SearchKinds($0)) }
            var all: [Int64] = []
            for id in ids.prefix(Self.expanded) {
                all += try await [id] + search.contents(of: id, kinds: wanted, limit: call.limit)
            }
            ids = all
        }
        let stranger = asked.strangers.first
        return Answer(
            results: try await search.lookUp(
                Array(ids.prefix(SearchLimits.results)), in: call.storefront, language: call.language),
            reason: stranger.map(Self.reason))
    }

    /// Numbers of one look-up of which what belongs to them is looked for.
    private static let expanded = 20

    private static func reason(_ stranger: String) -> String {
        BundleID(stranger) != nil && stranger.contains(".")
            ? "id takes store ids, which are numbers; a bundle id is looked up with bundleId"
            : "id takes store ids, which are numbers"
    }

    /// The body, as the App Store writes it.
    private static func response(_ results: [JSONValue], callback: String?) -> HTTPResponse {
        let list = results.map(\.text).joined(separator: ",\n")
        let body = "{\n \"resultCount\":\(results.count),\n \"results\": [\(results.isEmpty ? "" : "\n")\(list)]\n}"
        let text = callback.map { "\($0)(\(body));" } ?? "\n\n\n\(body)\n\n\n"
        return SearchErrors.embeddable(HTTPResponse(.ok, Array(text.utf8), as: mediaType))
    }

    static let mediaType = "text/javascript; charset=utf-8"
}

/// How often one address may ask: each has so many calls a minute, of whichever path.
package final class SearchRate: Sendable {
    private let buckets: Mutex<TokenBuckets>
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - perMinute: calls at once, and in a minute in the long run.
    ///   - clock: nanoseconds since 1970.
    package init(perMinute: Int, clock: @escaping @Sendable () -> Int64) {
        buckets = Mutex(TokenBuckets(capacity: perMinute, perMinute: perMinute, keys: Self.mostAddresses))
        now = clock
    }

    /// Addresses that are remembered.
    private static let mostAddresses = 10_000

    func require(_ request: HTTPRequest) throws(APIError) {
        let instant = now()
        let outcome = buckets.withLock { $0.take(request.peer.network, at: instant) }
        guard !outcome.isAllowed else { return }
        let seconds = max(1, (outcome.waitNanoseconds + 999_999_999) / 1_000_000_000)
        var error = APIError(
            .forbidden, code: "rate_limit_exceeded", "Too many calls came from here; wait \(seconds) s.")
        error.fields["Retry-After"] = String(seconds)
        throw error
    }
}

/// How the search API tells errors: a sentence, and what its parameters are.
struct SearchErrors: ErrorForm {
    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        var response = Self.response(error.status, error.message)
        for field in error.fields.all { response.fields.add(field.name, field.value) }
        return response
    }

    /// Of values that are none of those that a parameter takes.
    static func invalid(_ keys: [String]) -> HTTPResponse {
        response(.badRequest, "Invalid value(s) for key(s): [\(keys.joined(separator: ", "))]")
    }

    private static func response(_ status: HTTPStatus, _ message: String) -> HTTPResponse {
        let body = JSONValue.object([
            .init("errorMessage", .string(message)),
            .init("queryParameters", .object(parameters.map { .init($0, .string($1)) })),
        ])
        var response = HTTPResponse(status, body.bytes, as: SearchRoutes.mediaType)
        response.fields["Cache-Control"] = "no-store"
        return embeddable(response)
    }

    /// Lets pages of others load an answer as a script, which is what `callback` is for.
    static func embeddable(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response
    }

    private static let parameters = [
        ("output", "json"), ("callback", "A javascript function to handle your search results"),
        ("country", "ISO-2A country code"), ("limit", "The number of search results to return"),
        ("term", "A search string"), ("lang", "ISO-2A language code"),
    ]
}
