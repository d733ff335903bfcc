import Foundation
import StoreModel
import StoreSigning
import TestSupport
import Testing

@testable import ContentPackage

/// Packages as files.
@Suite("Packages", .bounded)
struct PackageTests {
    /// The table of contents of a package, with nothing believed to be right but the header.
    private func table(_ package: [UInt8]) throws -> String {
        let header = try PackageHeader(
            Array(package.prefix(28)), fileBytes: Int64(package.count), limits: ContentLimits())
        let stored = Array(package[28..<Int(header.heapStart)])
        return String(decoding: try Decompressor.decompress(stored, byteCount: Int(header.tableBytes)), as: UTF8.self)
    }

    @Test("R6.2: The table of contents has sorted entries, fixed times and modes, and no owner")
    func golden() throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        try folder.write("ContentInfo.plist", "<plist/>").write("Contents/b/2.png", "two").write(
            "Contents/a.mp3", "one"
        )
        .link("Contents/z", to: "b/2.png")
        try folder.write("ContentInfo.plist", ContentFolder.info())
        try PackageWriter().write(folder.project, to: folder.package)
        let text = try table(folder.bytes(of: folder.package))
        let compressed = try Compressor.compress(Array(ContentFolder.info().utf8))
        #expect(
            text
                == GoldenTable.text(
                    infoBytes: ContentFolder.info().utf8.count, storedBytes: compressed.count,
                    storedChecksum: try PackageBytes.sha1(compressed),
                    checksum: try PackageBytes.sha1(Array(ContentFolder.info().utf8))))
    }

    @Test("R6.3: The same tree gives the same bytes, whenever and wherever it is packed")
    func reproducible() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        try PackageWriter().write(folder.project, to: folder.package)
        let first = try folder.bytes(of: folder.package)
        let other = try ContentFolder()
        defer { other.remove() }
        try FileManager.default.removeItem(atPath: other.project)
        // A copy has other inodes and times, and its entries were made in another order.
        try FileManager.default.createDirectory(atPath: other.project, withIntermediateDirectories: true)
        for (name, bytes) in try ContentFolder.contents(of: folder.project).sorted(by: { $0.key > $1.key }) {
            if bytes == Array("folder".utf8) {
                try FileManager.default.createDirectory(
                    atPath: other.project + "/" + name, withIntermediateDirectories: true)
            } else if bytes.starts(with: "-> ".utf8) {
                try FileManager.default.createDirectory(
                    atPath: other.project + "/Contents/images", withIntermediateDirectories: true)
                try other.link(name, to: String(decoding: bytes.dropFirst(3), as: UTF8.self))
            } else {
                try other.write(name, bytes, mode: 0o600)
            }
        }
        try PackageWriter(workingFolder: other.path).write(other.project, to: other.package)
        #expect(try other.bytes(of: other.package) == first)
        #expect(try other.names() == ["project", "made.pkg"])
        try other.write("Contents/1.html", "changed")
        try PackageWriter().write(other.project, to: other.package)
        #expect(try other.bytes(of: other.package) != first)
    }

    @Test("R6.2: The name of a package ends in .pkg")
    func name() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        try PackageWriter().write(folder.project, to: folder.package)
        #expect(try ContentValidation.of(folder.package).findings == [])
        let other = folder.path + "/made.xar"
        try FileManager.default.moveItem(atPath: folder.package, toPath: other)
        #expect(try ContentValidation.of(other).findings.map(\.rule) == [.extensionMissing])
        #expect(ContentFinding(ofPackageCalled: "CHAPTER.PKG") == nil)
    }

    @Test("R6.2: A package is validated like the folder it was made of")
    func valid() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        let written = try PackageWriter().write(folder.project, to: folder.package)
        let read = try ContentValidation.of(folder.package)
        #expect(read.findings == [])
        #expect(read.entries == written.entries)
        #expect(read.unpackedBytes == written.unpackedBytes)
        #expect(read.packageBytes == Int64(try folder.bytes(of: folder.package).count))
        #expect(read.info?.version == .first)
    }

    @Test("R6.2: A folder that breaks a rule is not packed, and what was there stays")
    func refused() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        try folder.put([1, 2, 3], at: folder.package)
        try folder.write("Contents/run", "#!/bin/sh")
        let error = #expect(throws: ContentError.self) { try PackageWriter().write(folder.project, to: folder.package) }
        #expect(error?.code == .refused)
        #expect(error?.findings.map(\.rule) == [.executableCode])
        #expect(try folder.bytes(of: folder.package) == [1, 2, 3])
    }

    @Test("A package that would be too large, and a disk that is too small, are told as that")
    func room() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        var limits = ContentLimits()
        limits.packageBytes = 1000
        var random = RandomizedRun.generator(named: "room")
        try folder.write("Contents/film.mp4", random.bytes(2000))
        var error = #expect(throws: ContentError.self) {
            try PackageWriter(limits: limits).write(folder.project, to: folder.package)
        }
        // What is compressed already is known to be too large before anything is packed.
        #expect(error?.code == .refused && error?.message.contains("the package would have") == true)
        limits.packageBytes = 6000
        try folder.write("Contents/noise", random.bytes(5000))
        error = #expect(throws: ContentError.self) {
            try PackageWriter(limits: limits).write(folder.project, to: folder.package)
        }
        #expect(error?.code == .tooLarge)
        error = #expect(throws: ContentError.self) { try DiskRoom.require(.max, in: folder.path, for: "a test") }
        #expect(error?.code == .full)
        #expect(error?.message.contains("\(Int64.max) bytes") == true)
        error = #expect(throws: ContentError.self) {
            try PackageWriter(work: ContentWork(isCancelled: { true })).write(folder.project, to: folder.package)
        }
        #expect(error?.code == .cancelled)
        #expect(try folder.names() == ["project"])
    }

    @Test("A file is stored as it is where deflate gains less than a twentieth, or its name says that it is compressed")
    func storing() throws {
        var random = RandomizedRun.generator(named: "storing")
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        let text = String(repeating: "text ", count: 100)
        try folder.write("Contents/noise", random.bytes(5000)).write("Contents/text.png", text).write(
            "Contents/text", text)
        try PackageWriter().write(folder.project, to: folder.package)
        let rows = try PackageReader(folder.package).table.rows
        let encodings = Dictionary(rows.map { ($0.path, $0.extent?.encoding) }) { one, _ in one }
        #expect(encodings["Contents/noise"] == "application/octet-stream")
        #expect(encodings["Contents/text.png"] == "application/octet-stream")
        #expect(encodings["Contents/text"] == "application/x-gzip")
        #expect(try ContentValidation.of(folder.package).findings == [])
    }
}

