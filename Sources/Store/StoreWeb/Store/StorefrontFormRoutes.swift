import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// A form of the storefront that was refused, and that comes back as it was left.
// Closed: each has its page.
enum StorefrontForm: Hashable, Sendable {
    case signIn
    case signUp
    /// The button of an item.
    case purchase(storeID: Int64)
    case review(storeID: Int64)
    case report(ReviewID)
}

/// What the forms of the storefront send, and the files of libraries.
///
/// ```
/// POST /{country}/sign-in           email, password
/// POST /{country}/sign-up           firstName, lastName, email, password
/// POST /{country}/sign-out
/// POST /{country}/buy               item
/// POST /{country}/review            item, stars, title, body, nickname
/// POST /{country}/review/removal    item
/// POST /{country}/report            review, reason
/// POST /{country}/subscriptions/renewal    subscription, renews
/// GET  /{country}/library/{storeId}/file/{role}/{position}   a file, or a range of it; version
/// ```
///
/// `to` in the query is the page without its country to which a form leads, `view` the secret of a view inside an app. Whoever is
/// not signed in is led to sign in first, and from there back.
struct StorefrontFormRoutes: Sendable {
    /// The page of a form that was refused, with what was sent.
    typealias Refused =
        @Sendable (HTTPRequest, StorefrontForm, ServiceError, QueryItems) async throws -> HTTPResponse

    let store: EnvironmentStore
    let blobs: BlobSource
    private let signUps: RateLimit?
    /// How it is told that a file is not had.
    private let files: any ErrorForm
    private let refused: Refused

    /// - Parameters:
    ///   - signUps: how many accounts are made from one address.
    ///   - files: how it is told that a file is not had.
    ///   - refused: shows a form again.
    init(
        _ store: EnvironmentStore, blobs: BlobSource, signUps: RateLimit? = nil, files: any ErrorForm,
        refused: @escaping Refused
    ) {
        (self.store, self.blobs, self.signUps, self.files, self.refused) = (store, blobs, signUps, files, refused)
    }

    var routes: [Route] {
        let all: [Route] = [
            form("/{country}/sign-in", suspending: signIn),
            form("/{country}/sign-up", suspending: signUp),
            form("/{country}/sign-out", suspending: signOut),
            form("/{country}/buy", suspending: buy),
            form("/{country}/review", suspending: review),
            form("/{country}/review/removal", suspending: removeReview),
            form("/{country}/report", suspending: report),
            form("/{country}/subscriptions/renewal", suspending: renew),
            .get("/{country}/library/{storeId}/file/{role}/{position}", suspending: file),
        ]
        return all.map { route in
            var route = route
            route.errors = route.method == .get ? files : PageErrorForm()
            route.middleware += [SecurityHeaders.pages(), SheetHeaders()]
            if route.pattern.text == "/{country}/sign-up", let signUps { route.middleware.append(signUps) }
            return route
        }
    }

    private func form(
        _ pattern: RoutePattern,
        suspending body: @escaping @Sendable (HTTPRequest, FormInput) async throws -> HTTPResponse
    ) -> Route {
        .post(
            pattern, body: .collected(limit: FormInput.limit),
            suspending: { request in
                // Nothing is done for a page that is not there.
                _ = try request[Self.country]
                return try await body(request, FormInput(request))
            })
    }

    /// The storefront of a page.
    static let country = PathParameter<StorefrontRecord>("country", rule: "the two letters of a storefront") { text in
        text == text.lowercased() ? StorefrontRecord.storefront(alpha2: text.uppercased()) : nil
    }

    // MARK: Who it is

    /// The session of a request; nil where nobody is signed in.
    static func session(of request: HTTPRequest, in store: EnvironmentStore) async throws -> WebSession? {
        guard let token = try token(of: request, in: store) else { return nil }
        return try await WebSessions(store).find(token)
    }

    private static func token(of request: HTTPRequest, in store: EnvironmentStore) throws -> WebToken? {
        try request.cookies[WebSessions.cookie(of: store.environment)].map(WebToken.init(text:))
    }

