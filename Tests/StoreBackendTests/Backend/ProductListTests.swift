import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreBackend

@Suite("Product lists of a backend", .bounded)
struct ProductListTests {
    @Test("R1.7, R5.1: What is published is given at once, as a list of its own", arguments: engines)
    func published(dialect: SQLDialect) async throws {
        try await BackendSample.with(dialect) { sample in
            let first = try await sample.backend.productList(of: BackendSample.app)
            #expect(first.version == 1)
            #expect(first.products.map(\.productID.text) == ["credits", "issue-1", "monthly", "course"])
            var longer = first
            longer.products.append(ListedProduct("issue-2", kind: .nonConsumable))
            let second = try await sample.backend.publish(longer, at: BackendSample.now)
            #expect(second.version == 2)
            #expect(second.entityTag != first.entityTag)
            let given = try await sample.backend.productList(of: BackendSample.app)
            #expect(given == second)
            let again = try await sample.backend.publish(longer, at: BackendSample.now)
            #expect(again == second, "the same list is no new version")
            #expect(try await sample.actions() == [.listPublished, .listPublished])
        }
    }

    @Test("R5.1: A version of the app gets what it may offer, with a tag of its own")
    func appVersions() async throws {
        try await BackendSample.with { sample in
            var old = BackendSample.issue
            old.maximumAppVersion = "1.9"
            var new = ListedProduct("issue-2", kind: .nonConsumable)
            new.minimumAppVersion = "1.10"
            let list = ProductList(bundleID: BackendSample.app, products: [BackendSample.monthly, old, new])
            try await sample.backend.publish(list, at: BackendSample.now)
            func ids(_ version: String?) async throws -> [String] {
                try await sample.backend.productList(of: BackendSample.app, appVersion: version)
                    .products.map(\.productID.text)
            }
            #expect(try await ids("1.9") == ["monthly", "issue-1"])
            #expect(try await ids("1.10") == ["monthly", "issue-2"])
            #expect(try await ids(nil) == ["monthly", "issue-1", "issue-2"])
            let tags = Set(
                [
                    try await sample.backend.productList(of: BackendSample.app, appVersion: "1.9").entityTag,
                    try await sample.backend.productList(of: BackendSample.app, appVersion: "1.10").entityTag,
                ])
            #expect(tags.count == 2)
            #expect(await code { _ = try await ids("one") } == .invalidValue)
            let foreign = await code { _ = try await sample.backend.productList(of: BackendSample.other) }
            #expect(foreign == .unknownApp)
        }
    }

    @Test("A list has the newest content that the version of the app may have, and another tag for another content")
    func contents() async throws {
        try await BackendSample.with { sample in
            let before = try await sample.backend.productList(of: BackendSample.app, appVersion: "1.0")
            #expect(before.products[1].contentVersion == nil)
            for (version, first) in [("1.0", nil), ("1.9", nil), ("1.10", "2.0")] as [(String, String?)] {
                try await sample.backend.addContent(
                    try sample.file(version), as: "issue-1", version: version, minimumAppVersion: first,
                    at: BackendSample.now)
            }
            let old = try await sample.backend.productList(of: BackendSample.app, appVersion: "1.0")
            #expect(old.products[1].contentVersion == "1.9")
            #expect(old.products[1].contentBytes == 3)
            #expect(old.entityTag != before.entityTag)
            let new = try await sample.backend.productList(of: BackendSample.app, appVersion: "2.0")
            #expect(new.products[1].contentVersion == "1.10")
        }
    }

