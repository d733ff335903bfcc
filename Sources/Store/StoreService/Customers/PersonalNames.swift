import Foundation

/// What a person is called, to be taken out of what others wrote of them.
struct PersonalNames: Sendable {
    /// The longest first: a last name may be a part of an address.
    private let names: [String]

    /// What stands where a name was.
    static let mark = "…"

    init(_ names: String...) {
        self.names = names.filter { $0.count > 1 }.sorted { $0.count > $1.count }
    }

    init(_ customer: Customer) {
        self.init(customer.email, customer.firstName, customer.lastName)
    }

    /// A text without these names, in whatever case they are written.
    func removed(from text: String) -> String {
        names.reduce(text, Self.remove)
    }

    private static func remove(from text: String, _ name: String) -> String {
        // Scripts that put no spaces between words have no ends of words either.
        let hasEnds = name.unicodeScalars.allSatisfy { $0.value < 0x2E80 }
        var (result, rest) = ("", text[...])
        while let found = rest.range(of: name, options: .caseInsensitive) {
            let isWord =
                !(rest[..<found.lowerBound].last ?? result.last ?? " ").isLetter
                && !(rest[found.upperBound...].first ?? " ").isLetter
            result += rest[..<found.lowerBound] + (isWord || !hasEnds ? Self.mark[...] : rest[found])
            rest = rest[found.upperBound...]
        }
        return result + rest
    }
}
