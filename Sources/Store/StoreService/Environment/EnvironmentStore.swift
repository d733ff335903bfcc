package import StoreDatabase
package import StoreLog
package import StoreModel
package import StoreSigning

/// One environment of a store at work: what its use cases are given. It keeps nothing but what the databases have.
package struct EnvironmentStore: Sendable {
    package let environment: StoreEnvironment
    /// Customers, purchases, money.
    package let database: any Database
    /// What is sold, in both environments alike.
    package let catalogue: any Database
    package let numbers: Numbers
    package let processor: any PaymentProcessor
    package let signers: EnvironmentSigners
    package let clocks: StoreClocks
    package let random: RandomBytes
    package let passwords: PasswordGate
    /// What the store keeps of a price.
    package let commission: Proportion
    package let wakes: Wakes
    package let log: Log

    package init(
        _ environment: StoreEnvironment, database: any Database, catalogue: any Database,
        processor: any PaymentProcessor, signers: EnvironmentSigners, clocks: StoreClocks, passwords: PasswordGate,
        commission: Proportion, wakes: Wakes, log: Log, random: RandomBytes = RandomBytes()
    ) {
        self.environment = environment
        self.database = database
        self.catalogue = catalogue
        numbers = Numbers(database)
        self.processor = processor
        self.signers = signers
        self.clocks = clocks
        self.random = random
        self.passwords = passwords
        self.commission = commission
        self.wakes = wakes
        self.log = log
    }

    /// What a transaction that may sell something is given.
    package func draw() async throws -> Drawn {
        Drawn(
            transaction: try TransactionID(number: await numbers.next(.transactions(of: environment))),
            orderLine: try WebOrderLineItemID(number: await numbers.next(.orderLines(of: environment))),
            ledgerEntry: try await numbers.next(.ledgerEntries), commission: commission)
    }
}
