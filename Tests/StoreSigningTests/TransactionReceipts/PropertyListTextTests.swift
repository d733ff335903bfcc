import TestSupport
import Testing

@testable import StoreSigning

/// The old-style property list of iOS 6 receipts.
@Suite struct PropertyListTextTests {
    private func parse(_ text: String) throws -> [String] {
        try PropertyListText(parsing: Array(text.utf8)).entries.map { "\($0.key): \($0.value)" }
    }

    @Test("Is written as genuine receipts are, and read back") func writtenGenuineReceipts() throws {
        let list = PropertyListText([("pod", "100"), ("quoted", #"a "b" \c"#), ("signing-status", "0")])
        #expect(
            list.text
                == "{\n\t\"pod\" = \"100\";\n\t\"quoted\" = \"a \\\"b\\\" \\\\c\";\n\t\"signing-status\" = \"0\";\n}")
        #expect(try PropertyListText(parsing: Array(list.text.utf8)) == list)
        #expect(list["pod"] == "100")
        #expect(list["nod"] == nil)
        #expect(PropertyListText([]).text == "{\n}")
    }

    @Test(
        "Reads what the form allows",
        arguments: [
            (#"{"a"="b";}"#, ["a: b"]), ("{}", []), (" \t\r\n{ } \n", []),
            ("{\n\"purchase-info\" = \"AA==\";\n}", ["purchase-info: AA=="]),
            ("{a=b;c-d = e/f:1.2_;}", ["a: b", "c-d: e/f:1.2_"]), (#"{"" = "";}"#, [": "]),
            (#"{"a" = "line\n\ttab\r\\";}"#, ["a: line\n\ttab\r\\"]), ("{\"ü\" = \"🛒\";}", ["ü: 🛒"]),
            ("{\"a\" = \"raw\nline\";}", ["a: raw\nline"]),
        ])
    func readsWhatForm(text: String, entries: [String]) throws {
        #expect(try parse(text) == entries)
    }

    @Test(
        "Refuses everything else",
        arguments: [
            "", " ", "{", "}", "{}}", "{} x", "x{}", "{a}", "{a=}", "{a=b}", "{a=b;", "{=b;}", "{a=b;;}", "{a b;}",
            "{\"a\"=\"b;}",
            "{\"a=b;}", "{\"a\"=\"b\\", "{\"a\"=\"\\x\";}", "{\"a\"=\"\\U0041\";}", "{a={b=c;};}", "{a=(b);}",
            "{a=<00>;}",
            "{/* */}", "{a=b;a=c;}", "(a)", "\"a\"", "{a=b,c=d}", "{a:b;}", "{ä=b;}",
        ])
    func refusesEverythingElse(text: String) {
        expectRefusal(.malformed, text) { try parse(text) }
    }

    @Test("Keys are told apart by their bytes, and long runs of combining marks cost no time") func keysToldApart()
        throws
    {
        let list = try PropertyListText(parsing: Array("{\"\u{E9}\"=a;\"e\u{301}\"=b;}".utf8))
        #expect(list["\u{E9}"] == "a")
        #expect(list["e\u{301}"] == "b")
        let marks = String(repeating: "\u{301}\u{323}", count: 12_000)
        let keys = (1..<SigningLimits.propertyListKeys).map { "\"\u{323}\($0)\"=v;" }.joined()
        #expect(try parse("{\"\(marks)\"=v;\(keys)}").count == SigningLimits.propertyListKeys)
    }

    @Test("Text that is not UTF-8 is refused") func textNotUTF() {
        expectRefusal(.malformed) {
            try PropertyListText(parsing: Array("{a=\"".utf8) + [0xC3, 0x28] + Array("\";}".utf8))
        }
    }

    @Test("Size and number of keys are limited") func sizeNumberKeys() throws {
        let limit = SigningLimits.propertyListKeys
        func keys(_ count: Int) -> String { "{" + (0..<count).map { "k\($0)=v;" }.joined() + "}" }
        #expect(try parse(keys(limit)).count == limit)
        expectRefusal(.tooLarge) { try parse(keys(limit + 1)) }
        let padding = String(repeating: " ", count: SigningLimits.transactionReceiptBytes - 2)
        #expect(try parse("{\(padding)}").isEmpty)
        expectRefusal(.tooLarge) { try parse("{ \(padding)}") }
    }

    @Test("Damaged text is refused or read as what it then says", .mutationTimeLimit) func damagedTextRefused() throws {
        let genuine = PropertyListText([("signature", "AxQ="), ("purchase-info", "ewp9"), ("a \"b\"", "c\\d\n")]).text
        #expect(try parse(genuine).count == 3)
        for mutant in Mutants("Property lists", of: [genuine], rounds: 4000) {
            guard let read = reading(mutant, { try PropertyListText(parsing: mutant.bytes) }) else { continue }
            #expect(reading(mutant) { try PropertyListText(parsing: Array(read.text.utf8)) } == read, "\(mutant)")
        }
    }
}