    @Test("A list that breaks a rule is refused with the parameter", arguments: BrokenList.all)
    func broken(list: BrokenList) throws {
        let rules = ProductListRules(settings: BackendSettings(bundleIDs: [BackendSample.app]))
        let error = #expect(throws: BackendError.self) {
            try rules.checked(
                ProductList(bundleID: BackendSample.app, products: list.products), subscriptions: [])
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.parameter == list.parameter)
    }

    @Test("R5.6: A subscription whose period is shorter than the shortest is refused with the reason")
    func shortPeriod() throws {
        let rules = ProductListRules(settings: BackendSettings(bundleIDs: [BackendSample.app]))
        var product = BackendSample.monthly
        product.period = BillingPeriod("P6D")
        let error = #expect(throws: BackendError.self) {
            try rules.checked(
                ProductList(bundleID: BackendSample.app, products: [product]), subscriptions: [])
        }
        let reason = "monthly has the period P6D, and the shortest is P1W: subscribers would be asked too often."
        #expect(error?.message == reason)
        product.period = BillingPeriod("P7D")
        #expect(
            try rules.checked(
                ProductList(bundleID: BackendSample.app, products: [product]), subscriptions: []
            ).products == [product])
    }

    @Test("R5.4: What a list leaves out is given as before to those who paid, and a subscription may include it still")
    func leftOut() async throws {
        try await BackendSample.with { sample in
            let (app, now) = (BackendSample.app, BackendSample.now)
            try await sample.backend.addContent(try sample.file("page 1"), as: "issue-1", version: "1.0", at: now)
            try await sample.record(BackendSample.bought(BackendSample.issue, 1))
            try await sample.record(BackendSample.bought(BackendSample.course, 2))
            try await sample.record(
                BackendSample.bought(BackendSample.monthly, 3, expires: now + .seconds(60)), for: sample.john)
            let course = try await sample.backend.entitlements(of: sample.mary, at: now).first { $0.expires != nil }
            try await sample.backend.publish(
                ProductList(bundleID: app, products: [BackendSample.issue, BackendSample.monthly]), at: now)
            // The subscription is offered no longer, and includes the issue still.
            try await sample.backend.publish(ProductList(bundleID: app, products: [BackendSample.issue]), at: now)
            try await sample.backend.publish(ProductList(bundleID: app, products: []), at: now)
            #expect(try await sample.backend.productList(of: app).products.isEmpty)
            for user in [sample.mary, sample.john] {
                let issue = BackendSample.issue.productID
                #expect(try await sample.backend.content(issue, for: user, at: now).version == "1.0")
                #expect(try await sample.backend.contentFile(issue, version: "1.0", for: user, at: now).bytes == 6)
            }
            let kept = try await sample.backend.entitlements(of: sample.mary, at: now).first { $0.expires != nil }
            #expect(kept?.expires != nil && kept?.expires == course?.expires)
            let late = try await sample.record(BackendSample.bought(BackendSample.credits, 4))
            #expect(late.map(\.balance) == [Balance(name: "credits", amount: 100)], "It was paid when it was offered.")
            let never = ListedProduct("issue-1", kind: .nonConsumable, includedIn: ["weekly"])
            let refused = await code {
                try await sample.backend.publish(ProductList(bundleID: app, products: [never]), at: now)
            }
            #expect(refused == .invalidValue)
        }
    }

    @Test("R1.7: Listed ids that the store does not know are counted, others are left out")
    func unknownProducts() async throws {
        try await BackendSample.with { sample in
            let ids = try ["issue-1", "issue-1", "nowhere"].map(ProductID.init(parsing:))
            for seconds: Int64 in [1, 2] {
                try await sample.backend.reportUnknown(
                    ids, of: BackendSample.app, at: BackendSample.now + .seconds(seconds))
            }
            let unknown = try await sample.backend.unknownProducts(of: BackendSample.app)
            #expect(unknown.map(\.productID.text) == ["issue-1"])
            #expect(unknown.first?.reports == 2)
            #expect(unknown.first?.firstReported == BackendSample.now + .seconds(1))
            #expect(unknown.first?.lastReported == BackendSample.now + .seconds(2))
            #expect(try await sample.actions() == [.listPublished, .productUnknown])
            let without = ProductList(bundleID: BackendSample.app, products: [BackendSample.monthly])
            try await sample.backend.publish(without, at: BackendSample.now)
            #expect(try await sample.backend.unknownProducts(of: BackendSample.app).isEmpty)
        }
    }
}

/// A list that is not published.
struct BrokenList: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let products: [ListedProduct]
    let parameter: String

    private init(_ description: String, _ parameter: String, _ products: [ListedProduct]) {
        (testDescription, self.parameter, self.products) = (description, parameter, products)
    }

    /// A list of one product with something wrong.
    private init(
        _ description: String, _ parameter: String, of product: ListedProduct, _ change: (inout ListedProduct) -> Void
    ) {
        var changed = product
        change(&changed)
        self.init(description, parameter, [changed])
    }

    static let all: [BrokenList] = [
        BrokenList("twice", "productId", [BackendSample.monthly, BackendSample.monthly]),
        BrokenList("too many", "products", Array(repeating: BackendSample.monthly, count: 5_001)),
        BrokenList("unknown kind", "kind", of: BackendSample.monthly) { $0.kind = ProductKind(rawValue: "Gift") },
        BrokenList("nothing credited", "credit.amount", of: BackendSample.credits) { $0.credit?.amount = 0 },
        BrokenList("nameless balance", "credit.name", of: BackendSample.credits) { $0.credit?.name = "" },
        BrokenList("content that turns names", "content", of: BackendSample.credits) { $0.content = "a\u{202E}b" },
        BrokenList("included in no subscription", "includedIn", [BackendSample.issue, BackendSample.credits]),
        BrokenList("app version that is none", "minimumAppVersion", of: BackendSample.credits) {
            $0.minimumAppVersion = "new"
        },
        BrokenList("last version before the first", "maximumAppVersion", of: BackendSample.credits) {
            ($0.minimumAppVersion, $0.maximumAppVersion) = ("1.10", "1.9")
        },
        BrokenList("consumable with a period", "period", of: BackendSample.credits) {
            $0.period = BillingPeriod("P1M")
        },
        BrokenList("no period to count", "period", of: BackendSample.course) { $0.period = nil },
        BrokenList("minimum without its reason", "minimumPeriodReason", of: BackendSample.monthly) {
            $0.minimumPeriod = BillingPeriod("P1M")
        },
        BrokenList("empty reason", "minimumPeriodReason", of: BackendSample.monthly) {
            ($0.minimumPeriod, $0.minimumPeriodReason) = (BillingPeriod("P1M"), "")
        },
    ]
}