    /// Where a form leads: a page of the same country and store, never of another host.
    private static func place(_ request: HTTPRequest) throws -> String {
        let country = try request[country].alpha2.lowercased()
        let place = request.target.query["to"] ?? ""
        let shown = "/\(country)\(place.hasPrefix("/") ? place : "")"
        let path = shown + view(of: request, after: shown.contains("?") ? "&" : "?")
        guard path.utf8.count <= longestPlace, path.unicodeScalars.allSatisfy(\.isASCII), let link = Link(path: path)
        else { return "/\(country)" }
        return link.text
    }

    private static let longestPlace = 2000

    /// The view inside an app that a form stands in, as a part of an address; empty in a browser of its own.
    static func view(of request: HTTPRequest, after mark: String) -> String {
        request.target.query["view"].map { "\(mark)view=\(PercentEncoding.encode($0))" } ?? ""
    }

    private static func seeOther(_ path: String) -> HTTPResponse {
        var response = HTTPResponse(.seeOther)
        response.fields["Location"] = path
        return response
    }

    /// Leads to sign in, and from there back.
    ///
    /// - Parameter place: the page to lead back to; nil for the one that the form says.
    static func signInFirst(_ request: HTTPRequest, thenTo place: String? = nil) throws -> HTTPResponse {
        let country = try request[country].alpha2.lowercased()
        let back = (place ?? request.target.query["to"]).map { "?to=\(PercentEncoding.encode($0))" } ?? ""
        return seeOther("/\(country)/sign-in\(back)" + view(of: request, after: back.isEmpty ? "?" : "&"))
    }

    /// Does something, and shows the form again where a person can mend what is wrong.
    private func answering(
        _ form: StorefrontForm, _ request: HTTPRequest, _ input: FormInput,
        _ body: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        do {
            return try await body()
        } catch let error as ServiceError {
            return try await refused(request, form, error, input.items)
        } catch let error as CatalogueError {
            let error = ServiceError(error.code, error.message, parameter: error.parameter)
            return try await refused(request, form, error, input.items)
        }
    }

    // MARK: Accounts

    private func signIn(_ request: HTTPRequest, _ form: FormInput) async throws -> HTTPResponse {
        try await answering(.signIn, request, form) {
            let begun = try await WebSessions(store).signIn(
                email: form["email"], password: form["password"], replacing: Self.token(of: request, in: store),
                from: request.peer)
            return try signedIn(begun, request)
        }
    }

    private func signUp(_ request: HTTPRequest, _ form: FormInput) async throws -> HTTPResponse {
        try await answering(.signUp, request, form) {
            let draft = Accounts.Draft(
                email: form["email"], password: form["password"], firstName: form["firstName"],
                lastName: form["lastName"], storefront: StorefrontCode(try request[Self.country]))
            let begun = try await WebSessions(store).signUp(
                draft, replacing: Self.token(of: request, in: store), from: request.peer, request: request.id)
            return try signedIn(begun, request)
        }
    }

    private func signedIn(_ begun: WebSessions.Begun, _ request: HTTPRequest) throws -> HTTPResponse {
        var response = Self.seeOther(try Self.place(request))
        response.fields["Set-Cookie"] =
            SetCookie(
                WebSessions.cookie(of: store.environment), begun.token.text,
                maxAge: Int(WebSessions.life.components.seconds), isSecure: request.isSecure)?.text
        return response
    }

    private func signOut(_ request: HTTPRequest, _ form: FormInput) async throws -> HTTPResponse {
        if let token = try Self.token(of: request, in: store) { try await WebSessions(store).signOut(token) }
        var response = Self.seeOther(try Self.place(request))
        response.fields["Set-Cookie"] =
            SetCookie(WebSessions.cookie(of: store.environment), "", maxAge: 0, isSecure: request.isSecure)?.text
        return response
    }

    // MARK: Buying

    private func buy(_ request: HTTPRequest, _ form: FormInput) async throws -> HTTPResponse {
        let (item, country) = (try Self.number(form["item"], "item"), StorefrontCode(try request[Self.country]))
        if let view = request.target.query["view"] { return try await buy(item, in: view, country, request, form) }
        guard let session = try await Self.session(of: request, in: store) else {
            return try Self.signInFirst(request)
        }
        return try await answering(.purchase(storeID: item), request, form) {
            let (referrals, ticket) = (Referrals(store), request.cookies[Referrals(store).cookie])
            let referral = if let ticket { try await referrals.referral(ticket) } else { Referral?.none }
            let opened = try await ItemSales(store).open(
                item, in: country, as: session.scope, isProven: session.isFresh(at: store.clocks.wall()),
                referral: referral, request: request.id)
            return PaymentSheetRoutes.signedIn(opened.token, request, proof: opened.proof, in: store.environment)
        }
    }

