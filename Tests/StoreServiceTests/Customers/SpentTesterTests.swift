import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@Suite("Testers who sign in to the real store", .bounded)
struct SpentTesterTests {
    private static let email = "Ada@example.com"
    private static let password = "correct horse"

    /// Production beside the sandbox of a scene.
    private func production(
        _ scene: SaleScene, _ database: any Database, testers: any Database
    ) throws -> EnvironmentStore {
        let databases = StoreDatabases(catalogue: scene.store.catalogue, production: database, sandbox: testers)
        return try .sample(
            .production, of: databases, processor: scene.processor, signers: scene.store.signers,
            wall: scene.time.reading)
    }

    /// A store with a tester who has everything that a tester can have.
    private func on(
        _ engine: StoreEngine, _ body: (SaleScene, StoreDatabases, CustomerID) async throws -> Void
    ) async throws {
        try await engine.withStore { databases in
            for environment in StoreEnvironment.allCases {
                try await databases[environment].write { try StoreProperty.beginFirstEpoch("first", in: $0) }
            }
            let scene = try SaleScene(databases)
            let made = try await Accounts(scene.store).create(
                .init(
                    email: Self.email, password: Self.password, firstName: "Ada", lastName: "Byron",
                    storefront: StorefrontCode(rawValue: "JPN"), birthDate: "1955-12-10",
                    secretQuestion: "Whose daughter?", secretAnswer: "Byron's, George", paymentMethod: "approve"),
                scene.store.cause(.owner))
            try await body(scene, databases, made.customer.id)
        }
    }

    /// Does in production what is due, as the next life of a store does.
    private func work(_ store: EnvironmentStore, _ scene: SaleScene) async throws {
        let scheduler = WorkScheduler(
            store.database, handlers: Recovery(store).handlers, name: "next life", wallTime: scene.time.reading)
        while try await !scheduler.runRound(clock: .wall, at: scene.time.current).isEmpty {}
    }

    @Test(
        "R8.1: A store killed at any point while a tester becomes a customer has both halves in the end, or neither",
        arguments: StoreEngine.allCases)
    func killed(_ engine: StoreEngine) async throws {
        try await on(engine) { scene, databases, first in
            // Hashing takes long: all testers have the same password.
            let hash = try #require(try await databases.sandbox.read { try Customers.passwordHash(of: first, in: $0) })
            var outcomes: [Bool: Int] = [:]
            var (point, isOver) = (0, false)
            while !isOver, point < 30 {
                let tester = try await scene.customer()
                try await databases.sandbox.write { try Customers.setPassword(hash, of: tester, in: $0) }
                let email = try await databases.sandbox.read { try Customers.require(tester, in: $0) }.email
                let life = Countdown(point)
                let dying = try production(
                    scene, AbandonedDatabase(databases.production, stopping: life.isOver),
                    testers: AbandonedDatabase(databases.sandbox, stopping: life.isOver))
                _ = try? await SpentTesters(dying).becomeCustomer(email, Self.password)
                isOver = !life.isOver()
                try await work(production(scene, databases.production, testers: databases.sandbox), scene)
                let isMade = try await databases.production.read { try Customers.isKnown(EmailAddress(email), in: $0) }
                let spent = try await databases.sandbox.read { try Customers.require(tester, in: $0) }.spentAt
                #expect((spent != nil) == isMade, "stopped at \(point)")
                outcomes[isMade, default: 0] += 1
                point += 1
            }
            let left = try await databases.production.read { try $0.value("SELECT count(*) FROM work", as: Int.self) }
            #expect(isOver && left == 0)
            // Some lives ended before the account was there, some after it and before the sandbox knew.
            #expect(outcomes[false, default: 0] >= 2 && outcomes[true, default: 0] >= 3, "\(outcomes)")
        }
    }

    @Test("R8.1: A tester who signs in to the real store is a customer there, and buys nothing in the sandbox any more")
    func spent() async throws {
        try await on(.memory) { scene, databases, tester in
            let device = try await scene.device(tester)
            let bought = try await scene.buy(.sample(.nonConsumable, storefront: "JPN"), on: device)
            let (other, token) = try await scene.registered(nil)
            let known = try await Accounts(scene.store).account(named: Self.email).customer
            let real = try production(scene, databases.production, testers: databases.sandbox)
            #expect(try await SpentTesters(real).becomeCustomer(Self.email, "wrong horse") == nil)
            #expect(try await Accounts(scene.store).account(named: Self.email).customer.spentAt == nil)

            let customer = try #require(try await SpentTesters(real).becomeCustomer(Self.email, Self.password))
            #expect(customer.kind == .customer && customer.tester == tester)
            #expect(customer.email == Self.email && customer.firstName == "Ada" && customer.birthDate == "1955-12-10")
            #expect(customer.storefront.rawValue == "JPN" && customer.secretQuestion == "Whose daughter?")
            // The same again is the same customer.
            #expect(try await SpentTesters(real).becomeCustomer(Self.email, Self.password)?.id == customer.id)

            #expect(try await databases.sandbox.read { try DeviceScope.of(device.device, in: $0) }?.customer == nil)
            let accounts = Accounts(scene.store)
            for refused: () async throws -> Void in [
                { _ = try await accounts.signIn(email: Self.email, password: Self.password, as: token, request: nil) },
                {
                    _ = try await accounts.change(Self.email, .init(purchasesAllowed: false), scene.store.cause(.owner))
                },
                { _ = try await accounts.beginRecovery(of: Self.email, scene.store.cause(.owner)) },
            ] {
                let error = await #expect(throws: ServiceError.self) { try await refused() }
                #expect(error?.code == .testerSpent, "\(String(describing: error))")
            }
            // Nor is one signed in who was looked up before.
            let late = await #expect(throws: ServiceError.self) {
                try await databases.sandbox.write {
                    try Devices.signIn(known, on: other, at: SceneTime.start, in: $0)
                }
            }
            #expect(late?.code == .testerSpent)
            let again = await #expect(throws: ServiceError.self) {
                try await accounts.create(.init(email: Self.email.lowercased()), scene.store.cause(.owner))
            }
            #expect(again?.code == .emailTaken && again?.parameter == "email")
            // What was bought stays, and is what the account can be asked about.
            #expect(try await scene.transaction(bought.transaction).customerID == tester)
            #expect(try await scene.check().isInOrder)
            try await accounts.delete(Self.email, scene.store.cause(.owner))
        }
    }

    @Test("R8.1: An address that production knows already makes no customer of a tester")
    func takenThere() async throws {
        try await on(.memory) { scene, databases, tester in
            let real = try production(scene, databases.production, testers: databases.sandbox)
            _ = try await Accounts(real).create(.init(email: Self.email), real.cause(.owner))
            for _ in 0..<2 {
                #expect(try await SpentTesters(real).becomeCustomer(Self.email, Self.password) == nil)
                // Neither does one that was deleted there.
                try? await Accounts(real).delete(Self.email, real.cause(.owner))
            }
            #expect(try await databases.sandbox.read { try Customers.require(tester, in: $0) }.spentAt == nil)
        }
    }
}

/// The points at which a process can be killed, counted over all that it has.
private final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ points: Int) {
        left = Mutex(points)
    }

    /// Whether the process was killed; each question is a point.
    @Sendable func isOver() -> Bool {
        left.withLock { left in
            left -= 1
            return left < 0
        }
    }
}
