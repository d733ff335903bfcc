import Foundation
import TestSupport
import Testing

@testable import ContentPackage

/// Archives that somebody made to do harm to a device, or that were damaged on their way.
@Suite("Hostile archives", .bounded)
struct HostileArchiveTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: ContentError.Code
        let make: @Sendable () -> [UInt8]

        init(_ name: String, _ code: ContentError.Code, _ make: @escaping @Sendable () -> [UInt8]) {
            (testDescription, self.code, self.make) = (name, code, make)
        }

        init(_ name: String, _ code: ContentError.Code, with file: ZipBytes.File...) {
            self.init(name, code) {
                var zip = ZipBytes.valid()
                zip.files += file
                return zip.bytes()
            }
        }
    }

    /// Puts bytes in the place of others, counted from the directory or, where negative, from the end.
    private static func patched(_ place: Int, _ bytes: [UInt8], fromStart: Bool = false) -> [UInt8] {
        var zip = ZipBytes.valid()
        zip.edit = { made, directory in
            let start = fromStart ? place : place < 0 ? made.count + place : directory + place
            return made[..<start] + bytes + made[(start + bytes.count)...]
        }
        return zip.bytes()
    }

    static let names: [Case] = [
        Case("a step up", .refused, with: .init("../x")),
        Case("a step up behind a folder", .refused, with: .init("Contents/../../x")),
        Case("an absolute path", .refused, with: .init("/tmp/till-zip-slip")),
        Case("a backslash", .refused, with: .init("Contents\\..\\x")),
        Case("a NUL", .refused, with: .init("Contents/a\0b")),
        Case("a drive", .refused, with: .init("C:/x")),
        Case("a file beside the contents", .refused, with: .init("Library/x")),
        Case("an empty name in a path", .refused, with: .init("Contents//x")),
        Case("a name twice", .refused, with: .init("Contents/1.txt")),
        Case("a name in capitals too", .refused, with: .init("Contents/1.TXT")),
        Case("a folder in capitals too", .refused, with: .init("Contents/a/1"), .init("Contents/A/2")),
        Case("a name written in two ways", .refused, with: .init("Contents/\u{E9}"), .init("Contents/e\u{301}")),
        Case("a file below a file", .refused, with: .init("Contents/1.txt/2")),
    ]

    static let kinds: [Case] = [
        Case("a link that leaves", .refused, with: .link("Contents/l", "../../x")),
        Case("a link to a path from the root", .refused, with: .link("Contents/l", "/etc")),
        Case("a link that winds out", .refused, with: .link("Contents/l", "a/../../../x")),
        Case("a link and a file through it", .refused, with: .link("Contents/l", "a"), .init("Contents/l/x")),
        Case("a file through a link that comes later", .refused, with: .init("Contents/l/x"), .link("Contents/l", "a")),
        Case("a link for the contents", .refused) {
            ZipBytes(files: [.init("ContentInfo.plist", ContentFolder.info()), .link("Contents", "/tmp")]).bytes()
        },
        Case("a link for the description", .refused) {
            ZipBytes(files: [.link("ContentInfo.plist", "Contents/1"), .init("Contents/1")]).bytes()
        },
        Case("a pipe", .refused, with: .init("Contents/p", "", mode: 0o010644)),
        Case("a device", .refused, with: .init("Contents/d", "", mode: 0o020644)),
        Case("an executable bit", .refused, with: .init("Contents/x", "x", mode: 0o100755)),
        Case("a script", .refused, with: .init("Contents/x", "#!/bin/sh")),
        Case("a deflated program", .refused, with: .init("Contents/x", "\u{7F}ELF", deflated: true)),
        Case("a folder with bytes", .damaged, with: .init("Contents/f/", "x", mode: ZipRecord.folderMode)),
        Case("no description", .refused) { ZipBytes(files: [.init("Contents/1")]).bytes() },
        Case("a description that is none", .refused) {
            ZipBytes(files: [.init("ContentInfo.plist", "x"), .init("Contents/1")]).bytes()
        },
    ]

    static let bytes: [Case] = [
        Case("nothing", .notAPackage) { [] },
        Case("a package", .notAPackage) { (try? PackageBytes.valid().bytes()) ?? [] },
        Case("an archive without its last byte", .notAPackage) { Array(ZipBytes.valid().bytes().dropLast()) },
        Case("an archive without its first byte", .damaged) { Array(ZipBytes.valid().bytes().dropFirst()) },
        Case("an encrypted file", .damaged) { patched(8, [1]) },
        Case("a length behind the bytes", .damaged) { patched(8, [8, 8]) },
        Case("an unknown compression", .damaged) { patched(10, [12]) },
        Case("a wrong checksum", .damaged, with: .init("Contents/x").editing { $0.record.crc ^= 1 }),
        Case("a byte that changed", .damaged, with: .init("Contents/x").editing { $0.data = [0] }),
        Case(
            "other names before the bytes", .damaged,
            with: .init("Contents/x").editing {
                $0.local = $0.record
                $0.local?.name = "Contents/y"
            }),
        Case(
            "other lengths before the bytes", .damaged,
            with: .init("Contents/x").editing {
                $0.local = $0.record
                $0.local?.bytes = 7
            }),
        Case("two files of the same bytes", .damaged, with: .init("Contents/x").editing { $0.record.offset = 1 }),
        Case("a file behind the directory", .damaged, with: .init("Contents/x").editing { $0.record.offset = 1 << 20 }),
        Case(
            "a file as long as all disks", .damaged,
            with: .init("Contents/x").editing {
                $0.record.storedBytes = .max
                $0.record.bytes = .max
            }),
        Case(
            "data that becomes longer than it says", .damaged,
            with: .init("Contents/x", String(repeating: "0", count: 99_999), deflated: true).editing {
                $0.record.bytes = 9
            }),
        Case(
            "data that becomes shorter than it says", .damaged,
            with: .init("Contents/x", "0", deflated: true).editing { $0.record.bytes = 99 }),
        Case(
            "deflated data that is cut off", .damaged,
            with: .init("Contents/x", "0123456789", deflated: true).editing {
                $0.data.removeLast()
                $0.record.storedBytes -= 1
            }),
        Case(
            "bytes behind deflated data", .damaged,
            with: .init("Contents/x", "0", deflated: true).editing {
                $0.data.append(0)
                $0.record.storedBytes += 1
            }),
        Case(
            "a bomb", .refused,
            with: .init("Contents/x", "", deflated: true).editing { $0.record.bytes = 1 << 30 }),
        Case(
            "a hundred bombs", .refused,
            with: .init("Contents/x", "", deflated: true).editing { $0.record.bytes = 1 << 62 },
            .init("Contents/y", "", deflated: true).editing { $0.record.bytes = 1 << 62 }),
        Case("a wrong signature in the directory", .damaged) { patched(0, [0]) },
        Case("a part of a larger archive", .damaged) { patched(-18, [1]) },
        Case("more entries than there are", .damaged) { patched(-14, [9, 0, 9, 0]) },
        Case("fewer entries than there are", .damaged) { patched(-14, [1, 0, 1, 0]) },
        Case("a directory of another length", .damaged) { patched(-10, [1, 0, 0, 0]) },
        Case("a link with a wrong checksum", .damaged, with: .link("Contents/l", "a").editing { $0.record.crc ^= 1 }),
        Case("a directory elsewhere", .damaged) { patched(-6, [1, 0, 0, 0]) },
        Case("a long end that is not there", .damaged) { patched(-6, [0xFF, 0xFF, 0xFF, 0xFF]) },
        Case("more entries than may be", .tooLarge) {
            ZipBytes(files: (0..<20_001).map { .init("Contents/\($0)", "") }).bytes()
        },
    ]

    @Test("An archive made by hand is read, so that the cases fail for their reason only")
    func valid() throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        let more: [ZipBytes.File] = [
            .folder("Contents/f"), .link("Contents/f/l", "../1.txt"), .init("Contents/d/e/f", "deep", deflated: true),
        ]
        var zip = ZipBytes.valid()
        zip.files += more
        try folder.put(zip.bytes(), at: folder.archive)
        try DeliveredArchive.unpack(folder.archive, into: folder.unpacked)
        let found = try ContentFolder.contents(of: folder.unpacked)
        #expect(found["Contents/d/e/f"] == Array("deep".utf8))
        #expect(found["Contents/f/l"] == Array("-> ../1.txt".utf8))
        #expect(found.count == 8)
    }

    @Test("R1.11, R6.5: A hostile archive is refused, and nothing is left of it", arguments: names + kinds + bytes)
    func hostile(_ hostile: Case) throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        try folder.put(hostile.make(), at: folder.archive)
        let error = #expect(throws: ContentError.self) {
            try DeliveredArchive.unpack(folder.archive, into: folder.unpacked)
        }
        #expect(error?.code == hostile.code, "\(error?.message ?? "")")
        #expect(try folder.names() == ["project", "made.zip"])
        #expect(!FileManager.default.fileExists(atPath: "/tmp/till-zip-slip"))
    }

    @Test("R6.5: A file within the bytes of another is refused: so short archives become very long")
    func nested() throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        var zip = ZipBytes.valid()
        let place = zip.files.reduce(0) { $0 + $1.record.local(threshold: zip.threshold).count + $1.data.count }
        let inner = ZipBytes.File("Contents/y", "y")
        let outer = ZipBytes.File("Contents/x", inner.record.local(threshold: zip.threshold) + inner.data)
        zip.files += [outer, inner]
        try folder.put(zip.bytes(), at: folder.archive)
        try DeliveredArchive.unpack(folder.archive, into: folder.unpacked)
        try FileManager.default.removeItem(atPath: folder.unpacked)
        zip.files[3].record.offset = Int64(place + ZipRecord.localBytes + outer.record.name.utf8.count)
        try folder.put(zip.bytes(), at: folder.archive)
        let error = #expect(throws: ContentError.self) {
            try DeliveredArchive.unpack(folder.archive, into: folder.unpacked)
        }
        #expect(error?.code == .damaged)
    }

    @Test("R6.5: An archive that was cut off anywhere is refused")
    func truncated() throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        let bytes = ZipBytes.valid(.init("Contents/2", "two", deflated: true)).bytes()
        for count in stride(from: 0, to: bytes.count, by: RandomizedRun.isSoak ? 1 : 7) {
            try folder.put(Array(bytes.prefix(count)), at: folder.archive)
            #expect(throws: ContentError.self) { try DeliveredArchive.unpack(folder.archive, into: folder.unpacked) }
        }
        #expect(try folder.names() == ["project", "made.zip"])
    }

    @Test("R6.5: However an archive was damaged, files are what they were or nothing is unpacked")
    func mutants() throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        let files: [ZipBytes.File] = [
            .folder("Contents/f"), .link("Contents/f/l", "../1.txt"),
            .init("Contents/d/e", String(repeating: "deep ", count: 50), deflated: true),
        ]
        var zip = ZipBytes.valid()
        zip.files += files
        let plain = zip.bytes()
        zip.threshold = 0
        try folder.put(plain, at: folder.archive)
        try DeliveredArchive.unpack(folder.archive, into: folder.unpacked)
        let original = Set(try ContentFolder.contents(of: folder.unpacked).values)
        try FileManager.default.removeItem(atPath: folder.unpacked)
        for mutant in Mutants("archives", of: [plain, zip.bytes()], rounds: 250) {
            try folder.put(mutant.bytes, at: folder.archive)
            do {
                try DeliveredArchive.unpack(folder.archive, into: folder.unpacked)
            } catch is ContentError {
                #expect(try folder.names() == ["project", "made.zip"], "\(mutant)")
                continue
            }
            // A link may have become a file, which the directory alone says; bytes have a checksum.
            for bytes in try ContentFolder.contents(of: folder.unpacked).values {
                #expect(
                    original.contains(bytes) || original.contains(Array("-> ".utf8) + bytes)
                        || bytes.starts(with: "-> ".utf8), "\(mutant)")
            }
            #expect(try folder.names() == ["project", "made.zip", "unpacked"], "\(mutant)")
            try FileManager.default.removeItem(atPath: folder.unpacked)
        }
    }
}
