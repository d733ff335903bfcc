import Foundation
import StoreHTTP
import TestSupport
import Testing

/// Damaged JSON, and JSON that two readers could read in two ways.
struct JSONMutationTests {
    private struct Order: Codable, Equatable {
        struct Item: Codable, Equatable {
            let name: String
            let count: Int
            let price: Double?
        }
        enum Kind: String, Codable { case gift, sale }

        let items: [Item]
        let kind: Kind
        let paid: Bool
        let notes: [String: String]
    }

    private static let originals = [
        #"{"items":[{"name":"hunter2","count":2,"price":1.5e0},{"name":"é\u00e9\ud83d\ude00","count":-1}],"#
            + #""kind":"gift","paid":true,"notes":{"hunter3":"a\"b\\c"}}"#,
        #" { "notes" : { } , "paid" : false , "kind" : "sale" , "items" : [ ] } "#,
    ]

    private func request(_ body: [UInt8]) throws -> HTTPRequest {
        var request = HTTPRequest(
            method: .post, target: try RequestTarget("/"), fields: ["Content-Type": "application/json"])
        request.body = .collected(body)
        return request
    }

    @Test("The originals are read")
    func originals() throws {
        for original in Self.originals { _ = try request(Array(original.utf8)).decode(Order.self) }
    }

    @Test("Damaged JSON is refused with the name of a part, or read as another reader reads it")
    func mutants() throws {
        var read = 0
        for mutant in Mutants("json bodies", of: Self.originals, rounds: 3000) {
            let request = try request(mutant.bytes)
            do throws(APIError) {
                let order = try request.decode(Order.self)
                read += 1
                let other = try? JSONSerialization.jsonObject(with: Data(mutant.bytes)) as? [String: Any]
                #expect(other?["paid"] as? Bool == order.paid, "\(mutant): \(mutant.text.debugDescription)")
                #expect(other?["kind"] as? String == order.kind.rawValue, "\(mutant)")
                let items = other?["items"] as? [[String: Any]]
                #expect(items?.compactMap { $0["name"] as? String } == order.items.map(\.name), "\(mutant)")
                #expect(items?.compactMap { $0["count"] as? Int } == order.items.map(\.count), "\(mutant)")
                #expect(other?["notes"] as? [String: String] == order.notes, "\(mutant)")
                #expect(String(validating: mutant.bytes, as: UTF8.self) != nil, "\(mutant)")
            } catch {
                #expect(error.status == .badRequest, "\(mutant)")
                #expect(error.parameter?.isEmpty == false, "\(mutant)")
                #expect(!error.message.contains("hunter"), "\(mutant)")
            }
        }
        #expect(read > 0, "no damage left a readable body")
    }

    @Test(
        "A text that is no JSON is refused, read or not",
        arguments: [
            "", " ", "{", "}", "[", "[1", "[1,]", "[,1]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{a:1}"#,
            #"{'a':1}"#,
            #"{"a":1 "b":2}"#, "[01]", "[-]", "[1.]", "[.5]", "[1e]", "[1e+]", "[1.5ee]", "[+1]", "[0x1]", "[NaN]",
            "[tru]",
            "[nul]", "[truefalse]", #"["a]"#, #"["\"]"#, #"["\x"]"#, #"["\u12"]"#, "[\"\n\"]", "[\"\u{0}\"]", "[1] 2",
            "[1]]",
            "// a\n[1]", "[1]\u{0}", "[\u{A0}1]", #"["\ud800"]"#,
        ])
    func malformed(_ text: String) throws {
        let error = try #require(throws: APIError.self) { try request(Array(text.utf8)).decode(Anything.self) }
        #expect(error.status == .badRequest)
        #expect(error.code == "json_malformed")
    }

    @Test(
        "A text that is JSON is read, whatever it is",
        arguments: [
            "0", "-0", "1.5E+3", " [ 1 , 2 ] ", "\"\"", "null", "{}", "[]",
            "\t\r\n{\"a\":{\"a\":[{\"a\":1},{\"a\":2}]}}",
            #"["\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é\\"]"#, "\"\u{7F}\"",
        ])
    func wellFormed(_ text: String) throws {
        _ = try request(Array(text.utf8)).decode(Anything.self)
    }

    @Test(
        "A name that an object has twice is refused, however it is written",
        arguments: [#"{"a":1,"a":1}"#, #"{"a":1,"\u0061":1}"#, #"[{"b":{"a":1,"c":2,"a":3}}]"#, #"{"":1,"":2}"#])
    func repeated(_ text: String) throws {
        let error = try #require(throws: APIError.self) { try request(Array(text.utf8)).decode(Anything.self) }
        #expect(error.message == "An object in the body has two members of one name.")
    }

    @Test("Depth has a limit")
    func depth() throws {
        for (depth, isGood) in [(HTTPLimits.jsonDepth - 1, true), (HTTPLimits.jsonDepth, false)] {
            let text = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
            let read = Result { try request(Array(text.utf8)).decode(Anything.self) }
            #expect(((try? read.get()) != nil) == isGood)
        }
    }

    /// A value that looks at nothing of what it is read from.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    @Test("Only UTF-8 is JSON", arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf32BigEndian, .isoLatin1])
    func encodings(_ encoding: String.Encoding) throws {
        let request = try request(Array(try #require(#"["é"]"#.data(using: encoding))))
        let error = try #require(throws: APIError.self) { try request.decode([String].self) }
        #expect(error.code == "json_malformed")
    }
}
