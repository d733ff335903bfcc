import CPostgres
import StoreDatabase

/// The row of a result that a query stands on.
final class PostgresRow: RowSource {
    private let result: PostgresResult
    var index = 0

    init(_ result: PostgresResult) {
        self.result = result
    }

    var columnCount: Int { result.columnCount }

    func databaseValue(at column: Int) throws -> DatabaseValue {
        guard let cell = result.cell(index, column) else { return .null }
        switch result.type(ofColumn: column) {
        case PostgresType.bigint: return .integer(try number(cell, Int64.self))
        case PostgresType.integer: return .integer(Int64(try number(cell, Int32.self)))
        case PostgresType.smallint: return .integer(Int64(try number(cell, Int16.self)))
        case PostgresType.oid: return .integer(Int64(try number(cell, UInt32.self)))
        // Truth values are numbers with us, as they are in SQLite.
        case PostgresType.bool: return .integer(Int64(try number(cell, UInt8.self)))
        case PostgresType.numeric: return .integer(try wholeNumber(cell))
        case PostgresType.text, PostgresType.varyingText, PostgresType.fixedText, PostgresType.name,
            PostgresType.char, PostgresType.unknown:
            return .text(String(decoding: cell, as: UTF8.self))
        case PostgresType.bytea: return .bytes(Array(cell))
        case PostgresType.void: return .null
        case let type:
            throw DatabaseError(
                .unexpectedValue, "it holds a value of PostgreSQL's type \(type), which no value of ours is")
        }
    }

    func holds(_ text: String, at column: Int) -> Bool {
        guard result.type(ofColumn: column) == PostgresType.text, let cell = result.cell(index, column) else {
            return false
        }
        return text.utf8.elementsEqual(cell)
    }

    private func number<Number: FixedWidthInteger>(_ cell: UnsafeRawBufferPointer, _: Number.Type) throws -> Number {
        guard cell.count == MemoryLayout<Number>.size else { throw Self.malformed }
        return Number(bigEndian: cell.loadUnaligned(as: Number.self))
    }

    /// A number of any size, such as a sum: four digits at a time, how many fours stand before the point, and the sign.
    private func wholeNumber(_ cell: UnsafeRawBufferPointer) throws -> Int64 {
        guard cell.count >= 8, cell.count % 2 == 0 else { throw Self.malformed }
        let words = stride(from: 0, to: cell.count, by: 2).map {
            UInt16(bigEndian: cell.loadUnaligned(fromByteOffset: $0, as: UInt16.self))
        }
        let (digits, weight, sign, scale) = (words[4...], Int(Int16(bitPattern: words[1])), words[2], words[3])
        guard digits.count == Int(words[0]) else { throw Self.malformed }
        guard scale == 0, sign == 0 || sign == 0x4000 else {
            throw DatabaseError(.unexpectedValue, "it holds a number with a fraction, which no value of ours is")
        }
        guard weight <= 4, digits.count <= weight + 1 else { throw Self.tooLarge }
        var total: Int64 = 0
        for position in 0..<(weight + 1) where weight >= 0 {
            let digit = Int64(position < digits.count ? digits[digits.startIndex + position] : 0)
            let (shifted, overflow) = total.multipliedReportingOverflow(by: 10_000)
            // The negative range is one larger than the positive one.
            let (sum, carry) = shifted.addingReportingOverflow(sign == 0 ? digit : -digit)
            guard !overflow, !carry else { throw Self.tooLarge }
            total = sum
        }
        return total
    }

    private static let malformed = DatabaseError(.unexpectedValue, "it holds bytes that are not of its type")
    private static let tooLarge = DatabaseError(.unexpectedValue, "it holds a number that does not fit into 64 bits")
}

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

/// The numbers of PostgreSQL's types.
enum PostgresType {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let char: Oid = 18
    static let name: Oid = 19
    static let bigint: Oid = 20
    static let smallint: Oid = 21
    static let integer: Oid = 23
    static let text: Oid = 25
    static let oid: Oid = 26
    static let unknown: Oid = 705
    static let fixedText: Oid = 1042
    static let varyingText: Oid = 1043
    static let numeric: Oid = 1700
    static let void: Oid = 2278
}
