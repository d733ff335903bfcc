import Foundation
package import StoreCatalogue
import StoreDatabase
package import StoreModel
package import StoreRules
import StoreSigning

/// Somebody with an account in one environment.
package struct Customer: Hashable, Sendable {
    package let id: CustomerID
    /// Empty once the account was deleted.
    package let email: String
    package let kind: Kind
    package let firstName: String
    package let lastName: String
    /// Both names, else the address.
    package var name: String {
        let name = [firstName, lastName].filter { !$0.isEmpty }.joined(separator: " ")
        return name.isEmpty ? email : name
    }
    package let storefront: StorefrontCode
    /// Whether the account may buy.
    package let purchasesAllowed: Bool
    /// Whether each of its purchases is interrupted once, which is a control for tests.
    package let interruptsPurchases: Bool
    /// Whether somebody else has to say yes to each of its purchases: a parent, or whoever tests it.
    package let asksToBuy: Bool
    /// How many apps the family does not let the account use any more.
    let withdrawnConsents: Int
    /// How fast the subscriptions of a tester renew; nil for the usual rate, and in production.
    package let renewalRate: RenewalRate?
    package let birthDate: String?
    package let secretQuestion: String?
    package let createdAt: Instant
    package let deletedAt: Instant?
    /// When a tester became a customer of production, so that nothing is tested with it any more.
    package let spentAt: Instant?
    /// The account of the sandbox that a customer of production was before.
    package let tester: CustomerID?

    /// What kind of account it is; more may be added.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Somebody who buys with real money.
        package static let customer = Kind(rawValue: "customer")
        /// An account of the sandbox, made by a developer.
        package static let tester = Kind(rawValue: "tester")

        package init(_ environment: StoreEnvironment) {
            self = environment == .production ? .customer : .tester
        }
    }

    static let columns: SQL = """
        id, email, kind, first_name, last_name, storefront, purchases_allowed, interrupts_purchases, birth_date,
        secret_question, created_at, deleted_at, spent_at, tester_id, asks_to_buy, renewal_rate,
        withdrawn_consents
        """

    init(_ row: Row) throws {
        var cells = row.cells
        try self.init(&cells)
    }

    /// Reads ``columns``, of a row that has others behind them.
    init(_ cells: inout RowCells) throws {
        id = try cells.next()
        email = try cells.next()
        kind = Kind(rawValue: try cells.next())
        firstName = try cells.next()
        lastName = try cells.next()
        storefront = try cells.next()
        purchasesAllowed = try cells.next()
        interruptsPurchases = try cells.next()
        birthDate = try cells.next()
        secretQuestion = try cells.next()
        createdAt = try cells.next()
        deletedAt = try cells.next()
        spentAt = try cells.next()
        tester = try cells.next()
        asksToBuy = try cells.next()
        renewalRate = try cells.next(as: String?.self).flatMap(PeriodScale.init).flatMap(RenewalRate.init)
        withdrawnConsents = try cells.next()
    }
}

extension Customer {
    /// Refuses a tester that is a customer of production now.
    func requireUnspent(parameter: String) throws {
        guard spentAt != nil else { return }
        throw ServiceError(
            .testerSpent,
            "this tester signed in to the real store and is a customer there now; nothing is tested with it any more, so make "
                + "another", parameter: parameter)
    }
}

/// An account that is to be made. What a tester of the App Store has, and no more.
package struct NewCustomer: Hashable, Sendable {
    /// The most bytes of a name, a question and the like.
    package static let longestText = 200
    /// The bytes of a password.
    package static let passwordBytes = 8...1024
    /// The first pet may have had a short name.
    package static let secretAnswerBytes = 1...1024

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
        ] {
            guard text.utf8.count <= Self.longestText else {
                throw InvalidValue(
                    .outOfRange, subject: name, value: text, rule: "has at most \(Self.longestText) bytes")
            }
            if let flaw = NameRule.flaw(of: text) {
                throw InvalidValue(subject: name, value: text, rule: "may not have \(flaw)")
            }
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
