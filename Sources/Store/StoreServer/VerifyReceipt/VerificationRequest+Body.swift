import StoreFoundation
package import StoreService

extension VerificationRequest {
    /// Reads the body of a request, whatever its type says that it is.
    package init(body: [UInt8]) throws(ReceiptRefusal) {
        var members = Members()
        do throws(JSONReader.Fault) {
            try members.read(body)
        } catch {
            throw ReceiptRefusal(
                .malformed, Self.explanation(of: body) ?? "the body, byte \(error.position): \(error.reason)")
        }
        self.init(
            receipt: try members.receipt(body), password: members.password(body),
            excludesOldTransactions: try members.excludesOld(body))
    }

    /// The members that are wanted.
    private struct Members {
        /// A value as it stands in the body.
        enum Value {
            case text(JSONReader.Text)
            case word(String)
            case other
        }

        static let receipt = "receipt-data"
        static let names = [receipt, "password", "exclude-old-transactions"]
        var values: [String: Value] = [:]

        mutating func read(_ body: [UInt8]) throws(JSONReader.Fault) {
            var reader = JSONReader(body, depth: VerifyReceiptLimits.depth + 1, allowsControlCharacters: true)
            while let key = try reader.nextMember() {
                guard let name = Self.name(key, in: body) else {
                    try reader.value()
                    continue
                }
                guard values[name] == nil else { throw reader.fault("\(name) stands there twice") }
                switch reader.next {
                case UInt8(ascii: "\""):
                    // What is wrong in the receipt is told with its place, when it is decoded.
                    values[name] = .text(try reader.string(checkingEscapes: name != Self.receipt))
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    try reader.value()
                    values[name] = .other
                default: values[name] = .word(String(decoding: body[try reader.word()], as: UTF8.self))
                }
            }
        }

        /// The member that a key means, which may be written with escapes.
        private static func name(_ key: JSONReader.Text, in body: [UInt8]) -> String? {
            guard key.content.count <= longestKey, let meaning = JSONReader.meaning(of: key, in: body) else {
                return nil
            }
            return names.first { meaning.elementsEqual($0.utf8) }
        }

        /// Every character of the longest name as `\u002d`.
        private static let longestKey = 6 * (names.map(\.utf8.count).max() ?? 0)

        func receipt(_ body: [UInt8]) throws(ReceiptRefusal) -> [UInt8] {
            guard let text = try text("receipt-data", body) else {
                throw ReceiptRefusal(.malformed, "receipt-data is missing")
            }
            return try ReceiptText.decode(text)
        }

        /// What no secret can be, a number or a text that is too long, is a wrong one: the empty text. It matters only where
        /// one is asked for.
        func password(_ body: [UInt8]) -> String? {
            do throws(ReceiptRefusal) {
                guard let text = try text("password", body) else { return nil }
                guard text.count <= VerifyReceiptLimits.passwordBytes else { return "" }
                return String(validating: text, as: UTF8.self) ?? ""
            } catch {
                return ""
            }
        }

        func excludesOld(_ body: [UInt8]) throws(ReceiptRefusal) -> Bool {
            switch values["exclude-old-transactions"] {
            case nil, .word("null"), .word("false"): return false
            case .word("true"): return true
            default: throw ReceiptRefusal(.malformed, "exclude-old-transactions is neither true nor false")
            }
        }

        /// What a member says; null is as good as not there.
        private func text(_ name: String, _ body: [UInt8]) throws(ReceiptRefusal) -> ArraySlice<UInt8>? {
            switch values[name] {
            case nil, .word("null"): return nil
            case .text(let text):
                guard let meaning = JSONReader.meaning(of: text, in: body) else {
                    throw ReceiptRefusal(
                        .malformed, "\(name) has a backslash with something behind it that JSON does not know")
                }
                return meaning
            case .word, .other: throw ReceiptRefusal(.malformed, "\(name) is not a text in quotation marks")
            }
        }
    }

    /// What somebody probably did who sent something else than JSON.
    private static func explanation(of body: [UInt8]) -> String? {
        if body.isEmpty { return "there is no body" }
        let start = String(decoding: body.prefix(64), as: UTF8.self).lowercased()
        if start.hasPrefix("receipt-data=") || start.hasPrefix("password=") {
            return "the body is a form, and has to be JSON: {\"receipt-data\": \"...\"}"
        }
        if start.hasPrefix("%7b") { return "the body is URL-encoded JSON, and has to be JSON as it is" }
        if start.hasPrefix("\"") {
            return "the body is a text, as JSON that was encoded twice is, and has to be an object"
        }
        if start.hasPrefix("mii") || start.hasPrefix("ew") {
            return "the body is a bare receipt, and has to be JSON: {\"receipt-data\": \"...\"}"
        }
        return nil
    }
}
