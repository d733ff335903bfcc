import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@Suite("People of teams and of the store", .bounded)
struct PeopleTests {
    private static let now = CatalogueSample.now
    private static let random = RandomBytes()

    private static func editing(
        _ store: StoreDatabases, by actor: Actor = .owner, at instant: Instant = now
    ) -> CatalogueEditing {
        CatalogueEditing(store.catalogue, by: actor, request: "test", now: { instant })
    }

    private static func accept(_ link: String, _ store: StoreDatabases, at instant: Instant = now) async throws -> Bool
    {
        try await store.catalogue.write { try Invitations.accept(link, at: instant, in: $0) } != nil
    }

    /// Invites somebody, who comes in.
    private static func join(
        _ email: String, _ role: OperatorTokens.Role, _ team: TeamID?, _ store: StoreDatabases
    ) async throws {
        let made = try await editing(store).invite(email, name: "N", role: role, to: team, random)
        #expect(try await accept(made.link, store))
    }

    private static func team(_ store: StoreDatabases, _ name: String = "zoo") async throws -> TeamID {
        let id = try TeamID(parsing: name)
        _ = try await editing(store).addTeam(id, name: name)
        return id
    }

    @Test(
        "X14: An invitation makes a member once, within its time, and not once it was taken back or renewed",
        arguments: StoreEngine.allCases)
    func invitations(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let (team, editing) = (try await Self.team(store), Self.editing(store))
            func invite(_ email: String) async throws -> NewInvitation {
                try await editing.invite(email, name: "Ada", role: .developer, to: team, Self.random)
            }
            let first = try await invite("Ada@example.com")
            #expect(try await !Self.accept("guess", store))
            #expect(try await !Self.accept(first.link, store, at: Self.now + Invitations.life))
            #expect(try await Self.accept(first.link, store))
            #expect(try await !Self.accept(first.link, store), "twice")
            #expect(try await editing.team(team).members.map(\.email) == ["Ada@example.com"])

            let (former, renewed) = (try await invite("tim@example.com"), try await invite("TIM@example.com"))
            #expect(try await !Self.accept(former.link, store), "another one for the same person ends it")
            _ = try await editing.revokeInvitation(renewed.invitation.id, of: team)
            #expect(try await !Self.accept(renewed.link, store))
            #expect(try await editing.people(of: team).invitations.isEmpty)
        }
    }

    @Test(
        "The store's own people are of the store alone, and no token and no team changes them",
        arguments: StoreEngine.allCases)
    func storePeople(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let made = try await Self.editing(store).invite(
                "ada@example.com", name: "Ada", role: .operator, to: nil, Self.random)
            #expect(try await Self.accept(made.link, store))
            let ada = Self.editing(store, by: Actor(person: "ada@example.com", role: .operator, team: nil))
            #expect(try await ada.storePeople().map(\.role) == [.operator])
            _ = try await ada.putStoreMember("eve@example.com", name: "Eve", role: .support)

            let team = try await Self.team(store)
            for actor in [
                Actor(person: "eve@example.com", role: .support, team: nil),
                Actor(person: "tim@example.com", role: .owner, team: team),
            ] {
                await #expect(throws: CatalogueError.self) {
                    try await Self.editing(store, by: actor).putStoreMember("x@example.com", name: "X", role: .operator)
                }
                await #expect(throws: CatalogueError.self) {
                    try await Self.editing(store, by: actor).requireSecondFactor(of: [.operator])
                }
            }
            await #expect(throws: CatalogueError.self) {
                try await ada.putStoreMember("x@example.com", name: "X", role: .owner)
            }
            #expect(try await ada.removeStoreMember("EVE@example.com").map(\.email) == ["ada@example.com"])
        }
    }

    @Test("A session is that of the membership that there is now, and ends with it", arguments: StoreEngine.allCases)
    func sessions(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let (team, editing) = (try await Self.team(store), Self.editing(store))
            for (email, role) in [("own@example.com", OperatorTokens.Role.owner), ("ada@example.com", .developer)] {
                try await Self.join(email, role, team, store)
            }
            try await store.catalogue.write { transaction in
                for (name, person) in [
                    ("one", "ada@example.com"), ("two", "ada@example.com"), ("three", "own@example.com"),
                ] {
                    try OperatorSessions.begin(
                        name, for: person, team: team, client: "Browser", at: Self.now, in: transaction)
                }
            }
            func actor(_ name: String) async throws -> Actor? {
                try await store.catalogue.read { try OperatorSessions.find(name, at: Self.now, in: $0) }?.actor
            }
            #expect(try await actor("one")?.role == .developer)
            _ = try await editing.putMember("ada@example.com", name: "N", role: .finance, of: team)
            #expect(try await actor("one")?.role == .finance)
            let listed = try await editing.people(of: team).sessions
            #expect(listed.count == 3 && Set(listed.map(\.id)).count == 3)
            let other = try await Self.team(store, "other")
            await #expect(throws: CatalogueError.self) { try await editing.endSession(listed[0].id, of: other) }
            await #expect(throws: CatalogueError.self) { try await editing.endSession(listed[0].id, of: nil) }
            for session in listed where session.person == "ada@example.com" {
                try await editing.endSession(session.id, of: team)
            }
            #expect(try await actor("one") == nil)
            #expect(try await actor("two") == nil)
            #expect(try await actor("three") != nil)
            _ = try await editing.putMember("second@example.com", name: "S", role: .owner, of: team)
            _ = try await editing.removeMember("own@example.com", of: team)
            #expect(try await actor("three") == nil, "who was removed is out")
        }
    }

    @Test("A code counts once, recovery codes too, and a reset asks for none", arguments: StoreEngine.allCases)
    func factors(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let change = { @Sendable (transaction: any WriteTransaction) in
                CatalogueChange(.owner, at: Self.now, in: transaction)
            }
            let (first, second, third) = try await store.catalogue.write { transaction in
                try SecondFactors.begin([1, 2, 3], of: "ada@example.com", at: Self.now, in: transaction)
                #expect(try !SecondFactors.isAsked(of: "ada@example.com", in: transaction), "not before the first code")
                try SecondFactors.confirm("ada@example.com", step: 7, recovery: [[1], [2]], change(transaction))
                return (
                    try SecondFactors.take(7, of: "ada@example.com", in: transaction),
                    try SecondFactors.take(8, of: "ada@example.com", in: transaction),
                    try SecondFactors.take(8, of: "ada@example.com", in: transaction)
                )
            }
            #expect(!first && second && !third)
            let codes = try await store.catalogue.write { transaction in
                try [[1], [1], [9], [2]].map { code in
                    try SecondFactors.takeRecoveryCode(code, of: "ada@example.com", change(transaction))
                }
            }
            #expect(codes == [true, false, false, true])
            await #expect(throws: CatalogueError.self) {
                try await store.catalogue.write {
                    try SecondFactors.begin([4], of: "ada@example.com", at: Self.now, in: $0)
                }
            }
            // Whom somebody else has entered has no password here, and nothing to reset.
            _ = try await Self.editing(store).putStoreMember("ada@example.com", name: "Ada", role: .operator)
            await #expect(throws: CatalogueError.self) {
                try await Self.editing(store).resetSecondFactor(of: "ada@example.com", in: nil)
            }
            try await Self.join("ada@example.com", .operator, nil, store)
            try await Self.editing(store).resetSecondFactor(of: "ada@example.com", in: nil)
            #expect(try await store.catalogue.read { try !SecondFactors.isAsked(of: "ada@example.com", in: $0) })
        }
    }

    @Test("An application is decided once, and its id is nobody else's meanwhile", arguments: StoreEngine.allCases)
    func applications(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let draft = TeamApplications.Draft(
                team: "zoo", teamName: "Zoo", email: "ada@zoo.example", name: "Ada", plans: "", agreedVersion: 0)
            func apply(_ draft: TeamApplications.Draft, _ id: String) async throws -> TeamApplication {
                try await store.catalogue.write {
                    try TeamApplications.add(draft, link: "link-\(id)", id: id, at: Self.now, in: $0)
                }
            }
            _ = try await apply(draft, "a")
            await #expect(throws: CatalogueError.self) { try await apply(draft, "b") }
            let editing = Self.editing(store)
            _ = try await editing.refuseApplication("a", because: "No animals")
            await #expect(throws: CatalogueError.self) { try await editing.approveApplication("a") }
            _ = try await apply(draft, "c")
            _ = try await editing.publishAgreement("Another text.", as: .paid)
            await #expect(throws: CatalogueError.self) {
                try await apply(
                    .init(team: "ape", teamName: "A", email: "a@b.example", name: "A", plans: "", agreedVersion: 0), "d"
                )
            }
            let approved = try await editing.approveApplication("c")
            let details = try await editing.team(approved.team)
            #expect(details.members.map(\.role) == [.owner])
            #expect(details.agreements.map(\.textVersion) == [0, 0], "the text that was read, not the newest")
            #expect(try await editing.applications(limit: 10).map(\.id).sorted() == ["a", "c"])
        }
    }

    @Test("Bank data that somebody else has changed meanwhile are not overwritten, and the audit has none of them")
    func finance() async throws {
        try await StoreEngine.memory.withStore { store in
            let (team, editing) = (try await Self.team(store), Self.editing(store))
            let iban = "DE89370400440532013000"
            let first = try await editing.setFinance(of: team) { old in
                var new = old
                new.iban = iban
                return new
            }
            #expect(first.revision == 1)
            await #expect(throws: CatalogueError.self) {
                try await editing.setFinance(of: team) { _ in
                    var late = TeamFinance()
                    late.accountHolder = "Eve"
                    return late
                }
            }
            #expect(try await editing.finance(of: team) == first)
            let audit = try await editing.changes(AuditFilter(), limit: 10).map(\.entry)
            #expect(audit.contains { $0.action == "bank and tax data changed" } && !"\(audit)".contains(iban))
            // Another team learns nothing by a revision: it is refused before anything is compared.
            let eve = Self.editing(
                store, by: Actor(person: "eve@example.com", role: .owner, team: try await Self.team(store, "other")))
            let refusal = await #expect(throws: CatalogueError.self) {
                try await eve.setFinance(of: team) { _ in TeamFinance() }
            }
            #expect(refusal?.code == .teamUnknown)
        }
    }
}
