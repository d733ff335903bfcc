import StoreModel

/// A part of the partner feed, which is a folder of archives.
package enum FeedGroup: String, CaseIterable, Hashable, Sendable {
    // Closed: these are the folders that partners look for.
    case itunes, match, popularity, pricing
}

/// Whether a feed has everything or what changed since the last one that had.
package enum FeedMode: String, CaseIterable, Codable, Hashable, Sendable {
    // Closed: files say one or the other.
    case full, incremental

    /// As the head of a file says it.
    var headText: String { self == .full ? "FULL" : "INCREMENTAL" }
}

/// A table of the partner feed: its columns in the order of its file, and its key.
package struct FeedTable: Hashable, Sendable {
    /// A column, and the type that the databases of partners give it.
    struct Column: Hashable {
        let name: String
        let type: String
        let isKey: Bool
    }

    package let name: String
    package let group: FeedGroup
    /// Without `export_date`, which every table begins with.
    let columns: [Column]
    /// The column of the key by which records are ordered first; nil for the order of the key.
    private let first: String?

    /// - Parameters:
    ///   - first: the column of the key by which its records are ordered first; nil for the order of the key.
    ///   - columns: names and types, separated by commas; those of the key begin with a star.
    init(_ name: String, _ group: FeedGroup, by first: String? = nil, _ columns: String) {
        self.name = name
        self.group = group
        self.first = first
        self.columns = columns.split(separator: ", ").map { text in
            let words = text.split(whereSeparator: \.isWhitespace)
            let isKey = words.first?.first == "*"
            return Column(
                name: String(words.first?.drop { $0 == "*" } ?? ""), type: String(words.last ?? ""), isKey: isKey)
        }
    }

    /// Where the columns of the key are, and whether they are numbers; in the order in which records are ordered by them.
    var order: [(place: Int, isNumber: Bool)] {
        let key = columns.enumerated().filter(\.element.isKey)
        let sorted = key.filter { $0.element.name == first } + key.filter { $0.element.name != first }
        return sorted.map { ($0.offset + 1, ["BIGINT", "INTEGER"].contains($0.element.type)) }
    }

    /// The lines before the records.
    func head(_ mode: FeedMode) -> [String] {
        let separator = String(UnicodeScalar(FeedForm.separator))
        return [
            "#" + (["export_date"] + columns.map(\.name)).joined(separator: separator),
            "#primaryKey:" + columns.filter(\.isKey).map(\.name).joined(separator: separator),
            "#dbTypes:" + (["BIGINT"] + columns.map(\.type)).joined(separator: separator),
            "#exportMode:\(mode.headText)",
        ] + FeedForm.legal.map { "##legal: \($0)" }
    }
}

/// How files of the feed are written, as their readers take them apart.
enum FeedForm {
    /// Between two fields.
    static let separator: UInt8 = 0x01
    /// Ends a record, with a line feed after it.
    static let recordEnd: UInt8 = 0x02
    static let lineFeed: UInt8 = 0x0A

    /// What every file says of its use. Readers pass over it.
    static let legal = [
        "For the partner of this store that fetched it, to show and to link to what the store sells.",
        "Prices and availability are those of the date of export.",
    ]

    /// A day as columns have it: `2026 11 26`.
    static func day(_ instant: Instant) -> String { String(instant.rfc3339.prefix(10)).replacing("-", with: " ") }

    /// A day as names of folders have it: `20261126`.
    static func date(_ instant: Instant) -> String { String(instant.rfc3339.prefix(10)).replacing("-", with: "") }
}
