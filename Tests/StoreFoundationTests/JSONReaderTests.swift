import Foundation
import StoreFoundation
import TestSupport
import Testing

@Suite struct JSONReaderTests {
    private static let depth = 8

    private func members(_ json: [UInt8]) throws(JSONReader.Fault) -> [String] {
        var members: [String] = []
        var reader = JSONReader(json, depth: Self.depth)
        try reader.requireUTF8()
        while let name = try reader.nextMember() {
            let value = try reader.value()
            members.append(String(decoding: json[name.content] + [UInt8(ascii: "=")] + json[value], as: UTF8.self))
        }
        return members
    }

    private func members(_ json: String) throws -> [String] { try members(Array(json.utf8)) }

    private func expectFault<Value>(
        _ kind: JSONReader.Fault.Kind, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Value
    ) {
        let fault = #expect(throws: JSONReader.Fault.self, comment, sourceLocation: sourceLocation) { _ = try body() }
        #expect(fault?.kind == kind, comment, sourceLocation: sourceLocation)
    }

    @Test("Finds names and values where they stand") func findsNamesValues() throws {
        #expect(try members("{}").isEmpty)
        #expect(try members(" { } \n").isEmpty)
        #expect(try members(#"{"a":1,"b":"x"}"#) == ["a=1", #"b="x""#])
        #expect(try members("\t{ \"a\" : [1, {\"b\":2}] ,\r\n\"c\":null }") == [#"a=[1, {"b":2}]"#, "c=null"])
        #expect(try members(#"{"":true,"a":false,"a":-0.5e+3}"#) == ["=true", "a=false", "a=-0.5e+3"])
        #expect(try members(#"{"a\"\u00e9":"\\\/\b\f\n\r\t"}"#) == [#"a\"\u00e9="\\\/\b\f\n\r\t""#])
        #expect(try members(#"{"Grüße":"🛒"}"#) == [#"Grüße="🛒""#])
    }

    @Test(
        "What is not an object of JSON is refused",
        arguments: [
            "", " ", "null", "1", "[]", "\"a\"", "{", "}", "{]", "{}{}", "{} x", "{,}", "{\"a\"}", "{\"a\":}",
            "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{a:1}", "{'a':1}", "{1:1}", "{\"a\":1", "{\"a\":\"", "{\"a",
            "{\"a\":[1,]}", "{\"a\":[,]}", "{\"a\":[1 2]}", "{\"a\":[}", "{\"a\":tru}", "{\"a\":nulll}", "{\"a\":True}",
            "{\"a\":NaN}", "{\"a\":+1}", "{\"a\":01}", "{\"a\":-}", "{\"a\":-01}", "{\"a\":.5}", "{\"a\":1.}",
            "{\"a\":1e}", "{\"a\":1e+}", "{\"a\":0x1}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\u12g4\"}",
            "{\"a\":\"\\", "{\"a\":\"\n\"}", "{\"a\":\"\0\"}", "{/**/}", "{\"a\"\u{A0}:1}", "\u{FEFF}{}",
        ])
    func whatNotObject(json: String) {
        expectFault(.malformed, "\(json)") { try members(json) }
    }

    @Test("Text that is not UTF-8 is refused, in names and in values") func textNotUTF() {
        for bad: [UInt8] in [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0xAF]] {
            expectFault(.malformed) { try members(Array("{\"a\":\"".utf8) + bad + Array("\"}".utf8)) }
            expectFault(.malformed) { try members(Array("{\"".utf8) + bad + Array("\":1}".utf8)) }
        }
    }

    @Test("Depth is limited", arguments: [("[", "]"), ("{\"b\":", "}")])
    func test7(open: String, close: String) throws {
        func nested(_ depth: Int) -> String {
            let inner = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            return "{\"a\":\(inner)}"
        }
        // The object and the innermost value are levels too.
        let limit = Self.depth - 2
        #expect(try members(nested(limit)).count == 1)
        try JSONReader.check(Array(nested(limit).utf8), depth: Self.depth)
        for deep in [limit + 1, 100_000] {
            expectFault(.tooDeep) { try members(nested(deep)) }
            expectFault(.tooDeep) { try JSONReader.check(Array(nested(deep).utf8), depth: Self.depth) }
        }
    }

    @Test("The strict check refuses what two readers may read in two ways") func strictCheckRefuses() throws {
        func check(_ json: String) throws { try JSONReader.check(Array(json.utf8), depth: Self.depth) }
        for json in ["1", "\"a\"", "null", "[]", " [1, \"\\ud83d\\ude00\"] ", #"{"a":{"b":1},"b":{"b":1}}"#] {
            #expect(throws: Never.self) { try check(json) }
        }
        for json in [#"{"a":1,"a":1}"#, #"[{"b":{"a":1,"c":[],"\u0061":2}}]"#, "{\"\u{E9}\":1,\"e\u{301}\":1}"] {
            expectFault(.repeated, "\(json)") { try check(json) }
        }
        for json in [
            #""\ud83d""#, #""\ude00""#, #""\ud83d\ud83d""#, #""\ud83dx""#, #"{"\ude00":1}"#, "[1] 2", "\"\t\"",
        ] {
            expectFault(.malformed, "\(json)") { try check(json) }
        }
    }

    @Test("What is wrong is told with its place") func whatWrongTold() {
        let fault = #expect(throws: JSONReader.Fault.self) { try members(#"{"a": [1, tru]}"#) }
        #expect(fault == JSONReader.Fault(kind: .malformed, reason: "a value is expected", position: 11))
    }

    @Test("Texts mean what their escapes say") func textsMeanWhat() throws {
        func meaning(_ content: String, checked: Bool = false) throws -> String? {
            let json = Array("\"\(content)\"".utf8)
            var reader = JSONReader(json, depth: 1, allowsControlCharacters: true)
            let text = try reader.string(checkingEscapes: checked)
            return JSONReader.meaning(of: text, in: json).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(
            try meaning(#"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"#, checked: true)
                == "a\"\\/\u{8}\u{C}\n\r\t\u{E9}\u{1F600}")
        #expect(try meaning("a\n\tb", checked: true) == "a\n\tb")
        for content in [#"\x"#, #"\u12"#, #"\u12g4"#, #"\ud83d"#, #"\ude00"#] {
            #expect(try meaning(content) == nil)
        }
        #expect(throws: JSONReader.Fault.self) { try meaning(#"\x"#, checked: true) }
    }

    @Test("Accepts of damaged JSON only what Foundation accepts too", .bounded)
    func acceptsDamagedJSON() throws {
        let original = """
            {"transactionId":"2000000900000000","signedDate":1767323045000,"price":4990,"nested":{"a":[1,-2.5e3,true,\
            null,"a\\n"]},"name":"Grüße 🛒","isUpgraded":false}
            """
        for mutant in Mutants("JSON members", of: [original, #"{"a":"b"}"#], rounds: 4000) {
            guard (try? members(mutant.bytes)) != nil else { continue }
            // Numbers too large for Foundation are JSON all the same.
            if mutant.text.contains(/[0-9][eE][+]?[0-9]{3}/) { continue }
            let object = try? JSONSerialization.jsonObject(with: Data(mutant.bytes))
            #expect(object is [String: Any], "\(mutant): \(mutant.text)")
        }
    }
}
