package import StoreDatabase
package import StoreModel

/// Who does something: made at the door through which a request comes, carried by every change, named in every history.
///
/// The door is a device or a customer's page, a session of the console, a token, the socket of the store's own machine, or
/// work that was due. What an actor may do is required twice: by the route or page, which declares it, and by the use case.
package struct Actor: Hashable, Sendable {
    package let kind: Kind
    /// A customer's number, the name of a token or the address of a member; nil where the kind says who it is.
    package let name: String?
    /// What those may do who look after the store; nil for all others.
    package let role: OperatorTokens.Role?
    /// The team to which the actor is limited; nil for all.
    package let team: TeamID?
    /// The environment to which the actor is limited; nil for both.
    package let environment: StoreEnvironment?
    /// The name of the token that was shown; nil without one.
    package let token: String?

    /// What kind of actor it is; more may be added.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A customer, on a device or a page.
        package static let customer = Kind(rawValue: "customer")
        /// An adult of a family, who decides for a child.
        package static let approver = Kind(rawValue: "approver")
        /// Whoever has the machine of the store.
        package static let owner = Kind(rawValue: "owner")
        /// The bearer of a token of the store's.
        package static let `operator` = Kind(rawValue: "operator")
        /// A member of a team, by a token.
        package static let member = Kind(rawValue: "member")
        /// A server of a developer, by a key of its team.
        package static let server = Kind(rawValue: "server")
        /// Nobody that is known; may do nothing.
        package static let nobody = Kind(rawValue: "nobody")
        /// The store itself: work that is due, recovery, an answer of the processor.
        package static let store = Kind(rawValue: "store")
    }

    private init(
        _ kind: Kind, name: String? = nil, role: OperatorTokens.Role? = nil, team: TeamID? = nil,
        environment: StoreEnvironment? = nil, token: String? = nil
    ) {
        self.kind = kind
        self.name = name
        self.role = role
        self.team = team
        self.environment = environment
        self.token = token
    }

    package static let nobody = Actor(.nobody)
    package static let store = Actor(.store)
    package static let owner = Actor(.owner, role: .operator)
    /// A customer who is known by whom a change concerns.
    package static let customer = Actor(.customer)

    package static func customer(_ id: CustomerID) -> Actor { Actor(.customer, name: "\(id)") }

    /// Whoever has the address of a page on which nobody in particular decides.
    package static let approver = Actor(.approver)

    package static func approver(_ id: CustomerID) -> Actor { Actor(.approver, name: "\(id)") }

    /// The bearer of a token.
    package init(_ token: OperatorTokens.Entry) {
        self.init(
            token.member == nil ? .operator : .member, name: token.member ?? token.name, role: token.role,
            team: token.team, environment: token.environment, token: token.name)
    }

    /// Somebody who came in by a password: one of a team, or one of the store's own people.
    package init(person email: String, role: OperatorTokens.Role, team: TeamID?) {
        self.init(team == nil ? .operator : .member, name: email, role: role, team: team)
    }

    /// Whether it looks after the store itself: whoever has its machine, or one of its people who may do everything. A token
    /// does not, so that one that was stolen makes no other.
    package var keepsStore: Bool {
        switch kind {
        case .owner, .store: true
        case .operator: role == .operator && token == nil
        default: false
        }
    }

    /// A server that has a key of its team, in the environment that it asks.
    package init(_ key: APIKeys.Entry, in environment: StoreEnvironment) {
        self.init(.server, name: key.id, team: key.team, environment: environment, token: key.name)
    }

    /// What histories write: `owner`, `operator/ci`, `member/anna@example.com (laptop)`, `server/ABCDE12345`,
    /// `customer/1104`, `store`.
    package var text: String {
        guard let name else { return kind.rawValue }
        return "\(kind.rawValue)/\(name)" + (kind == .member ? token.map { " (\($0))" } ?? "" : "")
    }

    /// The actor of a change that concerns a customer: whoever is only known to be the customer gets the number.
    package func concerning(_ customer: CustomerID?) -> Actor {
        guard kind == .customer, name == nil, let customer else { return self }
        return .customer(customer)
    }
}

extension Actor {
    /// Who did something, after what was done, from the text of a history: ` by operator ci`. Empty for the store itself,
    /// whose work is due by itself.
    package static func phrase(of text: String) -> String {
        let words = words(of: text)
        return words.isEmpty ? "" : " by \(words)"
    }

    /// Who did something, from the text of a history; empty for the store itself.
    ///
    /// - Parameter role: what those may do who look after the store, where it is known.
    package static func words(of text: String, role: OperatorTokens.Role? = nil) -> String {
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        let name = parts.count > 1 ? parts[1] : nil
        return switch parts.first.map(Kind.init) {
        case .store?, nil: ""
        case .owner?: "the owner"
        case .customer?: "the customer"
        case .approver?: name.map { "customer \($0), who approves" } ?? "a parent"
        case .member?: name ?? "a member"
        case .operator?: name.map { "\((role ?? .operator).rawValue) \($0)" } ?? "an operator"
        case .server?: name.map { "the server with key \($0)" } ?? "a server"
        default: text
        }
    }

