package import StoreCatalogue
import StoreDatabase
import StoreLog
package import StoreModel
import StoreRules
import StoreSigning

/// Buys something, verifies what was signed, and gives the money back: the whole way of a sale, in the environment's own terms.
///
/// It has an account, a product, a processor and books of its own, which are in memory and gone at its end. So nothing of it is
/// in totals, proceeds, lists, notifications or on anybody's shelf, in production either. Of the environment it uses what a sale
/// stands on: the keys that sign, the roots that verify, the clock, the commission. The databases are tried by a write that is
/// taken back, and the processor by a question about a payment that there never was.
package actor SelfTest {
    private let nanoseconds: @Sendable () -> Int64
    private var isRunning = false

    /// - Parameter nanoseconds: measures times; only differences count.
    package init(nanoseconds: @escaping @Sendable () -> Int64) {
        self.nanoseconds = nanoseconds
    }

    package struct Report: Hashable, Sendable {
        package let environment: StoreEnvironment
        /// By the wall clock.
        package let startedAt: Instant
        /// In the order in which they were done; none follows the first that failed.
        package let steps: [Step]

        package var failure: Step? { steps.first { $0.problem != nil } }
        package var milliseconds: Int { steps.reduce(0) { $0 + $1.milliseconds } }

        /// What came of it in one sentence.
        package var sentence: String {
            guard let failure, let problem = failure.problem else {
                return "Bought, verified and refunded in \(milliseconds) ms; nothing of it is left."
            }
            return "\(failure.name.prefix(1).uppercased())\(failure.name.dropFirst()) failed: \(problem)"
        }
    }

    package struct Step: Hashable, Sendable {
        package let name: String
        package let milliseconds: Int
        /// What was seen; empty where there is nothing to say.
        package let detail: String
        /// What is wrong; nil if nothing is.
        package let problem: String?
    }

    /// Runs it in an environment, by those who look after the store as a whole.
    package func run(in store: EnvironmentStore, by actor: Actor) async throws -> Report {
        try actor.require(.teams, change: true, in: .environment(store.environment))
        guard !isRunning else { throw ServiceError(.systemBusy, "another self-test is under way; wait for its end") }
        isRunning = true
        defer { isRunning = false }
        let start = store.clocks.wall()
        let sale = SelfTestSale(store)
        var steps: [Step] = []
        for (name, body) in sale.steps {
            let begin = nanoseconds()
            var (detail, problem): (String, String?) = ("", nil)
            do {
                detail = try await body()
            } catch {
                problem = "\(error)"
            }
            steps.append(
                Step(
                    name: name, milliseconds: Int((nanoseconds() - begin) / 1_000_000), detail: detail,
                    problem: problem))
            if problem != nil { break }
        }
        await sale.end()
        return Report(environment: store.environment, startedAt: start, steps: steps)
    }
}

