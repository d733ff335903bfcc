import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreService

/// Every change of the catalogue by HTTP, filtered.
struct AuditRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    private static let filters: [OperationDocumentation.Parameter] = [
        .query("subject", "Only of this: team/ID, app/NUMBER or product/NUMBER."),
        .query("bundleId", "Only of this app and its products.", schema: BundleID.schema),
        .query("productId", "Only of this product of the app.", schema: ProductID.schema),
        .query(
            "actor", "Only by those in whose name this occurs.", schema: .string(lengths: 0...AuditFilter.longestActor)),
        .query(
            "kind", "Only changes of this kind.",
            schema: .string(among: AuditFilter.Kind.allCases.map(\.rawValue).sorted())),
        .query("from", "From this moment on.", schema: Instant.schema),
        .query("until", "Before this moment.", schema: Instant.schema),
    ]

    var routes: [Route] {
        [
            .get("/control/v1/audit") { request in
                let wanted = try PageRequest<Int64>(request)
                let found = try await store.editing(request).changes(
                    Self.filter(request), before: wanted.after, limit: wanted.rows)
                return try .json(wanted.page(of: found, by: \.entry.number, AuditAnswer.init))
            }
            .described(
                "listChanges",
                "The changes of the catalogue, the newest first: who, when, how it was before, and what differs.",
                tag: TeamRoutes.tag, parameters: Self.filters + .page(by: .integer(minimum: 1)),
                answers: [.init(.ok, "A page.", .of(Page<AuditAnswer>.self))], refusals: [.appUnknown, .productUnknown])
        ]
    }

    private static func filter(_ request: HTTPRequest) throws -> AuditFilter {
        let query = request.target.query
        var filter = AuditFilter(
            from: try request.moment("from"), until: try request.moment("until"), actor: query["actor"],
            subject: query["subject"])
        filter.app = try query["bundleId"].map { try BundleID(parsing: $0) }
        filter.product = try query["productId"].map { try ProductID(parsing: $0) }
        filter.kind = try query["kind"].map { text in
            guard let kind = AuditFilter.Kind(rawValue: text) else {
                let known = AuditFilter.Kind.allCases.map(\.rawValue).sorted().joined(separator: ", ")
                throw CatalogueError(.valueInvalid, "it is one of \(known)", field: "kind")
            }
            return kind
        }
        return filter
    }
}

/// A change of the catalogue.
package struct AuditAnswer: Codable, Hashable, Sendable {
    package struct Difference: Codable, Hashable, Sendable {
        /// Such as `prices.DEU`.
        package let field: String
        package let before: String?
        package let after: String?
    }

    package let number: Int64
    package let at: Instant
    package let actor: String
    package let teamId: TeamID?
    package let subject: String
    /// What the subject is called.
    package let name: String
    package let bundleId: BundleID?
    package let productId: ProductID?
    package let action: String
    package let before: String?
    package let after: String?
    package let requestId: String?
    /// Field by field.
    package let differences: [Difference]

    init(_ change: AuditedChange) {
        let entry = change.entry
        number = entry.number
        at = entry.at
        actor = entry.actor
        teamId = entry.teamId
        subject = entry.subject
        name = change.name
        bundleId = change.app
        productId = change.product
        action = entry.action
        before = entry.before
        after = entry.after
        requestId = entry.requestId
        differences = change.differences.map { Difference(field: $0.field, before: $0.before, after: $0.after) }
    }
}

extension AuditAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "subject": .string("What was changed.", example: "product/1000000002"),
            "before": .string("What it was before, in JSON; missing for what is new."),
            "after": .string("What it was then, in JSON."),
            "differences": .array(of: .of(Difference.self), description: "Field by field."),
        ]
    }
}

extension AuditAnswer.Difference: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["field": .string("What differs.", example: "prices.DEU")]
    }
}
