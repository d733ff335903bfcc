import Foundation
import StoreModel

/// What a page is about, in the words of schema.org, for search engines and other programs: JSON-LD in an element that no
/// browser runs, so that the policy of the pages allows it.
struct StructuredData: HTML {
    // Closed: what JSON-LD of the storefront needs.
    enum Value: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
        case text(String)
        case number(Double)
        case list([Value])
        case thing(String, [String: Value?])

        init(stringLiteral value: String) { self = .text(value) }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .text(let text):
                var container = encoder.singleValueContainer()
                try container.encode(text)
            case .number(let number):
                var container = encoder.singleValueContainer()
                try container.encode(number)
            case .list(let values):
                var container = encoder.singleValueContainer()
                try container.encode(values)
            case .thing(let type, let facts):
                var container = encoder.singleValueContainer()
                var all: [String: Value] = facts.compactMapValues(\.self)
                all["@type"] = .text(type)
                try container.encode(all)
            }
        }
    }

    private let json: String

    /// - Parameters:
    ///   - type: what it is, such as `SoftwareApplication`.
    ///   - facts: what is known of it; what is not known is left out.
    init?(_ type: String, _ facts: [String: Value?]) {
        var facts = facts
        facts["@context"] = "https://schema.org"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(Value.thing(type, facts)) else { return nil }
        json = String(decoding: bytes, as: UTF8.self)
    }

    func write(to output: inout HTMLOutput) { output.structuredData(json) }
}
