import Foundation
import StoreKitTest
import TestSupport
import Testing

/// What a developer copies from the page about tests.
@Suite("The page about testing", .bounded)
@MainActor
struct TestingPageTests {
    private static let tests = URL(filePath: #filePath + "/../..").standardizedFileURL

    private static func page() throws -> String {
        try String(
            contentsOf: tests.appending(path: "../../Documentation/StoreKit.docc/TestingYourApp.md"), encoding: .utf8)
    }

    @Test("prints the class that the project's own test uses")
    func shop() throws {
        let shop = try String(contentsOf: Self.tests.appending(path: "MonkeyShop.swift"), encoding: .utf8)
        #expect(try Self.page().contains(shop))
    }

    @Test("prints a file from which a session has the product that its test buys")
    func file() throws {
        let block = try #require(
            try Self.page().components(separatedBy: "```json\n").last?.components(separatedBy: "```").first)
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).storekit")
        try Data(block.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let session = try SKTestSession(contentsOf: file)
        session.disableDialogs = true
        try session.buyProduct(productIdentifier: "monkeys.credits5")
        #expect(session.allTransactions().map(\.state) == [.purchased])
    }
}
