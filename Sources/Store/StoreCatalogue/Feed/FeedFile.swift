import Foundation
import StoreDatabase
import StoreFoundation
import StoreModel

/// One record of a table while it is written, field by field in the order of the columns.
struct FeedRow {
    fileprivate(set) var bytes: [UInt8]
    fileprivate(set) var count = 1

    fileprivate init(_ export: [UInt8]) { bytes = export }

    /// A text. The two bytes that end fields and records are none of a text, and would end it.
    mutating func add(_ text: String?) {
        begin()
        guard let text else { return }
        bytes += text.utf8.lazy.map { $0 == FeedForm.separator || $0 == FeedForm.recordEnd ? 0x20 : $0 }
    }

    /// A text, cut to so many characters as the column has.
    mutating func add(_ text: String?, atMost limit: Int) {
        add(
            text.map {
                $0.unicodeScalars.count > limit ? String(String.UnicodeScalarView($0.unicodeScalars.prefix(limit))) : $0
            })
    }

    mutating func add(_ number: some BinaryInteger) {
        begin()
        bytes += String(number).utf8
    }

    mutating func add(_ number: (some BinaryInteger)?) {
        guard let number else { return begin() }
        add(number)
    }

    mutating func add(_ flag: Bool) {
        begin()
        bytes.append(flag ? 0x31 : 0x30)
    }

    mutating func add(_ instant: Instant?) { add(instant.map(FeedForm.day)) }

    /// An amount as a decimal number of the main unit.
    mutating func add(_ money: Money?) { add(money?.decimalText) }

    /// So many fields without a value.
    mutating func skip(_ count: Int = 1) { for _ in 0..<count { begin() } }

    private mutating func begin() {
        bytes.append(FeedForm.separator)
        count += 1
    }
}

/// Writes a table into a file, record by record, in memory that does not depend on how many they are. For use by one thread.
final class FeedFile {
    private let table: FeedTable
    private let file: SystemFile
    /// What every record begins with: when it was exported.
    private let export: [UInt8]
    /// The records that were in the last full feed, where only others are wanted.
    private let former: FormerRecords?
    /// Those beside which it lies, for which room is left on the disk.
    private let blobs: (any BlobStore)?
    private var buffer: [UInt8] = []
    private var written = 0
    private(set) var count = 0

    /// How many bytes are gathered before they are written.
    private static let bufferBytes = 256 << 10
    /// After how many bytes it is looked whether there is room for so many more.
    private static let roomBytes = 64 << 20

    /// Begins a file anew.
    ///
    /// - Parameters:
    ///   - former: the same table of the last full feed: what is in it as it is now is left out.
    ///   - blobs: what lies on the same disk.
    init(
        _ table: FeedTable, at path: String, exported instant: Instant, mode: FeedMode = .full,
        former: FeedArchiveReader? = nil, beside blobs: (any BlobStore)? = nil
    ) throws {
        try blobs?.requireRoom(for: Int64(Self.bufferBytes))
        self.blobs = blobs
        self.table = table
        unlink(path)
        file = try SystemFile(making: path)
        export = Array(String(instant.millisecondsSinceEpoch).utf8)
        self.former = former.map { FormerRecords($0, order: table.order) }
        for line in table.head(mode) { try end(Array(line.utf8)) }
    }

    /// Writes a record. They come in the order of the key.
    func write(_ body: (inout FeedRow) throws -> Void) throws {
        var row = FeedRow(export)
        try body(&row)
        guard row.count == table.columns.count + 1 else {
            throw DatabaseError(
                .unexpectedValue, "a record of \(table.name) has \(row.count) fields, not \(table.columns.count + 1)")
        }
        if let former, try former.has(row.bytes) { return }
        try end(row.bytes)
        count += 1
    }

    /// Ends the file durably.
    func finish() throws {
        try end(Array("#recordsWritten:\(count)".utf8))
        try file.write(buffer)
        buffer = []
        try file.synchronize()
    }

    /// How long the file is, once it is finished.
    func byteCount() throws -> Int64 { Int64(try file.status().st_size) }

    private func end(_ record: [UInt8]) throws {
        buffer += record
        buffer.append(FeedForm.recordEnd)
        buffer.append(FeedForm.lineFeed)
        guard buffer.count >= Self.bufferBytes else { return }
        let before = written
        written += buffer.count
        if written / Self.roomBytes > before / Self.roomBytes { try blobs?.requireRoom(for: Int64(Self.roomBytes)) }
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}

/// The records of the last full feed beside those of now: both are read once, in the order of their keys.
///
/// A record that is taken for new although it is not is written once more, which changes nothing for its reader.
private final class FormerRecords {
    private let reader: FeedArchiveReader
    private let order: [(place: Int, isNumber: Bool)]
    private var former: (key: Key, fields: ArraySlice<UInt8>)?
    private var isAtEnd = false

    init(_ reader: FeedArchiveReader, order: [(place: Int, isNumber: Bool)]) {
        (self.reader, self.order) = (reader, order)
    }

    /// Whether a record was there with these fields, whenever it was exported.
    func has(_ record: [UInt8]) throws -> Bool {
        let wanted = Key(record[...], order)
        while true {
            if former == nil {
                guard !isAtEnd, let next = try reader.next() else {
                    isAtEnd = true
                    return false
                }
                former = (Key(next, order), Self.fields(of: next))
            }
            guard let known = former else { return false }
            if wanted < known.key { return false }
            former = nil
            if known.key == wanted { return known.fields.elementsEqual(Self.fields(of: record[...])) }
        }
    }

    /// A record without the moment of its export.
    private static func fields(of record: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        record.firstIndex(of: FeedForm.separator).map { record[$0...] } ?? []
    }

    /// The fields of a key: numbers by their value, texts by their bytes.
    private struct Key: Comparable {
        private let parts: [Part]

        // Closed: a column is a number or a text.
        private enum Part: Comparable {
            case number(Int64)
            case text([UInt8])

            static func < (lower: Part, higher: Part) -> Bool {
                switch (lower, higher) {
                case (.number(let one), .number(let other)): one < other
                case (.text(let one), .text(let other)): one.lexicographicallyPrecedes(other)
                case (.number, .text): true
                case (.text, .number): false
                }
            }
        }

        init(_ record: ArraySlice<UInt8>, _ order: [(place: Int, isNumber: Bool)]) {
            let last = order.map(\.place).max() ?? 0
            let fields = record.split(
                separator: FeedForm.separator, maxSplits: last + 1, omittingEmptySubsequences: false)
            parts = order.map { column in
                let field = column.place < fields.count ? fields[column.place] : []
                return column.isNumber
                    ? .number(Int64(String(decoding: field, as: UTF8.self)) ?? -1) : .text(Array(field))
            }
        }

        static func < (lower: Key, higher: Key) -> Bool { lower.parts.lexicographicallyPrecedes(higher.parts) }
    }
}
