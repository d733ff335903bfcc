import StoreDatabase
import StoreModel
import StoreSigning

/// Places in a list of what a customer has in an app, as the text that clients hand back: `revision`.
///
/// A place is of one customer and app, one list with its filters, and one life of the database, and is refused anywhere else. A
/// code that only the store can make says so, and says nothing of the customer: apps of several teams cannot tell by it that a
/// customer is the same. A place does not age: what changed after it is behind it.
struct ServerPlaces {
    private let secret: AuthenticationCode
    /// What tells lists apart.
    private let list: String

    private static let codeBytes = 12

    /// - Parameter list: the list with its filters.
    init(
        _ list: String, of scope: CustomerScope, by secret: AuthenticationCode, in transaction: any ReadTransaction
    ) throws {
        self.secret = secret
        let life = try StoreProperty.epoch(in: transaction) ?? ""
        self.list = "revision \(life) \(scope.customer) \(scope.app) \(list)"
    }

    /// The text of a place.
    func text(_ numbers: [Int64]) throws -> String {
        Base64.encode(Array("\(words(numbers))_\(try code(numbers))".utf8), .url)
    }

    /// The numbers of a place that somebody hands back.
    func numbers(in text: String) throws -> [Int64] {
        let words = Base64.decode(text, .url).map { String(decoding: $0, as: UTF8.self) }?.split(separator: "_") ?? []
        let numbers = words.dropLast().compactMap { Int64($0) }
        guard let last = words.last, numbers.count == words.count - 1,
            SecretComparison.areEqual(Array(last.utf8), Array(try code(numbers).utf8))
        else {
            throw ServerAPIError(
                .invalidRequestRevision,
                "revision: the store gave this one out for another customer, app, list, order or filter, or never")
        }
        return numbers
    }

    private func words(_ numbers: [Int64]) -> String { numbers.map { "\($0)" }.joined(separator: "_") }

    private func code(_ numbers: [Int64]) throws -> String {
        Hexadecimal.encode(Array(try secret.code(of: "\(list) \(words(numbers))".utf8).prefix(Self.codeBytes)))
    }
}
