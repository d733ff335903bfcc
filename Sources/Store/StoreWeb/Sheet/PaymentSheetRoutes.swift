package import StoreCatalogue
import StoreFoundation
package import StoreHTTP
import StoreModel
import StoreRules
package import StoreService

/// The pages on which customers pay: `/pay/{token}`. Whoever knows the address may answer; production wants the password too.
package struct PaymentSheetRoutes: Sendable {
    private let store: EnvironmentStore
    private let prices: PriceText
    private let blobs: CatalogueBlobs
    private let views: PageWindows
    private let signUps: RateLimit?

    /// - Parameter signUps: how many accounts are made, and codes and links tried, from one address.
    package init(
        _ store: EnvironmentStore, prices: PriceText = PriceText(),
        blobs: CatalogueBlobs = CatalogueBlobs(),
        signUps: RateLimit? = nil,
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.signUps = signUps
        views = PageWindows(wait)
        self.store = store
        self.prices = prices
        self.blobs = blobs
    }

    package var routes: [Route] {
        let sheet = PaymentSheet(store)
        let policy = BodyPolicy.collected(limit: FormInput.limit)
        let own: [Route] = [
            .get(
                "/pay/{token}",
                suspending: { request in
                    let token = try request[Self.token]
                    let isProven = try await isProven(request, token, sheet)
                    return try await page(
                        sheet.content(token, in: Self.language(request)), token, isProven: isProven,
                        declined: request.target.query.values(Self.declined)
                    ).page.response()
                }),
            .post(
                "/pay/{token}/closing", body: policy,
                suspending: { request in
                    let (token, form, name) = (try request[Self.token], try FormInput(request), request.id)
                    if let view = Int(form["view"]) {
                        views.close(token, view) { try? await sheet.close(token, request: name) }
                    }
                    return HTTPResponse(.noContent)
                }),
            .post("/pay/{token}/sign-in", body: policy, suspending: { try await signIn($0, sheet) }),
            .get("/pay/{token}/sign-up") { request in
                let token = try request[Self.token]
                let page = try await page(sheet.content(token, in: Self.language(request)), token)
                return (page.isUnpayable ? page.page : page.signUp(nil)).response()
            },
            .post("/pay/{token}/sign-up", body: policy, suspending: { try await signUp($0, sheet) }),
            .post("/pay/{token}/recovery", body: policy) { request in
                let (token, form) = (try request[Self.token], try FormInput(request))
                try await sheet.recoverPassword(token, of: form["email"], request: request.id)
                return Self.back(to: token)
            },
            .post("/pay/{token}/confirmation", body: policy, suspending: { try await confirm($0, sheet) }),
            .post("/pay/{token}/payment", body: policy, suspending: { try await payAgain($0, sheet) }),
            .post(
                "/pay/{token}/cancellation", body: policy,
                suspending: { request in
                    _ = try FormInput(request)
                    let token = try request[Self.token]
                    try await sheet.cancel(token, request: request.id)
                    return Self.back(to: token)
                }),
            .post("/pay/{token}/action", body: policy) { request in
                let (token, form) = (try request[Self.token], try FormInput(request))
                try await sheet.act(token, completed: form["answer"] == "yes")
                return Self.back(to: token)
            },
            .get("/pay/{token}/image", suspending: { try await image($0, sheet) }),
        ]
        return own.map { route in
            var route = route
            route.errors = PageErrorForm()
            route.middleware += [SecurityHeaders.pages(), SheetHeaders()]
            if route.method == .post, route.pattern.text == "/pay/{token}/sign-up", let signUps {
                route.middleware.append(signUps)
            }
            return route
        } + AccountRoutes(store, guesses: signUps).routes + RedemptionRoutes(store, guesses: signUps).routes
            + WebAssets.routes
    }

    /// What no log may show of paths; also of approvals and of ways to another password.
    package static let secrets = PathSecrets(["token"], after: ["/pay", "/approve", "/recovery"])
    private static let token = PathParameter<String>("token", rule: "the end of the address of a purchase") { $0 }

    private func page(
        _ content: PaymentSheet.Content, _ token: String, problem: String? = nil, email: String = "",
        isProven: Bool = false, declined: [String] = []
    ) -> PaymentSheetPage {
        let waits = content.status.purchase?.state.isOpen == true || content.status.charge?.rules.awaitsChoice == true
        return PaymentSheetPage(
            content: content, token: token, environment: store.environment, prices: prices, problem: problem,
            email: email, isProven: isProven, declined: declined,
            view: waits ? views.open(token) : nil)
    }

    /// The language of a page that no device has opened.
    private static func language(_ request: HTTPRequest) -> String { Texts.of(request).language }

    /// The cookie of a sign-in on a page. Browsers tell both listeners of a host the same cookies, so that its name has the
    /// environment.
    private var cookie: String { Self.cookie(of: store.environment) }
    private static func cookie(of environment: StoreEnvironment) -> String { "till_\(environment)_sheet" }

    private func isProven(_ request: HTTPRequest, _ token: String, _ sheet: PaymentSheet) async throws -> Bool {
        guard let proof = request.cookies[cookie] else { return false }
        return try await sheet.isProven(token, by: proof)
    }

    /// What follows a form, so that a page that is loaded again sends nothing again.
    private static func back(to token: String) -> HTTPResponse {
        var response = HTTPResponse(.seeOther)
        response.fields["Location"] = "/pay/\(token)"
        return response
    }

    private func signIn(_ request: HTTPRequest, _ sheet: PaymentSheet) async throws -> HTTPResponse {
        let (token, form) = (try request[Self.token], try FormInput(request))
        do {
            return signedIn(
                token, request,
                proof: try await sheet.signIn(
                    token, email: form["email"], password: form["password"], from: request.peer, request: request.id))
        } catch let error as ServiceError where Self.isOfForm(error) {
            return try await again(request, sheet, error, email: form["email"])
        }
    }

    /// Makes an account and signs it in on the device.
    private func signUp(_ request: HTTPRequest, _ sheet: PaymentSheet) async throws -> HTTPResponse {
        let (token, form) = (try request[Self.token], try FormInput(request))
        do {
            return signedIn(
                token, request,
                proof: try await sheet.signUp(
                    token, email: form["email"], password: form["password"], firstName: form["firstName"],
                    lastName: form["lastName"], from: request.peer, request: request.id))
        } catch let error as ServiceError where [.emailTaken, .valueInvalid, .valueMissing].contains(error.code) {
            let content = try await sheet.content(token, in: Self.language(request))
            let texts = Texts.best(for: [content.language])
            let problem =
                error.code == .emailTaken
                ? texts.page("sheet.email_taken")
                : error.parameter == "password" ? texts.page("sheet.password_short") : texts.page("sheet.email_wrong")
            return page(content, token, problem: problem).signUp(form).response(.badRequest)
        }
    }

    /// What follows a sign-in: the page, and the proof of it for a while.
    private func signedIn(_ token: String, _ request: HTTPRequest, proof: String?) -> HTTPResponse {
        Self.signedIn(token, request, proof: proof, in: store.environment)
    }

    static func signedIn(
        _ token: String, _ request: HTTPRequest, proof: String?, in environment: StoreEnvironment
    ) -> HTTPResponse {
        var response = back(to: token)
        if let proof {
            response.fields["Set-Cookie"] =
                SetCookie(
                    cookie(of: environment), proof, path: "/pay/\(token)",
                    maxAge: Int(PaymentSheet.proofTime.components.seconds),
                    isSecure: request.isSecure, sameSite: .strict)?.text
        }
        return response
    }

    private func confirm(_ request: HTTPRequest, _ sheet: PaymentSheet) async throws -> HTTPResponse {
        let (token, form) = (try request[Self.token], try FormInput(request))
        do {
            let proof = try await sheet.confirm(
                token, code: form["code"], password: form["password"],
                isProven: isProven(request, token, sheet), paidWith: Self.choice(form), from: request.peer,
                request: request.id)
            return signedIn(token, request, proof: proof)
        } catch let error as ServiceError where Self.isOfForm(error) {
            return try await again(request, sheet, error)
        }
    }

    private func payAgain(_ request: HTTPRequest, _ sheet: PaymentSheet) async throws -> HTTPResponse {
        let (token, form) = (try request[Self.token], try FormInput(request))
        do {
            let proof = try await sheet.payAgain(
                token, after: Int(form["attempt"]) ?? 0, password: form["password"],
                isProven: isProven(request, token, sheet), with: Self.choice(form), from: request.peer,
                request: request.id)
            var response = signedIn(token, request, proof: proof)
            let declined = form.items.values(Self.declined).map { "\(Self.declined)=\(PercentEncoding.encode($0))" }
            if !declined.isEmpty { response.fields["Location"]? += "?" + declined.joined(separator: "&") }
            return response
        } catch let error as ServiceError where Self.isOfForm(error) {
            return try await again(request, sheet, error, declined: form.items.values(Self.declined))
        }
    }

    /// What says which cards were declined, in the form and in the address that follows it: only the page knows all of them.
    private static let declined = "declined"

    private static func choice(_ form: FormInput) -> PaymentSheet.Choice {
        PaymentSheet.Choice(form["method"], isRemembered: form["remember"] == "yes")
    }

    /// What a person can mend on the page itself.
    private static func isOfForm(_ error: ServiceError) -> Bool {
        [.credentialsWrong, .notSignedIn, .valueMissing, .priceChanged, .tooMany, .testerSpent].contains(error.code)
    }

    private func again(
        _ request: HTTPRequest, _ sheet: PaymentSheet, _ error: ServiceError, email: String = "",
        declined: [String] = []
    ) async throws -> HTTPResponse {
        let token = try request[Self.token]
        let content = try await sheet.content(token, in: Self.language(request))
        let texts = Texts.best(for: [content.language])
        let problem =
            switch error.code {
            case .priceChanged: texts.page("sheet.price_changed")
            case .notSignedIn: texts.page("sheet.signed_out")
            case .valueMissing: texts.page("sheet.password_missing")
            case .tooMany: texts.page("sheet.too_many_guesses")
            default: texts.find(error.code) ?? texts.page("sheet.error_sent")
            }
        return page(content, token, problem: problem, email: email, declined: declined).page.response(refusing: error)
    }

    private func image(_ request: HTTPRequest, _ sheet: PaymentSheet) async throws -> HTTPResponse {
        try await sheet.image(request[Self.token]).response(from: blobs)
    }
}

