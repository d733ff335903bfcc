import StoreFoundation
import TestSupport
import Testing

@Suite("Tables for spreadsheets", .bounded) struct ExportedTableTests {
    @Test("Rows end with CR and LF, and fields are quoted where they need it, as RFC 4180 has it")
    func rows() {
        let table = ExportedTable(["a", "b"], rows: [["1", "x,y"], ["", "\"q\""], ["l\nm", " s"]])
        #expect(table.text == "a,b\r\n1,\"x,y\"\r\n,\"\"\"q\"\"\"\r\n\"l\nm\",\" s\"\r\n")
        #expect(ExportedTable(["a"]).text == "a\r\n")
    }

    @Test(
        "A text that a spreadsheet would carry out gets an apostrophe",
        arguments: [
            "=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "-", "--1", "-1.2.3", "-1e5", "＝1", "=",
            "\u{3000}=1+1", "\u{A0}=1", "\u{FEFF}=1", "\u{200B}+1", " \u{2003}@SUM(A1)",
        ])
    func formulas(_ text: String) {
        let field = ExportedTable.field(text)
        #expect(field.hasPrefix("'") || field.hasPrefix("\"'"), "\(field)")
    }

    @Test("A number stays one, so that sums can be made of it", arguments: ["-6.93", "0", "12", "-1", "1.50"])
    func numbers(_ text: String) {
        #expect(ExportedTable.field(text) == text)
    }

    @Test(
        "What is no formula stays as it is", arguments: ["a=b", "ada@example.com", "2026-11-25", "1-2", "$3.96", "ä"])
    func plain(_ text: String) {
        #expect(ExportedTable.field(text) == text)
    }
}
