/// A word or a sign of code.
struct Token: Hashable, Sendable {
    let text: String
    let line: Int
    /// How many braces are open before it.
    let depth: Int
    /// Whether nothing stands between it and the token before.
    let isAttached: Bool

    var isWord: Bool { text.utf8.first.map(Tokenizer.isWordByte) ?? false }
}
