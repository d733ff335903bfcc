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
                #expect(other?["paid"] as? Bool == order.paid, "\(mutant)")
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

    @Test("Only UTF-8 is JSON", arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf32BigEndian, .isoLatin1])
    func encodings(_ encoding: String.Encoding) throws {
        let request = try request(Array(try #require(#"["é"]"#.data(using: encoding))))
        let error = try #require(throws: APIError.self) { try request.decode([String].self) }
        #expect(error.code == "json_malformed")
    }
}
