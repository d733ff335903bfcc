import StoreHTTP
import Testing

@testable import StoreWeb

@Suite("Exports of lists") struct TableExportTests {
    private func table(_ rows: [[[any HTML]]], headings: [Int: String] = [:], next: Link? = nil) -> [any HTML] {
        DataTable(
            title: "Sales", columns: [.text("When"), .text("What"), .amount("Amount")], rows: rows,
            empty: [p { "Nothing" }], next: next, headings: headings
        ).element
    }

    @Test("A row has what is read, with exact dates and amounts, and nothing that is pressed or seen only")
    func rows() throws {
        let row: [[any HTML]] = [
            [a(.href(Link("/x"))) { time(.dateTime("2026-11-25T10:00:00Z")) { "10:00:00" } }],
            ["Jungle", span(.class("faint")) { " · com.example" }, copyButton("x"), span(.isHidden) { "↓" }],
            [data(.value("2.99 USD")) { "$2.99" }],
        ]
        let found = try #require(TableExport(of: [div { table([row], headings: [0: "Wednesday"]) }]))
        #expect(found.columns == ["When", "What", "Amount"])
        #expect(found.rows == [["2026-11-25T10:00:00Z", "Jungle · com.example", "2.99 USD"]])
        #expect(found.next == nil)
    }

    @Test("A list without rows has its headings still, and a page without a list is none")
    func empty() throws {
        let found = try #require(TableExport(of: table([])))
        #expect(found.columns == ["When", "What", "Amount"] && found.rows.isEmpty)
        #expect(TableExport(of: [p { "Nothing" }]) == nil)
    }

    @Test("A later list of the page, and what is folded away, are never exported in the place of the first")
    func secrets() throws {
        let secret: [[any HTML]] = [
            [
                details {
                    summary { "Show it" }
                    p { "s3cret" }
                }
            ], [tag(.good, "paid"), span { "waits" }], ["x"],
        ]
        let first = try #require(TableExport(of: [div { table([]) }, table([secret])]))
        #expect(first.rows.isEmpty)
        #expect(try #require(TableExport(of: table([secret]))).rows == [["", "paid waits", "x"]])
    }

    @Test("The answer is a file that leads to what follows, in both forms")
    func answers() throws {
        let next = Link("/console/sandbox/transactions?after=5")
        let found = try #require(TableExport(of: table([[["1"], ["=2"], ["3"]]], next: next)))
        let csv = found.response(as: .csv, name: "sales")
        #expect(csv.fields["Link"] == "</console/sandbox/transactions?after=5&format=csv>; rel=\"next\"")
        #expect(csv.fields["Content-Disposition"] == "attachment; filename=\"sales.csv\"")
        guard case .bytes(let text) = csv.body else { throw CancellationError() }
        #expect(String(decoding: text, as: UTF8.self) == "When,What,Amount\r\n1,'=2,3\r\n")
        guard case .bytes(let json) = found.response(as: .json, name: "sales").body else { throw CancellationError() }
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"items":[{"When":"1","What":"=2","Amount":"3"}],"next":"/console/sandbox/transactions?after=5&format=json"}"#
        )
    }
}
