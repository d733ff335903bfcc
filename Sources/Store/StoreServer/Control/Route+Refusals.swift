import StoreHTTP
import StoreModel
import StoreService

extension Route {
    /// The route, telling in the form of the interface what a use case refuses.
    var tellingRefusals: Route {
        var route = self
        let handler = handler
        route.handler = .suspending { request in
            do {
                return try await handler.answer(request)
            } catch let error as CatalogueError {
                throw APIError(error)
            } catch let error as ServiceError {
                throw APIError(error)
            }
        }
        return route
    }
}

extension APIError {
    /// A refusal of the catalogue as clients are told it.
    init(_ error: CatalogueError) {
        let status: HTTPStatus =
            switch error.code {
            case .appUnknown, .productUnknown, .nameUnknown: .notFound
            case .appExists, .kindFixed, .productRemoved, .nameTaken, .limitReached: .conflict
            default: .badRequest
            }
        // A sentence about a field begins with its name.
        let message = error.field == nil ? Self.sentence(error.message) : "\(error)."
        self.init(status, code: error.code.rawValue, message, parameter: error.field)
    }
}
