package import StoreHTTP
package import StoreModel
package import StoreService

/// Families, by those who look after the store.
package struct FamilyRoutes: Sendable {
    private let store: EnvironmentStore
    private let families: FamilyMembership

    package init(_ store: EnvironmentStore) {
        self.store = store
        families = FamilyMembership(store)
    }

    private static let member = PathParameter<String>("member", rule: "the number or the e-mail address of an account")
    {
        $0.isEmpty ? nil : $0
    }

    package var routes: [Route] {
        [
            .get("/control/v1/families", suspending: { try await list($0) })
                .described(
                    "listFamilies", "The families of the environment, the oldest first.", tag: "families",
                    parameters: .page(by: .integer(minimum: 1)),
                    answers: [.init(.ok, "A page of them.", .of(Page<FamilyReport>.self))]),
            .post("/control/v1/families", suspending: { try await create($0) })
                .described(
                    "createFamily", "Make a family, whose organiser pays for its children.", tag: "families",
                    body: .of(FamilyRequest.self),
                    answers: [
                        .init(.created, "The family.", .of(FamilyReport.self)),
                        .init(.ok, "The account is the organiser of one already.", .of(FamilyReport.self)),
                    ], refusals: [.customerUnknown, .familyTaken]),
            .get(
                "/control/v1/families/{customer}",
                suspending: { try .json(FamilyReport(await families.family(of: $0[CustomerRoutes.customer]))) }
            )
            .described(
                "showFamily", "The family of an account.", tag: "families",
                parameters: [.path(CustomerRoutes.customer)],
                answers: [.init(.ok, "The family.", .of(FamilyReport.self))],
                refusals: [.customerUnknown, .familyUnknown]),
            .post("/control/v1/families/{customer}/members", suspending: { try await add($0) })
                .described(
                    "addFamilyMember", "Take an account into the family of another one.", tag: "families",
                    parameters: [.path(CustomerRoutes.customer)], body: .of(FamilyMemberRequest.self),
                    answers: [.init(.ok, "The family.", .of(FamilyReport.self))],
                    refusals: [.customerUnknown, .familyUnknown, .familyTaken, .limitReached]),
            .delete("/control/v1/families/{customer}/members/{member}", suspending: { try await remove($0) })
                .described(
                    "removeFamilyMember",
                    "Take an account out of its family. Without its organiser a family is over.", tag: "families",
                    parameters: [.path(CustomerRoutes.customer), .path(Self.member)],
                    answers: [.init(.noContent, "It is out.")], refusals: [.customerUnknown, .familyUnknown]),
            consent(
                .delete("/control/v1/families/{customer}/consents/{bundleId}") {
                    try await consent($0, isGiven: false)
                },
                "withdrawConsent",
                "Withdraw the family's consent to a child's use of an app, of which its developer is told.",
                refusals: [.stateWrong]),
            consent(
                .put("/control/v1/families/{customer}/consents/{bundleId}", body: BodyPolicy.none) {
                    try await consent($0, isGiven: true)
                }, "giveConsent", "Give a consent again."),
        ]
    }

    private func consent(
        _ route: Route, _ id: String, _ summary: String, refusals: [RefusalCode] = []
    ) -> Route {
        route.described(
            id, summary, tag: "families",
            parameters: [
                .path(CustomerRoutes.customer), .path(CataloguePaths.bundleID, schema: BundleID.schema),
            ],
            answers: [.init(.ok, "The family of the child.", .of(FamilyReport.self))],
            refusals: [.customerUnknown, .familyUnknown, .appUnknown, .notAllowed] + refusals)
    }

    private func consent(_ request: HTTPRequest, isGiven: Bool) async throws -> HTTPResponse {
        let (child, app) = (try request[CustomerRoutes.customer], try request[CataloguePaths.bundleID])
        let consents = FamilyConsents(store)
        let family =
            try await isGiven
            ? consents.give(to: child, for: app, cause(request))
            : consents.withdraw(from: child, for: app, cause(request))
        return try .json(FamilyReport(family))
    }

    private func cause(_ request: HTTPRequest) -> ChangeCause { store.cause(request.actor, request: request.name) }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try PageRequest<FamilyID>(request)
        return try .json(
            wanted.page(of: await families.list(after: wanted.after, limit: wanted.rows), by: \.id, FamilyReport.init))
    }

    private func create(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(FamilyRequest.self)
        let made = try await families.create(by: wanted.organiser, cause(request))
        return try .json(FamilyReport(made.family), status: made.isNew ? .created : .ok)
    }

    private func add(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (name, wanted) = (try request[CustomerRoutes.customer], try request.decode(FamilyMemberRequest.self))
        let role = Family.Role(rawValue: wanted.role ?? Family.Role.adult.rawValue)
        return try .json(
            FamilyReport(await families.add(wanted.customer, as: role, toFamilyOf: name, cause(request))))
    }

    private func remove(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await families.remove(
            request[Self.member], fromFamilyOf: request[CustomerRoutes.customer], cause(request))
        return HTTPResponse(.noContent)
    }
}

package struct FamilyRequest: Codable, Hashable, Sendable {
    /// The number or the address of the account.
    package var organiser: String

    package init(organiser: String) {
        self.organiser = organiser
    }
}

package struct FamilyMemberRequest: Codable, Hashable, Sendable {
    /// The number or the address of the account.
    package var customer: String
    /// `adult`, if it is missing, or `child`.
    package var role: String?

    package init(customer: String, role: String?) {
        self.customer = customer
        self.role = role
    }
}

package struct FamilyReport: Codable, Hashable, Sendable {
    package struct Member: Codable, Hashable, Sendable {
        package var customerId: CustomerID
        package var email: String
        package var role: String
        package var asksToBuy: Bool
        package var joinedAt: Instant
        /// The apps that a child may not use any more.
        package var withdrawnApps: [BundleID]
    }

    package var familyId: FamilyID
    package var organiserId: CustomerID
    package var createdAt: Instant
    package var members: [Member]

    init(_ family: Family) {
        familyId = family.id
        organiserId = family.organiser
        createdAt = family.createdAt
        members = family.members.map {
            Member(
                customerId: $0.customer, email: $0.email, role: $0.role.rawValue, asksToBuy: $0.asksToBuy,
                joinedAt: $0.joinedAt, withdrawnApps: $0.withdrawnApps)
        }
    }
}

extension FamilyRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["organiser": .string("The number or the e-mail address of the account.")]
    }
}

extension FamilyMemberRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "customer": .string("The number or the e-mail address of the account."),
            "role": .string(among: [Family.Role.adult, .child].map(\.rawValue)),
        ]
    }
}

extension FamilyReport.Member: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["role": .string(among: Family.Role.known.map(\.rawValue))] }
}

extension FamilyReport: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["members": .array(of: .of(Member.self))] }
}
