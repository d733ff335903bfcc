import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("R1.10: What a submission changes, and decisions about it", .bounded)
struct ReviewCaseTests {
    private static let now = CatalogueSample.now

    private static func editing(_ store: StoreDatabases, at time: Instant = now) -> CatalogueEditing {
        CatalogueEditing(store.catalogue, by: .owner, request: nil, now: { time })
    }

    private static func path(_ id: String) throws -> ProductPath {
        try ProductPath(BundleID(parsing: CatalogueSample.bundleID), ProductID(parsing: id))
    }

    /// Live products whose titles were changed and submitted, a second apart.
    private static func scene(_ store: StoreDatabases, _ ids: [String]) async throws {
        let sample = try await CatalogueSample.make(in: store.catalogue)
        for (index, id) in ids.enumerated() {
            try await sample.put(
                CatalogueSample.draft(id), item: Int64(index + 1), isApproved: true, in: store.catalogue)
            let text = ProductText(title: "Another \(id)", description: "Description")
            try await sample.put(
                CatalogueSample.draft(id, texts: ["en-US": text]), item: Int64(index + 1), in: store.catalogue)
            let submission = ProductReviews.Submission(category: .content, delivers: "Things")
            _ = try await editing(store, at: now + .seconds(index + 1)).submit(path(id), submission)
        }
    }

    @Test("Of a live product it says what differs from what was approved, and of a new one everything")
    func changes() async throws {
        try await StoreEngine.memory.withStore { store in
            try await Self.scene(store, ["a"])
            let found = try await Self.editing(store).reviewCase(.product(Self.path("a")))
            #expect(!found.isNew && !found.isTakenUp)
            #expect(found.changes.map(\.field) == ["title.en-US"])
            #expect(found.changes[0].before == "Title a" && found.changes[0].after == "Another a")
            #expect(
                found.changes[0].difference.pieces == [.removed("Title"), .added("Another"), .same(" a")])
            let sample = CatalogueSample(app: found.app)
            try await sample.put(CatalogueSample.draft("new"), item: 9, in: store.catalogue)
            let new = try await Self.editing(store).reviewCase(.product(Self.path("new")))
            #expect(new.isNew && new.changes.map(\.field) == ["title.en-US", "description.en-US"])
            #expect(new.changes.allSatisfy { $0.before == nil })
        }
    }

    @Test("A version waits beside products, with its notes and the version before it")
    func versions() async throws {
        try await StoreEngine.memory.withStore { store in
            _ = try await CatalogueSample.make(in: store.catalogue)
            let (editing, app) = (Self.editing(store), try BundleID(parsing: CatalogueSample.bundleID))
            for version in ["1.0", "1.1"] {
                _ = try await editing.addVersion(version, of: app)
                _ = try await editing.advance(version, of: app, by: .submitted)
                if version == "1.0" { try await editing.decide([ReviewDecision(.version(version, app), .approve)]) }
            }
            let found = try await editing.reviewCases(limit: 10)
            #expect(found.map(\.target) == [.version("1.1", app)])
            #expect(found[0].changes.map(\.field) == ["version"] && found[0].changes[0].before == "1.0")
            #expect(try await editing.outline(apps: 1).waiting == 1)
        }
    }

    /// Fails if each decision is a transaction of its own.
    @Test("Several are decided at once, or none of them")
    func several() async throws {
        try await StoreEngine.memory.withStore { store in
            try await Self.scene(store, ["a", "b"])
            let editing = Self.editing(store)
            #expect(try await editing.reviewCases(limit: 10).map(\.name) == ["Reference a", "Reference b"])
            let all = try ["a", "b"].map { ReviewDecision(.product(try Self.path($0)), .approve) }
            let stale = try ReviewDecision(.product(Self.path("b")), .approve, seenAt: Self.now)
            await #expect(throws: CatalogueError.self) { try await editing.decide([all[0], stale]) }
            #expect(try await editing.reviewCases(limit: 10).count == 2)
            try await editing.decide(all)
            #expect(try await editing.reviewCases(limit: 10).isEmpty)
            #expect(try await editing.details(of: Self.path("b")).texts["en-US"]?.title == "Another b")
        }
    }

    @Test("A rejection says what has to change, and keeps what was approved", arguments: ["", " \n"])
    func rejection(_ silence: String) async throws {
        try await StoreEngine.memory.withStore { store in
            try await Self.scene(store, ["a"])
            let (editing, target) = (Self.editing(store), ReviewTarget.product(try Self.path("a")))
            let error = await #expect(throws: CatalogueError.self) {
                try await editing.decide([ReviewDecision(target, .reject(.metadata, message: silence))])
            }
            #expect(error?.parameter == "message")
            try await editing.decide([ReviewDecision(target, .reject(.metadata, message: "The title."))])
            let found = try await editing.reviewCase(target)
            #expect(found.product?.state == .developerActionNeeded && found.changes.count == 1)
            #expect(found.history.last?.message == "The title.")
        }
    }

    @Test("Of another team's product nobody is told anything")
    func teams() async throws {
        try await StoreEngine.memory.withStore { store in
            try await Self.scene(store, ["a"])
            let token = OperatorTokens.token(of: Array(repeating: 7, count: 32))
            let zoo = try TeamID(parsing: "zoo")
            let member = Actor(
                try await store.catalogue.write { transaction in
                    let change = CatalogueChange(.owner, at: Self.now, in: transaction)
                    try Teams.add(zoo, name: "Zoo", change)
                    _ = try Teams.putMember("m@example.com", name: "M", role: .developer, of: zoo, change)
                    return try OperatorTokens.add(
                        token, name: "m", for: .production, role: .developer, member: (zoo, "m@example.com"), change)
                })
            let theirs = CatalogueEditing(store.catalogue, by: member, request: nil, now: { Self.now })
            let error = await #expect(throws: CatalogueError.self) {
                try await theirs.reviewCase(.product(Self.path("a")))
            }
            #expect(error?.code == .appUnknown)
            #expect(try await theirs.reviewCases(limit: 10).isEmpty)
            let own = try await theirs.changes(AuditFilter(), limit: 100)
            #expect(own.allSatisfy { $0.entry.teamId == zoo })
            let prices = await #expect(throws: CatalogueError.self) { try await theirs.priceList(of: Self.path("a")) }
            #expect(prices?.code == .appUnknown)
        }
    }
}
