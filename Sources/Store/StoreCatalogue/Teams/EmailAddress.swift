package import StoreModel
import StoreSigning

/// The e-mail address of a customer, an operator or a member of a team. Upper and lower case are one.
package struct EmailAddress: Hashable, Sendable {
    /// The most bytes it can have.
    package static let longest = 254

    /// As the customer wrote it.
    package let text: String

    /// Reads an address; only its form is judged.
    package init(_ text: String) throws(InvalidValue) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.longest else {
            throw InvalidValue(
                .outOfRange, subject: "e-mail address", value: text, rule: "has at most \(Self.longest) bytes")
        }
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace })
        else {
            throw InvalidValue(subject: "e-mail address", value: text, rule: "is of the form name@host")
        }
        self.text = text
    }

    /// What it is found by. The address of a deleted account stays taken, but is not to be read any more.
    package func key() throws -> String {
        Hexadecimal.encode(try DigestAlgorithm.sha256.digest(text.lowercased().utf8))
    }
}
