import StoreDatabase
import StoreModel
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCatalogue

@Suite("The files of items are what their bytes say", .bounded)
struct ItemFileTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let role: ItemFile.Role
        let kind: ItemKind
        let bytes: [UInt8]
        var testDescription: String { "\(name) as the \(role) of a \(kind)" }

        init(_ name: String, _ role: ItemFile.Role, of kind: ItemKind, _ bytes: [UInt8]) {
            (self.name, self.role, self.kind, self.bytes) = (name, role, kind, bytes)
        }
    }

    static let demo: [(file: String, role: ItemFile.Role, kind: ItemKind, head: MediaHead)] = [
        ("monkeycredits.artwork.png", .artwork, .app, MediaHead("image/png", width: 256, height: 256)),
        ("low-tide.wide.png", .wide, .album, MediaHead("image/png", width: 640, height: 320)),
        ("ebb.wav", .package, .song, MediaHead("audio/wav", milliseconds: 8000)),
        ("ebb.preview.wav", .preview, .song, MediaHead("audio/wav", milliseconds: 4000)),
        ("night-bus.webm", .package, .film, MediaHead("video/webm", milliseconds: 5000)),
        ("dot.epub", .package, .book, MediaHead("application/epub+zip")),
        ("dot.sample.epub", .sample, .book, MediaHead("application/epub+zip")),
        ("monkeycredits.deb", .package, .app, MediaHead("application/vnd.debian.binary-package")),
    ]

    @Test("A picture's size and the length of what plays are read from the bytes")
    func heads() throws {
        for (file, role, kind, head) in Self.demo {
            #expect(try Self.head(ItemScene.file(file), role, kind) == head, "\(file)")
        }
    }

    private static func head(_ bytes: [UInt8], _ role: ItemFile.Role, _ kind: ItemKind) throws -> MediaHead {
        try MediaInspection.head(of: MediaBytes(bytes), for: role, of: kind)
    }

    static let ogg: [UInt8] =
        Array("OggS".utf8) + bytes(22) + [1, 30] + [1] + Array("vorbis".utf8) + bytes(4) + [2]
        + [0x80, 0xBB, 0, 0] + bytes(14) + Array("OggS".utf8) + [0, 4] + [0x00, 0xEE, 0x02, 0, 0, 0, 0, 0] + bytes(20)

    static let flac: [UInt8] =
        Array("fLaC".utf8) + [0, 0, 0, 34] + bytes(10) + [0x0A, 0xC4, 0x42, 0xF0, 0, 1, 0x58, 0x88] + bytes(60)

    static let mp3: [UInt8] =
        Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 10] + bytes(10) + [0xFF, 0xFB, 0x90, 0] + bytes(15_996)

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let count = UInt32(8 + content.count)
        return [UInt8(count >> 24), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
            + Array(name.utf8) + content
    }

    static func mp4(_ handler: String) -> [UInt8] {
        let header = box("mvhd", bytes(12) + [0, 0, 0x03, 0xE8, 0, 0, 0x0B, 0xB8])
        let track = box("trak", box("mdia", box("hdlr", bytes(8) + Array(handler.utf8) + bytes(12))))
        return box("ftyp", Array("isom".utf8) + bytes(48)) + box("moov", header + track)
    }

    private static func bytes(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

    @Test("Ogg, FLAC, MP3 and MP4 say how long they play, and an MP4 whether it can be seen")
    func lengths() throws {
        #expect(try Self.head(Self.ogg, .preview, .song) == MediaHead("audio/ogg", milliseconds: 4000))
        #expect(try Self.head(Self.flac, .package, .song) == MediaHead("audio/flac", milliseconds: 2000))
        #expect(try Self.head(Self.mp3, .package, .audiobook) == MediaHead("audio/mpeg", milliseconds: 1000))
        #expect(try Self.head(Self.mp4("vide"), .package, .film) == MediaHead("video/mp4", milliseconds: 3000))
        #expect(try Self.head(Self.mp4("soun"), .package, .song) == MediaHead("audio/mp4", milliseconds: 3000))
        #expect(throws: CatalogueError.self) { try Self.head(Self.mp4("vide"), .package, .song) }
        #expect(throws: CatalogueError.self) { try Self.head(Self.mp4("soun"), .package, .film) }
    }

    static let elf: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + bytes(100)

    /// A zip of files that are stored as they are.
    static func zip(_ files: [(String, [UInt8])]) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 255) } }
        var (made, directory): ([UInt8], [UInt8]) = ([], [])
        for (name, content) in files {
            let common =
                little(20, 2) + bytes(12) + little(content.count, 4) + little(content.count, 4)
                + little(name.utf8.count, 2)
            directory +=
                [0x50, 0x4B, 1, 2, 20, 0] + common + bytes(12) + little(made.count, 4) + Array(name.utf8)
            made += [0x50, 0x4B, 3, 4] + common + [0, 0] + Array(name.utf8) + content
        }
        return made + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + little(files.count, 2) + little(files.count, 2)
            + little(directory.count, 4) + little(made.count, 4) + [0, 0]
    }

    static func epub(_ more: [(String, [UInt8])], hasContainer: Bool = true) -> [UInt8] {
        zip(
            [("mimetype", Array("application/epub+zip".utf8))]
                + (hasContainer ? [("META-INF/container.xml", Array("<container/>".utf8))] : []) + more)
    }

    /// What is refused.
    static let hostile: [Sample] = files + documents + books

    private static let books: [Sample] =
        pages.map { Sample("a book with \($0)", .package, of: .book, epub([("OPS/page", Array($0.utf8))])) }
        + ["../../.bashrc", "/etc/cron.d/x", "a\\..\\x", "OPS/../../x"].map {
            Sample("a book with \($0)", .package, of: .book, epub([($0, [1])]))
        }

    private static let documents: [Sample] = [
        Sample("a document that runs", .sample, of: .book, document("<</S/JavaScript/JS(app.alert(1))>>")),
        Sample("a document that hides it", .sample, of: .book, document("<</S/Java#53cript/JS(app.alert(1))>>")),
        Sample("a document that packs it", .sample, of: .book, packedDocument("<</S/JavaScript/JS(app.alert(1))>>")),
        Sample("a document that is encrypted", .sample, of: .book, document("<</Encrypt 2 0 R>>")),
        Sample("a document that is cut off", .sample, of: .book, Array("%PDF-1.7\n".utf8)),
    ]

    private static let files: [Sample] = [
        Sample("a page", .artwork, of: .app, Array("<!doctype html><script>alert(1)</script>".utf8) + bytes(80)),
        Sample("an SVG", .artwork, of: .album, Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8) + bytes(80)),
        Sample("a GIF", .artwork, of: .album, Array("GIF89a".utf8) + bytes(100)),
        Sample("a page behind a picture", .artwork, of: .app, picture + Array("<script>alert(1)</script>".utf8)),
        Sample("a picture that is cut off", .artwork, of: .app, Array(picture.dropLast(20))),
        Sample("a picture of a mile", .artwork, of: .app, picture(width: 60_000)),
        Sample("a picture that is too long", .artwork, of: .app, picture + bytes(5 << 20)),
        Sample("an icon that is not square", .artwork, of: .app, file("low-tide.wide.png")),
        Sample("a square", .wide, of: .app, picture),
        Sample("a program", .package, of: .song, elf), Sample("a program", .package, of: .app, elf),
        Sample("a script", .package, of: .film, Array("#!/bin/sh\nrm -rf /\n".utf8) + bytes(80)),
        Sample("a picture", .preview, of: .song, picture), Sample("a tune", .package, of: .film, file("ebb.wav")),
        Sample("a film", .preview, of: .song, file("night-bus.webm")),
        Sample("a package", .package, of: .book, file("monkeycredits.deb")),
        Sample("a WAV without samples", .package, of: .song, Array(file("ebb.wav").prefix(30)) + bytes(60)),
        Sample("an Ogg of something else", .package, of: .song, Array("OggS".utf8) + bytes(120)),
        Sample(
            "an MP4 whose boxes have no end", .package, of: .film,
            Array(mp4("vide").prefix(60)) + [0, 0, 0, 3] + bytes(60)),
        Sample("a Matroska", .package, of: .film, [0x1A, 0x45, 0xDF, 0xA3] + Array("matroska".utf8) + bytes(80)),
        Sample("a zip", .package, of: .book, zip([("a", [1])]) + bytes(60)),
        Sample("a book with a program", .package, of: .book, epub([("OPS/x.bin", elf)])),
        Sample("a book with a script", .package, of: .book, epub([("OPS/x", Array("#!/bin/sh".utf8))])),
        Sample("a book without its container", .package, of: .book, epub([], hasContainer: false)),
        Sample("a book that is cut off", .package, of: .book, Array(file("dot.epub").dropLast(40))),
        Sample("a picture without its points", .artwork, of: .app, emptied(picture)),
        Sample("a WAV of any length", .preview, of: .song, endless(file("ebb.wav"))),
        Sample("a FLAC of a page", .preview, of: .song, Array("fLaC<script>alert(1)</script>".utf8) + bytes(80)),
        Sample("nothing", .artwork, of: .app, []), Sample("a byte", .package, of: .song, [0xFF]),
    ]

    /// Pages that do something.
    private static let pages = [
        "<html><script>alert(1)</script></html>", "<svg:svg><svg:script/></svg:svg>", "\u{FEFF}<p\nonload = 'x()'/>",
        "<a href=' java\tscript:x()'>", "<!DOCTYPE p [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><p>&x;</p>",
        "<p title=\"a > b\" onclick='x()'>",
    ]

    static func document(_ object: String) -> [UInt8] {
        Array("%PDF-1.7\n1 0 obj\n\(object)\nendobj\nstartxref\n9\n%%EOF\n".utf8)
    }

    /// A document whose objects are in a stream, as a tool that deflates nothing packs them.
    static func packedDocument(_ objects: String) -> [UInt8] {
        let bytes = Array(objects.utf8)
        let (one, two) = bytes.reduce((UInt32(1), UInt32(0))) { sums, byte in
            let one = (sums.0 + UInt32(byte)) % 65_521
            return (one, (sums.1 + one) % 65_521)
        }
        func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) } }
        // Two blocks break the word.
        let (head, rest) = (bytes.prefix(8), bytes.dropFirst(8))
        func stored(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> [UInt8] {
            let count = UInt16(bytes.count)
            return [isLast ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
                + bytes
        }
        let packed = [0x78, 0x9C] + stored(head, isLast: false) + stored(rest, isLast: true) + big(two << 16 | one)
        return Array("%PDF-1.7\n1 0 obj\n<</Type/ObjStm/Filter/FlateDecode>>stream\r\n".utf8) + packed
            + Array("\nendstream\nendobj\nstartxref\n9\n%%EOF\n".utf8)
    }

    /// A picture that has lost all but the beginning of its points.
    private static func emptied(_ picture: [UInt8]) -> [UInt8] {
        let place = picture.indices.first { picture[$0...].starts(with: Array("IDAT".utf8)) } ?? 0
        return Array(picture[..<(place - 4)]) + [0, 0, 0, 10] + picture[place..<(place + 18)] + picture.suffix(12)
    }

    /// A recording that says that it has more samples than it has.
    private static func endless(_ wave: [UInt8]) -> [UInt8] {
        var wave = wave
        let place = wave.indices.first { wave[$0...].starts(with: Array("data".utf8)) } ?? 0
        wave.replaceSubrange((place + 4)..<(place + 8), with: [255, 255, 255, 255])
        return wave
    }

    private static func file(_ name: String) -> [UInt8] { DemoItems.files[name] ?? [] }

    private static let picture = file("monkeycredits.artwork.png")

    /// A picture that says that it is wider.
    private static func picture(width: Int) -> [UInt8] {
        var bytes = picture
        bytes.replaceSubrange(
            16..<20, with: [0, UInt8(width >> 16 & 255), UInt8(width >> 8 & 255), UInt8(width & 255)])
        return bytes
    }

    @Test("What is not what it is for, or could do harm, is refused", arguments: hostile)
    func refused(sample: Sample) {
        #expect(throws: CatalogueError.self) { try Self.head(sample.bytes, sample.role, sample.kind) }
    }

    @Test("Books that only say something are taken, whatever they say")
    func harmless() throws {
        let page = """
            <?xml version="1.0"?><!DOCTYPE html><!-- <script> onload=1 -->
            <p class='on' title="once = > onclick=">He went on = he script: stayed. <![CDATA[<script>]]> 1 &lt; 2</p>
            """
        let good = Self.epub([("OPS/page.xhtml", Array(page.utf8)), ("OPS/a..b/x", [1])])
        #expect(try Self.head(good, .package, .book).mediaType == "application/epub+zip")
        for document in [Self.document("<</Title(C#23 #4)>>"), Self.packedDocument("<</Type/Catalog/Names 3 0 R>>")] {
            #expect(try Self.head(document, .package, .book).mediaType == "application/pdf")
        }
    }

    @Test("Any bytes at all are judged without a crash")
    func noise() {
        var source = SplitMix64(seed: 35)
        let starts = Self.hostile.map(\.bytes) + [Self.ogg, Self.flac, Self.mp3, Self.mp4("vide"), Self.picture]
        for start in starts where !start.isEmpty && start.count < 20_000 {
            for _ in 0..<40 {
                var bytes = start
                for _ in 0..<8 { bytes[Int.random(in: bytes.indices, using: &source)] = .random(in: .min ... .max) }
                for (role, kind) in [(ItemFile.Role.package, ItemKind.film), (.package, .book), (.artwork, .app)] {
                    let head = try? Self.head(bytes, role, kind)
                    #expect(head?.milliseconds ?? 0 <= ItemLimits.milliseconds)
                }
            }
        }
    }

    @Test(
        "A name is kept in a form that no system takes for a folder or a program",
        arguments: [
            ("../../etc/passwd", "audio/mpeg", "passwd.mp3"), ("song.mp3.exe", "audio/mpeg", "song.mp3.exe.mp3"),
            ("Ebb.MP3", "audio/mpeg", "Ebb.mp3"), ("C:\\x\\y.epub", "application/epub+zip", "y.epub"),
            (".bashrc", "application/pdf", "bashrc.pdf"), ("a\"b<c>\r\n.wav", "audio/wav", "a_b_c___.wav"),
            ("", "image/png", "file.png"), ("夜行バス.webm", "video/webm", "夜行バス.webm"),
            ("-rf.deb", "application/vnd.debian.binary-package", "rf.deb"),
        ])
    func names(name: String, mediaType: String, kept: String) {
        #expect(MediaForm.name(name, mediaType) == kept)
        let long = MediaForm.name(String(repeating: "名", count: 500) + name, mediaType)
        #expect(long.utf8.count <= ItemLimits.fileName)
    }

    @Test("A file comes in pieces, is kept once, and its blob goes when nothing has it any more")
    func blobs() async throws {
        try await ItemScene.with { scene in
            let book = try await scene.completeBook()
            let file = try #require(book.files.first { $0.role == .package })
            let content = try ItemScene.file("dot.epub")
            #expect(file.fileName == "dot.epub" && file.mediaType == "application/epub+zip")
            #expect(try scene.store.read(file.blob, 0..<file.bytes) == content)
            var rest = content[...]
            let again = try await scene.editing.putFile(
                NewItemFile(ItemFilePlace(.package), called: "Dot.epub"), of: book.storeID, in: scene.blobs
            ) {
                defer { rest = rest.dropFirst(100) }
                return rest.isEmpty ? nil : Array(rest.prefix(100))
            }
            #expect(again.files.first { $0.role == .package }?.blob == file.blob)
            let late = ItemScene.now + BlobRemoval.delay + .seconds(1)
            #expect(try await BlobRemoval.sweep(scene.store, of: scene.catalogue, at: late) == 0)
            _ = try await scene.put(.package, "dot.sample.epub", of: book.storeID)
            #expect(try await BlobRemoval.sweep(scene.store, of: scene.catalogue, at: late) == 1)
            #expect(try scene.store.byteCount(of: file.blob) == nil)
            let uses = try await scene.catalogue.read {
                try BlobDamage.uses(of: BlobID(of: ItemScene.file("dot.sample.epub")), in: $0)
            }
            #expect(uses == ["the package of A Book"])
        }
    }

    @Test("Places that a kind does not have, and more than its limit, are refused before any byte")
    func places() async throws {
        try await ItemScene.with { scene in
            let book = try await scene.editing.addItem(ItemScene.book())
            let places: [(ItemFilePlace, RefusalCode)] = [
                (ItemFilePlace(.screenshot), .valueInvalid), (ItemFilePlace(.artwork, position: 2), .valueInvalid),
                (ItemFilePlace(.artwork, position: 0), .valueInvalid),
                (ItemFilePlace(.package, version: "1.0"), .valueInvalid),
                (ItemFilePlace(ItemFile.Role(rawValue: "poster")), .valueInvalid),
            ]
            for (place, code) in places {
                let refusal = try await ItemScene.refusal {
                    _ = try await scene.editing.putFile(
                        NewItemFile(place, called: "x"), of: book.storeID, in: scene.blobs
                    ) {
                        Issue.record("the file was asked for")
                        return nil
                    }
                }
                #expect(refusal == code, "\(place)")
            }
            let missing = try await ItemScene.refusal {
                _ = try await scene.editing.removeFile(at: ItemFilePlace(.artwork), of: book.storeID)
            }
            #expect(missing == .nameUnknown)
        }
    }
}
