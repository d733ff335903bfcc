package import StoreCatalogue
import StoreDatabase
package import StoreModel
package import StoreRules

/// Accounts: making and changing them, signing in and out, and another password.
package struct Accounts: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    // MARK: Making and changing

    /// An account that is wanted; what is nil has its usual value.
    package struct Draft: Sendable {
        package var email: String
        package var password: String?
        package var firstName: String?
        package var lastName: String?
        package var storefront: StorefrontCode?
        package var birthDate: String?
        package var secretQuestion: String?
        package var secretAnswer: String?
        /// The token of what the account pays with. An account of the sandbox has a card that is approved if it is nil.
        package var paymentMethod: String?

        package init(
            email: String, password: String? = nil, firstName: String? = nil, lastName: String? = nil,
            storefront: StorefrontCode? = nil, birthDate: String? = nil, secretQuestion: String? = nil,
            secretAnswer: String? = nil, paymentMethod: String? = nil
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
        }

        fileprivate func account(at now: Instant) throws -> NewCustomer {
            guard (secretQuestion == nil) == (secretAnswer == nil) else {
                let missing = secretQuestion == nil ? "secretQuestion" : "secretAnswer"
                throw ServiceError(
                    .valueMissing, "a secret question and its answer are given together", parameter: missing)
            }
            let storefront = try (storefront ?? StorefrontCode(rawValue: "USA")).known(parameter: "storefront")
            if let birthDate, let born = try? Instant(rfc3339: birthDate + "T00:00:00Z"), born > now {
                throw ServiceError(.valueInvalid, "the birth date is not after today", parameter: "birthDate")
            }
            do throws(InvalidValue) {
                return try NewCustomer(
                    email: EmailAddress(email), firstName: firstName ?? "", lastName: lastName ?? "",
                    storefront: storefront, birthDate: birthDate, secretQuestion: secretQuestion)
            } catch {
                throw ServiceError(
                    .valueInvalid, "the \(error.subject) \(error.rule)", parameter: Self.fields[error.subject])
            }
        }

        private static let fields = [
            "e-mail address": "email", "first name": "firstName", "last name": "lastName",
            "birth date": "birthDate", "secret question": "secretQuestion",
        ]
    }

    /// An account with what it pays with.
    package struct Account: Sendable {
        package let customer: Customer
        package let methods: [PaymentMethod]

        init(_ id: CustomerID, in transaction: any ReadTransaction) throws {
            customer = try Customers.require(id, in: transaction)
            methods = try Customers.paymentMethods(of: id, in: transaction)
        }

        fileprivate init(_ customer: Customer, _ methods: [PaymentMethod]) {
            (self.customer, self.methods) = (customer, methods)
        }
    }

    /// What a tester pays with unless something else is wanted.
    private static let standardMethod = "test_approved"
    private static let processor = "test"

    /// Makes an account: a customer in production, a tester in the sandbox.
    package func create(_ draft: Draft, _ cause: ChangeCause) async throws -> Account {
        try cause.require(.customers)
        if let method = draft.paymentMethod {
            try store.processor.form.require(method, parameter: "paymentMethod")
        }
        var account = try draft.account(at: store.clocks.wall())
        // Passwords are hashed first: it takes long.
        if let password = draft.password { account.passwordHash = try await hash(password) }
        if let answer = draft.secretAnswer {
            account.secretAnswerHash = try await hash(
                answer, of: NewCustomer.secretAnswerBytes, field: "secretAnswer", as: "a secret answer")
        }
        let method = draft.paymentMethod ?? (store.environment == .sandbox ? Self.standardMethod : nil)
        let (new, now, kind) = (account, store.clocks.wall(), Customer.Kind(store.environment))
        let id = try CustomerID(number: await store.numbers.next(.customers))
        let methodID = try PaymentMethodID(number: await store.numbers.next(.paymentMethods))
        return try await store.database.write { transaction in
            _ = try Customers.create(new, as: id, of: kind, at: now, in: transaction)
            if let method {
                try Customers.add(
                    methodID, processor: Self.processor, token: method, label: method, to: id, at: now,
                    in: transaction)
            }
            return try Account(id, in: transaction)
        }
    }

    /// Whether an address is or was used by an account.
    package func isKnown(_ email: String) async throws -> Bool {
        let address = try EmailAddress(email)
        return try await store.database.read { try Customers.isKnown(address, in: $0) }
    }

    func hash(
        _ password: String, of bytes: ClosedRange<Int> = NewCustomer.passwordBytes, field: String = "password",
        as subject: String = "a password"
    ) async throws -> String {
        guard bytes.contains(password.utf8.count) else {
            throw ServiceError(
                .valueInvalid, "\(subject) has \(bytes.lowerBound) to \(bytes.upperBound) bytes", parameter: field)
        }
        return try await store.passwords.hash(password, for: .operators)
    }

    /// The account of a number or an address.
    package func account(named name: String) async throws -> Account {
        try await store.database.read { try Account(Customers.named(name, in: $0).id, in: $0) }
    }

    /// Accounts after one, in the order in which they were made; at most `limit`.
    package func list(after id: CustomerID?, limit: Int) async throws -> [Account] {
        try await store.database.read { transaction in
            let customers = try Customers.list(after: id, limit: limit, in: transaction)
            let methods = try Customers.paymentMethods(ofAll: customers.map(\.id), in: transaction)
            return customers.map { Account($0, methods[$0.id] ?? []) }
        }
    }

    /// What is changed of an account; what is nil stays.
    package struct Revision: Sendable {
        package var purchasesAllowed: Bool?
        package var interruptsPurchases: Bool?
        /// Of testers without a family, and of children.
        package var asksToBuy: Bool?
        package var storefront: StorefrontCode?
        package var password: String?
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
    }

    package func change(_ name: String, _ revision: Revision, _ cause: ChangeCause) async throws -> Account {
        try cause.require(.customers)
        let storefront = try revision.storefront?.known(parameter: "storefront")
        if revision.renewalRate != nil {
            try store.requireSandbox("only testers have a rate at which subscriptions renew")
        }
        let isFixed = store.environment == .sandbox && revision.password != nil
        var hashed: String?
        if let password = revision.password, !isFixed { hashed = try await hash(password) }
        let (passwordHash, store) = (hashed, store)
        return try await changeAccount(name) { id, transaction in
            if isFixed { throw Self.fixed("password") }
            if let isAllowed = revision.purchasesAllowed {
                try Customers.setPurchasesAllowed(isAllowed, of: id, in: transaction)
            }
            if let interrupts = revision.interruptsPurchases {
                try Customers.setInterruptsPurchases(interrupts, of: id, in: transaction)
            }
            if let asks = revision.asksToBuy {
                if try Families.number(of: id, in: transaction) != nil {
                    let change = try cause.change(of: id, in: transaction)
                    try Families.setAsksToBuy(asks, of: id, change)
                } else {
                    try store.requireSandbox("in production only children of a family ask before they buy")
                    try Customers.setAsksToBuy(asks, of: id, in: transaction)
                }
            }
            if let storefront, try Families.number(of: id, in: transaction) != nil,
                try Customers.require(id, in: transaction).storefront != StorefrontCode(storefront)
            {
                throw ServiceError(
                    .notAllowed, "a family lives in one storefront; take the account out of its family first",
                    parameter: "storefront")
            }
            if let storefront { try Customers.setStorefront(storefront, of: id, in: transaction) }
            if let rate = revision.renewalRate { try Customers.setRenewalRate(rate, of: id, in: transaction) }
            if let passwordHash { try Customers.setPassword(passwordHash, of: id, in: transaction) }
        }
    }

    /// How a change is refused of what an account has for ever.
    package static func fixed(_ field: String) -> ServiceError {
        ServiceError(
            .valueInvalid,
            "the \(field) of an account never changes; of a tester only the storefront and what is for tests does. "
                + "Make another account", parameter: field)
    }

    /// Lets an account pay with something else from now on.
    package func addPaymentMethod(_ token: String, label: String?, to name: String, _ cause: ChangeCause) async throws
        -> Account
    {
        try cause.require(.customers)
        try store.processor.form.require(token, parameter: "token")
        let now = store.clocks.wall()
        let number = try PaymentMethodID(number: await store.numbers.next(.paymentMethods))
        return try await changeAccount(name) { id, transaction in
            try Customers.add(
                number, processor: Self.processor, token: token, label: label ?? token, to: id, at: now,
                in: transaction)
        }
    }

    /// Something that an account pays with once, and does not have from then on.
    func useOnce(_ token: String, of customer: CustomerID) async throws -> PaymentMethod {
        let (now, number) = (
            store.clocks.wall(), try PaymentMethodID(number: await store.numbers.next(.paymentMethods))
        )
        return try await store.database.write { transaction in
            try Customers.addOnce(
                number, processor: Self.processor, token: token, label: token, to: customer, at: now, in: transaction)
        }
    }

    /// Lets a tester pay with something else from now on. A method that was used before is the newest again, and the list
    /// does not grow.
    package func pay(with token: String, as name: String, _ cause: ChangeCause) async throws {
        try store.requireSandbox("only testers choose what happens to their payments")
        let known = try await account(named: name).methods
        guard known.last?.token != token else { return }
        for former in known where former.token == token { try await removePaymentMethod(former.id, of: name, cause) }
        _ = try await addPaymentMethod(token, label: nil, to: name, cause)
    }

    package func removePaymentMethod(_ number: PaymentMethodID, of name: String, _ cause: ChangeCause) async throws {
        try cause.require(.customers)
        let now = store.clocks.wall()
        _ = try await changeAccount(name) { id, transaction in
            guard try Customers.removePaymentMethod(number, of: id, at: now, in: transaction) else {
                throw ServiceError(.methodUnknown, "the account has no such payment method", parameter: "paymentMethod")
            }
        }
    }

    /// Takes an account out of use.
    package func delete(_ name: String, _ cause: ChangeCause) async throws {
        try cause.require(.customers)
        let now = store.clocks.wall()
        try await store.database.write { transaction in
            let id = try Customers.named(name, in: transaction).id
            if try Families.number(of: id, in: transaction) != nil {
                try Families.remove(id, cause.change(of: id, in: transaction))
            }
            try Customers.delete(id, at: now, in: transaction)
        }
    }

    private func changeAccount(
        _ name: String, _ body: @escaping @Sendable (CustomerID, any WriteTransaction) throws -> Void
    ) async throws -> Account {
        try await store.database.write { transaction in
            let id = try Customers.inUse(name, in: transaction).id
            try body(id, transaction)
            // Devices that wait for news look again, and see what they may do now.
            try CustomerEvents.wake(id, in: transaction)
            return try Account(id, in: transaction)
        }
    }
}