extension ProductImage? {
    /// The picture, if there is one.
    func response(from blobs: CatalogueBlobs) async throws -> HTTPResponse {
        guard let image = self, let bytes = try await blobs.bytes(of: image) else {
            throw APIError(.notFound, code: "image_unknown", "There is no picture.")
        }
        return HTTPResponse(.ok, bytes, as: image.mediaType)
    }
}

extension Page {
    /// The page that says what was refused, and after what time something else may be said.
    func response(refusing error: ServiceError) -> HTTPResponse {
        var response = response(error.code == .tooMany ? .tooManyRequests : .badRequest)
        if let wait = error.retryAfter { response.fields["Retry-After"] = String(wait.components.seconds) }
        return response
    }
}

/// What the pages of purchases have beside what all pages have: nothing of them is kept, pictures neither, as their addresses
/// are secrets.
struct SheetHeaders: Middleware {
    func end(_ response: inout HTTPResponse, of request: HTTPRequest) {
        response.fields["Cache-Control"] = "no-store"
    }
}

/// Errors as pages, in the first language of the browser that there is.
///
/// The message of an error is for developers, and in English. A customer is told what to do next, and has the number of the
/// request for whoever looks it up.
struct PageErrorForm: ErrorForm {
    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        let texts = Texts.of(request)
        return Page(texts.page("sheet.error"), in: texts.language, kind: "sheet") {
            main(.class("pay")) {
                div(.class("outcome \(error.status == .notFound ? "calm" : "bad")"), .role("status")) {
                    h1 { texts.page("sheet.error") }
                    p { Self.sentence(of: error, texts) }
                }
                p(.class("muted next")) { texts.page("sheet.error_request", ["id": request.id]) }
            }
        }.response(error.status).carrying(error.fields)
    }

    private static func sentence(of error: APIError, _ texts: Texts) -> String {
        switch error.status {
        case .notFound: texts.page("sheet.over")
        case .forbidden: texts.page("sheet.error_foreign")
        // Nothing was wrong with what only came too often.
        case .tooManyRequests where error.code == "rate_limit_exceeded": texts("error.too_many")
        case .tooManyRequests: texts.page("sheet.too_many_guesses")
        case _ where error.status.rawValue >= 500: texts.page("sheet.error_later")
        default: texts.page("sheet.error_sent")
        }
    }
}

extension HTTPResponse {
    /// The response with what an error says to programs, such as how long to wait.
    func carrying(_ fields: HTTPFields) -> HTTPResponse {
        var response = self
        for field in fields.all { response.fields.add(field.name, field.value) }
        return response
    }
}
