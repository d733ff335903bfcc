import Foundation
import StoreKitTest
import TestSupport
import Testing

/// What a developer copies from the pages about tests and about going over to StoreKit 2.
@Suite("The pages about testing", .bounded)
@MainActor
struct TestingPageTests {
    private nonisolated static let tests = URL(filePath: #filePath + "/../..").standardizedFileURL

    private nonisolated static func page(_ name: String = "TestingYourApp") throws -> String {
        try String(
            contentsOf: tests.appending(path: "../../Documentation/StoreKit.docc/\(name).md"), encoding: .utf8)
    }

    /// The pieces of a page in a language.
    private nonisolated static func pieces(of page: String, in language: String) -> [String] {
        page.components(separatedBy: "```\(language)\n").dropFirst().map { piece in
            piece.components(separatedBy: "```").first ?? ""
        }
    }

    @Test("print the class that the project's own test uses")
    func shop() throws {
        let shop = try String(contentsOf: Self.tests.appending(path: "MonkeyShop.swift"), encoding: .utf8)
        #expect(try Self.page().contains(shop))
    }

    @Test("print a file from which a session has the product that its test buys")
    func file() throws {
        let block = try #require(try Self.pieces(of: Self.page(), in: "json").last)
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).storekit")
        try Data(block.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let session = try SKTestSession(contentsOf: file)
        session.disableDialogs = true
        try session.buyProduct(productIdentifier: "monkeys.credits5")
        #expect(session.allTransactions().map(\.state) == [.purchased])
    }

    @Test("print the file of the club as its tests have it")
    func clubFile() throws {
        let file = try String(contentsOf: Self.tests.appending(path: "Resources/Club.storekit"), encoding: .utf8)
        #expect(try Self.pieces(of: Self.page("TestingPurchases"), in: "json") == [file])
    }

    @Test("print the scenario of the club as its tests have it")
    func clubScenario() throws {
        let file = try String(contentsOf: Self.tests.appending(path: "Resources/Club.till"), encoding: .utf8)
        #expect(try Self.page("TestingPurchases").contains("```\n\(file)```"))
    }

    @Test(
        "have no line of Swift that is not compiled and run by a test",
        arguments: ["TestingPurchases", "TestingYourApp", "FromStoreKit1To2"])
    func code(page: String) throws {
        let files = try Self.sources()
        let pieces = try Self.pieces(of: Self.page(page), in: "swift").map(Self.lines)
        // What belongs into the manifest of a package is none.
        let checked = pieces.filter { $0.first != ".testTarget(" }
        #expect(!checked.isEmpty)
        for piece in checked {
            #expect(files.contains { Self.has(piece, in: $0) }, "\(piece.joined(separator: "\n"))")
        }
    }

    private nonisolated static func sources() throws -> [[String]] {
        let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
        return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .map { lines(try String(contentsOf: $0, encoding: .utf8)) }
    }

    private nonisolated static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Whether all lines of a piece are in a file, in this order; the file may have others between them.
    private nonisolated static func has(_ piece: [String], in file: [String]) -> Bool {
        var rest = piece[...]
        for line in file where line == rest.first { rest = rest.dropFirst() }
        return rest.isEmpty
    }
}
