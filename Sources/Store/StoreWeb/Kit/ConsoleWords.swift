import Foundation
import StoreCatalogue
import StoreFoundation
import StoreModel

/// Names of fields, states and codes as people read them: what the catalogue and its audit keep in the words of programs.
enum ConsoleWords {
    /// How much of one value a page shows.
    private static let longest = 4_000
    /// How deep objects lie in each other.
    private static let depth = 16

    // MARK: Fields

    private static let names = [
        "basePrice": "price", "isClearedForSale": "cleared for sale", "isFamilyShareable": "family sharing",
        "isLive": "sold in production", "groupId": "group", "teamId": "team", "removedAt": "removed",
        "revokedAt": "revoked", "expiresAt": "good until", "acceptedAt": "accepted", "endsAt": "ends",
        "startsAt": "begins", "suspendedAt": "suspended", "features": "what the home page begins with",
        "secondFactors": "roles that need a second factor", "storekit": "what a file of Xcode had besides",
        "withheldBy": "kept from selling by", "withdrawn": "not sold in", "primaryLanguage": "first language",
        "reviewNote": "note for the review", "delivers": "what it delivers", "hostsContent": "hosts content",
        "item": "page in the storefront", "type": "kind", "sharedSecretInSandbox": "shared secret of the sandbox",
        "gracePeriodInSandbox": "grace period of the sandbox", "finance": "bank and tax data",
    ]
    /// Of fields that have a value for each of something.
    private static let families = [
        "texts": "text in", "images": "picture", "files": "file", "members": "member", "people": "of the store:",
        "agreements": "agreement,", "apiKeys": "API key", "offerKeys": "offer key", "versions": "version",
        "groups": "group", "primarySecrets": "primary secret of the", "item": "page,", "finance": "bank and tax data,",
    ]

    /// `price in Germany` of `prices.DEU`.
    static func field(_ key: String) -> String {
        let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
        if let name = names[key] { return name }
        guard parts.count == 2 else { return DraftField(key)?.title ?? spaced(key) }
        if let draft = DraftField(key) { return draft.title }
        let rest = parts[0] == "texts" ? LanguageNames.name(of: parts[1]) : names[parts[1]] ?? spaced(parts[1])
        return "\(families[parts[0]] ?? spaced(parts[0])) \(rest)"
    }

    /// `support address` of `supportAddress`. What is no such name, as an address, stays.
    private static func spaced(_ name: String) -> String {
        guard name.allSatisfy({ $0.isASCII && $0.isLetter }), name.contains(where: \.isLowercase) else { return name }
        return name.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) }
    }

    // MARK: Values

    /// A value of a field of the audit: objects as their named values, moments in the one form, names for codes.
    static func value(_ text: String?, of field: String) -> String {
        let text = String((text ?? "").prefix(longest))
        if text.hasPrefix("{"), let node = try? JSONNode(Array(text.utf8), depth: depth) {
            return words(node)
        }
        let name = String(field.split(separator: ".").last ?? "")
        if let moment = moment(text, name) { return moment }
        // Texts and names are what somebody has written, word by word.
        let isWritten = ["texts", "name", "referenceName", "delivers", "reviewNote", "suspensionReason"]
            .contains(String(field.prefix { $0 != "." }))
        if isWritten { return text }
        return text.split(separator: "|").map { prose($0.trimmingCharacters(in: .whitespaces)) }
            .joined(separator: ", ")
    }

    /// The named values of an object, a list after each other: `accepted 2026-11-27 01:14 UTC; ends never`.
    private static func words(_ node: JSONNode) -> String {
        switch node {
        case .object(let members):
            members.sorted { $0.key < $1.key }.map { name, value in
                "\(names[name] ?? spaced(name)): \(moment(value.text, name) ?? words(value))"
            }.joined(separator: "; ")
        case .list(let nodes): nodes.map(words).joined(separator: ", ")
        case .null: "none"
        case .flag(let flag): flag ? "yes" : "no"
        case .number(let text): text
        case .text(let text): prose(text)
        }
    }

    /// A moment as the audit keeps it, in milliseconds: of a field that is named as one.
    private static func moment(_ text: String, _ name: String) -> String? {
        guard name.hasSuffix("At"), let milliseconds = Int64(text) else { return nil }
        return Instant(millisecondsSinceEpoch: milliseconds).written
    }

    /// A text with names in place of the codes in it: storefronts, periods, moments and states.
    static func prose(_ text: String) -> String {
        let tokens: [Substring] = text.split(separator: " ", omittingEmptySubsequences: false)
        var words: [String] = []
        for (place, token) in tokens.enumerated() {
            let start = String(token.prefix { $0 == "(" })
            let rest = token.dropFirst(start.count)
            let end = String(rest.reversed().prefix { ",;:)".contains($0) }.reversed())
            let core = String(rest.dropLast(end.count))
            // Three letters after an amount are its currency.
            let isCurrency = place > 0 && tokens[place - 1].first?.isNumber == true
            words.append(start + (word(core, isCurrency: isCurrency) ?? core) + end)
        }
        return words.joined(separator: " ")
    }

    private static func word(_ core: String, isCurrency: Bool) -> String? {
        if core.count == 3, !isCurrency, let storefront = StorefrontCode(rawValue: core).storefront {
            return storefront.nameInSentence
        }
        if core.hasPrefix("P"), let period = try? BillingPeriod(parsing: core) { return period.length }
        if core.count >= 20, core.first?.isNumber == true, let moment = try? Instant(rfc3339: core) {
            return moment.written
        }
        let isState = core.contains("_") && core.allSatisfy { $0 == "_" || $0.isASCII && $0.isLowercase }
        return isState ? core.replacing("_", with: " ") : nil
    }
}

extension BillingPeriod {
    /// As long as something lasts: `one week`.
    var length: String {
        let name =
            switch unit {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            }
        return count == 1 ? "one \(name)" : "\(count) \(name)s"
    }
}
