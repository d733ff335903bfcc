import StoreCatalogue
import StoreDatabase
import StoreLog
import StoreModel

/// Testers who sign in to the real store: customers of production from then on, and of no use in the sandbox any more.
///
/// The two halves are in two databases. The account of production and the work that spends the tester are written in one
/// transaction; the work has its turn at once, and again until the sandbox has it:
///
/// | killed | production | sandbox, in the end |
/// |---|---|---|
/// | before the transaction | nothing | nothing; the person signs in again |
/// | after it | the account and the work | the tester is spent |
/// | after the sandbox was told | the account and the work | the tester is spent, once |
package struct SpentTesters: Sendable {
    /// The kind of work in production that spends a tester of the sandbox.
    static let work = "tester-spent"

    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Makes the tester of an address and a password a customer of production. Signing in again with the same ends the same.
    ///
    /// Nil if there is no such tester, the password is wrong, or the address is or was one of another account here.
    package func becomeCustomer(_ email: String, _ password: String) async throws -> Customer? {
        guard let sandbox = store.testers else { return nil }
        let found = try await sandbox.read { transaction -> (Customer, Customers.Secrets)? in
            guard let email = try? EmailAddress(email), let tester = try Customers.find(email, in: transaction) else {
                return nil
            }
            return (tester, try Customers.secrets(of: tester.id, in: transaction))
        }
        // It takes as long if there is none, so that nobody learns which testers there are.
        let matches = try await store.passwords.matches(
            password, hash: found?.1.password, for: .customers(store.environment))
        guard matches, let (tester, secrets) = found else { return nil }
        let (id, now) = (try CustomerID(number: await store.numbers.next(.customers)), store.clocks.wall())
        let customer = try await store.database.write { transaction in
            try Self.customer(for: tester, secrets, as: id, at: now, in: transaction)
        }
        guard let customer else { return nil }
        store.log.info(
            "tester.became_customer", "A tester signed in to the real store.",
            ["customer": .text(customer.id.description), "tester": .text(tester.id.description)])
        // What fails here is the work's to repeat.
        try? await spend(tester.id)
        return customer
    }

    /// The account of production that a tester has become, made if it is not there; with the work that spends the tester.
    private static func customer(
        for tester: Customer, _ secrets: Customers.Secrets, as id: CustomerID, at now: Instant,
        in transaction: any WriteTransaction
    ) throws -> Customer? {
        let email = try EmailAddress(tester.email)
        let known = try Customers.find(email, in: transaction)
        if let known {
            guard known.tester == tester.id else { return nil }
        } else if try Customers.isKnown(email, in: transaction) {
            return nil
        }
        let account = try NewCustomer(
            email: email, firstName: tester.firstName, lastName: tester.lastName,
            storefront: tester.storefront.known(), birthDate: tester.birthDate,
            secretQuestion: tester.secretQuestion, passwordHash: secrets.password,
            secretAnswerHash: secrets.answer)
        let customer =
            try known
            ?? Customers.create(account, as: id, of: .customer, tester: tester.id, at: now, in: transaction)
        try WorkTable.ensure(Work(work, tester.id.description, dueAt: now, clock: .wall), in: transaction)
        return customer
    }

    /// Lets nobody sign in with a tester any more; does nothing if it was deleted or is spent. What was bought stays.
    func spend(_ tester: CustomerID) async throws {
        let now = store.clocks.wall()
        try await store.testers?.write { transaction in
            let count = try transaction.execute(
                "UPDATE customer SET spent_at = $2 WHERE id = $1 AND spent_at IS NULL AND deleted_at IS NULL", tester,
                now)
            guard count > 0 else { return }
            try Customers.signOutEverywhere(tester, in: transaction)
            try transaction.execute("DELETE FROM password_recovery WHERE customer_id = $1", tester)
        }
    }
}
