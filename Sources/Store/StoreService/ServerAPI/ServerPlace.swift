import Foundation
import StoreDatabase
import StoreModel
import StoreSigning

/// A place in a list, as the text that clients hand back: `revision`.
///
/// It is of one customer, one list with its filters, and one life of the database, and means nothing anywhere else. It does not
/// age: what changed after it is behind it.
struct ServerPlace {
    let customer: CustomerID
    /// What tells lists and their filters apart.
    let list: String
    let numbers: [Int64]

    private static let digestBytes = 6

    /// The text of the place.
    func text(in transaction: any ReadTransaction) throws -> String {
        let words = ["1", "\(customer)", try Self.digest(list, in: transaction)] + numbers.map { "\($0)" }
        return Base64.encode(Array(words.joined(separator: "_").utf8), .url)
    }

    /// The numbers of a place of a list that somebody hands back.
    static func numbers(
        in text: String, of list: String, customer: CustomerID, in transaction: any ReadTransaction
    ) throws -> [Int64] {
        func refusal(_ why: String) -> ServerAPIError { ServerAPIError(.invalidRequestRevision, "revision: \(why)") }
        var text = text
        guard let bytes = text.withUTF8({ Base64.decode(UnsafeRawBufferPointer($0), .url) }) else {
            throw refusal("this is none that the store gave out")
        }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: "_").map(String.init)
        guard words.count > 3, words[0] == "1" else { throw refusal("this is none that the store gave out") }
        guard words[1] == "\(customer)" else { throw refusal("this one is of another customer") }
        guard try words[2] == digest(list, in: transaction) else {
            throw refusal("the filters, the order or the list are others than those with which it was given out")
        }
        return words.dropFirst(3).compactMap { Int64($0) }
    }

    private static func digest(_ list: String, in transaction: any ReadTransaction) throws -> String {
        let life = try StoreProperty.epoch(in: transaction) ?? ""
        return Hexadecimal.encode(
            Array(try DigestAlgorithm.sha256.digest("\(life) \(list)".utf8).prefix(digestBytes)))
    }
}
