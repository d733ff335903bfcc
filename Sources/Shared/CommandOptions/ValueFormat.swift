/// How the text of an option or argument becomes a value, and how that is explained.
package struct ValueFormat<Value: Sendable>: Sendable {
    /// What stands for the value in help: `DIR`, `N`, `ENVIRONMENT`.
    package let placeholder: String
    /// What a valid value is, to follow "expected": "a whole number from 1 to 65535".
    package let rule: String
    /// Whether help shows the rule; not needed if the placeholder is enough.
    package let explainsRule: Bool
    /// Whether the text may never be shown, not even in an error.
    package let isSecret: Bool
    package let completion: ValueCompletion

    private let parse: @Sendable (String) -> Value?
    private let describe: @Sendable (Value) -> String

    package init(
        _ placeholder: String, rule: String, explainsRule: Bool = true, isSecret: Bool = false,
        completion: ValueCompletion = .nothing, describe: @escaping @Sendable (Value) -> String = { "\($0)" },
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.placeholder = placeholder
        self.rule = rule
        self.explainsRule = explainsRule
        self.isSecret = isSecret
        self.completion = completion
        self.describe = describe
        self.parse = parse
    }

    /// The text of a value; shown as the default in help.
    package func text(of value: Value) -> String { describe(value) }

    func value(of text: String) throws(ValueRefusal) -> Value {
        if let value = parse(text) { return value }
        var words: [String] = []
        if case .words(let choices) = completion { words = choices }
        throw ValueRefusal(text: text, rule: rule, isSecret: isSecret, words: words)
    }
}

extension ValueFormat where Value == String {
    /// Any text but the empty one, which is nearly always an unset variable of a script.
    ///
    /// - Parameter what: what the program is asked for when a shell completes it.
    package static func text(_ placeholder: String, asking what: String? = nil) -> ValueFormat {
        ValueFormat(
            placeholder, rule: "text that is not empty", explainsRule: false,
            completion: what.map { .asked($0) } ?? .nothing
        ) { $0.isEmpty ? nil : $0 }
    }

    /// Text that appears in no message: a passphrase, a token.
    package static func secret(_ placeholder: String) -> ValueFormat {
        ValueFormat(placeholder, rule: "text that is not empty", explainsRule: false, isSecret: true) {
            $0.isEmpty ? nil : $0
        }
    }

    /// The path of a file; `-` is left to the command, which may read it as standard input.
    package static func file(_ placeholder: String = "FILE") -> ValueFormat {
        path(placeholder, completion: .files)
    }

    /// The path of a folder.
    package static func directory(_ placeholder: String = "DIR") -> ValueFormat {
        path(placeholder, completion: .directories)
    }

    /// One of a few words.
    package static func choice(_ placeholder: String, _ words: [String]) -> ValueFormat {
        ValueFormat(placeholder, rule: oneOf(words), completion: .words(words)) { words.contains($0) ? $0 : nil }
    }

    private static func path(_ placeholder: String, completion: ValueCompletion) -> ValueFormat {
        // The replacement character stands for bytes that are not UTF-8: the original name is lost, and a path with it
        // would be another file.
        ValueFormat(
            placeholder, rule: "a path in UTF-8 that is not empty", explainsRule: false, completion: completion
        ) { text in
            let isUsable = !text.isEmpty && !text.unicodeScalars.contains { $0 == "\u{FFFD}" || $0 == "\0" }
            return isUsable ? text : nil
        }
    }
}

extension ValueFormat where Value == Int {
    /// A whole number in decimal digits.
    package static func integer(_ placeholder: String = "N", in range: ClosedRange<Int>) -> ValueFormat {
        let rule = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return ValueFormat(placeholder, rule: rule) { text in
            // `Int` would also accept "+5".
            guard text.utf8.first != UInt8(ascii: "+"), let number = Int(text), range.contains(number) else {
                return nil
            }
            return number
        }
    }
}

extension ValueFormat where Value == Duration {
    private static var units: KeyValuePairs<Character, Int64> { ["d": 24 * 60 * 60, "h": 60 * 60, "m": 60, "s": 1] }

    /// A length of time: a whole number and its unit.
    package static func duration(_ placeholder: String = "TIME", allowsNone: Bool = false) -> ValueFormat {
        let longest = 36_500
        return ValueFormat(
            placeholder, rule: "a whole number with d, h, m or s for its unit, such as 30d",
            describe: { duration in
                let seconds = duration.components.seconds
                let unit = units.first { seconds.isMultiple(of: $0.value) } ?? ("s", 1)
                return "\(seconds / unit.value)\(unit.key)"
            },
            parse: { text in
                guard let unit = units.first(where: { $0.key == text.last }), let count = Int64(text.dropLast()),
                    text.utf8.first.map({ (48...57).contains($0) }) == true, count > 0 || allowsNone,
                    count <= Int64.max / unit.value,
                    count * unit.value <= Int64(longest) * 24 * 60 * 60
                else { return nil }
                return .seconds(count * unit.value)
            })
    }
}

extension ValueFormat where Value == Bool {
    /// What a flag may be set to, in its `--flag=false` form and in an environment variable.
    static let boolean = ValueFormat("BOOL", rule: "true or false", completion: .words(["true", "false"])) { text in
        switch text {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }
}

extension ValueFormat where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// A case of an enumeration, by raw value.
    ///
    /// - Parameter cases: those that can be chosen.
    package static func choice(
        _ placeholder: String, of type: Value.Type = Value.self, among cases: [Value] = Array(Value.allCases)
    ) -> ValueFormat {
        let words = cases.map(\.rawValue)
        return ValueFormat(placeholder, rule: oneOf(words), completion: .words(words), describe: \.rawValue) {
            text in words.contains(text) ? type.init(rawValue: text) : nil
        }
    }
}

extension ValueFormat {
    /// Several values in one text, with commas between them.
    package static func list<Element: Sendable>(
        of format: ValueFormat<Element>
    ) -> ValueFormat where Value == [Element] {
        ValueFormat(
            "\(format.placeholder),…", rule: "\(format.rule), several with commas between them",
            explainsRule: format.explainsRule, isSecret: format.isSecret, completion: format.completion,
            describe: { $0.map(format.text(of:)).joined(separator: ",") },
            parse: { text in
                var elements: [Element] = []
                for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                    guard let element = try? format.value(of: String(part)) else { return nil }
                    elements.append(element)
                }
                return elements
            })
    }

    private static func oneOf(_ words: [String]) -> String { "one of \(words.joined(separator: ", "))" }
}

/// What a shell may offer where a value is expected.
package enum ValueCompletion: Hashable, Sendable {
    case nothing
    case words([String])
    case files
    case directories
    /// What the program finds when it is asked: the name of what is meant.
    case asked(String)
}

/// A text that is not a value of a format.
struct ValueRefusal: Error {
    let text: String
    let rule: String
    let isSecret: Bool
    /// The allowed words, when there are only a few.
    let words: [String]
}
