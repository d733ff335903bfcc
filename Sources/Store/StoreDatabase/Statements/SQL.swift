/// The text of a statement, in the dialect that both engines share.
///
/// It comes from literals only, so that no value can ever get into it: values are bound to `$1`, `$2`…. What the engines
/// write differently is a ``DialectPart``:
///
/// ```swift
/// let create: SQL = "CREATE TABLE purchase (id \(.integer) NOT NULL PRIMARY KEY, state \(.text) NOT NULL)"
/// ```
@usableFromInline
package struct SQL: Sendable {
    enum Piece: Sendable {
        case literal(StaticString)
        case dialect(DialectPart)

        /// What distinguishes the piece from all others, without looking at its text.
        func name(for engine: DatabaseEngine) -> StatementName.Part {
            let literal =
                switch self {
                case .literal(let literal): literal
                case .dialect(let part): part.literal(for: engine)
                }
            return StatementName.Part(literal)
        }
    }

    private enum Storage: Sendable {
        case literal(StaticString)
        case composed([Piece])
    }

    private let storage: Storage

    private init(_ pieces: [Piece]) {
        storage = .composed(pieces)
    }

    private var pieces: [Piece] {
        switch storage {
        case .literal(let literal): [.literal(literal)]
        case .composed(let pieces): pieces
        }
    }

    /// The text that an engine is given.
    package func text(for engine: DatabaseEngine) -> String {
        pieces.reduce(into: "") { text, piece in
            switch piece {
            case .literal(let literal): text += literal.description
            case .dialect(let part): text += part.literal(for: engine).description
            }
        }
    }

    /// A name for the statement that is cheap to compare, to keep it prepared under.
    package func name(for engine: DatabaseEngine) -> StatementName {
        switch storage {
        case .literal(let literal): .literal(StatementName.Part(literal))
        case .composed(let pieces): .composed(pieces.map { $0.name(for: engine) })
        }
    }

    /// One text after another.
    package static func + (first: SQL, second: SQL) -> SQL {
        SQL(first.pieces + second.pieces)
    }
}

extension SQL: ExpressibleByStringLiteral {
    @usableFromInline
    package init(stringLiteral literal: StaticString) {
        storage = .literal(literal)
    }
}

extension SQL: ExpressibleByStringInterpolation {
    @usableFromInline
    package struct StringInterpolation: StringInterpolationProtocol {
        var pieces: [Piece] = []

        @usableFromInline
        package init(literalCapacity: Int, interpolationCount: Int) {}

        @usableFromInline
        package mutating func appendLiteral(_ literal: StaticString) {
            pieces.append(.literal(literal))
        }

        /// What the engines write differently.
        package mutating func appendInterpolation(_ part: DialectPart) {
            pieces.append(.dialect(part))
        }

        /// A text that was made from literals too.
        package mutating func appendInterpolation(_ sql: SQL) {
            pieces += sql.pieces
        }
    }

    @usableFromInline
    package init(stringInterpolation interpolation: StringInterpolation) {
        self.init(interpolation.pieces)
    }
}

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
