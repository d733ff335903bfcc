import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@Suite("The queue of reviewers", .bounded)
struct ReviewQueueTests {
    private static let cause = CatalogueCause(.store, at: CatalogueSample.now)

    /// Enters an app of a team with two products that wait for a reviewer, a second apart.
    private static func enter(_ team: TeamID, app number: Int64, in transaction: any WriteTransaction) throws {
        let app = try AppID(number: number)
        if try Teams.find(team, in: transaction) == nil {
            try Teams.add(team, name: "Team", cause.change(in: transaction))
        }
        try Catalogue.addApp(
            app, BundleID(parsing: "com.example.\(team)"), name: "App", primaryLanguage: "en-US", team: team,
            cause.change(in: transaction))
        _ = try AppVersions.add("1.0", of: app, cause.change(in: transaction))
        for index in 1...2 {
            let id = "\(team).\(index)"
            try Catalogue.put(
                CatalogueSample.draft(id), of: app, number: { try ItemID(number: number * 10 + Int64(index)) },
                isApproved: false, cause.change(in: transaction))
            let product = try #require(try Catalogue.product(ProductID(parsing: id), of: app, in: transaction))
            let submission = ProductReviews.Submission(category: .service, delivers: "Credits", version: "1.0")
            let later = CatalogueCause(.store, at: CatalogueSample.now + .seconds(number * 10 + Int64(index)))
            try ProductReviews.submit(product, submission, later.change(in: transaction))
        }
    }

    @Test("A team's part has all that fits, however much of other teams waits longer", arguments: StoreEngine.allCases)
    func ofTeam(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let teams = try ["first", "second"].map { try TeamID(parsing: $0) }
            try await store.catalogue.write { transaction in
                for (index, team) in teams.enumerated() {
                    try Self.enter(team, app: Int64(index + 1), in: transaction)
                }
            }
            func queue(_ team: TeamID?, _ limit: Int) async throws -> [String] {
                try await store.catalogue.read { transaction in
                    try ProductReviews.queue(of: team, limit: limit, in: transaction).map(\.productID.text)
                }
            }
            #expect(try await queue(nil, 3) == ["first.1", "first.2", "second.1"])
            #expect(try await queue(teams[1], 1) == ["second.1"])
            #expect(try await queue(teams[1], 3) == ["second.1", "second.2"])
            let count = try await store.catalogue.read { try ProductReviews.queueCount(of: teams[1], in: $0) }
            #expect(count == 2)
        }
    }
}
