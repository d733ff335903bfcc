import Foundation

/// The table of contents of a package: what there is, and where its bytes are.
struct PackageTable: Sendable {
    /// A checksum and how it is made, as in `<archived-checksum style="sha1">`.
    struct Checksum: Hashable, Sendable {
        let style: String
        /// Small hexadecimal digits.
        let digits: String
    }

    /// Where the bytes of a file are in the heap.
    struct Extent: Hashable, Sendable {
        var offset: Int64 = 0
        /// How many there are, and how many they become.
        var storedBytes: Int64 = 0
        var bytes: Int64 = 0
        /// The media type of the compression, as in `application/x-gzip`; nil for none.
        var encoding: String?
        var storedChecksum: Checksum?
        var checksum: Checksum?
    }

    struct Row: Hashable, Sendable {
        /// The names from the root down to this one; nil if one of them is no UTF-8, or has a slash in it.
        var path: String?
        var name: String?
        /// The folder that it is in.
        var parent: Int?
        /// `file`, `directory`, `symlink` and others; the package's own word.
        var type = "file"
        /// The digits of the mode, in octal.
        var mode: String?
        /// Where a link points.
        var target: String?
        var extent: Extent?

        var isExecutable: Bool { mode.flatMap { Int($0, radix: 8) }.map { $0 & 0o111 != 0 } ?? false }
    }

    var rows: [Row] = []
    /// Where the checksum of the table is in the heap, and how it is made.
    var checksumStyle: String?
    var checksumOffset: Int64 = 0
    var checksumBytes: Int64 = 0
}

/// Makes a table of contents of its XML.
struct PackageTableReader {
    private struct Open {
        let row: Int
        var isNamed = false
        /// The elements that were open around it.
        let outer: [String]
    }

    /// How many elements a table may have for each file that it may have: other tools say more of a file than ours.
    private static let elementsPerFile = 60

    private let limits: ContentLimits
    private var elementCount = 0
    private var scanner: TableScanner
    private var table = PackageTable()
    /// The files that are open, the outermost first.
    private var files: [Open] = []
    /// The elements that are open, from the innermost file or the root on.
    private var elements: [String] = []
    /// The attributes of the element that began last, and the text since then.
    private var attributes: [String: String] = [:]
    private var text = ""

    init(_ xml: [UInt8], limits: ContentLimits) {
        scanner = TableScanner(xml)
        self.limits = limits
    }

    /// Reads it.
    static func read(_ xml: [UInt8], limits: ContentLimits) throws -> PackageTable {
        var reader = PackageTableReader(xml, limits: limits)
        return try reader.read()
    }

    private mutating func read() throws -> PackageTable {
        while let event = try scanner.next() {
            switch event {
            case .start(let name, let attributes): try start(name, attributes)
            case .text(let piece): text += piece
            case .end(let name): try end(name)
            }
        }
        // A folder may say its name behind the files in it.
        for index in table.rows.indices {
            let row = table.rows[index]
            // A name with a slash would be a path of its own.
            guard let name = row.name, !name.utf8.contains(ContentPath.separator) else { continue }
            guard let parent = row.parent else {
                table.rows[index].path = name
                continue
            }
            table.rows[index].path = table.rows[parent].path.map { $0 + "/" + name }
        }
        return table
    }

    private mutating func start(_ name: String, _ attributes: [String: String]) throws {
        self.attributes = attributes
        text = ""
        elementCount += 1
        guard elementCount <= limits.entries * Self.elementsPerFile else {
            throw ContentError(.tooLarge, "the table of contents has too many elements")
        }
        if files.isEmpty, elements.isEmpty, name != "xar" {
            throw ContentError(.damaged, "the table of contents begins with \(name.prefix(20)), not with xar")
        }
        let mayHoldFiles = files.isEmpty ? isInTable && elements.count == 2 : elements.isEmpty
        guard name == "file", mayHoldFiles else {
            elements.append(name)
            if files.isEmpty {
                if isInTable, elements.count == 3, name == "checksum" {
                    table.checksumStyle = attributes["style"]?.lowercased()
                }
            } else if elements.count == 1, name == "data" {
                try startData()
            } else if elements.count == 2, name == "encoding", elements[0] == "data" {
                editExtent { $0.encoding = attributes["style"] }
            }
            return
        }
        // One more than the limit is let through, so that the rules find it.
        guard table.rows.count <= limits.entries, files.count <= limits.depth + 1 else {
            throw ContentError(.tooLarge, "the table of contents has more than \(limits.entries) files, or is too deep")
        }
        var row = PackageTable.Row()
        row.parent = files.last?.row
        table.rows.append(row)
        files.append(Open(row: table.rows.count - 1, outer: elements))
        elements = []
    }

