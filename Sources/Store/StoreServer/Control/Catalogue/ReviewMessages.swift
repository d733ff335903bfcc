import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreService

/// An app that is entered without products.
package struct AppRequest: Codable, Hashable, Sendable {
    package let bundleId: BundleID
    package let name: String
    /// `en-US` if it is missing.
    package let primaryLanguage: String?
    /// The first team if it is missing.
    package let teamId: TeamID?

    package init(bundleId: BundleID, name: String, primaryLanguage: String?, teamId: TeamID?) {
        self.bundleId = bundleId
        self.name = name
        self.primaryLanguage = primaryLanguage
        self.teamId = teamId
    }
}

/// What an app may use.
package struct CapabilitiesMessage: Codable, Hashable, Sendable {
    package let capabilities: [String]

    package init(capabilities: [String]) {
        self.capabilities = capabilities
    }
}

/// A version of an app that is entered.
package struct VersionRequest: Codable, Hashable, Sendable {
    package let version: String

    package init(version: String) {
        self.version = version
    }
}

/// A version of an app.
package struct VersionAnswer: Codable, Hashable, Sendable {
    package let version: String
    package let state: String
    package let createdAt: Instant
    package let changedAt: Instant
    /// Of one that was rejected: why, and what its developer is told.
    package let reason: String?
    package let message: String?

    init(_ version: AppVersion) {
        (reason, message) = (version.rejection?.reason.rawValue, version.rejection?.message)
        self.version = version.version
        state = version.review.state.rawValue
        createdAt = version.createdAt
        changedAt = version.changedAt
    }
}

/// What a developer says of a product when it is submitted.
package struct SubmissionRequest: Codable, Hashable, Sendable {
    /// content, function, service or subscription.
    package let category: String
    package let delivers: String
    package let version: String?
    package let note: String?

    package init(category: String, delivers: String, version: String?, note: String?) {
        self.category = category
        self.delivers = delivers
        self.version = version
        self.note = note
    }
}

/// What a reviewer decides.
package struct DecisionRequest: Codable, Hashable, Sendable {
    package let isApproved: Bool
    /// Of a rejection.
    package let reason: String?
    package let message: String?

    package init(isApproved: Bool, reason: String? = nil, message: String? = nil) {
        self.isApproved = isApproved
        self.reason = reason
        self.message = message
    }
}

/// A product in review, and everything that happened to it.
package struct ReviewAnswer: Codable, Hashable, Sendable {
    package struct Entry: Codable, Hashable, Sendable {
        package let at: Instant
        package let actor: String
        package let event: String
        package let state: String
        package let reason: String?
        package let message: String?
    }

    package let product: CatalogueProductAnswer
    package let appId: AppID
    package let bundleId: BundleID
    package let category: String?
    package let delivers: String?
    package let version: String?
    package let note: String?
    /// Only where one product is asked for.
    package var history: [Entry]?

    init(
        _ product: CatalogueProduct, of bundle: BundleID, _ store: ControlStore,
        _ history: [ProductReviews.Entry]? = nil
    ) {
        self.product = CatalogueProductAnswer(product, store)
        appId = product.appID
        bundleId = bundle
        category = product.category?.rawValue
        delivers = product.delivers
        version = product.review.version
        note = product.reviewNote
        self.history = history?.map {
            Entry(
                at: $0.at, actor: $0.actor, event: $0.event, state: $0.state.rawValue, reason: $0.reason?.rawValue,
                message: $0.message)
        }
    }
}

/// Why a product is sold, or not, in one environment.
package struct WhyAnswer: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    package let productId: String
    package let storefront: String
    package let isSold: Bool
    /// The name of the reason; missing if it is sold.
    package let reason: String?
    package let explanation: String
    /// The command that mends it.
    package let remedy: String?
    package let nearest: ProductID?
}

extension SubmissionRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "category": .string(among: ProductCategory.known.map(\.rawValue).sorted()),
            "delivers": .string("What customers get for it.", lengths: 1...ProductReviews.longestDelivers),
            "version": .string("The version of the app that it is submitted with.", example: "1.0"),
            "note": .string("For the reviewer.", lengths: 0...ProductReviews.longestNote),
        ]
    }
}

extension DecisionRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "reason": .string(
                "Of a rejection.", among: RejectionReason.known.map(\.rawValue).sorted()),
            "message": .string("To the developer.", lengths: 0...ProductReviews.longestNote),
        ]
    }
}

extension AppRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "name": visibleText(CatalogueLimits.appName),
            "primaryLanguage": .string(example: "en-US", pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$"),
            "teamId": TeamID.schema,
        ]
    }
}

extension CapabilitiesMessage: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["capabilities": .array(of: .string(among: AppCapability.known.map(\.rawValue).sorted()))]
    }
}

extension VersionRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["version": .string(example: "1.0.2", pattern: #"^[0-9]{1,9}(\.[0-9]{1,9}){0,2}$"#)]
    }
}

extension WhyAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["remedy": .string("The command that mends it; missing if nothing has to be mended.")]
    }
}
