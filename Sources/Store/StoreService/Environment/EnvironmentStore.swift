import StoreCatalogue
package import StoreDatabase
package import StoreLog
package import StoreModel
package import StoreRules
package import StoreSigning

/// One environment of a store at work: what its use cases are given. It keeps nothing but what the databases have.
package struct EnvironmentStore: Sendable {
    package let environment: StoreEnvironment
    /// Customers, purchases, money.
    package let database: any Database
    /// The accounts of the sandbox, for production alone.
    let testers: (any Database)?
    /// What is sold, in both environments alike.
    package let catalogue: any Database
    package let numbers: Numbers
    package let processor: any PaymentProcessor
    private let signing: SigningKeys
    package let clocks: StoreClocks
    package let random: RandomBytes
    package let passwords: PasswordGate
    package let guesses: GuessCounts
    package let policy: StorePolicy
    let sightings: Throttle<DeviceID>
    /// Charges of which it was told lately that they have no answer.
    let troubles = Throttle<ChargeID>(step: .seconds(10 * 60))
    package let waiters: SignalWaiters
    /// What this process does about notifications.
    package let notifying = NotificationActivity()
    package let log: Log
    let pageSecret: PageSecret
    /// What apps were seen doing for the first time.
    package let steps: AppSteps
    /// What goes wrong on purpose; production has none.
    package let faults: Faults?

    /// - Parameter database: stands for that of the environment, such as one that fails in a test.
    package init(
        _ environment: StoreEnvironment, of databases: StoreDatabases, database: (any Database)? = nil,
        processor: any PaymentProcessor, signers: EnvironmentSigners, clocks: StoreClocks, passwords: PasswordGate,
        policy: StorePolicy, waiters: SignalWaiters = SignalWaiters(), log: Log, random: RandomBytes = RandomBytes()
    ) {
        let database = database ?? databases[environment]
        self.environment = environment
        self.database = database
        testers = environment == .production ? databases.sandbox : nil
        catalogue = databases.catalogue
        numbers = Numbers(database)
        self.processor = processor
        signing = SigningKeys(signers)
        self.clocks = clocks
        self.random = random
        pageSecret = PageSecret(database, random: random)
        guesses = GuessCounts(environment, database, pageSecret, wall: clocks.wall, log: log)
        steps = AppSteps(database, now: clocks.wall)
        faults = Faults(environment, database, log: log)
        self.passwords = passwords
        self.policy = policy
        sightings = Throttle(step: min(.seconds(60), policy.patience / 10))
        self.waiters = waiters
        self.log = log
    }

    /// What signs and verifies now.
    package var signers: EnvironmentSigners { signing.signers }

    /// Works with other keys from now on.
    package func take(_ signers: EnvironmentSigners) { signing.take(signers) }

    /// How subscriptions live whose customer has no rate of renewals.
    package var subscriptions: SubscriptionTerms { policy.subscriptions(in: environment) }

    /// What a transaction that may sell something is given.
    package func draw() async throws -> Drawn {
        Drawn(
            transaction: try TransactionID(number: await numbers.next(.transactions(of: environment))),
            orderLine: try WebOrderLineItemID(number: await numbers.next(.orderLines(of: environment))),
            ledgerEntry: try LedgerEntryID(number: await numbers.next(.ledgerEntries)), commission: policy.commission,
            code: try Confirmation(random: random).code)
    }
}

/// Work in the scope of the token that a device shows.
extension EnvironmentStore {
    /// Reads in the scope of a token.
    ///
    /// - Parameter countsAsSeen: whether the device was seen with that; not where its request has waited meanwhile, and it may
    ///   be gone.
    package func read<Result: Sendable>(
        as token: DeviceToken, countsAsSeen: Bool = true,
        _ body: @escaping @Sendable (DeviceScope, any ReadTransaction) throws -> Result
    ) async throws -> Result {
        let wall = clocks.wall()
        let (scope, result) = try await database.read { transaction in
            let scope = try DeviceScope.resolve(token: token, at: wall, in: transaction)
            return (scope, try body(scope, transaction))
        }
        await note(scope, countsAsSeen: countsAsSeen, at: wall)
        return result
    }

    /// Looks up a row or two in the scope of a token.
    package func lookUp<Result: Sendable>(
        as token: DeviceToken, countsAsSeen: Bool = true,
        _ body: @escaping @Sendable (DeviceScope, any ReadTransaction) throws -> Result
    ) async throws -> Result {
        let wall = clocks.wall()
        let (scope, result) = try await database.lookUp { transaction in
            let scope = try DeviceScope.resolve(token: token, at: wall, in: transaction)
            return (scope, try body(scope, transaction))
        }
        await note(scope, countsAsSeen: countsAsSeen, at: wall)
        return result
    }

    /// Changes something in the scope of a token, for the customer who is signed in there.
    package func write<Result: Sendable>(
        as token: DeviceToken, isolation: TransactionIsolation = .serializable, countsAsSeen: Bool = true,
        request: String? = nil,
        _ body: @escaping @Sendable (DeviceScope, Change) throws -> Result
    ) async throws -> Result {
        let (wall, cause) = (clocks.wall(), cause(.customer, request: request))
        let (scope, result) = try await database.write(isolation: isolation) { transaction in
            let scope = try DeviceScope.resolve(token: token, at: wall, in: transaction)
            return (scope, try body(scope, cause.change(in: scope, transaction)))
        }
        await note(scope, countsAsSeen: countsAsSeen, at: wall)
        return result
    }

    private func note(_ scope: DeviceScope, countsAsSeen: Bool, at wall: Instant) async {
        SeenClock.current?.note(scope.clock)
        if countsAsSeen { await hear(scope.device, at: wall) }
    }

    /// Keeps that a device was seen, now and then.
    private func hear(_ device: DeviceID, at wall: Instant) async {
        guard sightings.allows(device, at: wall) else { return }
        // What cannot be written now is with the next request.
        _ = try? await database.write(isolation: .snapshot) { transaction in
            try transaction.execute("UPDATE device SET seen_at = $2 WHERE id = $1 AND seen_at < $2", device, wall)
        }
    }

    /// The scope of a token.
    package func scope(of token: DeviceToken) async throws -> DeviceScope {
        let wall = clocks.wall()
        let scope = try await database.lookUpOnce { try DeviceScope.resolve(token: token, at: wall, in: $0) }
        await note(scope, countsAsSeen: true, at: wall)
        return scope
    }

    /// Refuses what only the sandbox lets an app do.
    package func requireSandbox(_ message: String) throws {
        guard environment == .sandbox else { throw ServiceError(.sandboxOnly, message) }
    }
}
