import StoreDatabase
package import StoreModel

/// An account that is to be made. What a tester of the App Store has, and no more.
package struct NewCustomer: Hashable, Sendable {
    /// The most bytes of a name, a question and the like.
    package static let longestText = 200
    /// The bytes of a password.
    package static let passwordBytes = 8...1024

    package var email: EmailAddress
    package var firstName: String
    package var lastName: String
    package var storefront: StorefrontRecord
    package var birthDate: String?
    package var secretQuestion: String?
    /// Hashes, made before: they take long.
    package var passwordHash: String?
    package var secretAnswerHash: String?

    package init(
        email: EmailAddress, firstName: String, lastName: String, storefront: StorefrontRecord,
        birthDate: String? = nil, secretQuestion: String? = nil, passwordHash: String? = nil,
        secretAnswerHash: String? = nil
    ) throws(InvalidValue) {
        for (name, text) in [
            ("first name", firstName), ("last name", lastName), ("secret question", secretQuestion ?? ""),
        ] where text.utf8.count > Self.longestText {
            throw InvalidValue(
                .outOfRange, subject: name, value: text, rule: "has at most \(Self.longestText) bytes")
        }
        if let birthDate, (try? Instant(rfc3339: birthDate + "T00:00:00Z")) == nil {
            throw InvalidValue(subject: "birth date", value: birthDate, rule: "is a date such as 1990-12-31")
        }
        self.email = email
        self.firstName = firstName
        self.lastName = lastName
        self.storefront = storefront
        self.birthDate = birthDate
        self.secretQuestion = secretQuestion
        self.passwordHash = passwordHash
        self.secretAnswerHash = secretAnswerHash
    }
}
