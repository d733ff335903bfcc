import StoreModel
import Testing

@testable import StoreBackend

/// R5.6, P29: customers are asked at most once in a period, and not too often.
@Suite struct PromptRuleTests {
    private static let now = Instant(millisecondsSinceEpoch: 1_893_456_000_000)
    private static let day = Duration.seconds(24 * 60 * 60)

    private func decide(
        _ state: BackendSubscription.State, renews: Bool? = false, until days: Int = 0, inPeriod: Instant? = nil,
        last: Instant? = nil
    ) throws -> PromptDecision {
        let standing = try BackendSubscription(
            environment: .sandbox, originalTransactionID: TransactionID(number: 1),
            bundleID: BundleID(parsing: "com.example.magazines"), state: state, productID: ProductID(parsing: "news"),
            periodID: TransactionID(number: 1),
            until: Self.now + Self.day * days, renews: renews)
        return PromptRule(shortestPause: .oneMonth, because: "Issues come out once a month.").decide(
            standing, askedInPeriod: inPeriod, last: last, at: Self.now)
    }

    @Test(arguments: [BackendSubscription.State.expired, .billingRetry, .gracePeriod])
    func `whoever was not asked may be asked once`(_ state: BackendSubscription.State) throws {
        #expect(try decide(state).mayPrompt)
        #expect(try decide(state, inPeriod: Self.now - Self.day * 400).code == .asked)
    }

    @Test func `nobody is asked about what renews by itself, runs for long or was taken back`() throws {
        #expect(try decide(.active, renews: true, until: 1).code == .renews)
        #expect(try decide(.active, renews: nil, until: 1).code == .renews)
        let early = try decide(.active, until: 4)
        #expect(early.code == .runs)
        #expect(early.notBefore == Self.now + Self.day)
        #expect(try decide(.active, until: 3).mayPrompt)
        #expect(try decide(.revoked).code == .revoked)
    }

    @Test func `the shortest pause holds across periods and says why`() throws {
        let last = Self.now - Self.day * 20
        let decision = try decide(.expired, last: last)
        #expect(decision.code == .tooSoon)
        #expect(decision.notBefore == last.adding(.oneMonth))
        #expect(decision.reason.hasSuffix("Issues come out once a month."))
        #expect(try decide(.expired, last: Self.now - Self.day * 32).mayPrompt)
    }
}
