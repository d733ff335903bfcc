import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("Partners, whose links customers come by", .bounded)
struct PartnerTests {
    private static func partner(
        _ scene: SaleScene, percent: String = "7", approved: Bool = true
    ) async throws -> (token: String, key: String?) {
        let (partners, cause) = (Partners(scene.store), scene.store.cause(.owner))
        let share = try #require(Proportion(percent: percent))
        let made = try await partners.create("Game Guide", email: "ada@example.com", commission: share, cause)
        let key = approved ? try await partners.approve(made.token, cause).key : nil
        return (made.token, key)
    }

    /// Buys on a page, by a link of a partner.
    private static func buy(
        _ item: SoldItem, _ scene: SaleScene, by referral: Referral?
    ) async throws -> BoughtPurchase {
        let customer = try await scene.customer()
        let scope = CustomerScope(
            customer: customer, app: try AppID(number: 42), bundle: try BundleID(parsing: "com.example.app42"),
            storefront: item.storefront)
        let id = try PurchaseID(number: await scene.store.numbers.next(.purchases))
        let (order, cause) = (try scene.order(item), scene.cause)
        let opened = try await scene.store.database.write { transaction in
            let change = try cause.change(of: customer, in: transaction)
            let opened = try Purchases.open(order, as: id, for: scope, change)
            if let referral { try Referrals.keep(referral, of: opened.id.sale, change) }
            return opened.id
        }
        return try await scene.confirm(opened)
    }

    private static func referral(_ token: String, _ scene: SaleScene, campaign: String? = nil) async throws -> Referral
    {
        let referrals = Referrals(scene.store)
        let ticket = try #require(try await referrals.ticket(token: token, campaign: campaign))
        return try #require(try await referrals.referral(ticket))
    }

    /// What each account has that is not zero.
    private static func sums(_ scene: SaleScene) async throws -> [String] {
        let report = try await scene.check()
        #expect(report.isInOrder, "\(report.problems)")
        return report.sums.filter { !$0.amount.isZero }.map { "\($0.account) \($0.amount)" }
    }

