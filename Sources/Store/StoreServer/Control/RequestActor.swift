import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

extension HTTPRequest {
    /// Who asks, as the door found out; nobody, who may do nothing, where no door did.
    var actor: Actor { context[Actor.self] ?? .nobody }

    /// What a change of a customer's things is done by.
    func cause(in store: EnvironmentStore) -> ChangeCause { store.cause(actor, request: name) }
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
        catalogue.editing(by: request.actor, request: request.name, commerce: sales?.clocks.commerce)
    }

    /// The same for a change of a product, which is a draft of what is live unless the request publishes it.
    func drafting(_ request: HTTPRequest) throws -> CatalogueEditing {
        try editing(request).publishing(request.flag("publish"))
    }
}

extension HTTPRequest {
    /// Where the product of the path is found.
    var product: ProductPath {
        get throws { try ProductPath(self[CataloguePaths.bundleID], self[CataloguePaths.productID]) }
    }
}
