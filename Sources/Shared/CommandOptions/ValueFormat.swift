/// How the text of an option or argument becomes a value, and how that is explained.
package struct ValueFormat<Value: Sendable>: Sendable {
    /// What stands for the value in help: `DIR`, `N`, `ENVIRONMENT`.
    package let placeholder: String
    /// What a good value is, to follow "expected": "a whole number from 1 to 65535".
    package let rule: String
    /// Whether help says the rule; it need not where the placeholder says it all.
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

    /// The text a person would write for a value; shown as the default in help.
    package func text(of value: Value) -> String { describe(value) }

    func value(of text: String) throws(ValueRefusal) -> Value {
        if let value = parse(text) { return value }
        var words: [String] = []
        if case .words(let choices) = completion { words = choices }
        throw ValueRefusal(text: text, rule: rule, isSecret: isSecret, words: words)
    }
}
