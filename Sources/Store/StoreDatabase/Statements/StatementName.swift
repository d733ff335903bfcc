/// What a prepared statement is kept under: the literals that its text is made of, by where the program has them. So nothing
/// has to be put together, hashed or compared that is as long as a statement; two literals of one text may have two names,
/// which costs a second preparation.
package enum StatementName: Hashable, Sendable {
    // Closed: a text is one literal, or put together from several.
    case literal(Part)
    case composed([Part])

    /// One literal.
    package struct Part: Hashable, Sendable {
        private let address: UInt
        private let count: Int

        init(_ literal: StaticString) {
            // A literal of a single character may have no address; it is its own name.
            address =
                literal.hasPointerRepresentation
                ? UInt(bitPattern: literal.utf8Start) : UInt(literal.unicodeScalar.value)
            count = literal.hasPointerRepresentation ? literal.utf8CodeUnitCount : -1
        }
    }
}
