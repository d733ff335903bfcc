import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// A section of the console: the pages and forms of one kind of thing.
protocol ConsoleSection: Sendable {
    var services: ConsoleServices { get }
    var routes: [Route] { get }
}

extension ConsoleSection {
    typealias Answer = @Sendable (ConsoleVisit) async throws -> HTTPResponse

    /// A page of an environment, for those whose role includes it.
    ///
    /// - Parameter scope: where what it shows belongs.
    func page(
        _ path: String, for work: OperatorWork, _ scope: PageScope, _ answer: @escaping Answer
    ) -> Route {
        .get(RoutePattern("/console/{environment}" + path)) { request in
            guard let visit = try await visit(request) else { return toEntrance }
            if let missing = visit.toMissingFactor { return redirect(to: missing) }
            try visit.require(work, change: false, scope)
            return try await answer(visit)
        }
    }

    /// A page about the visitor, for which nobody needs a right.
    func ownPage(_ path: String, _ answer: @escaping Answer) -> Route {
        .get(RoutePattern("/console/{environment}" + path)) { request in
            guard let visit = try await visit(request) else { return toEntrance }
            return try await answer(visit)
        }
    }

    /// A form about the visitor, for which nobody needs a right.
    func ownForm(
        _ path: String, _ answer: @escaping @Sendable (ConsoleVisit, FormInput) async throws -> HTTPResponse,
        else page: @escaping Answer
    ) -> Route {
        posted(path, .usual, { _ in nil }, answer, else: page)
    }

    /// A form of a page.
    ///
    /// - Parameters:
    ///   - scope: where its change takes effect.
    ///   - change: does what the form asks for, and says where to go then.
    ///   - page: the page of the form, which says what was refused, with everything as it was left.
    ///   - limits: how much it may send.
    func form(
        _ path: String, for work: OperatorWork, _ scope: PageScope, limits: FormInput.Limits = .usual,
        _ change: @escaping @Sendable (ConsoleVisit, FormInput) async throws -> Link,
        else page: @escaping Answer
    ) -> Route {
        posted(
            path, limits, { try $0.requireChange(work, scope) }, { redirect(to: try await change($0, $1)) }, else: page)
    }

    /// A form whose answer is shown once, on the page itself.
    func shown(
        _ path: String, for work: OperatorWork, _ scope: PageScope, limits: FormInput.Limits = .usual,
        _ answer: @escaping @Sendable (ConsoleVisit, FormInput) async throws -> HTTPResponse,
        else page: @escaping Answer
    ) -> Route {
        posted(path, limits, { try $0.requireChange(work, scope) }, answer, else: page)
    }

    /// - Parameter requirement: throws what the visitor may not do, and says where the visitor has to go first.
    private func posted(
        _ path: String, _ limits: FormInput.Limits, _ requirement: @escaping @Sendable (ConsoleVisit) throws -> Link?,
        _ answer: @escaping @Sendable (ConsoleVisit, FormInput) async throws -> HTTPResponse,
        else page: @escaping Answer
    ) -> Route {
        .post(RoutePattern("/console/{environment}" + path), body: .collected(limit: limits.bytes)) { request in
            guard let visit = try await visit(request) else { return toEntrance }
            let input = try FormInput(request, limits)
            try visit.requireProof(in: input)
            if let first = try requirement(visit) { return redirect(to: first) }
            guard input.items[ConcurrentEdit.member] != nil else {
                return try await answered(visit, input, answer, page)
            }
            return try await services.edits.run(visit.action) {
                if let edit = try await concurrentEdit(visit, input.items, page) {
                    return try await changedMeanwhile(edit, visit, page)
                }
                return try await answered(visit, input, answer, page)
            }
        }
    }

    private func answered(
        _ visit: ConsoleVisit, _ input: FormInput,
        _ answer: @Sendable (ConsoleVisit, FormInput) async throws -> HTTPResponse, _ page: Answer
    ) async throws -> HTTPResponse {
        do {
            return try await answer(visit, input)
        } catch {
            return try await refused(error, visit, input.items, page)
        }
    }

