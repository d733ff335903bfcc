import CommandOptions
import Foundation
import StoreModel
import StoreServer
import StoreService
import Testing

@testable import till

@Suite("What sales commands tell people") struct SaleTextTests {
    private static func purchase(_ more: String) throws -> PurchaseReport {
        let text = """
            {"purchaseId": "17", "deviceId": "1001", "bundleId": "com.example.app", "productId": "credits5", "quantity": 1,
            "storefront": "USA", "unitPrice": {"amount": "0.99", "currency": "USD"},
            "total": {"amount": "0.99", "currency": "USD"}, "openedAt": 0, "changedAt": 0, "expiresAt": 0, "summary": "", \(more)}
            """
        return try JSONDecoder().decode(PurchaseReport.self, from: Data(text.utf8))
    }

    @Test("a review has who wrote it and when, and its text in lines") func reviews() throws {
        let text = """
            {"reviewId": 12, "storeId": 7, "stars": 2, "title": "Wet", "body": "Quiet.\\nThen not.", "nickname": "ada",
            "storefront": "USA", "state": "shown", "openReports": 3, "answer": "Yes.\\nAlas.", "writtenAt": 0, "changedAt": 0}
            """
        let review = try JSONDecoder().decode(CustomerReviewMessage.self, from: Data(text.utf8))
        #expect(
            RatingsCommand.lines(review) == [
                "12: 2 stars of item 7, shown, Wet", "  by ada, 1970-01-01T00:00:00Z, in USA", "  reported by 3",
                "  Quiet.", "  Then not.", "  answered: Yes.", "  Alas.",
            ])
    }

    @Test("a command to go on with a purchase of production names production") func commandGoOn() throws {
        let waiting = try Self.purchase(#""state": "sign-in", "code": "BDFG-HJKM""#)
        #expect(SaleText.lines(waiting, in: .sandbox).last == "  waits for a yes: till approve BDFG-HJKM")
        #expect(
            SaleText.lines(waiting, in: .production).last
                == "  waits for a yes: till approve BDFG-HJKM --environment production")
        let voiding = try Self.purchase(#""state": "voiding""#)
        #expect(SaleText.lines(voiding, in: .sandbox).last?.hasSuffix("--because TEXT") == true)
        #expect(
            SaleText.lines(voiding, in: .production).last?.hasSuffix("--because TEXT --environment production") == true)
    }

    @Test("who waits for a bank of the test processor is told the command that plays it") func bank() throws {
        let waiting = try Self.purchase(
            #""state": "action", "actionUrl": "https://processor.invalid/actions/authorise-12", "authorisation": "authorise-12""#
        )
        let last = SaleText.lines(waiting, in: .production).last
        #expect(last?.hasSuffix(": till processor act authorise-12 --environment production") == true)
        #expect(SaleText.command(toGoOnWith: waiting, in: .sandbox) == "till processor act authorise-12")
        // What has no reference, as with a processor whose banks have pages of their own, says where the customer goes.
        let elsewhere = try Self.purchase(#""state": "action", "actionUrl": "https://bank.example/7""#)
        #expect(SaleText.lines(elsewhere, in: .sandbox).last == "  waits for the customer at https://bank.example/7")
    }

    @Test("fields of the interface are called in a terminal as people and options call them") func fields() {
        #expect(FieldName.spelled(in: "bundleId: there is none.", about: "bundleId") == "bundle id: there is none.")
        #expect(FieldName.spelled(in: "startsAt: it is past.", about: "startsAt") == "--from: it is past.")
        #expect(FieldName.words("taxId") == "tax id" && FieldName.words("iban") == "IBAN")
        let place = "apps[0].name: it is empty."
        #expect(FieldName.spelled(in: place, about: "apps[0].name") == place)
    }

    @Test("what is no code is answered with the letters that codes have, and no others") func whatNoCode() async throws
    {
        let run = try await Transcript().till("approve", "NOPE-NOPE")
        #expect(run.status == 65)
        let words = run.errors.split { !$0.isLetter }.map(String.init)
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
            let isAllowed = Confirmation.code(typed: String(repeating: letter, count: 8)) != nil
            #expect(words.contains { $0.count == 20 && $0.contains(letter) } == isAllowed, "\(letter)")
        }
    }

    @Test("the reasons of a refund are the words that it takes") func reasonsRefundWords() throws {
        let help = try #require(TillProgram.program.help(for: ["transactions", "refund"]))
        #expect(help.split { $0.isWhitespace }.joined(separator: " ").contains("One of issue, other."))
        #expect(!help.contains("Issue"))
    }

    @Test("a person who started the store is told a till that is there") func personWhoStarted() {
        let banner = Announcement(
            production: "http://127.0.0.1:1", sandbox: "http://127.0.0.1:2", dataDirectory: "./my data",
            database: "SQLite",
            process: 1, isDemo: true, console: nil, isPassing: false, program: ".build/debug/till"
        ).banner
        let commands = banner.split(separator: "\n").filter { $0.contains("till ") && !$0.hasPrefix("Till ") }
        #expect(commands.count == 8)
        #expect(commands.allSatisfy { $0.contains(".build/debug/till ") })
        #expect(banner.contains("Is all well? .build/debug/till doctor --data './my data'\n"))
    }

    @Test("X9: who brought the products of an app is told how to provision it") func appOfFile() {
        let banner = Announcement(
            production: "http://127.0.0.1:1", sandbox: "http://127.0.0.1:2", dataDirectory: "./mine",
            database: "SQLite",
            process: 1, isDemo: false, console: nil, isPassing: false, hasTester: true,
            app: BundleID("com.example.shop"), program: "till"
        ).banner
        #expect(banner.contains("till provision com.example.shop --sandbox --data ./mine > App.tillprofile\n"))
        for command in ["api-key create Backend --output backend.p8", "listen --forward-to URL", "trigger subscribed"] {
            #expect(banner.contains("till \(command) --data ./mine\n"), "\(command)")
            let words = "\(command) --data ./mine".split(separator: " ").map(String.init)
            guard case .run = TillProgram.program.parse(words, environment: [:], width: nil) else {
                Issue.record("\(command) is no command")
                continue
            }
        }
    }
}
