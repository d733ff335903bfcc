import CommandOptions
import StoreFoundation
import Testing

@testable import till

@Suite("A list in a terminal (X9)") struct ListTableTests {
    private struct Row {
        var number: String
        var title: String
        var price: String
        var state = ListWord("finished", .good)
        var note: String?
    }

    private static var table: ListTable<Row> {
        ListTable(
            .value("TRANSACTION") { $0.number }, .text("PRODUCT") { $0.title }, .number("PRICE") { $0.price },
            .state("STATE") { $0.state }, .value("NOTES") { $0.note }, .id("ID") { "id of \($0.number)" })
    }
    private static let rows = [
        Row(number: "2000000000000002", title: "5 Credits", price: "0.99 USD"),
        Row(
            number: "4", title: "チャプター", price: "1600 JPY", state: ListWord("not finished", .waiting), note: "shared"),
    ]

    @Test("has a heading above each column, under which all rows begin") func headings() {
        #expect(
            Self.table.lines(Self.rows, ListStyle()) == [
                "TRANSACTION       PRODUCT        PRICE  STATE         NOTES",
                "2000000000000002  5 Credits   0.99 USD  finished",
                "4                 チャプター  1600 JPY  not finished  shared",
            ])
    }

    @Test("shows ids only where they are asked for, and no column that has nothing") func details() {
        let row = [Row(number: "1", title: "Key", price: "2.50 USD")]
        #expect(Self.table.lines(row, ListStyle())[0] == "TRANSACTION  PRODUCT     PRICE  STATE")
        #expect(
            Self.table.lines(row, ListStyle(isVerbose: true)) == [
                "TRANSACTION  PRODUCT     PRICE  STATE     ID", "1            Key      2.50 USD  finished  id of 1",
            ])
        #expect(Self.table.lines([], ListStyle()) == [])
    }

    @Test("cuts free text where the terminal is narrow, and nothing that is typed again") func narrow() {
        let row = [Row(number: "2000000000000002", title: "A very long title of a product", price: "1 USD")]
        let lines = Self.table.lines(row, ListStyle(width: 54))
        #expect(lines[1] == "2000000000000002  A very long title …  1 USD  finished")
        #expect(lines.allSatisfy { TerminalWidth.of($0) <= 54 })
        #expect(Self.table.lines(row, ListStyle(width: 1))[1] == "2000000000000002  A very long…  1 USD  finished")
        #expect(TerminalWidth.cut("日本語テキスト", to: 6) == "日本…")
    }

    @Test("has every column and row in full as a table with commas") func commas() {
        #expect(
            Self.table.commas(Self.rows).text
                == "transaction,product,price,state,notes,id\r\n"
                + "2000000000000002,5 Credits,0.99 USD,finished,,id of 2000000000000002\r\n"
                + "4,チャプター,1600 JPY,not finished,shared,id of 4\r\n")
    }

    @Test("is printed with commas or as JSON, not both") func oneForm() throws {
        for words in [["transactions", "list"], ["ledger", "balances"], ["finance", "report"], ["teams", "list"]] {
            let result = TillProgram.program.parse(
                words + ["--csv", "--json"])
            guard case .failure = result else {
                Issue.record("\(words) takes both")
                continue
            }
        }
    }

    @Test("has colours that change no column") func colours() {
        let lines = Self.table.lines(Self.rows, ListStyle(hasColour: true))
        #expect(lines[0].hasPrefix("\u{1B}[1mTRANSACTION\u{1B}[0m       "))
        #expect(lines[1].contains("\u{1B}[32mfinished\u{1B}[0m"))
        #expect(lines[2].contains("\u{1B}[33mnot finished\u{1B}[0m  shared"))
        let plain = lines.map { $0.replacing(/\u{1B}\[\d+m/, with: "") }
        #expect(plain == Self.table.lines(Self.rows, ListStyle()))
    }

    @Test("lets no text of somebody else control the terminal") func hostile() {
        let row = Row(number: "1\u{1B}[2J", title: "\u{202E}evil\nline", price: "")
        let lines = Self.table.lines([row], ListStyle())
        #expect(lines.count == 2)
        #expect(!lines[1].contains("\u{1B}") && lines[1].contains("\\u{202E}evil\\u{A}line"))
    }

    @Test("has colours on a terminal alone, and none where NO_COLOR is set") func whereColoured() {
        func hasColour(_ environment: [String: String], terminal: Bool) -> Bool {
            CommandContext(
                arguments: [], environment: environment, now: Transcript.start, write: { _ in }, warn: { _ in },
                outputIsTerminal: terminal
            ).hasColour
        }
        #expect(hasColour([:], terminal: true))
        #expect(!hasColour([:], terminal: false))
        #expect(!hasColour(["NO_COLOR": "1"], terminal: true) && hasColour(["NO_COLOR": ""], terminal: true))
        #expect(!hasColour(["TERM": "dumb"], terminal: true))
    }
}
