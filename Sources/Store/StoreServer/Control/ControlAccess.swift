import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService

/// Who uses the control interface: whoever owns the store, or the bearer of a token.
struct ControlAccess: Sendable {
    /// What the audit calls them.
    let name: String
    let role: OperatorTokens.Role
    /// The team to which they are limited; nil for all.
    let team: TeamID?

    /// The commands on the machine of the store.
    static let owner = ControlAccess(name: "owner", role: .operator, team: nil)

    @TaskLocal static var current = ControlAccess.owner

    init(name: String, role: OperatorTokens.Role, team: TeamID?) {
        self.name = name
        self.role = role
        self.team = team
    }

    init(_ token: OperatorTokens.Entry) {
        self.init(name: token.member ?? token.name, role: token.role, team: token.team)
    }

    func actor(_ request: HTTPRequest) -> CatalogueActor { CatalogueActor(name, request: request.name) }

    /// What is done with routes of the same kind.
    // Closed: each has its line in the table of who may do what.
    enum Work: CaseIterable {
        /// Apps, products and prices.
        case catalogue
        /// Decisions about what was submitted.
        case review
        /// Members of a team.
        case members
        /// Agreements, bank and tax data.
        case finance
        /// Teams as a whole, and what is for the apps of all teams.
        case teams
        /// Secrets with which servers of developers have receipts of an app verified, and provisioning profiles.
        case secrets
        /// Customers, devices and purchases.
        case customers
    }

    /// Whether a role may read, and whether it may change, what belongs to some work.
    static func may(_ role: OperatorTokens.Role, change isChange: Bool, _ work: Work) -> Bool {
        if role == .operator { return true }
        return switch (work, role) {
        case (.catalogue, .owner), (.catalogue, .developer): true
        case (.catalogue, .reviewer), (.catalogue, .support), (.catalogue, .finance): !isChange
        case (.review, .reviewer): true
        case (.review, .owner), (.review, .developer), (.review, .support): !isChange
        case (.members, .owner): true
        case (.members, _): !isChange
        case (.finance, .owner), (.finance, .finance): true
        case (.secrets, .owner), (.secrets, .developer): true
        case (.customers, .support): true
        default: false
        }
    }

    /// Throws if the path of a request is of another team's.
    func requireTeam(of request: HTTPRequest, in catalogue: any Database) async throws {
        if let team, let id = request.parameters.text("teamId"), id != team.text {
            throw CatalogueError(.teamUnknown, "there is no team \(id) for this token", field: "teamId")
        }
        guard let text = request.parameters.text("bundleId"), let bundle = BundleID(text) else { return }
        try await requireTeam(of: bundle, in: catalogue)
    }

    /// Throws if an app is another team's. One that is not there is nobody's: who is limited to a team does not make it in
    /// passing.
    func requireTeam(of bundle: BundleID, in catalogue: any Database) async throws {
        guard let team else { return }
        guard try await catalogue.lookUp({ try Catalogue.app(bundle, in: $0) })?.teamID == team else {
            throw CatalogueError(.appUnknown, "the team has no app of this bundle id", field: "bundleId")
        }
    }
}
