/// What a prepared statement is kept under.
package enum StatementName: Hashable, Sendable {
    // Closed: a text is one literal, or put together from several.
    /// Where the program has the literal; two literals of one text may have two names, which costs a second preparation.
    case literal(address: UInt, count: Int)
    case text(String)
}