    @Test(
        "R7.6: A sale by a link is booked with the partner's share, which the store gives of its own",
        arguments: StoreEngine.allCases)
    func booked(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (token, _) = try await Self.partner(scene)
            let referral = try await Self.referral(token, scene, campaign: "summer_7")
            _ = try await Self.buy(.sample(.nonConsumable, cents: 1000), scene, by: referral)
            _ = try await Self.buy(.sample(.nonConsumable, 2, cents: 500), scene, by: nil)
            // Of 15.00 the store keeps 30 %; of the first 10.00 the partner gets 7 %.
            #expect(
                try await Self.sums(scene) == [
                    "affiliates 0.70 USD", "commission -4.50 USD", "partner/\(referral.partner) -0.70 USD",
                    "proceeds/42 -10.50 USD", "processor 15.00 USD",
                ])
            let report = try await Partners(scene.store).report(on: token, from: nil, until: nil, for: .owner)
            #expect(
                report.sums.map { "\($0.campaign ?? "") \($0.sales) \($0.refunds) \($0.paid) \($0.commission)" } == [
                    "summer_7 1 0 10.00 USD 0.70 USD"
                ])
            #expect(report.totals.map(\.description) == ["0.70 USD"])
        }
    }

    @Test("R7.6: A refund takes the share back, in parts too, to the last minor unit", arguments: StoreEngine.allCases)
    func refunded(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (token, _) = try await Self.partner(scene)
            let referral = try await Self.referral(token, scene)
            let bought = try await Self.buy(.sample(.nonConsumable, cents: 99), scene, by: referral)
            for (part, owed) in [(33, 5), (33, 3), (33, 0)] {
                let amount = Money(minorUnits: Int64(part), currency: .usd)
                let key = PurchaseKey(UUID())
                let given = try await scene.refund(bought.transaction, .amount(amount, key: key, reason: .other))
                #expect(given.state == .refunded)
                let report = try await Partners(scene.store).report(on: token, from: nil, until: nil, for: .owner)
                #expect(report.sums.map(\.commission.minorUnits) == [Int64(owed)])
                #expect(report.totals.map(\.minorUnits) == [Int64(owed)])
            }
            #expect(try await Self.sums(scene) == [])
            let partner = try await Partners(scene.store).find(token, for: .owner)
            let lines = try await Partners(scene.store).lines(of: partner, from: nil, until: nil, limit: 10)
            #expect(lines.map(\.kind.rawValue) == ["sale", "refund", "refund", "refund"])
            #expect(lines.map(\.commission.minorUnits).reduce(0, +) == 0)
        }
    }

    @Test("R7.6: The share is never more than the store keeps, and of what costs nothing there is none")
    func limits() async throws {
        try await SaleScene.on(.memory) { scene in
            let (token, _) = try await Self.partner(scene, percent: "30")
            let referral = try await Self.referral(token, scene)
            _ = try await Self.buy(.sample(.nonConsumable, cents: 1), scene, by: referral)
            _ = try await Self.buy(.sample(.nonConsumable, 2, cents: 0), scene, by: referral)
            _ = try await Self.buy(.sample(.nonConsumable, 3, cents: 5), scene, by: referral)
            // Of 1 cent nothing is left for the store, of 5 it has 2.
            #expect(try await Self.sums(scene).contains("partner/\(referral.partner) -0.02 USD"))
            let cause = scene.store.cause(.owner)
            for percent in ["0", "30.001", "31"] {
                let share = try #require(Proportion(percent: percent))
                await #expect(throws: ServiceError.self, "\(percent)") {
                    _ = try await Partners(scene.store).setCommission(share, of: token, cause)
                }
            }
        }
    }

    @Test("R7.6: A link earns for 24 hours, while its partner is approved, and nobody else writes a ticket")
    func tickets() async throws {
        try await SaleScene.on(.memory) { scene in
            let referrals = Referrals(scene.store)
            let (waiting, _) = try await Self.partner(scene, approved: false)
            #expect(try await referrals.ticket(token: waiting, campaign: nil) == nil)
            #expect(try await referrals.ticket(token: "2222222222", campaign: nil) == nil)
            #expect(try await referrals.ticket(token: "=cmd()", campaign: nil) == nil)

            let (token, _) = try await Self.partner(scene)
            let ticket = try #require(try await referrals.ticket(token: token, campaign: "=1+1"))
            let known = try #require(try await referrals.referral(ticket))
            #expect(known.campaign == nil, "a campaign that begins a formula is none")
            #expect(known.cameAt == scene.time.current)
            var forged = ticket.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            forged[0] = "9999"
            #expect(try await referrals.referral(forged.joined(separator: ".")) == nil)
            #expect(try await referrals.referral(ticket + "A") == nil)
            #expect(try await referrals.referral("") == nil)
            scene.time.pass(Referral.life - .seconds(1))
            #expect(try await referrals.referral(ticket) != nil)
            scene.time.pass(.seconds(1))
            #expect(try await referrals.referral(ticket) == nil)

            let cause = scene.store.cause(.owner)
            _ = try await Partners(scene.store).end(token, cause)
            _ = try await Self.buy(.sample(.nonConsumable, cents: 1000), scene, by: known)
            #expect(try await !Self.sums(scene).contains { $0.hasPrefix("partner/") })
        }
    }

    @Test("R7.6: What is bought in an app is nobody's, whatever was noted of it")
    func inApps() async throws {
        try await SaleScene.on(.memory) { scene in
            let (token, _) = try await Self.partner(scene)
            let referral = try await Self.referral(token, scene)
            let device = try await scene.device(scene.customer())
            let opened = try await scene.open(scene.order(.sample(.nonConsumable, cents: 1000)), on: device)
            let cause = scene.cause
            try await scene.store.database.write { transaction in
                try Referrals.keep(referral, of: opened.id.sale, cause.change(in: device, transaction))
            }
            _ = try await scene.confirm(opened.id)
            #expect(try await !Self.sums(scene).contains { $0.hasPrefix("partner/") })
        }
    }

    @Test("A key opens while its partner is approved, and until there is another one", arguments: StoreEngine.usual)
    func keys(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (partners, cause) = (Partners(scene.store), scene.store.cause(.owner))
            let made = try await Self.partner(scene)
            let (token, first) = (made.token, try #require(made.key))
            #expect(try await partners.partner(token, showing: first)?.token == token)
            #expect(try await partners.partner(token, showing: String(first.dropLast()) + "x") == nil)
            #expect(try await partners.partner("2222222222", showing: first) == nil)
            await #expect(throws: ServiceError.self) { _ = try await partners.approve(token, cause) }
            let second = try await partners.replaceKey(token, cause).key
            #expect(try await partners.partner(token, showing: first) == nil)
            #expect(try await partners.partner(token, showing: second) != nil)
            _ = try await partners.end(token, cause)
            #expect(try await partners.partner(token, showing: second) == nil)
            await #expect(throws: ServiceError.self) { _ = try await partners.replaceKey(token, cause) }
            let history = try await partners.history(of: token, for: .owner)
            #expect(history.map(\.event) == ["entered", "approved", "key made", "ended"])
            #expect(history.allSatisfy { $0.actor == "owner" })
            let kept = try await scene.count("SELECT count(*) FROM partner WHERE key_hash IS NOT NULL")
            #expect(kept == 0)
        }
    }

    @Test("The books miss a share that is noted and not booked")
    func examined() async throws {
        try await SaleScene.on(.memory) { scene in
            let (token, _) = try await Self.partner(scene)
            let referral = try await Self.referral(token, scene)
            _ = try await Self.buy(.sample(.nonConsumable, cents: 1000), scene, by: referral)
            #expect(try await scene.check().isInOrder)
            try await scene.store.database.write { transaction in
                _ = try transaction.execute("UPDATE referral SET commission = commission + 1")
            }
            let report = try await scene.check()
            #expect(report.problems.map(\.code) == [.commissionMissing])
        }
    }

    @Test(
        "A percentage is read and written exactly",
        arguments: [
            ("7", "7 %", 7000), ("2.5", "2.5 %", 2500), ("0.125", "0.125 %", 125), ("100", "100 %", 100_000),
        ])
    func percentages(_ typed: String, _ shown: String, _ thousandths: Int) throws {
        let share = try #require(Proportion(percent: typed))
        #expect(share.percentMilliunits == Int64(thousandths) && share.percentText == shown)
        for wrong in ["", ".", "7.", ".5", "-1", "1e1", "101", "7.1234", "٧"] {
            #expect(Proportion(percent: wrong) == nil, "\(wrong)")
        }
    }
}
