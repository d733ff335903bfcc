import Synchronization

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
        /// Several parameters with commas between them.
        case parameters(ClosedRange<Int>)
        /// A text that was given a name when it was put together.
        case named(StatementName.Part, [Piece])

        /// What distinguishes the piece from all others, without looking at its text.
        func name(for engine: DatabaseEngine) -> StatementName.Part {
            switch self {
            case .literal(let literal): StatementName.Part(literal)
            case .dialect(let part): StatementName.Part(part.literal(for: engine))
            case .parameters(let numbers): StatementName.Part(numbers)
            case .named(let name, _): name
            }
        }

        func text(for engine: DatabaseEngine) -> String {
            switch self {
            case .literal(let literal): literal.description
            case .dialect(let part): part.literal(for: engine).description
            case .parameters(let numbers): numbers.map { "$\($0)" }.joined(separator: ", ")
            case .named(_, let pieces): pieces.reduce(into: "") { $0 += $1.text(for: engine) }
            }
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
        pieces.reduce(into: "") { $0 += $1.text(for: engine) }
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

    /// The same text, under a name of its own that takes as long to compare as that of a single literal. It is for texts of
    /// many pieces that are put together once and then kept.
    var named: SQL { SQL([.named(.next(), pieces)]) }
}

extension [SQL] {
    /// All texts with another one between them.
    func joined(separator: SQL) -> SQL {
        dropFirst().reduce(first ?? "") { $0 + separator + $1 }
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
        package init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(interpolationCount)
        }

        @usableFromInline
        package mutating func appendLiteral(_ literal: StaticString) {
            pieces.append(.literal(literal))
        }

        /// What the engines write differently.
        package mutating func appendInterpolation(_ part: DialectPart) {
            pieces.append(.dialect(part))
        }

        /// The parameters with these numbers, `$1, $2, $3`.
        mutating func appendParameters(_ numbers: ClosedRange<Int>) {
            pieces.append(.parameters(numbers))
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

    /// One literal, or what stands for it.
    package struct Part: Hashable, Sendable {
        private let address: UInt
        private let count: Int

        private static let last = Atomic<UInt>(0)

        private init(_ address: UInt, count: Int) {
            self.address = address
            self.count = count
        }

        /// A name that nothing else has in this process.
        static func next() -> Part {
            Part(last.wrappingAdd(1, ordering: .relaxed).newValue, count: -2)
        }

        /// The name of parameters.
        init(_ numbers: ClosedRange<Int>) {
            self.init(UInt(numbers.lowerBound), count: -2 - numbers.upperBound)
        }

        init(_ literal: StaticString) {
            // A literal of a single character may have no address; it is its own name.
            address =
                literal.hasPointerRepresentation
                ? UInt(bitPattern: literal.utf8Start) : UInt(literal.unicodeScalar.value)
            count = literal.hasPointerRepresentation ? literal.utf8CodeUnitCount : -1
        }
    }
}
