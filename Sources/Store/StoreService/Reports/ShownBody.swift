import Foundation
import StoreFoundation

/// What is kept of the body of a request or an answer: JSON, with its secrets hidden and long texts cut.
///
/// Hidden is every member whose name says that it is a secret: passwords, tokens, secrets, private keys, answers to secret
/// questions, and the pages and codes by which a purchase can be confirmed. What is signed stays, cut where it is long: a
/// signature proves something and opens nothing. What is no JSON is not kept, because nothing is known of it.
package enum ShownBody {
    /// The most bytes that a body may have to be looked at, and those that are kept of it.
    package static let mostBytes = 64 * 1024
    package static let keptBytes = 16 * 1024
    /// Where a text is cut.
    static let longestText = 2_000
    static let mark = "(hidden)"

    /// What is kept of a request.
    static func request(_ bytes: [UInt8]) -> [UInt8]? { shown(bytes, also: ["code", "codes"]) }

    /// What is kept of an answer, in which `code` is the reason of a refusal.
    static func answer(_ bytes: [UInt8]) -> [UInt8]? { shown(bytes, also: []) }

    /// A request to verify a receipt: the receipt stays whole, so that it can be looked into; the secret of the app goes.
    static func verification(_ bytes: [UInt8]) -> [UInt8]? {
        guard var members = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] else { return nil }
        for name in members.keys where isSecret(name, also: []) { members[name] = mark }
        return (try? JSONSerialization.data(withJSONObject: members, options: [.sortedKeys])).map(Array.init)
    }

    /// What was kept, in lines for people.
    package static func indented(_ bytes: [UInt8]) -> String {
        guard let value = try? JSONSerialization.jsonObject(with: Data(bytes)),
            let data = try? JSONSerialization.data(
                withJSONObject: value, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: data, as: UTF8.self)
    }

    private static func shown(_ bytes: [UInt8], also names: Set<String>) -> [UInt8]? {
        guard bytes.count <= mostBytes, let first = bytes.first,
            first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let value = try? JSONSerialization.jsonObject(with: Data(bytes)),
            let data = try? JSONSerialization.data(
                withJSONObject: hiding(in: value, also: names), options: [.sortedKeys, .withoutEscapingSlashes]),
            data.count <= keptBytes
        else { return nil }
        return Array(data)
    }

    private static func hiding(in value: Any, also names: Set<String>) -> Any {
        switch value {
        case let members as [String: Any]:
            var shown: [String: Any] = [:]
            for (name, value) in members {
                shown[name] = isSecret(name, also: names) && !(value is NSNull) ? mark : hiding(in: value, also: names)
            }
            return shown
        case let items as [Any]: return items.map { hiding(in: $0, also: names) }
        // The address of an authenticator holds its secret.
        case let text as String where text.hasPrefix("otpauth:"): return mark
        case let text as String where text.count > longestText:
            return "\(text.prefix(longestText))… (\(text.count) characters)"
        default: return value
        }
    }

    private static let parts = [
        "password", "passphrase", "secret", "token", "privatekey", "credential", "proof", "answer", "totp",
    ]
    private static let whole: Set<String> = [
        "codes", "confirmation", "key", "link", "links", "page", "profile", "recovery", "statement", "url",
    ]
    /// They name somebody, and open nothing.
    private static let harmless: Set<String> = ["appaccounttoken", "accounttoken", "secretquestion"]

    private static func isSecret(_ name: String, also names: Set<String>) -> Bool {
        let name = name.lowercased().replacing("-", with: "").replacing("_", with: "")
        if harmless.contains(name) { return false }
        return whole.contains(name) || names.contains(name) || parts.contains { name.contains($0) }
    }
}
