import Foundation
import TestSupport
import Testing

@testable import StoreSigning

@Suite struct JSONMembersTests {
    private func members(_ json: [UInt8]) throws -> [String] {
        var members: [String] = []
        try JSONMembers.scan(json) { name, value in
            members.append(String(decoding: json[name] + [UInt8(ascii: "=")] + json[value], as: UTF8.self))
        }
        return members
    }

    private func members(_ json: String) throws -> [String] { try members(Array(json.utf8)) }

    @Test func `Finds names and values where they stand`() throws {
        #expect(try members("{}").isEmpty)
        #expect(try members(" { } \n").isEmpty)
        #expect(try members(#"{"a":1,"b":"x"}"#) == ["a=1", #"b="x""#])
        #expect(try members("\t{ \"a\" : [1, {\"b\":2}] ,\r\n\"c\":null }") == [#"a=[1, {"b":2}]"#, "c=null"])
        #expect(try members(#"{"":true,"a":false,"a":-0.5e+3}"#) == ["=true", "a=false", "a=-0.5e+3"])
        #expect(try members(#"{"a\"\u00e9":"\\\/\b\f\n\r\t"}"#) == [#"a\"\u00e9="\\\/\b\f\n\r\t""#])
        #expect(try members(#"{"Grüße":"🛒"}"#) == [#"Grüße="🛒""#])
    }

    @Test(arguments: [
        "", " ", "null", "1", "[]", "\"a\"", "{", "}", "{]", "{}{}", "{} x", "{,}", "{\"a\"}", "{\"a\":}",
        "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{a:1}", "{'a':1}", "{1:1}", "{\"a\":1", "{\"a\":\"", "{\"a",
        "{\"a\":[1,]}", "{\"a\":[,]}", "{\"a\":[1 2]}", "{\"a\":[}", "{\"a\":tru}", "{\"a\":nulll}", "{\"a\":True}",
        "{\"a\":NaN}", "{\"a\":+1}", "{\"a\":01}", "{\"a\":-}", "{\"a\":-01}", "{\"a\":.5}", "{\"a\":1.}",
        "{\"a\":1e}", "{\"a\":1e+}", "{\"a\":0x1}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\u12g4\"}",
        "{\"a\":\"\\", "{\"a\":\"\n\"}", "{\"a\":\"\0\"}", "{/**/}", "{\"a\"\u{A0}:1}", "\u{FEFF}{}",
    ])
    func `What is not an object of JSON is refused`(json: String) {
        expectRefusal(.malformed, json) { try members(json) }
    }

    @Test func `Text that is not UTF-8 is refused, in names and in values`() {
        for bad: [UInt8] in [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0xAF]] {
            expectRefusal(.malformed) { try members(Array("{\"a\":\"".utf8) + bad + Array("\"}".utf8)) }
            expectRefusal(.malformed) { try members(Array("{\"".utf8) + bad + Array("\":1}".utf8)) }
        }
    }

    @Test(arguments: [("[", "]"), ("{\"b\":", "}")])
    func `Depth is limited`(open: String, close: String) throws {
        func nested(_ depth: Int) -> String {
            let inner = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            return "{\"a\":\(inner)}"
        }
        // The object and the innermost value are levels too.
        let limit = SigningLimits.nestingDepth - 2
        #expect(try members(nested(limit)).count == 1)
        expectRefusal(.tooLarge) { try members(nested(limit + 1)) }
        expectRefusal(.tooLarge) { try members(nested(100_000)) }
    }

    @Test(.mutationTimeLimit) func `Accepts of damaged JSON only what Foundation accepts too`() throws {
        let original = """
            {"transactionId":"2000000900000000","signedDate":1767323045000,"price":4990,"nested":{"a":[1,-2.5e3,true,\
            null,"a\\n"]},"name":"Grüße 🛒","isUpgraded":false}
            """
        for mutant in Mutants("JSON members", of: [original, #"{"a":"b"}"#], rounds: 4000) {
            guard reading(mutant, { try members(mutant.bytes) }) != nil else { continue }
            // Numbers too large for Foundation are JSON all the same.
            if mutant.text.contains(/[0-9][eE][+]?[0-9]{3}/) { continue }
            let object = try? JSONSerialization.jsonObject(with: Data(mutant.bytes))
            #expect(object is [String: Any], "\(mutant): \(mutant.text)")
        }
    }
}
