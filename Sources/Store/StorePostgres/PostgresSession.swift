import CPostgres
import StoreDatabase

/// A connection with the statements that are prepared on it. One thread uses it.
final class PostgresSession {
    let connection: PostgresConnection
    /// Whether statements are kept prepared at the server.
    let prepares: Bool
    private let statementLimit: Int
    private var statements: [StatementName: Kept] = [:]
    private var uses = 0
    private var names = 0

    private struct Kept {
        let text: StatementText
        /// The name at the server and the types it was prepared for, if it was.
        var prepared: (name: [CChar], types: [Oid])?
        var lastUse: Int
    }

    init(_ connection: PostgresConnection, prepares: Bool, _ limits: DatabaseLimits) {
        self.connection = connection
        self.prepares = prepares
        statementLimit = limits.statementsPerConnection
    }

    /// Runs a statement.
    func run(_ sql: SQL, _ values: [DatabaseValue]) throws -> PostgresResult {
        let name = sql.name(for: .postgres)
        uses += 1
        var kept = try statements[name] ?? Kept(text: StatementText(sql.text(for: .postgres)), lastUse: 0)
        try kept.text.requireParameters(values.count)
        kept.lastUse = uses
        guard prepares else {
            try keep(kept, as: name)
            return try connection.runOnce(kept.text.text, values.map(\.postgresType), PostgresParameters(values))
        }
        if let prepared = kept.prepared, !Self.fits(values, prepared.types) {
            // It was prepared for values of other types, as may be when there was none before.
            statements[name] = nil
            try deallocate(prepared.name)
            kept.prepared = nil
        }
        if let prepared = kept.prepared {
            statements[name] = kept
            return try connection.runPrepared(prepared.name, PostgresParameters(values))
        }
        let prepared = try prepare(kept.text, for: values)
        kept.prepared = prepared
        try keep(kept, as: name)
        return try connection.runPrepared(prepared.name, PostgresParameters(values))
    }

    private func prepare(_ text: StatementText, for values: [DatabaseValue]) throws -> (name: [CChar], types: [Oid]) {
        names += 1
        let name = Array("till_\(names)".utf8CString)
        let types = values.map(\.postgresType)
        try connection.prepare(name, text.text, types)
        // Where there is no value the server finds the type, and the next value may be of it.
        return (name, types.contains(0) ? try connection.parameterTypes(of: name) : types)
    }

    private static func fits(_ values: [DatabaseValue], _ types: [Oid]) -> Bool {
        zip(values, types).allSatisfy { $0 == .null || $0.postgresType == $1 }
    }

    private func keep(_ kept: Kept, as name: StatementName) throws {
        if statements[name] == nil, statements.count >= statementLimit,
            let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            statements[oldest.key] = nil
            if let prepared = oldest.value.prepared { try deallocate(prepared.name) }
        }
        statements[name] = kept
    }

    private func deallocate(_ name: [CChar]) throws {
        let text = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        try connection.run("DEALLOCATE \(text)")
    }
}

/// A statement as PostgreSQL is given it, and how many parameters it has.
struct StatementText {
    let text: String
    let parameterCount: Int

    /// Throws if the parameters of the statement are not `$1`, `$2`… without a gap.
    init(_ text: String) throws {
        let numbers = Self.parameters(in: text)
        guard numbers == Set(1..<(numbers.count + 1)) else {
            throw DatabaseError(.statement, "a statement with \(numbers.count) parameters has $1 to $\(numbers.count)")
        }
        self.text = text
        parameterCount = numbers.count
    }

    /// Throws unless the statement has so many parameters. PostgreSQL itself would not mind some that it has not.
    func requireParameters(_ count: Int) throws {
        guard count == parameterCount else {
            throw DatabaseError(.statement, "\(count) values for \(parameterCount) parameters")
        }
    }

    /// The numbers after `$`, outside of quotes.
    private static func parameters(in text: String) -> Set<Int> {
        var numbers: Set<Int> = []
        var quote: UInt8?
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: "$") {
                let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                bytes = bytes.dropFirst(digits.count)
                if let number = Int(String(decoding: digits, as: UTF8.self)) { numbers.insert(number) }
            }
        }
        return numbers
    }
}
