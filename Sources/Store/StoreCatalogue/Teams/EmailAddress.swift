package import StoreModel
import StoreSigning

/// The e-mail address of a customer, a tester or a member of a team. Upper and lower case are one.
///
/// It is in ASCII: Cyrillic and Greek have letters that look like Latin ones, and an address that looks like another is not that of
/// another. A host of another script is written in its form for the network (`xn--…`).
package struct EmailAddress: Hashable, Sendable {
    /// The most bytes it can have.
    package static let longest = 254

    /// As the customer wrote it.
    package let text: String

    /// Reads an address; its form alone is judged.
    package init(_ text: String) throws(InvalidValue) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.longest else {
            throw InvalidValue(
                .outOfRange, subject: "e-mail address", value: text, rule: "has at most \(Self.longest) bytes")
        }
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else {
            throw InvalidValue(subject: "e-mail address", value: text, rule: "is of the form name@host")
        }
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw InvalidValue(
                subject: "e-mail address", value: text,
                rule:
                    "has only characters of ASCII, because letters of other scripts look like them; a host of another script "
                    + "is written as xn--…")
        }
        self.text = text
    }

    /// What it is found by. The address of a deleted account stays taken, but is not to be read any more.
    package func key() throws -> String {
        Hexadecimal.encode(try DigestAlgorithm.sha256.digest(text.lowercased().utf8))
    }
}
