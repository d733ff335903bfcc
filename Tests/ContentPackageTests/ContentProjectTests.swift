import Foundation
import StoreModel
import TestSupport
import Testing

@testable import ContentPackage

@Suite("Content projects", .bounded)
struct ContentProjectTests {
    private let product = try? ProductID(parsing: "com.example.book.chapter1")

    @Test("R6.3: A project is made, filled, opened again and edited")
    func making() throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        let place = folder.path + "/book"
        let project = try ContentProject.make(at: place, for: try #require(product))
        #expect(try ContentValidation.ofFolder(place).findings.map(\.rule) == [.contentsEmpty])
        try folder.write("outside/a.txt", "a", mode: 0o755).write("outside/deep/b.txt", "b")
        try folder.link("outside/deep/up", to: "../a.txt")
        #expect(try project.add(folder.project + "/outside/a.txt", to: "texts/more") == ["Contents/texts/more/a.txt"])
        #expect(
            try ContentProject(opening: place).add(folder.project + "/outside/") == [
                "Contents/outside/a.txt", "Contents/outside/deep/b.txt", "Contents/outside/deep/up",
            ])
        let validation = try ContentValidation.ofFolder(place)
        #expect(validation.findings == [])
        #expect(
            try project.entries().map(\.path) == [
                "ContentInfo.plist", "Contents", "Contents/outside", "Contents/outside/a.txt", "Contents/outside/deep",
                "Contents/outside/deep/b.txt", "Contents/outside/deep/up", "Contents/texts", "Contents/texts/more",
                "Contents/texts/more/a.txt",
            ])
    }

    @Test("Adding a file again replaces it; what breaks a rule is not added at all")
    func adding() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        let project = try ContentProject(opening: folder.project)
        let source = folder.path + "/1.html"
        try folder.put(Array("new".utf8), at: source)
        try project.add(source)
        #expect(try folder.bytes(of: folder.project + "/Contents/1.html") == Array("new".utf8))
        let before = try ContentFolder.contents(of: folder.project)
        #expect(throws: ContentError.self) { try project.add(source, to: "../up") }
        #expect(throws: ContentError.self) { try project.add(source, to: "ends./x") }
        #expect(throws: ContentError.self) { try project.add(folder.path + "/absent") }
        // A folder cannot be where a file is.
        #expect(throws: ContentError.self) { try project.add(source, to: "1.html") }
        #expect(try ContentFolder.contents(of: folder.project) == before)
    }

    @Test("A folder that is not empty does not become a project")
    func occupied() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        #expect(throws: ContentError.self) { try ContentProject.make(at: folder.project, for: try #require(product)) }
    }

    @Test("Keys of the description that are not ours are kept")
    func unknownKeys() throws {
        let text = ContentFolder.info().replacing(
            "</dict>", with: "<key>Chapter</key><array><integer>7</integer></array></dict>")
        var info = try #require(ContentInfo(Array(text.utf8)))
        info.versionText = "1.1"
        let again = try PropertyListSerialization.propertyList(from: Data(info.xml()), format: nil) as? [String: Any]
        #expect(again?["ContentVersion"] as? String == "1.1")
        #expect(again?["Chapter"] as? [Int] == [7])
        #expect(again?["IAPProductIdentifier"] as? String == "com.example.book.chapter1")
    }
}
