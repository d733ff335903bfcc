import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

extension ItemRoutes {
    private static let role = PathParameter<ItemFile.Role>("role", rule: "what a file of an item is for") {
        let role = ItemFile.Role(rawValue: $0)
        return role.isKnown ? role : nil
    }
    private static let position = PathParameter<Int>("position", rule: "the place of a file, from 1 on") {
        Int($0).flatMap { $0 > 0 ? $0 : nil }
    }

    /// The files of items.
    var fileRoutes: [Route] {
        let path = RoutePattern(Self.path + "/{storeId}/files/{role}/{position}")
        let place: [OperationDocumentation.Parameter] = [
            .path(Self.role, schema: .string(among: ItemFile.Role.all.map(\.rawValue))),
            .path(Self.position, schema: .integer(minimum: 1, maximum: 100)),
            .query("version", "The version of the app that it is a package of."),
        ]
        return [
            .put(path, body: .streamed(limit: Int(ItemFileLimits.packageBytes)), suspending: put)
                .documented(
                    OperationDocumentation(
                        id: "putItemFile",
                        summary:
                            "Gives an item a file in place of the one that stands there. Production shows it once it is approved.",
                        description: "What it is, its bytes say; the media type of the request counts for nothing.",
                        tag: Self.tag,
                        parameters: [Self.item] + place + [
                            .query("name", "What it is called when it is downloaded."),
                            .query("alternativeText", "What is to be seen on it, for those who do not see it."),
                        ], body: .text("application/octet-stream"),
                        responses: [
                            .init(.ok, "The item.", .json(.of(ItemDetailsMessage.self))),
                            .init(.badRequest, "It is no file that will do.", .error),
                            .init(.notFound, "There is no such item.", .error),
                            .init(.contentTooLarge, "It is too large.", .error),
                            .init(.unavailable, "There is no room left, or no folder is open.", .error),
                        ])
                ).refusing([
                    .valueInvalid, .valueMissing, .nameUnknown, .limitReached, .stateWrong, .storeUnavailable,
                ]),
            .delete(path) { request in
                try await answer(store.editing(request).removeFile(at: Self.place(request), of: request[Self.storeID]))
            }
            .described(
                "removeItemFile", "Takes an item a file: the draft of a place, or else the one that is shown.",
                tag: Self.tag, parameters: [Self.item] + place,
                answers: [.init(.ok, "The item.", .of(ItemDetailsMessage.self))],
                refusals: [.nameUnknown, .stateWrong]),
        ]
    }

    private static func place(_ request: HTTPRequest) throws -> ItemFilePlace {
        try ItemFilePlace(
            request[role], position: request[position],
            version: request.target.query["version"].flatMap { $0.isEmpty ? nil : $0 })
    }

    private func put(_ request: HTTPRequest) async throws -> HTTPResponse {
        let place = try Self.place(request)
        let query = request.target.query
        let file = NewItemFile(
            place, called: query["name"] ?? place.role.rawValue, alternativeText: query["alternativeText"])
        let body = request.body.stream
        return try await answer(
            store.editing(request).putFile(
                file, of: request[Self.storeID], in: CatalogueBlobs(store.blobs.callAsFunction)
            ) { try await body.next() })
    }
}
