import Foundation
import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreService

/// By how much periods of subscriptions end later.
package struct PeriodExtensionRequest: Codable, Hashable, Sendable {
    package var days: Int
    /// 0 undeclared, 1 for the customer's satisfaction, 2 another reason, 3 the service did not work; 0 if it is missing.
    package var reason: ExtendReasonCode?
    /// What tells this request from others: repeated, it has no second effect. A new one if it is missing.
    package var requestIdentifier: String?

    package init(days: Int, reason: ExtendReasonCode? = nil, requestIdentifier: String? = nil) {
        (self.days, self.reason, self.requestIdentifier) = (days, reason, requestIdentifier)
    }

    fileprivate var extensionRequest: ExtensionRequest {
        get throws {
            try ExtensionRequest(
                days: days, reason: reason?.rawValue ?? 0,
                identifier: requestIdentifier ?? UUID().uuidString.lowercased())
        }
    }
}

/// By how much the periods of all who subscribe to a product end later.
package struct MassExtensionRequest: Codable, Hashable, Sendable {
    package var days: Int
    /// 0 undeclared, 1 for the customers' satisfaction, 2 another reason, 3 the service did not work; 0 if it is missing.
    package var reason: ExtendReasonCode?
    /// A UUID that tells this request from others: repeated, it has no second effect. A new one if it is missing.
    package var requestIdentifier: String?
    /// Only subscribers of these; all if it is missing.
    package var storefronts: [StorefrontCode]?

    package init(
        days: Int, reason: ExtendReasonCode? = nil, requestIdentifier: String? = nil,
        storefronts: [StorefrontCode]? = nil
    ) {
        (self.days, self.reason, self.requestIdentifier) = (days, reason, requestIdentifier)
        self.storefronts = storefronts
    }

    fileprivate var extensionRequest: ExtensionRequest {
        get throws {
            try PeriodExtensionRequest(days: days, reason: reason, requestIdentifier: requestIdentifier)
                .extensionRequest
        }
    }
}

/// An extension of all who subscribe to a product, and how far it has come.
package struct MassExtensionReport: Codable, Hashable, Sendable {
    package var requestIdentifier: String
    package var productId: ProductID
    package var days: Int
    /// Missing for all.
    package var storefronts: [StorefrontCode]?
    package var succeeded: Int
    /// How many were free, turned off, or extended twice within 365 days.
    package var failed: Int
    package var askedAt: Instant
    /// Missing until all are done.
    package var completedAt: Instant?

    init(_ stored: StoredMassExtension) {
        (requestIdentifier, productId, days) = (stored.request.identifier, stored.product, stored.request.days)
        storefronts = stored.storefronts
        (succeeded, failed, askedAt, completedAt) = (
            stored.succeeded, stored.failed, stored.askedAt, stored.completedAt
        )
    }
}

extension PeriodExtensionRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "days": .integer("How many.", minimum: 1, maximum: 90), "reason": .integer(minimum: 0, maximum: 3),
            "requestIdentifier": .string(
                "For all of a product a UUID.", lengths: 1...ExtensionRequest.longestIdentifier),
        ]
    }
}

extension MassExtensionRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] { PeriodExtensionRequest.schemas }
}

/// Periods that are made to end later, by those who look after the store.
struct ExtensionRoutes: Sendable {
    private let store: EnvironmentStore
    private let control: ControlStore

    init(_ control: ControlStore, _ sales: EnvironmentStore) {
        (self.control, store) = (control, sales)
    }

    private static let tag = "subscriptions"
    private static let subscription = PathParameter<SubscriptionID>(
        "subscriptionId", rule: "the number of a subscription, which is that of its first transaction"
    ) { SubscriptionID($0) }
    private static let identifier = PathParameter<String>(
        "requestIdentifier", rule: "the identifier of a request"
    ) { $0.isEmpty ? nil : $0 }
    private static let product: [OperationDocumentation.Parameter] = [
        CatalogueRoutes.app, .path(CataloguePaths.productID, schema: ProductID.schema),
    ]

    var routes: [Route] { [extend, extendAll, progress] }

    private var extend: Route {
        .post("/control/v1/subscriptions/{subscriptionId}/extension") { request in
            let (id, wanted) = (try request[Self.subscription], try request.decode(PeriodExtensionRequest.self))
            _ = try await Self.told {
                try await SubscriptionExtensions(store).extend(
                    id.original, of: nil, by: wanted.extensionRequest, cause(request))
            }
            return try .json(SubscriptionDetails(try await SubscriptionChanges(store).details(of: id)))
        }
        .described(
            "extendSubscription", "Let the period that runs end later, at most twice in a year.", tag: Self.tag,
            parameters: [.path(Self.subscription, schema: SubscriptionID.schema)],
            body: .of(PeriodExtensionRequest.self),
            answers: [.init(.ok, "The subscription.", .of(SubscriptionDetails.self))],
            refusals: [.subscriptionUnknown, .nameUnknown, .stateWrong, .clockBusy])
    }

    private var extendAll: Route {
        .post("/control/v1/apps/{bundleId}/products/{productId}/extensions") { request in
            let wanted = try request.decode(MassExtensionRequest.self)
            let (app, product) = (try await app(request), try request[CataloguePaths.productID])
            let begun = try await Self.told {
                try await MassExtensions(store).begin(
                    product.text, of: app, by: wanted.extensionRequest, in: wanted.storefronts?.map(\.rawValue),
                    cause(request))
            }
            return try .json(MassExtensionReport(begun), status: .created)
        }
        .described(
            "extendAllSubscriptions", "Let the periods of all who subscribe to a product end later.", tag: Self.tag,
            parameters: Self.product, body: .of(MassExtensionRequest.self),
            answers: [.init(.created, "It has begun.", .of(MassExtensionReport.self))],
            refusals: [.appUnknown, .nameUnknown, .stateWrong])
    }

    private var progress: Route {
        .get("/control/v1/apps/{bundleId}/products/{productId}/extensions/{requestIdentifier}") { request in
            let (product, identifier) = (try request[CataloguePaths.productID], try request[Self.identifier])
            let app = try await app(request)
            let found = try await Self.told {
                try await MassExtensions(store).find(identifier, for: product, of: app)
            }
            return try .json(MassExtensionReport(found))
        }
        .described(
            "showExtension", "How far an extension of all subscribers has come.", tag: Self.tag,
            parameters: Self.product + [.path(Self.identifier)],
            answers: [.init(.ok, "The extension.", .of(MassExtensionReport.self))],
            refusals: [.appUnknown, .nameUnknown, .stateWrong])
    }

    /// Says in the codes of this interface what the App Store Server API refuses by number.
    private static func told<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as ServerAPIError {
            throw error.refusal
        }
    }

    private func app(_ request: HTTPRequest) async throws -> AppID {
        try await control.editing(request).app(request[CataloguePaths.bundleID]).id
    }

    private func cause(_ request: HTTPRequest) -> ChangeCause { store.cause(request.actor, request: request.name) }
}
