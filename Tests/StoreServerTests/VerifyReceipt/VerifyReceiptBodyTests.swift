import Foundation
import StoreService
import StoreSigning
import TestSupport
import Testing

@testable import StoreServer

@Suite("What verifyReceipt takes as a body (P14)")
struct VerifyReceiptBodyTests {
    private func read(_ body: String) throws -> VerificationRequest { try VerificationRequest(body: Array(body.utf8)) }

    private func reason(_ body: String) -> String? {
        do {
            _ = try read(body)
            return nil
        } catch {
            #expect((error as? ReceiptRefusal)?.status == .malformed)
            return (error as? ReceiptRefusal)?.reason
        }
    }

    @Test("All three members are read, and what else there is is passed over")
    func members() throws {
        let request = try read(
            """
             { "x" : [1, {"password": "inner", "y": [null, true, -1.5e3, []], "z": {}}, "a\\"b"], "receipt-data" :
            "+/8=" , "password":"secret" ,"exclude-old-transactions" : true, "device-id":null}
            """)
        #expect(
            request == VerificationRequest(receipt: [0xFB, 0xFF], password: "secret", excludesOldTransactions: true))
        #expect(
            try read(#"{"receipt-data":"+/8="}"#)
                == VerificationRequest(receipt: [0xFB, 0xFF], password: nil, excludesOldTransactions: false))
        let nulls = #"{"receipt-data":"+/8=","password":null,"exclude-old-transactions":null}"#
        #expect(try read(nulls) == read(#"{"receipt-data":"+/8=","exclude-old-transactions":false}"#))
    }

    @Test(
        "Base64 is read as clients send it",
        arguments: [
            "+/8AAQID", "+/8A\\r\\nAQID", "+/8A\r\nAQID\r\n", "\\t+/8A\tAQID", " /8AAQID+/8A", "+\\/8AAQID",
            "\\u002b/8AAQID", "+/8A\\nAQID\\n", "+/8=", "+/\n8=\n", "+/8A AQI",
        ])
    func tolerant(_ text: String) throws {
        // A space at an end is no lost plus sign.
        guard text.first != " " else {
            #expect(reason("{\"receipt-data\":\"\(text)\"}") == "receipt-data: it begins with a space")
            return
        }
        let strict = text.replacing("\\r", with: "").replacing("\\n", with: "").replacing("\\t", with: "")
            .replacing("\\u002b", with: "+").replacing("\\/", with: "/").replacing(" ", with: "+")
            .utf8.filter { ![0x0A, 0x0D, 0x09].contains($0) }
        let expected = try #require(Base64.decode(String(decoding: strict, as: UTF8.self)))
        #expect(try read("{\"receipt-data\":\"\(text)\"}").receipt == expected)
    }

    @Test(
        "What is not Base64 is refused, and the reason says where and why",
        arguments: [
            ("", "receipt-data: is empty"),
            ("\\r\\n", "receipt-data: is empty"),
            ("AAAA%2BAA", "receipt-data: character 5 is '%', which is not Base64; it seems to be URL-encoded"),
            (
                "AAAA-AAA",
                "receipt-data: character 5 is '-', which is not Base64; this is the alphabet of Base64 for URLs"
            ),
            (
                "AAA\\r\\n_AAA",
                "receipt-data: character 6 is '_', which is not Base64; this is the alphabet of Base64 for URLs"
            ),
            (
                "eyJh.eyJi.AAAA",
                "receipt-data: character 5 is '.', which is not Base64; it seems to be a JWS, which is no receipt"
            ),
            (
                "{\\\"a\\\": 1}",
                "receipt-data: character 1 is '{', which is not Base64; it seems not to be encoded at all"
            ),
            ("AAAA\\u0000AAA", "receipt-data: character 5 is the byte 0x00, which is not Base64"),
            ("AAAA\\u000bAAA", "receipt-data: character 5 is the byte 0x0b, which is not Base64"),
            ("AAé=", "receipt-data: character 3 is the byte 0xc3, which is not Base64"),
            ("AAA=AAAA", "receipt-data: there is more behind the '=' that ends it"),
            ("A===", "receipt-data: there is more behind the '=' that ends it"),
            (
                "AAAAA",
                "receipt-data: it has 5 characters, which is no multiple of 4: its end or its padding is missing"
            ),
            ("AAB=", "receipt-data: its last character has bits that belong to no byte"),
            ("AAAA ", "receipt-data: it ends with a space"),
            ("AA\\xAA", "receipt-data has a backslash with something behind it that JSON does not know"),
            ("AA\\u00", "receipt-data has a backslash with something behind it that JSON does not know"),
            ("AA\\ud800AA", "receipt-data has a backslash with something behind it that JSON does not know"),
        ])
    func foreign(_ text: String, _ expected: String) {
        #expect(reason("{\"receipt-data\":\"\(text)\"}") == expected)
    }

    @Test(
        "A body of another form is refused, and the reason says what it is",
        arguments: [
            ("", "there is no body"),
            ("receipt-data=MIIS&password=x", "the body is a form, and has to be JSON: {\"receipt-data\": \"...\"}"),
            ("%7B%22receipt-data%22%3A", "the body is URL-encoded JSON, and has to be JSON as it is"),
            (
                "\"{\\\"receipt-data\\\"",
                "the body is a text, as JSON that was encoded twice is, and has to be an object"
            ),
            ("MIISOwYJKoZIhvcNAQcC", "the body is a bare receipt, and has to be JSON: {\"receipt-data\": \"...\"}"),
            ("{}", "receipt-data is missing"),
            (#"{"receipt_data": "AAAA"}"#, "receipt-data is missing"),
            (#"{"receipt-data": null}"#, "receipt-data is missing"),
            (#"{"receipt-data": 5}"#, "receipt-data is not a text in quotation marks"),
            (#"{"receipt-data": ["AAAA"]}"#, "receipt-data is not a text in quotation marks"),
            (
                #"{"receipt-data": "AAAA", "exclude-old-transactions": "true"}"#,
                "exclude-old-transactions is neither true nor false"
            ),
            (
                #"{"receipt-data": "AAAA", "receipt-data": "BBBB"}"#,
                "the body, byte 41: receipt-data stands there twice"
            ),
            (#"[]"#, "the body, byte 1: an object of JSON is expected"),
            (#"{"receipt-data": "AAAA""#, "the body, byte 24: ',' or '}' is expected"),
            (#"{"receipt-data": "AAAA"#, "the body, byte 19: a text has no end"),
            (#"{"receipt-data" "AAAA"}"#, "the body, byte 17: ':' is expected"),
            (#"{"receipt-data": AAAA}"#, "the body, byte 18: a value is expected"),
            (#"{receipt-data: "AAAA"}"#, "the body, byte 2: a text in quotation marks is expected"),
            (#"{"receipt-data": "AAAA",}"#, "the body, byte 25: a text in quotation marks is expected"),
            (#"{"receipt-data": "AAAA"} x"#, "the body, byte 26: something follows the object"),
        ])
    func otherForms(_ body: String, _ expected: String) {
        #expect(reason(body) == expected)
    }

    @Test("What lies deep within one another is refused before it costs anything")
    func deep() throws {
        let opening = String(repeating: "[", count: 100_000)
        #expect(reason("{\"a\": \(opening)")?.hasSuffix("objects and arrays within one another") == true)
        let bearable = String(repeating: "[", count: 30) + String(repeating: "]", count: 30)
        #expect(reason("{\"a\": \(bearable), \"receipt-data\": \"AAAA\"}") == nil)
    }

    @Test(
        "What no password can be is a wrong one, of which nothing is said where none is needed",
        arguments: ["\"\(String(repeating: "a", count: 257))\"", "5", "true", "[\"a\"]", "{}", "\"\\ud800\"", "\"\""])
    func impossiblePasswords(_ password: String) throws {
        #expect(try read("{\"receipt-data\":\"AAAA\",\"password\":\(password)}").password?.isEmpty == true)
    }

    @Test("A body of nothing but escapes is read once, not once for each", .timeLimit(.minutes(1)))
    func escapesOnly() throws {
        for escape in [#"\\"#, #"\/"#, #"\""#] {
            let text = String(repeating: escape, count: VerifyReceiptLimits.bodyBytes / 8)
            #expect(reason("{\"a\":\"\(text)\"}") == "receipt-data is missing")
            #expect(reason("{\"\(text)\":1}") == "receipt-data is missing")
        }
        let slashes = String(repeating: #"\/"#, count: 1 << 20)
        #expect(try read("{\"receipt-data\":\"\(slashes)\"}").receipt.count == 3 << 18)
    }

    @Test("A key that is written with escapes is the key, and stands there twice as well")
    func escapedKeys() throws {
        #expect(try read(#"{"receipt\u002ddata":"+/8="}"#).receipt == [0xFB, 0xFF])
        let all = "receipt-data".utf16.map { "\\u00" + String($0, radix: 16) }.joined()
        #expect(try read("{\"\(all)\":\"+/8=\"}").receipt == [0xFB, 0xFF])
        #expect(
            reason(#"{"receipt-data":"AAAA","receipt\u002ddata":"BBBB"}"#)
                == "the body, byte 44: receipt-data stands there twice")
    }

    @Test(
        "A word and an escape are taken where Foundation's reader takes them",
        arguments: [
            "0", "-0", "10", "-1.5e3", "1E+2", "1e-2", "0.0", "true", "false", "null", "01", "-01", "+1", "1.", ".5",
            "-",
            "1e", "1e+", "0x1p3", "nan", "inf", "True", "nul", "1 2", "--1", "\"\\q\"", "\"\\u12\"", "\"\\u12g4\"",
            "\"\\u00e9\"", "\"\\\\\\\"\"", "\"\\b\\f\\n\\r\\t\\/\"",
        ])
    func grammar(_ value: String) {
        for key in ["x", "password"] {
            let body = "{\"\(key)\":\(value),\"receipt-data\":\"AAAA\"}"
            let isJSON = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) != nil
            #expect((reason(body) == nil) == isJSON, "\(body)")
        }
    }

    @Test("Whatever the body, reading it ends, and what it gives was in it")
    func mutants() throws {
        let receipt = Base64.encode((0..<90).map { UInt8($0) })
        let bodies = [
            #"{"receipt-data":"\#(receipt)","password":"0123456789abcdef","exclude-old-transactions":true}"#,
            #"{"a":[{"b":"\u00e9\ud83d\ude00"},1.5],"receipt-data":"AAAA\r\nBBB=","password":null}"#,
        ]
        var taken = 0
        for mutant in Mutants("verifyReceipt bodies", of: bodies, rounds: 3000) {
            do {
                let request = try VerificationRequest(body: mutant.bytes)
                taken += 1
                #expect(request.receipt.count <= mutant.bytes.count, "\(mutant)")
                #expect((request.password?.utf8.count ?? 0) <= mutant.bytes.count, "\(mutant)")
            } catch {
                #expect(error.status == .malformed, "\(mutant)")
                let isPrintable = error.reason.utf8.allSatisfy { (0x20...0x7E).contains($0) }
                #expect(isPrintable, "\(mutant): \(error.reason)")
            }
        }
        // Most damages hit what is read, and some do not.
        #expect(taken > 0)
    }
}
