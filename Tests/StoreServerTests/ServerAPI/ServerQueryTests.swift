import StoreHTTP
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

@Suite("The queries of the App Store Server API", .bounded)
struct ServerQueryTests {
    private static func filter(_ query: String, isFirstVersion: Bool = false) throws -> HistoryFilter {
        try HistoryFilter(
            ServerQuery(try RequestTarget("/inApps/v2/history/1?" + query).query), isFirstVersion: isFirstVersion)
    }

    @Test(
        "A query names filters: lists by repetition, true and false as Python writes them, nothing behind a question mark"
    )
    func filters() throws {
        #expect(try Self.filter("") == HistoryFilter())
        var all = HistoryFilter()
        all.start = Instant(millisecondsSinceEpoch: 1_698_148_900_000)
        all.end = Instant(millisecondsSinceEpoch: 1_698_148_950_000)
        all.products = [try ProductID(parsing: "com.example.1"), try ProductID(parsing: "com.example.2")]
        all.kinds = [.consumable, .autoRenewable]
        all.groups = [
            try SubscriptionGroupID(parsing: "sub_group_id"), try SubscriptionGroupID(parsing: "sub_group_id_2"),
        ]
        all.ownership = .familyShared
        all.isRevoked = false
        all.isDescending = true
        let query = """
            startDate=1698148900000&endDate=1698148950000&productId=com.example.1&productId=com.example.2\
            &productType=CONSUMABLE&productType=AUTO_RENEWABLE&sort=DESCENDING\
            &subscriptionGroupIdentifier=sub_group_id&subscriptionGroupIdentifier=sub_group_id_2\
            &inAppOwnershipType=FAMILY_SHARED&revoked=False
            """
        #expect(try Self.filter(query) == all)
        #expect(try Self.filter("revoked=True").isRevoked == true)
        #expect(try Self.filter("", isFirstVersion: true).leavesOutFinishedConsumables)
    }

    /// A value that is wrong, and the code that says so.
    private static let wrong: [(query: String, code: Int)] = [
        ("startDate=yesterday", 4_000_015), ("startDate=-1", 4_000_015), ("startDate=1&startDate=2", 4_000_015),
        ("endDate=1.5", 4_000_016), ("endDate=99999999999999999", 4_000_016),
        ("startDate=2000&endDate=2000", 4_000_013), ("startDate=2001&endDate=2000", 4_000_013),
        ("sort=UP", 4_000_021), ("sort=ascending", 4_000_021), ("productType=SONG", 4_000_022),
        ("productType=CONSUMABLE&productType=", 4_000_022), ("productId=", 4_000_023), ("productId=a%20b", 4_000_023),
        ("subscriptionGroupIdentifier=a%2Fb", 4_000_024), ("excludeRevoked=true", 4_000_025),
        ("inAppOwnershipType=STOLEN", 4_000_026), ("revoked=perhaps", 4_000_030), ("revoked=1", 4_000_030),
    ]

    @Test("X3: Each value that is wrong has its code", arguments: wrong)
    func refused(_ query: String, _ code: Int) throws {
        let error = #expect(throws: ServerAPIError.self) { try Self.filter(query) }
        #expect(error?.code.number == code, "\(query): \(error?.reason ?? "")")
    }

    @Test("The first three digits of each code are the status of its answer, and no number has two meanings")
    func codes() {
        let all = ServerAPIError.Code.all
        #expect(Set(all.map(\.number)).count == all.count)
        #expect(Set(all.map(\.status)) == [400, 403, 404, 409, 429, 500])
        #expect(all.allSatisfy { !$0.message.isEmpty && ServerAPIError.Code(number: $0.number) == $0 })
        #expect(ServerAPIError.Code(number: 4_000_001) == nil)
    }
}
