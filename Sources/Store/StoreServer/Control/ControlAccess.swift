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
