import Foundation
import TestSupport
import Testing

@testable import ContentPackage

/// Packages that somebody made to do harm, or that were damaged.
@Suite("Hostile packages", .bounded)
struct HostilePackageTests {
    typealias File = PackageBytes.File

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rule: ContentRule
        let make: @Sendable () throws -> [UInt8]

        init(_ name: String, _ rule: ContentRule, _ make: @escaping @Sendable () throws -> [UInt8]) {
            (testDescription, self.rule, self.make) = (name, rule, make)
        }
    }

    private static func file(
        _ name: String, _ text: String = "x", elements: String = "<type>file</type>",
        data: (@Sendable (Int, Int, Int, String) -> String)? = nil
    ) -> File { File(name: name, bytes: Array(text.utf8), elements: elements, data: data) }

    private static func with(_ files: File...) throws -> [UInt8] { try PackageBytes.valid(files).bytes() }

    private static func edited(_ change: (inout PackageBytes) -> Void) throws -> [UInt8] {
        var package = PackageBytes.valid()
        change(&package)
        return try package.bytes()
    }

    static let names: [Case] = [
        Case("a name of two points", .pathUnsafe) { try with(file("..")) },
        Case("a name of one point", .pathUnsafe) { try with(file(".")) },
        Case("an empty name", .pathUnsafe) { try with(file("")) },
        Case("a path for a name", .nameNotUnicode) { try with(file("../../x")) },
        Case("an absolute path for a name", .nameNotUnicode) { try with(file("/etc/passwd")) },
        Case("a NUL in a name", .nameUnsafe) { try with(file("a&#0;b")) },
        Case("a backslash in a name", .nameUnsafe) { try with(file("a\\b")) },
        Case("a name twice", .duplicate) { try with(file("a"), file("a")) },
        Case("a name in capitals too", .nameCollision) { try with(file("a"), file("A")) },
        Case("a file beside the contents", .outsideContents) {
            try edited { $0.files.append(file("Scripts")) }
        },
        Case("a name of a kilobyte", .pathTooLong) { try with(file(String(repeating: "n", count: 1100))) },
        Case("a name that is no UTF-8", .nameNotUnicode) {
            try edited { $0.editTable = { $0.replacing("<name>1.txt", with: "<name enctype=\"base64\">//8=") } }
        },
    ]

    static let kinds: [Case] = [
        Case("a link that leaves", .linkLeaves) {
            try with(file("l", elements: "<type>symlink</type><link>../../etc/passwd</link>"))
        },
        Case("a file below a link", .belowFile) {
            try edited {
                $0.files[1].children.append(
                    File(name: "l", elements: "<type>symlink</type><link>images</link>", children: [file("x")]))
            }
        },
        Case("a device", .kindRefused) { try with(file("d", elements: "<type>character special</type>")) },
        Case("a pipe", .kindRefused) { try with(file("p", elements: "<type>fifo</type>")) },
        Case("a socket", .kindRefused) { try with(file("s", elements: "<type>socket</type>")) },
        Case("a hard link", .kindRefused) { try with(file("h", elements: "<type link=\"1\">hardlink</type>")) },
        Case("a link for a description", .infoMissing) {
            try edited { $0.files[0].elements = "<type>symlink</type><link>Contents/1.txt</link>" }
        },
        Case("a program", .executableCode) { try with(file("a", "\u{7F}ELF")) },
        Case("a deflated program", .executableCode) {
            try with(File(name: "a", bytes: Array("#!/bin/sh".utf8), isDeflated: true))
        },
        Case("an executable bit", .executableBit) {
            try with(file("a", elements: "<type>file</type><mode>0755</mode>"))
        },
    ]

    static let bytes: [Case] = [
        Case("a file behind the end", .damaged) {
            try with(file("a", data: { PackageBytes.data($0 + 1, $1, $2, $3) }))
        },
        Case("a file at the largest place", .damaged) {
            try with(file("a", data: { _, b, c, d in PackageBytes.data(.max, b, c, d) }))
        },
        Case("a file that begins before the heap", .damaged) {
            try with(file("a", data: { _, b, c, d in PackageBytes.data(-1, b, c, d) }))
        },
        Case("a file of the largest length", .damaged) {
            try with(file("a", data: { a, _, _, d in PackageBytes.data(a, .max, .max, d) }))
        },
        Case("two files of the same bytes", .damaged) {
            try with(file("a"), file("b", data: { PackageBytes.data($0 - 1, $1, $2, $3) }))
        },
        Case("a file of the bytes of the checksum", .damaged) {
            try with(file("a", data: { _, b, c, d in PackageBytes.data(0, b, c, d) }))
        },
        Case("a file that becomes longer than it says", .damaged) {
            let bytes = [UInt8](repeating: 0, count: 100_000)
            return try with(
                File(name: "a", bytes: bytes, isDeflated: true, data: { PackageBytes.data($0, $1, 10, $3) }))
        },
        Case("a file that becomes shorter than it says", .damaged) {
            try with(File(name: "a", bytes: [1, 2, 3], isDeflated: true, data: { PackageBytes.data($0, $1, 30, $3) }))
        },
        Case("compressed bytes that are called plain", .damaged) {
            try edited { $0.editTable = { $0.replacing("x-gzip", with: "octet-stream") } }
        },
        Case("bytes behind compressed data", .damaged) {
            let bytes = try Compressor.compress([1, 2, 3]) + [4]
            let sums =
                "<archived-checksum style=\"sha1\">\(try PackageBytes.sha1(bytes))</archived-checksum><encoding style=\"application/x-gzip\"/>"
                + "<extracted-checksum style=\"sha1\">\(try PackageBytes.sha1([1, 2, 3]))</extracted-checksum>"
            return try with(File(name: "a", bytes: bytes, data: { a, b, _, _ in PackageBytes.data(a, b, 3, sums) }))
        },
        Case("a wrong checksum", .damaged) {
            try edited { $0.editHeap = { $0.dropLast() + [($0.last ?? 0) ^ 1] } }
        },
        Case("no checksum", .damaged) { try with(file("a", data: { a, b, c, _ in PackageBytes.data(a, b, c, "") })) },
        Case("a checksum of the kind that is broken", .damaged) {
            try edited {
                $0.editTable = {
                    $0.replacing("archived-checksum style=\"sha1\"", with: "archived-checksum style=\"md5\"")
                }
            }
        },
        Case("a compression that is not known", .encodingUnknown) {
            try edited { $0.editTable = { $0.replacing("x-gzip", with: "x-bzip2") } }
        },
    ]

    static let structure: [Case] = [
        Case("nothing", .notAPackage) { [] },
        Case("a zip archive", .notAPackage) { Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 100) },
        Case("a header only", .damaged) { Array(try PackageBytes.valid().bytes().prefix(28)) },
        Case("half a header", .damaged) { Array(try PackageBytes.valid().bytes().prefix(14)) },
        Case("half a package", .damaged) { Array(try PackageBytes.valid().bytes().dropLast(8)) },
        Case("a table of a terabyte", .packageTooLarge) {
            try edited { $0.editHeader = { $0[..<16] + BigEndian.bytes(UInt64(1) << 40) + $0[24...] } }
        },
        Case("a stored table of the largest length", .packageTooLarge) {
            try edited { $0.editHeader = { $0[..<8] + BigEndian.bytes(UInt64.max) + $0[16...] } }
        },
        Case("a table that is longer than it says", .damaged) {
            try edited { $0.editHeader = { $0[..<16] + BigEndian.bytes(UInt64(20)) + $0[24...] } }
        },
        Case("a later version of the format", .notAPackage) {
            try edited { $0.editHeader = { $0[..<6] + [0, 9] + $0[8...] } }
        },
        Case("a table without a checksum", .damaged) {
            try edited { $0.editTable = { $0.replacing(/<checksum style.*?<.checksum>/, with: "") } }
        },
        Case("a table whose checksum is wrong", .damaged) {
            var bytes = try PackageBytes.valid().bytes()
            bytes[28 + Int(BigEndian.number(bytes[8..<16]))] ^= 1
            return bytes
        },
        Case("a table with another checksum", .damaged) {
            try edited {
                $0.editTable = {
                    $0.replacing("<checksum style=\"sha1\"><offset>0", with: "<checksum style=\"sha1\"><offset>1")
                }
            }
        },
        Case("an entity that grows", .damaged) {
            try edited {
                $0.editTable = {
                    $0.replacing("<xar>", with: "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><xar>")
                }
            }
        },
        Case("elements a thousand deep", .damaged) {
            try edited {
                $0.editTable = { $0.replacing("</toc>", with: String(repeating: "<a>", count: 1000) + "</toc>") }
            }
        },
        Case("folders a hundred deep", .packageTooLarge) {
            try edited {
                var inner = file("x")
                for _ in 0..<100 { inner = File(name: "d", elements: "<type>directory</type>", children: [inner]) }
                $0.files[1].children.append(inner)
            }
        },
        Case("fifty thousand folders", .packageTooLarge) {
            try edited {
                let folder = "<file id=\"1\"><type>directory</type><name>d</name></file>"
                let many = String(repeating: folder, count: 50_000)
                $0.editTable = { $0.replacing("</toc>", with: many + "</toc>") }
            }
        },
        Case("a file without a name", .damaged) {
            try edited { $0.editTable = { $0.replacing("<name>1.txt</name>", with: "") } }
        },
        Case("a length that is no number", .damaged) {
            try with(
                file("a", data: { a, _, c, d in "<length>many</length><offset>\(a)</offset><size>\(c)</size>" + d }))
        },
    ]

    @Test("What is made by hand is read, so that the cases fail for their reason only")
    func valid() throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        try folder.put(PackageBytes.valid([Self.file("more")]).bytes(), at: folder.package)
        #expect(try ContentValidation.ofPackage(folder.package).findings == [])
    }

    @Test(
        "R6.2, R1.11: A hostile package is refused with the rule it breaks",
        arguments: names + kinds + bytes + structure)
    func hostile(_ hostile: Case) throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        try folder.put(hostile.make(), at: folder.package)
        let validation = try ContentValidation.ofPackage(folder.package)
        #expect(validation.findings.contains { $0.rule == hostile.rule }, "\(validation.findings)")
        // The store delivers nothing of it either, whoever asks it to.
        #expect(throws: ContentError.self) { try DeliveredArchive.write(from: folder.package) { _ in } }
    }

    @Test("R6.2: Bombs are refused before anything of them is unpacked")
    func bombs() throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        var limits = ContentLimits()
        limits.bytesBelowRatio = 1 << 16
        let zeros = File(name: "a", bytes: [UInt8](repeating: 0, count: 1 << 20), isDeflated: true)
        try folder.put(PackageBytes.valid([zeros]).bytes(), at: folder.package)
        #expect(try ContentValidation.ofPackage(folder.package).findings == [])
        #expect(try ContentValidation.ofPackage(folder.package, limits: limits).findings.map(\.rule) == [.ratioTooHigh])
        limits = ContentLimits()
        limits.unpackedBytes = 1 << 20
        #expect(
            try ContentValidation.ofPackage(folder.package, limits: limits).findings.map(\.rule) == [.unpackedTooLarge])
        limits = ContentLimits()
        limits.entries = 10
        let elements = try Self.edited {
            $0.editTable = { $0.replacing("</toc>", with: String(repeating: "<a/>", count: 1000) + "</toc>") }
        }
        try folder.put(elements, at: folder.package)
        #expect(try ContentValidation.ofPackage(folder.package).findings == [])
        #expect(
            try ContentValidation.ofPackage(folder.package, limits: limits).findings.map(\.rule) == [.packageTooLarge])
    }

    @Test("R6.2: Of a file that is longer than it says no more is handed out than it says")
    func longer() throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        let zeros = [UInt8](repeating: 0, count: 4 << 20)
        let file = File(name: "a", bytes: zeros, isDeflated: true, data: { PackageBytes.data($0, $1, 1 << 20, $3) })
        try folder.put(PackageBytes.valid([file]).bytes(), at: folder.package)
        let reader = try PackageReader(folder.package)
        let extent = try #require(reader.table.rows.last?.extent)
        var count = 0
        #expect(throws: ContentError.self) { try reader.read(extent) { count += $0.count } }
        #expect(count <= 1 << 20)
    }

    @Test("R6.2: A package is either what it was, or refused, however it was damaged")
    func mutants() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        try PackageWriter().write(folder.project, to: folder.package)
        let original = try folder.bytes(of: folder.package)
        let entries = try ContentValidation.ofPackage(folder.package).entries
        for mutant in Mutants("packages", of: [original, try PackageBytes.valid().bytes()], rounds: 250)
        where mutant.origin == 0 {
            try folder.put(mutant.bytes, at: folder.package)
            let validation = try ContentValidation.ofPackage(folder.package)
            #expect(!validation.isValid || validation.entries == entries, "\(mutant)")
        }
    }

    @Test("R6.2: A table of contents may say anything: what is read of it is refused, or unpacked within its folder")
    func mutantTables() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        try PackageWriter().write(folder.project, to: folder.package)
        let reader = try PackageReader(folder.package)
        let bytes = try folder.bytes(of: folder.package)
        let heap = Array(bytes[(Int(reader.header.heapStart) + 20)...])
        let stored = Array(bytes[28..<Int(reader.header.heapStart)])
        let table = try Decompressor.decompress(stored, byteCount: Int(reader.header.tableBytes))
        var valid = 0
        for mutant in Mutants("tables", of: [table], rounds: 120) {
            try folder.put(PackageBytes.assemble(mutant.bytes, heap: heap), at: folder.package)
            guard try ContentValidation.ofPackage(folder.package).isValid else { continue }
            valid += 1
            var zip: [UInt8] = []
            _ = try DeliveredArchive.write(from: folder.package) { zip += $0 }
            try folder.put(zip, at: folder.archive)
            let unpacked = try DeliveredArchive.unpack(folder.archive, into: folder.unpacked)
            #expect(unpacked.info.version != nil, "\(mutant)")
            #expect(try folder.names() == ["project", "made.pkg", "made.zip", "unpacked"], "\(mutant)")
            try FileManager.default.removeItem(atPath: folder.unpacked)
        }
        // Some damages change nothing that matters, such as an id or a space.
        #expect(valid > 0)
    }
}