    /// Where the effect of some work is.
    // Closed: a token is of one environment, and the catalogue is of both.
    package enum Scope: Hashable, Sendable {
        /// In one environment: its customers, money, keys and secrets.
        case environment(StoreEnvironment)
        /// In the catalogue, as far as production does not sell by it.
        case both

        /// What only production does: decisions of a review, agreements, banks, members, what is sold there.
        package static let production = Scope.environment(.production)
    }

    /// Whether the actor's role includes some work, wherever it is.
    package func may(_ work: OperatorWork, change isChange: Bool) -> Bool {
        switch kind {
        case .store, .owner: return true
        // What is of its team's apps, as far as the routes let it ask.
        case .server: return work == .customers
        default: break
        }
        guard let role, role.may(work, change: isChange) else { return false }
        // Customers belong to the store, not to a team, and nobody of a team decides about what the team sells.
        return team == nil || work != .customers && !(work == .review && isChange)
    }

    /// Whether the actor may do some work where it takes effect.
    package func may(_ work: OperatorWork, change isChange: Bool, in scope: Scope) -> Bool {
        may(work, change: isChange) && reaches(scope)
    }

    /// Whether something with this scope is within the actor's environment.
    package func reaches(_ scope: Scope) -> Bool {
        guard case .environment(let wanted) = scope, let environment else { return true }
        return environment == wanted
    }

    /// Refuses what the actor's role does not include, and what takes effect outside of the actor's environment.
    package func require(_ work: OperatorWork, change isChange: Bool = true, in scope: Scope) throws(CatalogueError) {
        guard may(work, change: isChange) else {
            let who =
                role.map { "the role \($0.rawValue)\(team.map { " of team \($0)" } ?? "")" } ?? "a \(kind.rawValue)"
            let decides = work == .review && isChange && role?.may(work, change: true) == true
            throw CatalogueError(
                .notAllowed,
                decides
                    ? "review is the store's: \(who) does not decide about what the team sells"
                    : "\(who) does not include this", field: "Authorization", isNamed: true)
        }
        try requireReach(of: scope)
    }

    /// Refuses what takes effect outside of the actor's environment.
    package func requireReach(of scope: Scope) throws(CatalogueError) {
        guard !reaches(scope), case .environment(let wanted) = scope, let environment else { return }
        guard wanted == .production else {
            throw CatalogueError(
                .notAllowed, "this wants a token of \(wanted); the one that was shown is of \(environment)",
                field: "Authorization", isNamed: true)
        }
        throw CatalogueError(
            .productionRequired,
            "this concerns what production sells, its customers or its money, and the token that was shown is of the "
                + "\(environment): use a token of production, or a product of your own to test with",
            field: "Authorization",
            isNamed: true)
    }
}

/// Who changes the catalogue, by which request, and when.
package struct CatalogueCause: Hashable, Sendable {
    let actor: Actor
    /// The id of the request; nil for what no request brings about.
    let request: String?
    package let at: Instant
    /// Whether production sells by it at once, instead of after its publication.
    package let publishes: Bool

    /// - Parameter publishes: what the store does itself is no draft.
    package init(_ actor: Actor, request: String? = nil, publishes: Bool? = nil, at instant: Instant) {
        self.actor = actor
        self.request = request
        self.publishes = publishes ?? (actor.kind == .store)
        at = instant
    }

    /// A change that it is the cause of.
    package func change(in transaction: any WriteTransaction) -> CatalogueChange {
        CatalogueChange(actor, request: request, publishes: publishes, at: at, in: transaction)
    }
}

/// A change of the catalogue: one transaction, with who makes it.
package struct CatalogueChange {
    package let transaction: any WriteTransaction
    let actor: Actor
    /// The id of the request; nil for what no request brings about.
    let request: String?
    package let at: Instant
    /// Whether production sells by it at once, instead of after its publication.
    package let publishes: Bool
    /// Whether it is part of a change that is noted as a whole.
    private(set) var isPart = false

    /// - Parameter publishes: what the store does itself is no draft.
    package init(
        _ actor: Actor, request: String? = nil, publishes: Bool? = nil, at instant: Instant,
        in transaction: any WriteTransaction
    ) {
        self.transaction = transaction
        self.actor = actor
        self.request = request
        self.publishes = publishes ?? (actor.kind == .store)
        at = instant
    }

    /// For the steps of a change that is noted as a whole.
    var part: CatalogueChange {
        var part = self
        part.isPart = true
        return part
    }

    /// Refuses what the actor may not do where it takes effect.
    func require(_ work: OperatorWork, in scope: Actor.Scope) throws(CatalogueError) {
        try actor.require(work, in: scope)
    }
}