/// A sale of a self-test, step by step.
private actor SelfTestSale {
    private let real: EnvironmentStore
    private let processor = SelfTestProcessor()
    private var databases: StoreDatabases?
    private var own: EnvironmentStore?
    private var account: CustomerID?
    private var sold: TransactionID?

    init(_ real: EnvironmentStore) { self.real = real }

    private static let product = "com.example.selftest.once"
    private static let price = Money(minorUnits: 99, currency: .usd)

    nonisolated var steps: [(name: String, body: @Sendable () async throws -> String)] {
        [
            ("writing to the databases", { try await self.write() }),
            ("asking the payment processor", { try await self.askProcessor() }),
            ("signing keys", { try await self.look() }),
            ("entering a product of its own", { try await self.enter() }),
            ("making an account of its own", { try await self.join() }),
            ("buying", { try await self.buy() }),
            ("verifying the signed transaction", { try await self.verifySigned() }),
            ("verifying the receipt", { try await self.verifyReceipt() }),
            ("comparing the books", { try await self.compare(after: "the purchase") }),
            ("giving the money back", { try await self.refund() }),
            ("comparing the books again", { try await self.compare(after: "the refund") }),
        ]
    }

    /// Forgets everything.
    func end() async {
        own?.waiters.end()
        await databases?.close()
        (own, databases) = (nil, nil)
    }

    // MARK: What is the environment's

    private struct TakenBack: Error {}

    private func write() async throws -> String {
        for database in [real.catalogue, real.database] {
            do {
                try await database.write { transaction in
                    try StoreProperty.keep("self-test", as: "self-test", in: transaction)
                    throw TakenBack()
                }
            } catch is TakenBack {}
        }
        return "both took a write, which was taken back"
    }

    private func askProcessor() async throws -> String {
        if real.processor.form.isMissing { return "there is none here; the self-test brings its own" }
        let found = try await real.processor.lookup(key: "self-test")
        guard found == .nothing else { throw SelfTestProblem("it knows a payment that there never was") }
        return real.processor.form.isTest ? "the test processor answers" : "it answers"
    }

    private func look() throws -> String {
        try real.signers.requireUsable()
        return "they are in order"
    }

    // MARK: What is its own

    private func enter() async throws -> String {
        let made = try await StoreDatabases.inMemory(.current())
        databases = made
        let (now, wall) = (real.clocks.wall(), real.clocks.wall)
        own = EnvironmentStore(
            real.environment, of: made, processor: processor, signers: real.signers,
            clocks: StoreClocks(commerce: real.clocks.commerce, wall: wall), passwords: real.passwords,
            policy: real.policy, log: Log(time: wall, sink: { _ in }))
        try await made[real.environment].write { try StoreProperty.beginFirstEpoch("self-test", in: $0) }
        let ids = try await Numbers(made.catalogue).next(2, of: .items)
        try await made.catalogue.write { transaction in
            let change = CatalogueChange(.store, at: now, in: transaction)
            let app = try Catalogue.addApp(
                AppID(number: ids[0]), BundleID(parsing: "com.example.selftest"), name: "Self-test",
                primaryLanguage: "en-US", change)
            let draft = try ProductDraft(
                ProductID(parsing: Self.product), .consumable, referenceName: "Self-test",
                texts: ["en-US": ProductText(title: "Self-test", description: "Bought by a self-test")],
                prices: [StorefrontCode(rawValue: "USA"): Self.price])
            _ = try Catalogue.put(
                draft, of: app.id, number: { try ItemID(number: ids[1]) }, isApproved: true, change)
        }
        return "\(Self.product) for \(Self.price)"
    }

    private func join() async throws -> String {
        let store = try require(own)
        let id = try CustomerID(number: await store.numbers.next(.customers))
        let method = try PaymentMethodID(number: await store.numbers.next(.paymentMethods))
        guard let storefront = StorefrontRecord.storefront(alpha3: "USA") else {
            throw SelfTestProblem("there is no storefront USA")
        }
        let now = store.clocks.wall()
        try await store.database.write { transaction in
            let new = try NewCustomer(
                email: EmailAddress("self-test@example.com"), firstName: "Self", lastName: "Test",
                storefront: storefront)
            _ = try Customers.create(
                new, as: id, of: Customer.Kind(store.environment), at: now, in: transaction)
            try Customers.add(
                method, processor: "self-test", token: SelfTestProcessor.token, label: "Self-test", to: id, at: now,
                in: transaction)
        }
        account = id
        return "self-test@example.com"
    }

    private func buy() async throws -> String {
        let store = try require(own)
        let selection = try Checkout.Selection(product: Self.product, quantity: 1, accountToken: nil)
        let sale = try await Checkout(store).sell(
            selection, to: try require(account).description, app: BundleID(parsing: "com.example.selftest"), key: nil,
            store.cause(.store))
        guard let bought = sale.status.bought else {
            throw SelfTestProblem("the sale is \(sale.status.state)\(sale.status.failure.map { ", \($0)" } ?? "")")
        }
        guard bought.price == Self.price else { throw SelfTestProblem("it cost \(bought.price), not \(Self.price)") }
        sold = bought.id
        return "one product for \(bought.price)"
    }

    private func verifySigned() async throws -> String {
        let id = try require(sold)
        let details = try await OperatorTransactions(require(own)).details(of: id)
        return try verify(details.signed, of: id)
    }

    private func verifyReceipt() async throws -> String {
        let id = try require(sold)
        let receipt = try await OperatorTransactions(require(own)).receipt(of: id, as: .app)
        return try verify(Base64.encode(receipt), of: id)
    }

    /// Judges a text as anybody would who has the roots of this environment and no others.
    private func verify(_ text: String, of id: TransactionID) throws -> String {
        let found = Inspection(
            of: text, askedIn: real.environment, signers: [real.environment: real.signers], at: real.clocks.wall())
        if let error = found.findings.first(where: \.isError) { throw SelfTestProblem(error.message) }
        guard found.isGenuine, found.signedBy == real.environment else {
            throw SelfTestProblem("the signature does not lead to the root of \(real.environment)")
        }
        guard found.transactions.contains(id) else { throw SelfTestProblem("it is not about what was bought") }
        return "signed under the root of \(real.environment)"
    }

    private func compare(after what: String) async throws -> String {
        let report = try await LedgerCheck(require(own).database).run(comparedWith: processor)
        guard report.isInOrder else {
            throw SelfTestProblem("after \(what): \(report.problems.map { "\($0)" }.joined(separator: "; "))")
        }
        return "the ledger and the processor agree"
    }

    private func refund() async throws -> String {
        let (store, id) = (try require(own), try require(sold))
        let refund = try await OperatorTransactions(store).refund(
            id, RefundChoice(), key: nil, reason: .other, store.cause(.store))
        guard refund.state == .refunded else { throw SelfTestProblem("the refund is \(refund.state)") }
        let after = try await OperatorTransactions(store).details(of: id)
        guard after.transaction.revocation != nil, after.rest.isZero else {
            throw SelfTestProblem("the money went back, and the transaction was not revoked")
        }
        return "all of \(Self.price), and the transaction is revoked"
    }

    private func require<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw SelfTestProblem("a step before it did not do its work") }
        return value
    }
}

/// Something of a self-test that is not as it must be. Its description is safe to show.
private struct SelfTestProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