/// The table of contents as it has to be.
private enum GoldenTable {
    static func text(infoBytes: Int, storedBytes: Int, storedChecksum: String, checksum: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <xar>
         <toc>
          <checksum style="sha1">
           <offset>0</offset>
           <size>20</size>
          </checksum>
          <creation-time>2009-06-17T00:00:00Z</creation-time>
          <file id="1">
           <data>
            <length>\(storedBytes)</length>
            <offset>20</offset>
            <size>\(infoBytes)</size>
            <encoding style="application/x-gzip"/>
            <archived-checksum style="sha1">\(storedChecksum)</archived-checksum>
            <extracted-checksum style="sha1">\(checksum)</extracted-checksum>
           </data>
           <mode>0644</mode>
           <type>file</type>
           <name>ContentInfo.plist</name>
          </file>
          <file id="2">
           <mode>0755</mode>
           <type>directory</type>
           <name>Contents</name>
           <file id="3">
            <data>
             <length>3</length>
             <offset>\(20 + storedBytes)</offset>
             <size>3</size>
             <encoding style="application/octet-stream"/>
             <archived-checksum style="sha1">fe05bcdcdc4928012781a5f1a2a77cbb5398e106</archived-checksum>
             <extracted-checksum style="sha1">fe05bcdcdc4928012781a5f1a2a77cbb5398e106</extracted-checksum>
            </data>
            <mode>0644</mode>
            <type>file</type>
            <name>a.mp3</name>
           </file>
           <file id="4">
            <mode>0755</mode>
            <type>directory</type>
            <name>b</name>
            <file id="5">
             <data>
              <length>3</length>
              <offset>\(23 + storedBytes)</offset>
              <size>3</size>
              <encoding style="application/octet-stream"/>
              <archived-checksum style="sha1">ad782ecdac770fc6eb9a62e44f90873fb97fb26b</archived-checksum>
              <extracted-checksum style="sha1">ad782ecdac770fc6eb9a62e44f90873fb97fb26b</extracted-checksum>
             </data>
             <mode>0644</mode>
             <type>file</type>
             <name>2.png</name>
            </file>
           </file>
           <file id="6">
            <link type="broken">b/2.png</link>
            <mode>0755</mode>
            <type>symlink</type>
            <name>z</name>
           </file>
          </file>
         </toc>
        </xar>

        """
    }
}
