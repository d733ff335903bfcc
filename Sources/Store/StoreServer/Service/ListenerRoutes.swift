package import StoreHTTP

/// Everything that the listener of an environment answers, and what it says of it.
package struct ListenerRoutes: Sendable {
    /// What programs may ask, the description of the interface with it.
    package let routes: [Route]
    /// The description of the interface.
    package let document: OpenAPIDocument

    /// - Parameters:
    ///   - version: of the program.
    ///   - parts: the routes of each topic.
    package init(version: String, _ parts: [Route]...) {
        let described = parts.flatMap(\.self).map(Self.mayBeUnavailable)
        let document = OpenAPIDocument(
            title: "Till", version: version, schemas: [APIError.schemaName: APIError.schema],
            routes: described + [Self.description([])])
        self.document = document
        routes = described + [Self.description(document.bytes)]
    }

    /// Whatever has errors of our form may have this one.
    private static func mayBeUnavailable(_ route: Route) -> Route {
        guard let documentation = route.documentation, documentation.responses.contains(where: \.isError) else {
            return route
        }
        var route = route
        if !documentation.responses.contains(where: { $0.status == .unavailable }) {
            route.documentation?.responses.append(
                .init(.unavailable, "The store cannot answer just now; Retry-After says when to ask again.", .error))
        }
        return route
    }

    private static func description(_ bytes: [UInt8]) -> Route {
        Route.get("/openapi.json") { _ in HTTPResponse(.ok, bytes, as: "application/json") }
            .documented(
                OperationDocumentation(
                    id: "describe", summary: "This description, in OpenAPI.", tag: "operators",
                    responses: [
                        .init(.ok, "The description.", .json(.object(["openapi": .string(), "paths": .object([])])))
                    ]))
    }
}
