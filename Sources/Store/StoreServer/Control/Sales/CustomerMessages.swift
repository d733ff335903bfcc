import StoreHTTP
package import StoreModel
package import StoreRules
import StoreService

/// An account as its operator makes it.
package struct CustomerRequest: Codable, Hashable, Sendable {
    package var email: String
    package var password: String?
    package var firstName: String?
    package var lastName: String?
    /// Three letters; `USA` if it is missing.
    package var storefront: StorefrontCode?
    package var birthDate: String?
    package var secretQuestion: String?
    package var secretAnswer: String?
    /// The token of what the account pays with; an account of the sandbox has a card that is approved if it is missing.
    package var paymentMethod: String?
    /// Whether what is missing of a tester is drawn, and told in the answer once: name, password, birth date, question and answer.
    package var drawsRest: Bool?

    package init(
        email: String, password: String? = nil, firstName: String? = nil, lastName: String? = nil,
        storefront: StorefrontCode? = nil, birthDate: String? = nil, secretQuestion: String? = nil,
        secretAnswer: String? = nil, paymentMethod: String? = nil, drawsRest: Bool? = nil
    ) {
        self.email = email
        self.password = password
        self.firstName = firstName
        self.lastName = lastName
        self.storefront = storefront
        self.birthDate = birthDate
        self.secretQuestion = secretQuestion
        self.secretAnswer = secretAnswer
        self.paymentMethod = paymentMethod
        self.drawsRest = drawsRest
    }

    var draft: Accounts.Draft {
        Accounts.Draft(
            email: email, password: password, firstName: firstName, lastName: lastName, storefront: storefront,
            birthDate: birthDate, secretQuestion: secretQuestion, secretAnswer: secretAnswer,
            paymentMethod: paymentMethod)
    }
}

/// What is changed of an account; what is missing stays.
package struct CustomerChange: Codable, Hashable, Sendable {
    package var purchasesAllowed: Bool?
    package var interruptsPurchases: Bool?
    /// Of testers without a family, and of children of one.
    package var asksToBuy: Bool?
    package var storefront: StorefrontCode?
    package var password: String?
    /// How fast the subscriptions of a tester renew.
    package var renewalRate: RenewalRate?

    package init(
        purchasesAllowed: Bool? = nil, interruptsPurchases: Bool? = nil, asksToBuy: Bool? = nil,
        storefront: StorefrontCode? = nil, password: String? = nil, renewalRate: RenewalRate? = nil
    ) {
        self.purchasesAllowed = purchasesAllowed
        self.interruptsPurchases = interruptsPurchases
        self.asksToBuy = asksToBuy
        self.storefront = storefront
        self.password = password
        self.renewalRate = renewalRate
    }

    var revision: Accounts.Revision {
        Accounts.Revision(
            purchasesAllowed: purchasesAllowed, interruptsPurchases: interruptsPurchases,
            asksToBuy: asksToBuy, storefront: storefront, password: password, renewalRate: renewalRate)
    }
}

/// The first member of a change that an account has for ever.
struct FixedPart: Decodable, OpenMessage {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case email, firstName, lastName, birthDate, secretQuestion, secretAnswer
    }

    let name: String?

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = CodingKeys.allCases.first { values.contains($0) }?.rawValue
    }
}

package struct PaymentMethodRequest: Codable, Hashable, Sendable {
    package var token: String
    package var label: String?

    package init(token: String, label: String? = nil) {
        self.token = token
        self.label = label
    }
}

package struct PaymentMethodReport: Codable, Hashable, Sendable {
    package var id: PaymentMethodID
    package var processor: String
    package var token: String
    package var label: String
}

package struct CustomerReport: Codable, Hashable, Sendable {
    package var customerId: CustomerID
    package var email: String
    package var kind: String
    package var firstName: String
    package var lastName: String
    package var storefront: StorefrontCode
    package var purchasesAllowed: Bool
    package var interruptsPurchases: Bool
    /// Whether somebody else has to say yes to each purchase.
    package var asksToBuy: Bool
    /// Missing for the usual rate, and in production.
    package var renewalRate: RenewalRate?
    package var birthDate: String?
    package var secretQuestion: String?
    package var createdAt: Instant
    package var deletedAt: Instant?
    /// When a tester became a customer of production.
    package var spentAt: Instant?
    /// The tester that a customer of production was.
    package var testerId: CustomerID?
    package var paymentMethods: [PaymentMethodReport]
    /// What was drawn for a tester, in the answer that made it and nowhere else.
    package var password: String?
    package var secretAnswer: String?

    init(_ new: Accounts.NewTester) {
        self.init(new.account)
        (password, secretAnswer) = (new.password, new.secretAnswer)
    }

    init(_ account: Accounts.Account) {
        let customer = account.customer
        customerId = customer.id
        email = customer.email
        kind = customer.kind.rawValue
        firstName = customer.firstName
        lastName = customer.lastName
        storefront = customer.storefront
        purchasesAllowed = customer.purchasesAllowed
        interruptsPurchases = customer.interruptsPurchases
        asksToBuy = customer.asksToBuy
        renewalRate = customer.renewalRate
        birthDate = customer.birthDate
        secretQuestion = customer.secretQuestion
        createdAt = customer.createdAt
        deletedAt = customer.deletedAt
        spentAt = customer.spentAt
        testerId = customer.tester
        paymentMethods = account.methods.map {
            PaymentMethodReport(id: $0.id, processor: $0.processor, token: $0.token, label: $0.label)
        }
    }
}

/// The way to another password. It is handed over to whoever has proven to be the owner of the account.
package struct RecoveryReport: Codable, Hashable, Sendable {
    package var token: String
    package var expires: Instant
}

package struct RecoveryRequest: Codable, Hashable, Sendable {
    package var token: String
    package var password: String

    package init(token: String, password: String) {
        self.token = token
        self.password = password
    }
}
