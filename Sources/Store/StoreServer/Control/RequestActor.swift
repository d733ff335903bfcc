import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService

extension HTTPRequest {
    /// Who asks, as the door found out; nobody, who may do nothing, where no door did.
    var actor: Actor { context[Actor.self] ?? .nobody }

    /// What a change of a customer's things is done by.
    func cause(in store: EnvironmentStore) -> ChangeCause { store.cause(actor, request: name) }

    /// What a change of the catalogue is done by.
    func catalogueCause(at now: Instant) -> CatalogueCause { CatalogueCause(actor, request: name, at: now) }
}

/// What a route of the control interface lets somebody do, and where it takes effect.
struct Right: Sendable {
    let work: OperatorWork
    let scope: Actor.Scope

    /// Refuses a request of somebody who may not.
    func require(_ actor: Actor, for request: HTTPRequest) throws(CatalogueError) {
        try actor.require(work, change: ![.get, .head].contains(request.method), in: scope)
    }
}

extension ControlStore {
    /// What whoever asks does with the catalogue.
    func editing(_ request: HTTPRequest) -> CatalogueEditing {
        CatalogueEditing(
            databases.catalogue, by: request.actor, request: request.name, numbers: catalogueNumbers, now: now)
    }
}

extension HTTPRequest {
    /// Where the product of the path is found.
    var product: ProductPath {
        get throws { try ProductPath(self[CataloguePaths.bundleID], self[CataloguePaths.productID]) }
    }
}

extension Actor {
    /// Refuses a request whose path is of another team's.
    func requireTeam(of request: HTTPRequest, in catalogue: any Database) async throws {
        if let team, let id = request.parameters.text("teamId"), id != team.text {
            throw CatalogueError(.teamUnknown, "there is no team \(id) for this token", field: "teamId")
        }
        guard let text = request.parameters.text("bundleId"), let bundle = BundleID(text) else { return }
        try await requireTeam(of: bundle, in: catalogue)
    }

    /// Refuses an app of another team. An unknown app is refused too: an actor of a team makes none in passing.
    func requireTeam(of bundle: BundleID, in catalogue: any Database) async throws {
        guard let team else { return }
        guard try await catalogue.lookUp({ try Catalogue.app(bundle, in: $0) })?.teamID == team else {
            throw CatalogueError(.appUnknown, "the team has no app of this bundle id", field: "bundleId")
        }
    }
}