    private mutating func startData() throws {
        guard let row = files.last?.row, table.rows[row].extent == nil else {
            throw ContentError(.damaged, "the table of contents has the data of a file twice")
        }
        table.rows[row].extent = PackageTable.Extent()
    }

    private mutating func end(_ name: String) throws {
        if elements.isEmpty {
            guard let file = files.popLast() else { return }
            elements = file.outer
            guard file.isNamed else { throw ContentError(.damaged, "the table of contents has a file without a name") }
        } else {
            if files.isEmpty { try endOfTable() } else { try endOfFile() }
            elements.removeLast()
        }
        text = ""
    }

    private var isInTable: Bool { elements.count >= 2 && elements[0] == "xar" && elements[1] == "toc" }

    /// What the table says of itself.
    private mutating func endOfTable() throws {
        guard elements.count == 4, isInTable, elements[2] == "checksum" else { return }
        switch elements[3] {
        case "offset": table.checksumOffset = try number()
        case "size": table.checksumBytes = try number()
        default: break
        }
    }

    /// What the table says of a file.
    private mutating func endOfFile() throws {
        guard let row = files.last?.row, elements.count <= 2, let name = elements.last else { return }
        guard elements.count == 1 else {
            if elements[0] == "data" { try endOfData(name) }
            return
        }
        switch name {
        case "name": try nameFile()
        case "type": table.rows[row].type = trimmed
        case "mode": table.rows[row].mode = trimmed
        case "link": table.rows[row].target = text
        default: break
        }
    }

    private mutating func endOfData(_ name: String) throws {
        switch name {
        case "offset": try setNumber { $0.offset = $1 }
        case "length": try setNumber { $0.storedBytes = $1 }
        case "size": try setNumber { $0.bytes = $1 }
        case "archived-checksum":
            let checksum = try checksum()
            editExtent { $0.storedChecksum = checksum }
        case "extracted-checksum":
            let checksum = try checksum()
            editExtent { $0.checksum = checksum }
        default: break
        }
    }

    private mutating func nameFile() throws {
        guard let file = files.last, !file.isNamed else {
            throw ContentError(.damaged, "the table of contents names a file twice")
        }
        files[files.count - 1].isNamed = true
        let isBase64 = attributes["enctype"] == "base64"
        table.rows[file.row].name =
            isBase64 ? Data(base64Encoded: trimmed).flatMap { String(validating: $0, as: UTF8.self) } : text
    }

    private mutating func setNumber(_ change: (inout PackageTable.Extent, Int64) -> Void) throws {
        let number = try number()
        editExtent { change(&$0, number) }
    }

    private mutating func editExtent(_ change: (inout PackageTable.Extent) -> Void) {
        guard let row = files.last?.row, var extent = table.rows[row].extent else { return }
        change(&extent)
        table.rows[row].extent = extent
    }

    private var trimmed: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    private func number() throws -> Int64 {
        guard let number = Int64(trimmed), number >= 0, trimmed.utf8.count <= 19 else {
            throw ContentError(.damaged, "the table of contents has a number that is none")
        }
        return number
    }

    private func checksum() throws -> PackageTable.Checksum? {
        guard let style = attributes["style"], style != "none", !style.isEmpty else { return nil }
        return PackageTable.Checksum(style: style.lowercased(), digits: trimmed.lowercased())
    }
}
