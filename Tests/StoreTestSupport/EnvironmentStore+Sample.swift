package import StoreDatabase
package import StoreLog
package import StoreModel
package import StoreRules
package import StoreService
package import StoreSigning

extension EnvironmentStore {
    /// A store at work over some databases: with ``SampleKeys``, passwords that are cheap to check, and subscriptions that go
    /// by the calendar.
    ///
    /// - Parameters:
    ///   - commerce: the time of the environment; nil for that of the wall.
    ///   - log: takes what the store logs.
    package static func sample(
        _ environment: StoreEnvironment = .sandbox, of databases: StoreDatabases, database: (any Database)? = nil,
        processor: any PaymentProcessor, signers: EnvironmentSigners? = nil,
        commerce: (@Sendable () -> Instant)? = nil, wall: @escaping @Sendable () -> Instant,
        passwords: PasswordGate = PasswordGate(scrypt: .quick), policy: StorePolicy = .byTheCalendar,
        waiters: SignalWaiters = SignalWaiters(), random: RandomBytes = RandomBytes(),
        log: @escaping @Sendable (LogEntry) -> Void = { _ in }
    ) throws -> EnvironmentStore {
        EnvironmentStore(
            environment, of: databases, database: database, processor: processor,
            signers: try signers ?? EnvironmentSigners(SampleKeys.of(environment)),
            clocks: StoreClocks(commerce: commerce ?? wall, wall: wall), passwords: passwords, policy: policy,
            waiters: waiters, log: Log(time: wall, sink: log), random: random)
    }
}
