import CPostgres
import StoreDatabase

/// The values of a statement in the form that PostgreSQL keeps them in, which needs no escapes.
struct PostgresParameters {
    private var bytes: [UInt8] = [0]
    private var starts: [Int?] = []
    private var lengths: [Int32] = []

    init(_ values: [DatabaseValue]) {
        starts.reserveCapacity(values.count)
        lengths.reserveCapacity(values.count)
        for value in values { append(value) }
    }

    private mutating func append(_ value: DatabaseValue) {
        let start = bytes.count
        switch value {
        case .null: break
        case .integer(let number): withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        case .text(let text): bytes.append(contentsOf: text.utf8)
        case .bytes(let content): bytes.append(contentsOf: content)
        }
        starts.append(value == .null ? nil : start)
        lengths.append(Int32(clamping: bytes.count - start))
    }

    /// Lends what libpq wants: how many there are, where each is, how long, and that it is binary.
    func withPointers<Result>(
        _ body: (Int32, [UnsafePointer<CChar>?], [Int32], [Int32]) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeBytes { buffer in
            let base = buffer.assumingMemoryBound(to: CChar.self).baseAddress
            let pointers = starts.map { start in start.flatMap { offset in base.map { $0 + offset } } }
            return try body(Int32(starts.count), pointers, lengths, Array(repeating: 1, count: starts.count))
        }
    }
}

extension DatabaseValue {
    /// The type as which PostgreSQL is given the value; 0 leaves it to the server.
    var postgresType: Oid {
        switch self {
        case .null: 0
        case .integer: PostgresType.bigint
        case .text: PostgresType.text
        case .bytes: PostgresType.bytea
        }
    }
}
