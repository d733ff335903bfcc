import Foundation
import StoreModel
import TestSupport
import Testing

@testable import ContentPackage

/// The rules for content, in a folder.
@Suite("Rules for content", .bounded)
struct ContentRulesTests {
    private func findings(
        _ folder: ContentFolder, _ expectation: ContentExpectation = ContentExpectation(),
        limits: ContentLimits = ContentLimits()
    ) throws -> [String] {
        try ContentValidation.ofFolder(folder.project, expecting: expectation, limits: limits).findings
            .map { "\($0.path ?? "-") \($0.rule.rawValue)" }.sorted()
    }

    @Test("R6.2: Content that keeps to the rules has no findings")
    func sample() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        let validation = try ContentValidation.of(folder.project)
        #expect(validation.findings == [])
        #expect(validation.info?.version == .first)
        #expect(validation.info?.product?.text == "com.example.book.chapter1")
        #expect(validation.packageBytes == nil)
        #expect(validation.unpackedBytes == validation.entries.reduce(0) { $0 + $1.bytes })
        #expect(validation.unpackedBytes > 4800)
    }

    @Test(
        "R1.11: A program is found by how it begins",
        arguments: [
            [0x7F, 0x45, 0x4C, 0x46], [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE],
            [0xCF, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE], [0xBE, 0xBA, 0xFE, 0xCA], [0xCA, 0xFE, 0xBA, 0xBF],
            [0xBF, 0xBA, 0xFE, 0xCA], [0x4D, 0x5A, 0x90], [0x23, 0x21, 0x2F, 0x62], [0xEF, 0xBB, 0xBF, 0x23, 0x21],
        ] as [[UInt8]])
    func programs(_ beginning: [UInt8]) throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        try folder.write("Contents/data/tool.txt", beginning + [0, 1, 2, 3, 4, 5, 6, 7])
        #expect(try findings(folder) == ["Contents/data/tool.txt executable_code"])
        // One byte less is no program.
        try folder.write("Contents/data/tool.txt", Array(beginning.prefix(1)))
        #expect(try findings(folder) == [])
    }

    @Test("R1.11: A file that may be run is refused, whatever it holds")
    func executableBit() throws {
        for mode in [0o755, 0o654, 0o645] {
            let folder = try ContentFolder.sample()
            defer { folder.remove() }
            try folder.write("Contents/plain.txt", "text", mode: mode)
            #expect(try findings(folder) == ["Contents/plain.txt executable_bit"])
        }
    }

    @Test(
        "R6.2: The description says a version from 1.0 on and the product",
        arguments: [
            (ContentFolder.info(version: "1.0"), nil), (ContentFolder.info(version: "0.9"), "version_too_low"),
            (ContentFolder.info(version: "1.0b"), "version_malformed"),
            (ContentFolder.info(version: ""), "version_malformed"),
            (ContentFolder.info(product: ""), "identifier_malformed"),
            (ContentFolder.info(product: "com.example.other"), "identifier_mismatch"),
            (
                "<plist><dict><key>IAPProductIdentifier</key><string>com.example.book.chapter1</string></dict></plist>",
                "version_missing"
            ),
            ("<plist><dict><key>ContentVersion</key><string>1.0</string></dict></plist>", "identifier_missing"),
            (
                "<plist><dict><key>ContentVersion</key><real>1.0</real><key>IAPProductIdentifier</key><string>com.example.book.chapter1</string></dict></plist>",
                "version_missing"
            ),
            ("<plist><array></array></plist>", "info_malformed"), ("nonsense", "info_malformed"),
            ("{ ContentVersion = \"1.0\"; }", "info_malformed"), ("", "info_malformed"),
        ] as [(String, String?)])
    func description(_ text: String, _ rule: String?) throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        try folder.write("ContentInfo.plist", text)
        let product = try ProductID(parsing: "com.example.book.chapter1")
        #expect(
            try findings(folder, ContentExpectation(product: product)) == rule.map { ["ContentInfo.plist \($0)"] } ?? []
        )
    }

    @Test(
        "R6.2: The version has to rise", arguments: [("1.9", true), ("1.10", false), ("1.10.1", false), ("2", false)])
    func rising(_ previous: String, _ rises: Bool) throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        try folder.write("ContentInfo.plist", ContentFolder.info(version: "1.10"))
        let expectation = ContentExpectation(previousVersion: try ContentVersion(parsing: previous))
        #expect(try findings(folder, expectation) == (rises ? [] : ["ContentInfo.plist version_not_raised"]))
    }

    @Test("R6.2: Everything that is wrong is found at once, each with its file")
    func everything() throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        try folder.write("ContentInfo.plist", ContentFolder.info(version: "0.1"))
            .write("notes.txt", "beside").write(".git/config", "beside, and not looked into")
            .write("Contents/back\\slash", "").write("Contents/ends.", "").write("Contents/ends ", "")
            .write("Contents/bell\u{7}", "").write("Contents/Same", "").write("Contents/same", "")
            .write("Contents/caf\u{E9}", "").write("Contents/cafe\u{301}", "")
            .write("Contents/d/straße", "").write("Contents/D/x", "")
            .write("Contents/run.sh", "#!/bin/sh\n", mode: 0o755)
            .link("Contents/out", to: "../../etc/passwd").link("Contents/absolute", to: "/etc/passwd")
            .link("Contents/winding", to: "d/../../../x")
        mkfifo(folder.project + "/Contents/pipe", 0o600)
        #expect(
            try findings(folder) == [
                ".git outside_contents", "ContentInfo.plist version_too_low", "Contents/absolute link_leaves",
                "Contents/back\\slash name_unsafe", "Contents/bell\u{7} name_unsafe",
                "Contents/caf\u{E9} name_collision",
                "Contents/d name_collision", "Contents/d/straße name_collision", "Contents/ends  name_unsafe",
                "Contents/ends. name_unsafe", "Contents/out link_leaves", "Contents/pipe kind_refused",
                "Contents/run.sh executable_bit", "Contents/run.sh executable_code", "Contents/same name_collision",
                "Contents/winding link_leaves", "notes.txt outside_contents",
            ])
    }

    @Test("R6.2: A folder without description or files is refused")
    func empty() throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        #expect(try findings(folder) == ["ContentInfo.plist info_missing", "Contents contents_empty"])
        try FileManager.default.removeItem(atPath: folder.project + "/Contents")
        #expect(try findings(folder) == ["ContentInfo.plist info_missing", "Contents contents_missing"])
        try folder.write("elsewhere/1.txt", "").link("Contents", to: "elsewhere").link(
            "ContentInfo.plist", to: "elsewhere/1.txt")
        #expect(try findings(folder).contains("Contents contents_missing"))
        #expect(try findings(folder).contains("ContentInfo.plist info_missing"))
    }

    @Test(
        "A link stays in Contents only if it leads up first and then down",
        arguments: [
            ("a", true), ("../a", true), ("../../x", false), ("b/a", true), ("b/../a", false), ("", false),
            ("/a", false),
            ("./a", false), ("..", true), ("../..", false), ("a//b", false), ("a\\b", false), ("../d", true),
        ])
    func links(_ target: String, _ stays: Bool) {
        #expect(ContentRules.stays(target, from: ContentPath("Contents/d/link")) == stays)
    }

    @Test("R6.2: Limits on bytes, files, names and depth are told")
    func amounts() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        let long = String(repeating: "n", count: 200)
        try folder.write("Contents/\(long)/1", "").write("Contents/1/2/3/4", "")
        var limits = ContentLimits()
        (limits.pathBytes, limits.depth, limits.unpackedBytes, limits.nameBytes) = (150, 4, 4000, 190)
        #expect(
            try findings(folder, limits: limits) == [
                "- unpacked_too_large", "Contents/1/2/3/4 too_deep", "Contents/\(long) path_too_long",
                "Contents/\(long) path_too_long", "Contents/\(long)/1 path_too_long",
                "Contents/\(long)/1 path_too_long",
            ])
        limits = ContentLimits()
        limits.entries = 3
        #expect(try findings(folder, limits: limits).contains("- too_many_files"))
    }

    @Test("A binary property list that refers to lists twice is refused before Foundation reads it")
    func propertyListBomb() throws {
        // Twenty-six lists, each of which has the next one twice: 67 million texts.
        var objects: [[UInt8]] = (1...26).map { [0xA2, $0, $0] }
        objects.append([0x51, 0x41])
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 1] + BigEndian.bytes(UInt64(objects.count)) + BigEndian.bytes(UInt64(0))
        let bomb = bytes + offsets + trailer + BigEndian.bytes(UInt64(bytes.count))
        // Without this, Foundation would be busy with it for a minute, and then refuse it too.
        #expect(!PropertyListShape.isHarmless(bomb))
        #expect(ContentInfo(bomb) == nil)
        let plain =
            ["ContentVersion": "1.0", "IAPProductIdentifier": "a.b", "More": ["x": [1, 2, 3]]] as [String: Any]
        let binary = try PropertyListSerialization.data(fromPropertyList: plain, format: .binary, options: 0)
        #expect(ContentInfo(Array(binary))?.version == .first)
    }
}