    /// Buys inside an app, as whoever is signed in on the device, else in the browser. What partners say of the link does not count there.
    private func buy(
        _ item: Int64, in view: String, _ country: StorefrontCode, _ request: HTTPRequest, _ form: FormInput
    ) async throws -> HTTPResponse {
        let shown = try await Visits(store).require(view)
        let session = try await Self.session(of: request, in: store)
        guard let buyer = shown.buyer ?? session?.scope else { return try Self.signInFirst(request) }
        return try await answering(.purchase(storeID: item), request, form) {
            let opened = try await ItemSales(store).open(
                item, in: country, as: buyer, referral: nil, request: request.id)
            try await Visits(store).note(opened.purchase, at: view, request: request.id)
            return PaymentSheetRoutes.signedIn(opened.token, request, proof: nil, in: store.environment)
        }
    }

    // MARK: Reviews

    private func review(_ request: HTTPRequest, _ form: FormInput) async throws -> HTTPResponse {
        let item = try Self.number(form["item"], "item")
        guard let session = try await Self.session(of: request, in: store) else {
            return try Self.signInFirst(request)
        }
        return try await answering(.review(storeID: item), request, form) {
            guard let stars = Int(form["stars"]) else {
                throw ServiceError(.valueMissing, "one to five stars", parameter: "stars")
            }
            // Stars alone are enough; a text is whole.
            let isText = ["title", "body"].contains { !form[$0].isEmpty }
            let text =
                try isText
                ? CustomerReview.Text(title: form["title"], body: form["body"], nickname: form["nickname"]) : nil
            try await Ratings(store).write(text, stars: stars, of: item, as: session.scope, request: request.id)
            return Self.seeOther(try Self.place(request))
        }
    }

    private func removeReview(_ request: HTTPRequest, _ form: FormInput) async throws -> HTTPResponse {
        let item = try Self.number(form["item"], "item")
        guard let session = try await Self.session(of: request, in: store) else {
            return try Self.signInFirst(request)
        }
        try await Ratings(store).remove(of: item, as: session.scope, request: request.id)
        return Self.seeOther(try Self.place(request))
    }

    private func report(_ request: HTTPRequest, _ form: FormInput) async throws -> HTTPResponse {
        let id = try ReviewID(number: Self.number(form["review"], "review"))
        guard let session = try await Self.session(of: request, in: store) else {
            return try Self.signInFirst(request)
        }
        return try await answering(.report(id), request, form) {
            try await Ratings(store).report(
                id, because: CustomerReview.Reason(rawValue: form["reason"]), as: session.scope, request: request.id)
            return Self.seeOther(try Self.place(request))
        }
    }

    // MARK: Subscriptions

    /// Lets a subscription end with its period, or renew after all.
    private func renew(_ request: HTTPRequest, _ form: FormInput) async throws -> HTTPResponse {
        let id = try SubscriptionID(number: Self.number(form["subscription"], "subscription"))
        guard ["yes", "no"].contains(form["renews"]) else {
            throw ServiceError(.valueInvalid, "renews is yes or no", parameter: "renews")
        }
        guard let session = try await Self.session(of: request, in: store) else {
            return try Self.signInFirst(request, thenTo: "/library")
        }
        try await OwnSubscriptions(store).renew(
            id, form["renews"] == "yes", as: session.scope, request: request.id)
        let country = try request[Self.country].alpha2.lowercased()
        return Self.seeOther("/\(country)/library#\(SubscriptionRows.anchor)")
    }

    private static func number(_ text: String, _ field: String) throws -> Int64 {
        guard let number = Int64(text), number > 0 else {
            throw ServiceError(.valueInvalid, "this is no number of something of the store", parameter: field)
        }
        return number
    }
}