    /// What others have changed since a form was opened, as far as its sender may see it; nil for nothing.
    private func concurrentEdit(
        _ visit: ConsoleVisit, _ sent: QueryItems, _ page: Answer
    ) async throws -> ConcurrentEdit? {
        var now = visit
        let reading = PageReading()
        now.reading = reading
        // Where its page cannot be shown, the use case says why.
        guard (try? await page(now)) != nil else { return nil }
        return reading.form(sentTo: visit.action).flatMap { ConcurrentEdit(sent, form: $0) }
    }

    /// The page of a form that would have overwritten what its sender does not know.
    private func changedMeanwhile(
        _ edit: ConcurrentEdit, _ visit: ConsoleVisit, _ page: Answer
    ) async throws -> HTTPResponse {
        var visit = visit
        visit.problem = ConcurrentEdit.summary
        visit.sent = SentForm(
            action: visit.action, items: edit.merged,
            problems: [FormProblem(nil, ConcurrentEdit.summary)] + edit.problems, shown: edit.shown)
        var response = try await page(visit)
        response.status = .conflict
        return response
    }

    /// A form that sends a file, which is read while it arrives, and not before it is known that it may come.
    ///
    /// - Parameters:
    ///   - scope: where its change takes effect.
    ///   - limit: the bytes that the file may have.
    func upload(
        _ path: String, for work: OperatorWork, _ scope: PageScope, limit: Int,
        _ change: @escaping @Sendable (ConsoleVisit, inout UploadInput) async throws -> Link,
        else page: @escaping Answer
    ) -> Route {
        lookedAt(path, for: work, scope, limit: limit, { redirect(to: try await change($0, &$1)) }, else: page)
    }

    /// The same where the answer is a page that shows what is in the file.
    func lookedAt(
        _ path: String, for work: OperatorWork, _ scope: PageScope, limit: Int,
        _ answer: @escaping @Sendable (ConsoleVisit, inout UploadInput) async throws -> HTTPResponse,
        else page: @escaping Answer
    ) -> Route {
        let policy = BodyPolicy.streamed(limit: limit + UploadInput.overhead)
        return .post(
            RoutePattern("/console/{environment}" + path), body: policy,
            suspending: { request in
                guard let visit = try await visit(request) else { return toEntrance }
                if let first = try visit.requireChange(work, scope) { return redirect(to: first) }
                var fields = QueryItems()
                do {
                    var input = try await UploadInput(request, limit: limit)
                    fields = QueryItems(input.fields.map { QueryItems.Item(name: $0.key, value: $0.value) })
                    try visit.requireProof(in: input)
                    return try await answer(visit, &input)
                } catch {
                    return try await refused(error, visit, fields, page)
                }
            })
    }

    /// The page of a form that was refused, as it was left, with the reason above it and beside its field. Throws what no
    /// person can mend there.
    private func refused(
        _ error: any Error, _ visit: ConsoleVisit, _ items: QueryItems, _ page: Answer
    ) async throws -> HTTPResponse {
        guard let problems = FormProblem.all(of: error) else { throw error }
        var visit = visit
        visit.problem = problems.map(\.whole).joined(separator: " ")
        visit.sent = SentForm(action: visit.action, items: items, problems: problems)
        var response = try await page(visit)
        if let refusal = error as? any Refusal, [.notAllowed, .productionRequired].contains(refusal.code) {
            response.status = .forbidden
        }
        return response
    }

    /// The visit of a request; nil without a session.
    func visit(_ request: HTTPRequest) async throws -> ConsoleVisit? {
        try await services.visit(request, in: request[ConsolePath.environment])
    }

    func redirect(to link: Link) -> HTTPResponse {
        var response = HTTPResponse(.seeOther)
        response.fields["Location"] = link.text
        response.fields["Cache-Control"] = "no-store"
        return response
    }

    /// The answer to whoever has no session.
    var toEntrance: HTTPResponse { redirect(to: Link(ConsolePath.entrance)) }
}

/// The parameters of paths that several sections have.
enum ConsolePath {
    static let environment = PathParameter<StoreEnvironment>("environment", rule: "production or sandbox") {
        StoreEnvironment(rawValue: $0)
    }
    static let bundle = PathParameter<BundleID>("bundleId", rule: "the bundle id of an app") { BundleID($0) }
    static let product = PathParameter<ProductID>("productId", rule: "the id of a product") { ProductID($0) }
    /// What the answer to a visit without a session is: the way in.
    static let entrance: StaticString = "/console/sign-in"
}
