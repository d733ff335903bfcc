package import StoreCatalogue
package import StoreDatabase
package import StoreModel
package import StoreRules
import StoreSigning

/// The accounts of an environment. They are the operator's to look after; what a customer may see goes by a scope.
package enum Customers {
    /// Makes an account. An address that was ever used, also by an account that was deleted, is refused.
    ///
    /// - Parameter tester: the account of the sandbox that it was before.
    package static func create(
        _ new: NewCustomer, as id: CustomerID, of kind: Customer.Kind, tester: CustomerID? = nil, at now: Instant,
        in transaction: any WriteTransaction
    ) throws -> Customer {
        let key = try new.email.key()
        guard try !isKnown(new.email, in: transaction) else {
            throw ServiceError(.emailTaken, "this e-mail address is or was used by an account", parameter: "email")
        }
        try transaction.insert(
            into: "customer",
            [
                "id": id, "email": new.email.text, "email_key": key, "kind": kind.rawValue,
                "first_name": new.firstName, "last_name": new.lastName, "password_hash": new.passwordHash,
                "birth_date": new.birthDate, "secret_question": new.secretQuestion,
                "secret_answer_hash": new.secretAnswerHash, "storefront": StorefrontCode(new.storefront),
                "purchases_allowed": true, "interrupts_purchases": false, "clock_id": ClockID.environment,
                "created_at": now, "tester_id": tester,
            ])
        let customer = try require(id, in: transaction)
        try putWords(of: customer, in: transaction)
        return customer
    }

    /// Brings the words by which operators find an account to those of its names; of one that was deleted there are none.
    static func putWords(of customer: Customer, in transaction: any WriteTransaction) throws {
        let names = customer.deletedAt == nil ? [customer.email, customer.firstName, customer.lastName] : []
        try NameWords.put(names, of: "\(customer.id)", .customer, in: transaction)
    }

    /// Whether an address is or was used by an account.
    package static func isKnown(_ email: EmailAddress, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.value(
            "SELECT count(*) FROM customer WHERE email_key = $1", try email.key(), as: Int.self) > 0
    }

    package static func find(_ id: CustomerID, in transaction: any ReadTransaction) throws -> Customer? {
        try transaction.optional(
            "SELECT \(Customer.columns) FROM customer WHERE id = $1", id, row: Customer.init)
    }

    /// The accounts with these numbers.
    package static func find(
        all ids: some Sequence<CustomerID>, in transaction: any ReadTransaction
    ) throws -> [CustomerID: Customer] {
        let found = try transaction.query(
            "SELECT \(Customer.columns) FROM customer WHERE id IN \(.numbers)", of: ids, row: Customer.init)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    }

    package static func require(_ id: CustomerID, in transaction: any ReadTransaction) throws -> Customer {
        guard let found = try find(id, in: transaction) else {
            throw ServiceError(.customerUnknown, "there is no customer \(id)")
        }
        return found
    }

    /// The account with a number or an address.
    package static func named(_ name: String, in transaction: any ReadTransaction) throws -> Customer {
        let found: Customer?
        if name.contains("@") {
            found = try (try? EmailAddress(name)).flatMap { try find($0, in: transaction) }
        } else {
            found = try CustomerID(name).flatMap { try find($0, in: transaction) }
        }
        guard let found else {
            throw ServiceError(.customerUnknown, "there is no account of this number or address", parameter: "customer")
        }
        return found
    }

    /// The same of an account that was not deleted and is not spent, for changes of it.
    package static func inUse(_ name: String, in transaction: any ReadTransaction) throws -> Customer {
        let found = try named(name, in: transaction)
        guard found.deletedAt == nil else {
            throw ServiceError(.customerUnknown, "the account \(found.id) was deleted", parameter: "customer")
        }
        try found.requireUnspent(parameter: "customer")
        return found
    }

    /// What keeps a customer from buying at all; nil if nothing does.
    ///
    /// - Parameter app: where it is to be bought, which the family may not let the customer use; nil for what renews, which
    ///   nobody asks for.
    static func obstacle(
        for id: CustomerID, in app: AppID?, _ transaction: any ReadTransaction
    ) throws -> PurchaseFailure? {
        guard let customer = try find(id, in: transaction), customer.deletedAt == nil else { return .accountGone }
        if customer.spentAt != nil { return .testerSpent }
        if let app, customer.withdrawnConsents > 0,
            try FamilyConsents.isWithdrawn(from: id, for: app, in: transaction)
        {
            return .consentWithdrawn
        }
        return customer.purchasesAllowed ? nil : .notAllowed
    }

    /// Makes one of two transactions fail that both decide by what a customer has, or may do.
    static func claim(_ id: CustomerID, in transaction: any WriteTransaction) throws {
        try transaction.execute("UPDATE customer SET clock_id = clock_id WHERE id = $1", id)
    }

    /// The account with an address, unless it was deleted.
    package static func find(_ email: EmailAddress, in transaction: any ReadTransaction) throws -> Customer? {
        try transaction.optional(
            "SELECT \(Customer.columns) FROM customer WHERE email_key = $1 AND deleted_at IS NULL",
            try email.key(), row: Customer.init)
    }

    /// Accounts after one, in the order in which they were made; at most `limit`.
    package static func list(
        after id: CustomerID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [Customer] {
        try transaction.query(
            "SELECT \(Customer.columns) FROM customer WHERE id > $1 AND deleted_at IS NULL ORDER BY id LIMIT $2",
            id?.number ?? 0, limit, row: Customer.init)
    }

    /// The hash of an account's password; nil if it has none.
    package static func passwordHash(of id: CustomerID, in transaction: any ReadTransaction) throws -> String? {
        try transaction.optional("SELECT password_hash FROM customer WHERE id = $1", id) {
            try $0.value(0, as: String?.self)
        } ?? nil
    }

    /// The hashes of what only the owner of an account knows.
    struct Secrets: Sendable {
        let password: String?
        let answer: String?
    }

    static func secrets(of id: CustomerID, in transaction: any ReadTransaction) throws -> Secrets {
        try transaction.optional("SELECT password_hash, secret_answer_hash FROM customer WHERE id = $1", id) { row in
            var cells = row.cells
            return try Secrets(password: cells.next(), answer: cells.next())
        } ?? Secrets(password: nil, answer: nil)
    }

    package static func setPassword(
        _ hash: String, of id: CustomerID, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute("UPDATE customer SET password_hash = $2 WHERE id = $1", id, hash)
        try FamiliarPlaces.forget(of: id, in: transaction)
        try WebSessions.endAll(of: id, in: transaction)
    }

    /// Allows or forbids an account to buy.
    package static func setPurchasesAllowed(
        _ isAllowed: Bool, of id: CustomerID, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute("UPDATE customer SET purchases_allowed = $2 WHERE id = $1", id, isAllowed)
    }

    /// Whether each purchase of the account is interrupted once.
    package static func setInterruptsPurchases(
        _ interrupts: Bool, of id: CustomerID, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute("UPDATE customer SET interrupts_purchases = $2 WHERE id = $1", id, interrupts)
    }

    /// Whether somebody else has to say yes to each purchase of the account.
    static func setAsksToBuy(_ asks: Bool, of id: CustomerID, in transaction: any WriteTransaction) throws {
        try transaction.execute("UPDATE customer SET asks_to_buy = $2 WHERE id = $1", id, asks)
    }

    /// How fast the subscriptions of a tester renew: those that renew from now on.
    package static func setRenewalRate(
        _ rate: RenewalRate, of id: CustomerID, in transaction: any WriteTransaction
    ) throws {
        guard let scale = rate.scale else {
            throw ServiceError(
                .valueInvalid,
                "the rate is one of \(RenewalRate.known.map(\.rawValue).sorted().joined(separator: ", "))",
                parameter: "renewalRate")
        }
        try setPeriodScale(scale, of: id, in: transaction)
    }

    /// How long the periods of a tester's subscriptions last: of those that begin from now on.
    package static func setPeriodScale(
        _ scale: PeriodScale, of id: CustomerID, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute("UPDATE customer SET renewal_rate = $2 WHERE id = $1", id, scale.rawValue)
    }

    /// Moves an account, and the devices that it is signed in on, to another storefront.
    package static func setStorefront(
        _ storefront: StorefrontRecord, of id: CustomerID, in transaction: any WriteTransaction
    ) throws {
        let code = StorefrontCode(storefront)
        try transaction.execute("UPDATE customer SET storefront = $2 WHERE id = $1", id, code)
        try transaction.execute("UPDATE device SET storefront = $2 WHERE customer_id = $1", id, code)
    }

    /// Takes an account out of use: nobody signs in with it any more, and what names the person is gone. Transactions
    /// stay, because books do.
    package static func delete(_ id: CustomerID, at now: Instant, in transaction: any WriteTransaction) throws {
        if let customer = try find(id, in: transaction) {
            try RefundRequests.remove(PersonalNames(customer), fromRequestsOf: id, in: transaction)
        }
        try transaction.execute(
            """
            UPDATE customer SET email = '', first_name = '', last_name = '', password_hash = NULL, birth_date = NULL,
                secret_question = NULL, secret_answer_hash = NULL, deleted_at = $2
            WHERE id = $1 AND deleted_at IS NULL
            """, id, now)
        try signOutEverywhere(id, in: transaction)
        try transaction.execute(
            "UPDATE payment_method SET removed_at = $2 WHERE customer_id = $1 AND removed_at IS NULL", id, now)
        try transaction.execute("DELETE FROM password_recovery WHERE customer_id = $1", id)
        try FamiliarPlaces.forget(of: id, in: transaction)
        try CustomerReviews.forget(of: id, in: transaction)
        try NameWords.put([], of: "\(id)", .customer, in: transaction)
    }

    static func signOutEverywhere(_ id: CustomerID, in transaction: any WriteTransaction) throws {
        try transaction.execute("UPDATE device SET customer_id = NULL WHERE customer_id = $1", id)
        try WebSessions.endAll(of: id, in: transaction)
        try CustomerEvents.wake(id, in: transaction)
    }
}

extension Customers {
    /// How long a way to another password stays open.
    package static let recoveryTime = Duration.seconds(60 * 60)

    /// Begins a recovery of the password: the bearer of the token may set another, once.
    package static func beginRecovery(
        of customer: CustomerID, token: String, at wall: Instant, in transaction: any WriteTransaction
    ) throws {
        // One way at a time, so that asking often opens no more.
        try transaction.execute("DELETE FROM password_recovery WHERE customer_id = $1", customer)
        try transaction.insert(
            into: "password_recovery",
            [
                "token_hash": try DigestAlgorithm.sha256.digest(token.utf8), "customer_id": customer,
                "created_at": wall, "expires_at": wall + recoveryTime,
            ])
    }

    /// Whether a way to another password is open.
    package static func isRecovering(
        _ customer: CustomerID, at wall: Instant, in transaction: any ReadTransaction
    ) throws -> Bool {
        try transaction.value(
            """
            SELECT count(*) FROM password_recovery WHERE customer_id = $1 AND used_at IS NULL AND expires_at > $2
            """, customer, wall, as: Int.self) > 0
    }

    /// Whether a token lets its bearer set another password.
    static func isRecovering(_ token: String, at wall: Instant, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.value(
            """
            SELECT count(*) FROM password_recovery WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2
            """, try DigestAlgorithm.sha256.digest(token.utf8), wall, as: Int.self) > 0
    }

    /// Sets another password with the token of a recovery; the devices that were signed in have to sign in again.
    package static func recover(
        token: String, passwordHash: String, at wall: Instant, in transaction: any WriteTransaction
    ) throws -> CustomerID {
        let hash = try DigestAlgorithm.sha256.digest(token.utf8)
        let customer = try transaction.optional(
            """
            UPDATE password_recovery SET used_at = $2
            WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2 RETURNING customer_id
            """, hash, wall
        ) { try $0.value(0, as: CustomerID.self) }
        guard let customer else {
            throw ServiceError(
                .tokenInvalid, "this way to another password is not open, or not any more", parameter: "token")
        }
        try setPassword(passwordHash, of: customer, in: transaction)
        try signOutEverywhere(customer, in: transaction)
        return customer
    }
}
