import Foundation
import StoreBackend
import TestSupport
import Testing

@Suite("The page about fulfilment", .bounded)
struct FulfilmentPageTests {
    private static let tests = URL(filePath: #filePath + "/../..").standardizedFileURL

    private static func page() throws -> String {
        try String(contentsOf: tests.appending(path: "../../Documentation/Fulfilment.md"), encoding: .utf8)
    }

    @Test("X5: It prints the program that this test runs, which credits once and takes back", arguments: engines)
    func program(dialect: SQLDialect) async throws {
        let program = try String(contentsOf: Self.tests.appending(path: "Fulfilment/CreditShop.swift"), encoding: .utf8)
        #expect(try Self.page().contains(program))
        try await BackendPlace.with(dialect) { place in
            let shop = CreditShop(database: try place.open())
            try await shop.prepare()
            let bought = FulfilmentLedgerTests.bought
            var results: [String?] = []
            for purchase in [bought, bought.stated(after: 1), bought.refunded(after: 2), bought] {
                results.append(try await shop.fulfil(purchase, for: "me", at: FulfilmentLedgerTests.now).result)
            }
            #expect(results == ["100 credits", "100 credits", "-100 credits", "-100 credits"])
            let credits = try place.connect().number("SELECT credits FROM account WHERE name = 'me'")
            #expect(credits == 0)
            shop.database.close()
        }
    }

    @Test("It names each limit as it is")
    func limits() throws {
        let page = try Self.page()
        #expect(
            page.contains(
                "| \(FulfilmentLimits.resultBytes.formatted(.number.locale(Locale(identifier: "en_US")))) bytes"))
        #expect(page.contains("| \(FulfilmentLimits.tries) tries"))
    }

    @Test("The printed statements end with the one semicolon they have, and number their parameters as they come")
    func printed() throws {
        for dialect in SQLDialect.allCases {
            let text = FulfilmentSQL.text(dialect)
            let statements = text.components(separatedBy: "-- name: ").dropFirst()
            #expect(statements.count == 9)
            for statement in statements {
                let (head, body) = try #require(Self.split(statement))
                let names = head.split(separator: "(").dropFirst().first.map { $0.split(separator: ",").count } ?? 0
                let parameters = body.matches(of: /\$(\d+)/).map { $0.output.1 }
                #expect(parameters == (0..<names).map { "\($0 + 1)" }, "\(head)")
                let lines = statement.split(separator: "\n").filter { !$0.hasPrefix("--") }
                #expect(lines.joined().count { $0 == ";" } == 1, "\(head)")
            }
        }
    }

    /// The line with the name, and the statement to its semicolon.
    private static func split(_ statement: String) -> (String, String)? {
        guard let line = statement.firstIndex(of: "\n"), let end = statement.firstIndex(of: ";") else { return nil }
        return (String(statement[..<line]), String(statement[line...end]))
    }
}
