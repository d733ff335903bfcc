import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreTestSupport
import TestSupport
import Testing

@Suite("What actors may do with the catalogue, whatever way they come", .bounded)
struct CatalogueEditingTests {
    private static func actor(
        _ role: OperatorTokens.Role, _ environment: StoreEnvironment, member: (TeamID, String)? = nil,
        in databases: StoreDatabases
    ) async throws -> Actor {
        let token = OperatorTokens.token(of: Array(repeating: UInt8(environment == .sandbox ? 1 : 2), count: 32))
        return Actor(
            try await databases.catalogue.write {
                try OperatorTokens.add(
                    token, name: "\(environment)", for: environment, role: role, member: member,
                    CatalogueChange(.owner, at: CatalogueSample.now, in: $0))
            })
    }

    /// A product that nobody has approved.
    private static func product(in databases: StoreDatabases) async throws -> ProductPath {
        let sample = try await CatalogueSample.make(in: databases.catalogue)
        try await sample.put(CatalogueSample.draft("coins"), item: 10, in: databases.catalogue)
        return ProductPath(sample.app.bundleID, try ProductID(parsing: "coins"))
    }

    private static func code(_ body: () async throws -> Void) async throws -> RefusalCode? {
        do {
            try await body()
            return nil
        } catch let refusal as CatalogueError {
            return refusal.code
        }
    }

    @Test("A role that does not include the work is refused by the use case, without any route")
    func roles() async throws {
        try await StoreEngine.memory.withStore { databases in
            let path = try await Self.product(in: databases)
            for (role, expected) in [(OperatorTokens.Role.operator, RefusalCode?.none), (.support, .notAllowed)] {
                let actor = try await Self.actor(role, role == .operator ? .production : .sandbox, in: databases)
                let editing = CatalogueEditing(databases.catalogue, by: actor, request: "r") { CatalogueSample.now }
                let refused = try await Self.code { _ = try await editing.setClearedForSale(false, path) }
                #expect(refused == expected, "\(role.rawValue)")
                #expect(try await Self.code { _ = try await editing.details(of: path) } == nil)
                #expect(try await Self.code { _ = try await editing.primarySecret(in: .sandbox) } == expected)
            }
        }
    }

    @Test("An actor of the sandbox changes what production sells by drafts alone, and names itself in the audit")
    func live() async throws {
        try await StoreEngine.memory.withStore { databases in
            let path = try await Self.product(in: databases)
            let sandbox = try await Self.actor(.operator, .sandbox, in: databases)
            let editing = CatalogueEditing(databases.catalogue, by: sandbox, request: "r") { CatalogueSample.now }
            let owner = CatalogueEditing(databases.catalogue, by: .owner, request: nil) { CatalogueSample.now }
            let price = Money(minorUnits: 399, currency: .usd)
            _ = try await editing.setBasePrice(Money(minorUnits: 299, currency: .usd), of: path)
            let line = try await owner.changes(AuditFilter(), limit: 1).first?.entry
            #expect(line?.actor == "operator/sandbox" && line?.requestId == "r")
            #expect(try await Self.code { _ = try await editing.approve(path) } == .productionRequired)
            _ = try await owner.approve(path)
            let publishing = editing.publishing()
            #expect(
                try await Self.code { _ = try await publishing.setBasePrice(price, of: path) } == .productionRequired)
            #expect(try await Self.code { try await publishing.remove(path) } == .productionRequired)
            _ = try await editing.setBasePrice(price, of: path)
            #expect(try await owner.changes(AuditFilter(), limit: 1).first?.entry.action == "price, drafted")
            let published = try await databases.catalogue.read { transaction in
                let usa = try CatalogueSample.storefront("USA")
                let app = try #require(try Catalogue.app(path.app, in: transaction))
                return try PriceTimeline.of(path.product, app: app.id, in: usa, .production, transaction)
            }
            #expect(published?.price(at: CatalogueSample.now)?.minorUnits == 299)
        }
    }

    @Test("An app or a product is found by its number, a link, or its own id, which one app has")
    func items() async throws {
        try await StoreEngine.memory.withStore { databases in
            let path = try await Self.product(in: databases)
            let owner = CatalogueEditing(databases.catalogue, by: .owner, request: nil) { CatalogueSample.now }
            for name in ["1", path.app.text, "https://store/us/app/example/id1"] {
                let found = try await owner.item(name)
                #expect(found.bundleID == path.app && found.productID == nil, "\(name)")
            }
            for name in ["10", "coins", "https://store/us/app/id1?item=10"] {
                #expect(try await owner.item(name).productID == path.product, "\(name)")
            }
            let other = try await CatalogueSample.make(in: databases.catalogue, bundleID: "com.example.other", id: 2)
            try await other.put(CatalogueSample.draft("coins"), item: 20, in: databases.catalogue)
            for name in ["coins", "nothing", "99", ""] {
                #expect(try await Self.code { _ = try await owner.item(name) } == .nameUnknown, "\(name)")
            }
            #expect(try await owner.item("20").bundleID == other.app.bundleID)
            // A team hears nothing of those of others.
            let team = try TeamID(parsing: "rivals")
            _ = try await owner.addTeam(team, name: "Rivals")
            _ = try await owner.putMember("ann@example.com", name: "Ann", role: .owner, of: team)
            let ann = try await Self.actor(.owner, .production, member: (team, "ann@example.com"), in: databases)
            let rival = CatalogueEditing(databases.catalogue, by: ann, request: nil) { CatalogueSample.now }
            let refusal = await #expect(throws: CatalogueError.self) { try await rival.item("coins") }
            #expect(refusal?.code == .nameUnknown && refusal?.message.contains("com.example") == false)
        }
    }
}
