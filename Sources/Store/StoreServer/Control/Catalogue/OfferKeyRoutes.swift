import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreService
import StoreSigning

/// The keys with which developers sign promotional offers, by HTTP. The store keeps the public halves.
struct OfferKeyRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    private static let app = CatalogueRoutes.app
    private static let key = PathParameter<String>("keyId", rule: "the id of a key") { $0.isEmpty ? nil : $0 }

    var routes: [Route] {
        let path = "/control/v1/apps/{bundleId}/offer-keys"
        return [
            .get(RoutePattern(path)) { request in
                let found = try await store.editing(request).offerKeys(of: request[CataloguePaths.bundleID])
                return try .json(Page(found.map { OfferKeyMessage($0) }))
            }
            .described(
                "listOfferKeys", "The keys that sign promotional offers of an app.", tag: CatalogueRoutes.tag,
                parameters: [Self.app], answers: [.init(.ok, "All of them.", .of(Page<OfferKeyMessage>.self))],
                refusals: [.appUnknown])
        ]
    }

    /// What adds keys and takes them out of use: a key serves both environments.
    var changes: [Route] {
        let path = "/control/v1/apps/{bundleId}/offer-keys"
        return [
            .post(RoutePattern(path), suspending: { try await add($0) })
                .described(
                    "addOfferKey",
                    "Lets a key sign promotional offers of an app. Without a public key one is made, and its private half is "
                        + "in this answer only.", tag: CatalogueRoutes.tag, parameters: [Self.app],
                    body: .of(OfferKeyRequest.self),
                    answers: [.init(.created, "The key.", .of(OfferKeyMessage.self))],
                    refusals: [.appUnknown, .nameTaken, .limitReached]),
            .delete(RoutePattern(path + "/{keyId}")) { request in
                let revoked = try await store.editing(request).revokeOfferKey(
                    request[Self.key], of: request[CataloguePaths.bundleID])
                return try .json(OfferKeyMessage(revoked))
            }
            .described(
                "revokeOfferKey", "Takes a key out of use: what it has signed is refused from now on.",
                tag: CatalogueRoutes.tag, parameters: [Self.app, .path(Self.key)],
                answers: [.init(.ok, "The key.", .of(OfferKeyMessage.self))], refusals: [.appUnknown, .nameUnknown]),
        ]
    }

    private func add(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(OfferKeyRequest.self)
        let made = try await store.editing(request).addOfferKey(
            wanted.publicKey, as: wanted.keyId, name: wanted.name, of: request[CataloguePaths.bundleID], store.random)
        var answer = OfferKeyMessage(made.entry)
        answer.privateKey = made.privateKey
        return try .json(answer, status: .created)
    }
}

/// A key that is to sign offers.
package struct OfferKeyRequest: Codable, Hashable, Sendable {
    package var name: String?
    /// Drawn if it is missing.
    package var keyId: String?
    /// In PEM; without it a pair is made.
    package var publicKey: String?

    package init(name: String? = nil, keyId: String? = nil, publicKey: String? = nil) {
        self.name = name
        self.keyId = keyId
        self.publicKey = publicKey
    }
}

/// A key that signs offers.
package struct OfferKeyMessage: Codable, Hashable, Sendable {
    package let keyId: String
    package let name: String
    package let publicKey: String
    package let createdAt: Instant
    package let revokedAt: Instant?
    /// Only in the answer to a request that made it; the store does not keep it.
    package var privateKey: String?

    init(_ entry: OfferKeys.Entry) {
        keyId = entry.id
        name = entry.name
        publicKey = entry.publicKey
        createdAt = entry.createdAt
        revokedAt = entry.revokedAt
    }
}

extension OfferKeyRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "keyId": .string("Ten capital letters and digits; drawn if it is missing.", pattern: "^[A-Z0-9]{10}$"),
            "publicKey": .string("A public key of the curve P-256, in PEM; without it a pair is made."),
        ]
    }
}
