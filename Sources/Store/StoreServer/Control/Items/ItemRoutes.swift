import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Items of the storefront by HTTP: apps, music, films, television, books, and who made them.
struct ItemRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    var routes: [Route] { itemRoutes + priceRoutes + fileRoutes + artistRoutes }

    static let tag = "items"
    static let path = "/control/v1/items"
    private static let artistPath = "/control/v1/artists"
    static let storeID = PathParameter<Int64>("storeId", rule: "the store id of an item")
    private static let artistID = PathParameter<Int64>("artistId", rule: "the store id of an artist")
    private static let version = PathParameter<String>("version", rule: "a version of the app, such as 1.0") {
        $0.isEmpty ? nil : $0
    }
    private static let language = PathParameter<String>("language", rule: "the tag of a language, such as en-US") {
        $0.isEmpty ? nil : $0
    }
    private static let number = JSONSchema.integer(minimum: 1)
    static let item = OperationDocumentation.Parameter.path(storeID, schema: number)

    // MARK: Items

    private var itemRoutes: [Route] {
        [
            .get(RoutePattern(Self.path), suspending: list)
                .described(
                    "listItems", "The items of the storefront, in order of their store ids.", tag: Self.tag,
                    parameters: .page(by: Self.number) + [
                        .query(
                            "kind", "Of this kind only.", schema: .string(among: ItemKind.all.map(\.rawValue))),
                        .query("parent", "The songs of this album, the episodes of this season.", schema: Self.number),
                    ], answers: [.init(.ok, "A page.", .of(Page<ItemMessage>.self))]),
            .post(RoutePattern(Self.path), suspending: add)
                .described(
                    "addItem", "Enters an item. It is sold once it is complete and, in production, approved.",
                    tag: Self.tag, body: .of(NewItemRequest.self),
                    answers: [.init(.created, "The item.", .of(ItemDetailsMessage.self))],
                    refusals: [.appUnknown, .nameUnknown, .nameTaken, .teamUnknown, .limitReached]),
            item(
                .get(RoutePattern(Self.path + "/{storeId}/details")) { request in
                    try await answer(store.editing(request).itemDetails(request[Self.storeID]))
                }, "readItemDetails", "An item with its texts, prices and files, and what it lacks."),
            item(
                .put(RoutePattern(Self.path + "/{storeId}")) { request in
                    let draft = try request.decode(ItemRequest.self).draft()
                    return try await answer(store.drafting(request).changeItem(request[Self.storeID], draft))
                }, "changeItem",
                "Changes an item. What is left out stays; what production shows waits for a review.",
                CatalogueRoutes.publish, body: .of(ItemRequest.self)),
            .delete(RoutePattern(Self.path + "/{storeId}")) { request in
                try await store.drafting(request).removeItem(request[Self.storeID])
                return HTTPResponse(.noContent)
            }
            .described(
                "removeItem",
                "Removes an item for good. Customers keep what they bought; the number is not used again.",
                tag: Self.tag, parameters: [Self.item, CatalogueRoutes.publish],
                answers: [.init(.noContent, "It is removed.")], refusals: [.nameUnknown, .stateWrong]),
            item(
                .post(RoutePattern(Self.path + "/{storeId}/submission")) { request in
                    let note = try request.decode(ItemSubmissionRequest.self).note
                    return try await answer(store.editing(request).submitItem(request[Self.storeID], note: note))
                }, "submitItem", "Asks for a review of an item.", body: .of(ItemSubmissionRequest.self)),
            item(
                .put(RoutePattern(Self.path + "/{storeId}/versions/{version}/notes/{language}")) { request in
                    let note = try request.decode(VersionNoteRequest.self).note
                    return try await answer(
                        store.editing(request).setNote(
                            note, in: request[Self.language], ofVersion: request[Self.version],
                            of: request[Self.storeID]))
                }, "setVersionNote", "Says what is new in a version of an app; an empty text takes that away.",
                .path(Self.version), .path(Self.language), body: .of(VersionNoteRequest.self)),
        ]
    }

    /// A route that answers how an item is then.
    func item(
        _ route: Route, _ id: String, _ summary: String, _ parameters: OperationDocumentation.Parameter...,
        body: JSONSchema? = nil
    ) -> Route {
        route.described(
            id, summary, tag: Self.tag, parameters: [Self.item] + parameters, body: body,
            answers: [.init(.ok, "The item.", .of(ItemDetailsMessage.self))],
            refusals: [.nameUnknown, .nameTaken, .limitReached, .stateWrong])
    }

    func answer(_ details: ItemDetails) throws -> HTTPResponse { try .json(ItemDetailsMessage(details, store)) }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try PageRequest<Int64>(request)
        let kind = try request.target.query["kind"].map { text throws(APIError) in
            let kind = ItemKind(rawValue: text)
            guard kind.isKnown else { throw APIError(.valueInvalid, "there is no such kind", parameter: "kind") }
            return kind
        }
        let parent = try request.target.query["parent"].map { text throws(APIError) in
            guard let parent = Int64(text) else {
                throw APIError(.valueInvalid, "it is the store id of an item", parameter: "parent")
            }
            return parent
        }
        let found = try await store.editing(request).items(
            of: kind, partOf: parent, after: wanted.after ?? 0, limit: wanted.rows)
        return try .json(wanted.page(of: found, by: \.item.storeID) { try ItemMessage($0, store) })
    }

    private func add(_ request: HTTPRequest) async throws -> HTTPResponse {
        let new = try request.decode(NewItemRequest.self).item()
        let made = try await store.editing(request).addItem(new)
        return try .json(ItemDetailsMessage(made, store), status: .created)
    }

    // MARK: Prices

    private var priceRoutes: [Route] {
        let (base, one) = (Self.path + "/{storeId}/price", Self.path + "/{storeId}/prices/{storefront}")
        let storefront = OperationDocumentation.Parameter.path(
            CataloguePaths.storefront, schema: StorefrontCode.schema)
        return [
            item(
                .put(RoutePattern(base)) { request in
                    let wanted = try request.decode(BasePrice.self)
                    let price = try CatalogueRoutes.money(wanted.amount, wanted.currency)
                    return try await priced(request) { try await $0.setBasePrice(price, of: $1) }
                }, "setItemPrice", "Sets what an item costs in every storefront that has no price of its own.",
                CatalogueRoutes.publish, body: .of(BasePrice.self)),
            item(
                .put(RoutePattern(one)) { request in
                    let storefront = try request[CataloguePaths.storefront]
                    let text = try request.decode(PriceRequest.self).amount
                    let price: StorefrontPrice =
                        text == PriceRequest.derived
                        ? .derived : .own(try CatalogueRoutes.money(text, storefront.currency))
                    return try await priced(request) { try await $0.setPrice(price, of: $1, in: storefront) }
                }, "setItemStorefrontPrice", "Sets what an item costs in a storefront.", storefront,
                CatalogueRoutes.publish, body: .of(PriceRequest.self)),
            item(
                .delete(RoutePattern(one)) { request in
                    let storefront = try request[CataloguePaths.storefront]
                    return try await priced(request) { try await $0.setPrice(.notSold, of: $1, in: storefront) }
                }, "removeItemStorefrontPrice", "Takes an item out of a storefront.", storefront,
                CatalogueRoutes.publish),
        ]
    }

    /// Changes the price of the item of a path.
    private func priced(
        _ request: HTTPRequest, _ change: (CatalogueEditing, ProductPath) async throws -> ProductDetails
    ) async throws -> HTTPResponse {
        let (editing, storeID) = (try store.drafting(request), try request[Self.storeID])
        _ = try await change(editing, editing.itemPath(storeID))
        return try await answer(editing.itemDetails(storeID))
    }

    // MARK: Artists

    private var artistRoutes: [Route] {
        [
            .get(RoutePattern(Self.artistPath)) { request in
                let wanted = try PageRequest<Int64>(request)
                let found = try await store.editing(request).artists(after: wanted.after ?? 0, limit: wanted.rows)
                return try .json(wanted.page(of: found, by: \.storeID) { ArtistMessage($0) })
            }
            .described(
                "listArtists", "The artists, in order of their store ids.", tag: Self.tag,
                parameters: .page(by: Self.number),
                answers: [.init(.ok, "A page.", .of(Page<ArtistMessage>.self))]),
            .post(RoutePattern(Self.artistPath)) { request in
                let wanted = try request.decode(ArtistRequest.self)
                let kind = ArtistKind(rawValue: wanted.kind)
                guard kind.isKnown else { throw APIError(.valueInvalid, "there is no such kind", parameter: "kind") }
                let made = try await store.editing(request).addArtist(
                    wanted.name, kind, storeID: wanted.artistId, team: wanted.teamId)
                return try .json(ArtistMessage(made), status: .created)
            }
            .described(
                "addArtist", "Enters an artist.", tag: Self.tag, body: .of(ArtistRequest.self),
                answers: [.init(.created, "The artist.", .of(ArtistMessage.self))],
                refusals: [.nameTaken, .teamUnknown, .limitReached]),
            .put(RoutePattern(Self.artistPath + "/{artistId}")) { request in
                let name = try request.decode(ArtistNameRequest.self).name
                return try .json(
                    ArtistMessage(await store.editing(request).renameArtist(request[Self.artistID], to: name)))
            }
            .described(
                "renameArtist", "Gives an artist another name.", tag: Self.tag,
                parameters: [.path(Self.artistID, schema: Self.number)], body: .of(ArtistNameRequest.self),
                answers: [.init(.ok, "The artist.", .of(ArtistMessage.self))],
                refusals: [.nameUnknown, .nameTaken]),
        ]
    }
}
