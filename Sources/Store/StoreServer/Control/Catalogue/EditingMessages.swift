import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreService

/// What an app is to be called; what is missing stays.
package struct AppChangeRequest: Codable, Hashable, Sendable {
    package let name: String?
    package let primaryLanguage: String?

    package init(name: String?, primaryLanguage: String?) {
        self.name = name
        self.primaryLanguage = primaryLanguage
    }
}

/// What reviewers will be told of a product; what is missing stays.
package struct ReviewFactsRequest: Codable, Hashable, Sendable {
    package let category: String?
    package let delivers: String?
    package let note: String?

    package init(category: String?, delivers: String?, note: String?) {
        self.category = category
        self.delivers = delivers
        self.note = note
    }
}

/// The way of a subscription in the order of its group.
package struct LevelMoveRequest: Codable, Hashable, Sendable {
    package let productId: ProductID
    /// up or down
    package let direction: String

    package init(productId: ProductID, direction: String) {
        self.productId = productId
        self.direction = direction
    }

    var move: LevelMove {
        get throws {
            guard let move = LevelMove(rawValue: direction) else {
                throw CatalogueError(.valueInvalid, "it is up or down", field: "direction")
            }
            return move
        }
    }
}

/// What a product has and lacks before it can be submitted.
package struct ReadinessAnswer: Codable, Hashable, Sendable {
    package struct Entry: Codable, Hashable, Sendable {
        /// Such as text, price or version.
        package let need: String
        package let isDone: Bool
        /// Whether the product is submitted without it as well.
        package let isOptional: Bool
        /// In words.
        package let sentence: String
    }

    package let state: String
    /// Whether nothing is missing, and it is its turn to be submitted.
    package let canBeSubmitted: Bool
    package let entries: [Entry]
    /// A version of the app that it can be submitted with; missing where none is open.
    package let openVersion: String?

    init(_ checklist: ProductChecklist) {
        state = checklist.state.rawValue
        canBeSubmitted = checklist.canBeSubmitted
        entries = checklist.entries.map {
            Entry(need: $0.need.rawValue, isDone: $0.isDone, isOptional: $0.isOptional, sentence: $0.sentence)
        }
        openVersion = checklist.openVersion
    }
}

extension AppChangeRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "name": visibleText(CatalogueLimits.appName),
            "primaryLanguage": .string(example: "en-US", pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$"),
        ]
    }
}

extension ReviewFactsRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "category": .string(among: ProductCategory.known.map(\.rawValue).sorted()),
            "delivers": .string("What customers get for it.", lengths: 0...ProductReviews.longestDelivers),
            "note": .string("For the reviewer.", lengths: 0...ProductReviews.longestNote),
        ]
    }
}

extension LevelMoveRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["direction": .string(among: LevelMove.allCases.map(\.rawValue))]
    }
}

extension ReadinessAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["openVersion": .string("A version of the app that it can be submitted with; missing where none is open.")]
    }
}

extension ReadinessAnswer.Entry: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["need": .string(among: ProductChecklist.Need.known.map(\.rawValue).sorted())]
    }
}
