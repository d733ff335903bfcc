import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// Where a page or a form of the console takes effect.
// Closed: a page is of its environment, of the catalogue that both have, or of what production sells.
enum PageScope: Sendable {
    /// In the environment of the page.
    case here
    /// In the catalogue, as far as production does not sell by it.
    case both
    /// In what production sells, or in its money.
    case production

    func scope(of environment: StoreEnvironment) -> Actor.Scope {
        switch self {
        case .here: .environment(environment)
        case .both: .both
        case .production: .production
        }
    }
}

/// Somebody who looks at a page of the console, or sends a form of it.
struct ConsoleVisit: Sendable {
    /// The cookie of a session. There is one for both environments, which the page distinguishes by its path.
    static let cookie = "till_console"
    /// The member of every form that only a page of the session can know.
    static let proof = "proof"

    let services: ConsoleServices
    let request: HTTPRequest
    let environment: StoreEnvironment
    let store: EnvironmentStore
    let session: OperatorSessions.Session
    /// What a form has to have.
    let proof: String
    /// What could not be done, above the page from which it was asked for.
    var problem: String?
    /// The form that asked for it.
    var sent: SentForm?
    /// Where the page is only read, for what it would show.
    var reading: PageReading?

    var now: Instant { services.wall() }
    /// The address of a form that was sent, as its page names it.
    var action: String { String(request.target.raw.prefix { $0 != "?" }) }
    var query: QueryItems { request.target.query }
    /// A command of till on this store and, where it is about one environment, on this one.
    ///
    /// - Parameter words: what follows `till`.
    func command(_ words: String) -> String {
        let isOfEnvironment = Self.commandsOfEnvironment.contains(String(words.prefix { $0 != " " }))
        let place = isOfEnvironment && environment != .sandbox ? " --environment \(environment)" : ""
        return "till \(words)\(place)" + (services.options.isEmpty ? "" : " " + services.options)
    }

    /// The commands that take an environment, which is the sandbox where nothing is said.
    private static let commandsOfEnvironment: Set = [
        "approve", "buy", "codes", "devices", "feed", "finance", "find", "inspect", "ledger", "listen", "notifications",
        "overview", "partners",
        "processor",
        "purchases", "ratings", "refunds", "requests",
        "self-test", "subscriptions", "system",
        "transactions", "why",
    ]

    /// A link to another page of the same environment.
    func link(_ path: String, _ query: (String, String?)...) -> Link { link(path, all: query) }

    /// The same, of a query that was put together.
    func link(_ path: String, all query: [(String, String?)]) -> Link {
        let items = query.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))" } }
        let text = Self.path(environment, path) + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
        return Link(path: text) ?? Link("/console")
    }

    /// A link to a list in an order of its own, beside what was looked for.
    func link<Column>(_ path: String, _ order: TableOrder<Column>, _ query: (String, String?)...) -> Link {
        link(path, all: query + order.items.map { ($0.name, $0.value) })
    }

    /// Where the visitor begins in an environment: at the overview, or at what their role is for.
    func beginning(in environment: StoreEnvironment) -> Link {
        let path = actor.may(.customers, change: false) ? "" : actor.may(.review, change: true) ? "/review" : "/apps"
        return Link(path: Self.path(environment, path)) ?? Link("/console")
    }

    static func path(_ environment: StoreEnvironment, _ path: String) -> String { "/console/\(environment)\(path)" }

    var actor: Actor { session.actor }
    /// What a change of a customer's things is done by.
    var cause: ChangeCause { store.cause(actor, request: request.id) }
    /// What the visitor does with the catalogue.
    var editing: CatalogueEditing {
        services.catalogue.editing(by: actor, request: request.id, commerce: store.clocks.commerce)
    }

    /// Whether the visitor may read, or change, what belongs to some work.
    ///
    /// - Parameter scope: where it takes effect.
    func may(_ work: OperatorWork, change isChange: Bool = false, _ scope: PageScope = .here) -> Bool {
        actor.may(work, change: isChange, in: scope.scope(of: environment))
    }

    /// Refuses what the visitor may not do.
    func require(_ work: OperatorWork, change isChange: Bool, _ scope: PageScope) throws(CatalogueError) {
        try actor.require(work, change: isChange, in: scope.scope(of: environment))
    }

    /// Refuses what the visitor may not change, and says where the visitor has to go first; nil for nowhere.
    func requireChange(_ work: OperatorWork, _ scope: PageScope) throws(CatalogueError) -> Link? {
        if let toMissingFactor { return toMissingFactor }
        try require(work, change: true, scope)
        return nil
    }

    /// Where somebody has to go whose role needs a second factor that is not there; nil for all others.
    var toMissingFactor: Link? { session.lacksFactor ? link(AccountSection.factorPath) : nil }

    /// The name of the session, which only its browser knows.
    var cookie: String { request.cookies[Self.cookie] ?? "" }
    /// What the browser calls itself.
    var client: String { request.client }
    /// Where somebody types a password or a code.
    var place: GuessPlace { .page(request.peer) }

    /// Refuses a form that is not of a page of this session.
    func requireProof(in form: FormInput) throws(APIError) { try require(form[Self.proof]) }

    /// The same of a form that sends a file.
    func requireProof(in upload: UploadInput) throws(APIError) { try require(upload.fields[Self.proof] ?? "") }

    private func require(_ shown: String) throws(APIError) {
        guard SecretComparison.areEqual(Array(shown.utf8), Array(proof.utf8)) else {
            throw APIError(
                .forbidden, code: "foreign_form", "This form is not of a page of your session; load it again.")
        }
    }

    /// A price of a storefront, in the one form of the console, which is in English, wherever it is paid.
    func text(_ money: Money, in storefront: StorefrontCode? = nil) -> String {
        guard storefront?.storefront != nil, let english = StorefrontRecord.storefront(alpha3: "USA") else {
            return "\(money)"
        }
        return services.prices.text(of: money, language: "en", storefront: english)
    }
}

extension ConsoleVisit {
    /// Where the product of the path is found.
    var product: ProductPath {
        get throws { ProductPath(try request[ConsolePath.bundle], try request[ConsolePath.product]) }
    }
}

extension ProductPath {
    /// The path of its page.
    var link: String { "/apps/\(app)/products/\(product)" }
}

extension ConsoleVisit {
    /// How many seconds a page waits for something to happen.
    private static let wait = 25

    /// Answers as soon as a state of the store is not as the page knows it.
    func pulse(reading state: @Sendable () async throws -> String) async throws -> HTTPResponse {
        let known = query["after"] ?? ""
        var pulse = known
        for _ in 0..<Self.wait where pulse == known {
            // Nobody signals that an app has asked, so the books are looked at.
            let now = try await store.waiters.wait(for: "console", on: .customerEvents, upTo: .seconds(1)) {
                let now = try await state()
                return now == known ? nil : now
            }
            if let now { pulse = now }
            if Task.isCancelled || store.waiters.isOver { break }
        }
        var response = HTTPResponse.text(pulse)
        response.fields["Cache-Control"] = "no-store"
        return response
    }
}
