import Foundation
import StoreCatalogue
import StoreModel
import StoreRules

extension WordDifference {
    /// Both texts as one, with what was taken away struck through and what is new underlined.
    var element: [any HTML] {
        pieces.map { piece -> any HTML in
            switch piece {
            case .same(let text): text
            case .removed(let text): del { text }
            case .added(let text): ins { text }
            }
        }
    }
}

extension ReviewChange {
    private static let english = Locale(identifier: "en_US")

    /// What differs, as people call it.
    var title: String {
        let parts = field.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return field.capitalizedFirst }
        let isLanguage = ["title", "description", "notes"].contains(parts[0])
        let rest = isLanguage ? Self.english.localizedString(forIdentifier: parts[1]) ?? parts[1] : Self.words(parts[1])
        return isLanguage ? "\(parts[0].capitalizedFirst), \(rest)" : rest.capitalizedFirst
    }

    /// `supportAddress` as `support address`.
    private static func words(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) }
    }

    /// How much of what it may have a text has.
    var length: String? {
        guard let limit, let after, !after.isEmpty else { return nil }
        return "\(after.unicodeScalars.count) of \(limit)"
    }
}

extension ReviewCase {
    /// What kind of thing it is.
    var thing: String {
        guard let product else { return "A version" }
        if item != nil { return "An item of the storefront" }
        let kind = product.kind.rawValue
        return ("aeiou".contains(kind.lowercased().prefix(1)) ? "An " : "A ") + kind.lowercased()
    }

    /// How much it changes, for a line of a list.
    var summary: String {
        if isNew { return target.isVersion ? "the first version" : "new" }
        guard !changes.isEmpty else { return "nothing that customers see" }
        let names = Set(changes.map { String($0.field.prefix { $0 != "." }) }).sorted().map { name in
            let count = changes.count { $0.field.prefix { $0 != "." } == name }
            return count == 1 ? name : "\(count) × \(name)"
        }
        return names.joined(separator: ", ")
    }

    /// Where its page is, below the environment.
    var path: String { target.path }

    /// What is sent to decide about it as it was seen.
    var token: String {
        switch target {
        case .product(let path): "product \(path.app) \(path.product) \(changedAt.millisecondsSinceEpoch)"
        case .version(let version, let bundle): "version \(bundle) \(version) \(changedAt.millisecondsSinceEpoch)"
        }
    }
}

extension ReviewTarget {
    var isVersion: Bool { if case .version = self { true } else { false } }

    /// Where its page is, below the environment.
    var path: String {
        switch self {
        case .product(let path): "/review/\(path.app)/products/\(path.product)"
        case .version(let version, let bundle): "/review/\(bundle)/versions/\(version)"
        }
    }
}

extension ReviewDecision {
    /// An approval of what a ``ReviewCase/token`` names; nil for what is none.
    init?(approving token: String) {
        let parts = token.split(separator: " ").map(String.init)
        guard parts.count == 4, let bundle = BundleID(parts[1]), let moment = Int64(parts[3]) else { return nil }
        let seen = Instant(millisecondsSinceEpoch: moment)
        switch parts[0] {
        case "product":
            guard let product = ProductID(parts[2]) else { return nil }
            self.init(.product(ProductPath(bundle, product)), .approve, seenAt: seen)
        case "version": self.init(.version(parts[2], bundle), .approve, seenAt: seen)
        default: return nil
        }
    }
}

extension RejectionReason {
    /// As a reviewer chooses it.
    var title: String {
        switch self {
        case .metadata: "its texts"
        case .screenshot: "its picture for reviewers"
        case .notFound: "it is not in the app"
        case .physicalGood: "a physical good or service"
        case .intermediaryCurrency: "a currency between apps"
        case .executableCode: "code that runs"
        case .other: "something else"
        default: rawValue.replacing("_", with: " ")
        }
    }

    /// In the order in which they are chosen.
    static let choices: [RejectionReason] = [
        .metadata, .screenshot, .notFound, .physicalGood, .intermediaryCurrency, .executableCode, .other,
    ]
}
