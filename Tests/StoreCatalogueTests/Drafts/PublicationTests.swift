import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@Suite("Publications", .bounded)
struct PublicationTests {
    @Test(
        "One publication is one change of the audit, with what was and what is of each product, on every engine",
        arguments: StoreEngine.allCases)
    func audit(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let scene = try await DraftScene(databases, ["coins", "gems", "club"])
            let editing = scene.editing()
            for product in ["coins", "gems"] {
                _ = try await editing.setPrice(
                    .own(DraftScene.dollars(299)), of: scene.path(product), in: CatalogueSample.storefront("USA"))
            }
            _ = try await editing.put(
                SubscriptionOffer(
                    id: "spring", kind: .promotional, paymentMode: .payAsYouGo, period: .oneMonth, periodCount: 3,
                    basePrice: DraftScene.dollars(49)), of: scene.path("club"))
            let before = try await databases.catalogue.read { try CatalogueAudit.last(in: $0) }
            let trial = try await editing.publish(CatalogueDrafts.Choice(), isTrial: true)
            #expect(trial.count == 3)
            #expect(try await scene.cents("coins", .production) == 99)

            let made = try await scene.editing(at: DraftScene.later).publish(CatalogueDrafts.Choice())
            #expect(made.products == trial.products)
            let lines = try await editing.changes(AuditFilter(), limit: 5).map(\.entry).filter { $0.number > before }
            let line = try #require(lines.first)
            #expect(lines.count == 1 && line.at == DraftScene.later)
            #expect(line.action == "published 3 changes of 3 products" && line.subject == "app/1")
            #expect(line.before?.contains("\"prices.USA\":\"0.99 USD\"") == true, "\(line.before ?? "")")
            #expect(line.after?.contains("\"prices.USA\":\"2.99 USD\"") == true, "\(line.after ?? "")")
            #expect(try await scene.sold("club", .production)[0].listings.first?.offers.count == 1)
        }
    }

    @Test("Of two products that are named and of which one has no draft none is published")
    func whole() async throws {
        try await StoreEngine.memory.withStore { databases in
            let scene = try await DraftScene(databases)
            _ = try await scene.editing().setBasePrice(DraftScene.dollars(299), of: scene.path("coins"))
            for (other, code) in [("club", RefusalCode.stateWrong), ("nothing", .productUnknown)] {
                let refused = await #expect(throws: CatalogueError.self) {
                    try await scene.editing().publish(scene.choice("coins", other))
                }
                #expect(refused?.code == code)
            }
            #expect(try await scene.cents("coins", .production) == 99)
        }
    }

    @Test("A team sees, publishes and discards its own drafts alone")
    func teams() async throws {
        try await StoreEngine.memory.withStore { databases in
            let scene = try await DraftScene(databases)
            _ = try await scene.editing().setBasePrice(DraftScene.dollars(299), of: scene.path("coins"))
            let team = try TeamID(parsing: "rivals")
            _ = try await scene.editing().addTeam(team, name: "Rivals")
            _ = try await scene.editing().putMember("ann@example.com", name: "Ann", role: .owner, of: team)
            let token = OperatorTokens.token(of: Array(repeating: 7, count: 32))
            let ann = Actor(
                try await databases.catalogue.write {
                    try OperatorTokens.add(
                        token, name: "ann", for: .production, role: .owner, member: (team, "ann@example.com"),
                        CatalogueChange(.owner, at: DraftScene.now, in: $0))
                })
            let rival = scene.editing(by: ann)
            let page = try await rival.drafts()
            #expect(page.products.isEmpty && page.count == 0)
            #expect(try await rival.publish(CatalogueDrafts.Choice()).products.isEmpty)
            for refused in [
                await #expect(throws: CatalogueError.self) { try await rival.publish(scene.choice("coins")) },
                await #expect(throws: CatalogueError.self) { try await rival.discard(scene.choice("coins")) },
                await #expect(throws: CatalogueError.self) { try await rival.draft(of: scene.path("coins")) },
            ] { #expect(refused?.code == .appUnknown) }
            #expect(try await scene.editing().drafts().count == 1)
        }
    }

    @Test("Texts that wait for an approval are listed beside, and are taken back one by one")
    func texts() async throws {
        try await StoreEngine.memory.withStore { databases in
            let scene = try await DraftScene(databases)
            let (editing, path) = (scene.editing(), try scene.path("coins"))
            let texts = [
                "en-US": ProductText(title: "New", description: "Words"),
                "de-DE": ProductText(title: "Neu", description: ""),
            ]
            _ = try await editing.put(
                ProductDraft(
                    path.product, .consumable, referenceName: "Reference coins", texts: texts, prices: [:]),
                of: path.app)
            let draft = try #require(try await editing.draft(of: path))
            #expect(draft.differences.isEmpty && draft.reviewed.map(\.kind.field) == ["texts.de-DE", "texts.en-US"])
            #expect(draft.reviewed[1].before == "Title coins: Description" && draft.reviewed[1].after == "New: Words")
            #expect(try await editing.drafts().count == 0)
            try await editing.discard("texts.de-DE", of: path)
            #expect(try await editing.details(of: path).product.state == .readyToSubmit)
            try await editing.discard("texts.en-US", of: path)
            #expect(try await editing.details(of: path).product.state == .approved)
            #expect(try await scene.sold("coins", .sandbox)[0].listings.first?.title == "Title coins")
        }
    }

    // A statement for each product would be hundreds.
    @Test("A page of drafts makes as many statements for many products as for one")
    func statements() async throws {
        try await StoreEngine.memory.withStore { databases in
            let names = (0..<CatalogueDrafts.page).map { "coins\($0)" }
            let scene = try await DraftScene(databases, names)
            let editing = scene.editing()
            func statements(for products: Int) async throws -> Int {
                try await databases.catalogue.read { transaction in
                    let counting = CountingTransaction(transaction)
                    let page = try CatalogueDrafts.list(of: nil, in: counting)
                    #expect(page.products.count == products && page.next == nil)
                    return counting.count
                }
            }
            _ = try await editing.setBasePrice(DraftScene.dollars(299), of: scene.path(names[0]))
            let one = try await statements(for: 1)
            for name in names.dropFirst() {
                _ = try await editing.setBasePrice(DraftScene.dollars(299), of: scene.path(name))
            }
            #expect(try await statements(for: names.count) == one)
        }
    }
}
