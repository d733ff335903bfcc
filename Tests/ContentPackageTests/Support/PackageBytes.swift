import StoreSigning

@testable import ContentPackage

/// A package put together by hand, which may say anything.
struct PackageBytes {
    struct File {
        var name: String
        var bytes: [UInt8] = []
        var isDeflated = false
        /// Elements beside the data and the name.
        var elements = "<type>file</type>"
        /// Says something else of where the bytes are.
        var data: (@Sendable (_ offset: Int, _ stored: Int, _ bytes: Int, _ sums: String) -> String)?
        var children: [File] = []
    }

    var files: [File]
    /// Changes the table of contents before it is compressed.
    var editTable: (String) -> String = { $0 }
    /// Changes the header, the stored table and the heap.
    var editHeader: ([UInt8]) -> [UInt8] = { $0 }
    var editHeap: ([UInt8]) -> [UInt8] = { $0 }
    var checksumStyle = "sha1"

    static func sha1(_ bytes: [UInt8]) throws -> String {
        PackageChecksum.digits(try DigestAlgorithm.sha1.digest(bytes))
    }

    /// The description and one text, and whatever is added.
    static func valid(_ more: [File] = [], info: String = ContentFolder.info()) -> PackageBytes {
        PackageBytes(files: [
            File(name: "ContentInfo.plist", bytes: Array(info.utf8)),
            File(
                name: "Contents", elements: "<type>directory</type>",
                children: [File(name: "1.txt", bytes: Array("one".utf8), isDeflated: true)] + more),
        ])
    }

    func bytes() throws -> [UInt8] {
        var heap: [UInt8] = []
        var table =
            "<?xml version=\"1.0\"?><xar><toc><checksum style=\"\(checksumStyle)\"><offset>0</offset><size>20</size></checksum>"
        for file in files { table += try xml(file, &heap) }
        table = editTable(table + "</toc></xar>")
        return try Self.assemble(Array(table.utf8), heap: editHeap(heap), editHeader: editHeader)
    }

    /// A package with this table of contents, whose checksum is right.
    static func assemble(
        _ table: [UInt8], heap: [UInt8], editHeader: ([UInt8]) -> [UInt8] = { $0 }
    ) throws -> [UInt8] {
        let stored = try Compressor.compress(table)
        let header = PackageHeader(storedTableBytes: Int64(stored.count), tableBytes: Int64(table.count))
        return editHeader(header.encoded) + stored + (try DigestAlgorithm.sha1.digest(stored)) + heap
    }

    private func xml(_ file: File, _ heap: inout [UInt8]) throws -> String {
        var text = "<file id=\"1\">"
        if file.elements.contains("<type>file") {
            let stored = file.isDeflated ? try Compressor.compress(file.bytes) : file.bytes
            let sums =
                "<archived-checksum style=\"sha1\">\(try Self.sha1(stored))</archived-checksum>"
                + "<extracted-checksum style=\"sha1\">\(try Self.sha1(file.bytes))</extracted-checksum>"
                + "<encoding style=\"application/\(file.isDeflated ? "x-gzip" : "octet-stream")\"/>"
            let place = 20 + heap.count
            let said = file.data?(place, stored.count, file.bytes.count, sums)
            text += "<data>" + (said ?? Self.data(place, stored.count, file.bytes.count, sums)) + "</data>"
            heap += stored
        }
        text += file.elements + "<name>\(file.name)</name>"
        for child in file.children { text += try xml(child, &heap) }
        return text + "</file>"
    }

    static func data(_ offset: Int, _ stored: Int, _ bytes: Int, _ sums: String) -> String {
        "<length>\(stored)</length><offset>\(offset)</offset><size>\(bytes)</size>" + sums
    }
}
