import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreBackend

@Suite("Whom purchases belong to", .bounded)
struct OwnershipTests {
    private static let now = BackendSample.now

    /// What a policy says when a purchase has owners already, and perhaps names an account.
    struct Row: Sendable, CustomTestStringConvertible {
        enum Named: String, Sendable { case nobody, user, another }

        let policy: OwnershipPolicy
        let owners: [String]
        let named: Named
        let claim: OwnerTable.Claim

        init(_ policy: OwnershipPolicy, _ owners: [String], _ named: Named, _ claim: OwnerTable.Claim) {
            (self.policy, self.owners, self.named, self.claim) = (policy, owners, named, claim)
        }

        var testDescription: String { "\(policy), had by \(owners), names \(named.rawValue): \(claim)" }

        static let all: [Row] =
            OwnershipPolicy.allCases.flatMap { policy in
                [
                    Row(policy, [], .nobody, .first), Row(policy, [], .user, .first),
                    Row(policy, ["mary"], .nobody, .own), Row(policy, ["john", "mary"], .another, .own),
                    // Whom it names has it under every policy.
                    Row(policy, [], .another, .refused), Row(policy, ["john"], .another, .refused),
                    Row(policy, ["john"], .user, .transferred),
                ]
            } + [
                Row(.keep, ["john"], .nobody, .refused), Row(.transfer, ["john"], .nobody, .transferred),
                Row(.share, ["john"], .nobody, .shared), Row(.share, ["john", "tim"], .nobody, .refused),
            ]
    }

    @Test("P27: The policy, the owners and the named account say who has a purchase", arguments: Row.all)
    func policy(row: Row) throws {
        var settings = BackendSettings(bundleIDs: [BackendSample.app], ownership: row.policy)
        settings.limits.usersPerPurchase = 2
        let token = AppAccountToken(UUID())
        let mary = try BackendUser(id: "mary", appAccountToken: token)
        let named: AppAccountToken? =
            switch row.named {
            case .nobody: nil
            case .user: token
            case .another: AppAccountToken(UUID())
            }
        let claim = OwnerTable.claim(for: mary, named: named, owners: row.owners, settings: settings)
        #expect(claim == row.claim)
    }

    @Test("P27: A token names the user who has it, and nobody where it is no user's, or tokens mean something else")
    func tokens() async throws {
        for honors in [true, false] {
            var settings = BackendSettings(bundleIDs: [BackendSample.app], ownership: .share)
            settings.honorsAppAccountTokens = honors
            try await BackendSample.with(settings: settings) { sample in
                let accounts = sample.backend.accounts
                func account(_ name: String) async throws -> BackendUser {
                    try await accounts.signUp(name: name, password: "correct horse", from: nil, at: Self.now).user
                }
                let (ann, bob, dora) = (try await account("ann"), try await account("bob"), try await account("dora"))
                func bring(_ number: Int64, naming token: AppAccountToken?) async throws -> Recorded.State? {
                    var issue = BackendSample.bought(BackendSample.issue, number)
                    issue.appAccountToken = token
                    let credits = BackendSample.bought(BackendSample.credits, number + 100)
                    return try await sample.record(issue, credits, for: bob).first?.state
                }
                #expect(try await bring(1, naming: AppAccountToken(UUID())) == .granted)
                let ofAnn = try await bring(2, naming: ann.appAccountToken)
                #expect(ofAnn == (honors ? .belongsToAnother : .granted))
                // Of an account that is removed the token names nobody any more.
                try await accounts.remove(dora, at: Self.now)
                #expect(try await bring(3, naming: dora.appAccountToken) == .granted)
            }
        }
    }

    @Test("P27: Kept, a purchase stays with its first user, and the attempt is in the audit")
    func keep() async throws {
        try await Self.withIssue(.keep) { sample, issue in
            #expect(await code { _ = try await sample.record(issue, for: sample.john) } == .belongsToAnother)
            #expect(await Self.content(sample, for: sample.mary) == nil)
            #expect(await Self.content(sample, for: sample.john) == .notPaid)
            let stolen = await code {
                _ = try await sample.backend.content(
                    issue.productID, proof: try sample.proof([issue]), for: sample.john, at: Self.now)
            }
            #expect(stolen == .belongsToAnother)
            let actions = try await sample.actions(of: sample.john)
            #expect(actions == [.ownerRefused, .ownerRefused])
        }
    }

    @Test("P27: Transferred, a purchase goes to the user who brings it, and back")
    func transfer() async throws {
        try await Self.withIssue(.transfer) { sample, issue in
            #expect(try await sample.record(issue, for: sample.john).map(\.state) == [.granted])
            #expect(await Self.content(sample, for: sample.mary) == .notPaid)
            #expect(await Self.content(sample, for: sample.john) == nil)
            #expect(try await sample.record(issue, for: sample.mary).map(\.isNew) == [true])
            #expect(await Self.content(sample, for: sample.mary) == nil)
            let entries = try await sample.backend.audit().filter { $0.action == .ownerTransferred }
            #expect(entries.map(\.userID) == ["john", "mary"])
            #expect(entries.map(\.detail) == ["had by mary", "had by john"])
        }
    }

    @Test("P27: Shared, a purchase is both users', and what it credits is credited once")
    func share() async throws {
        try await Self.withIssue(.share) { sample, issue in
            let credits = BackendSample.bought(BackendSample.credits, 2)
            try await sample.record(credits)
            try await sample.record(issue, credits, for: sample.john)
            #expect(await Self.content(sample, for: sample.mary) == nil)
            #expect(await Self.content(sample, for: sample.john) == nil)
            #expect(try await sample.credits(of: sample.mary) == 100)
            #expect(try await sample.credits(of: sample.john) == 0)
        }
    }

    @Test("A part of a receipt that is another's keeps nothing else from being recorded")
    func mixedReceipt() async throws {
        try await Self.withIssue(.keep) { sample, issue in
            let own = BackendSample.bought(BackendSample.credits, 2)
            let recorded = try await sample.record(issue, own, for: sample.john)
            #expect(recorded.map(\.state) == [.belongsToAnother, .granted])
            #expect(recorded.map(\.transaction.transactionID) == [issue.transactionID, own.transactionID])
            #expect(try await sample.credits(of: sample.john) == 100)
        }
    }

    @Test("R5.6: A renewal belongs to whom the subscription belongs to")
    func renewals() async throws {
        try await BackendSample.with { sample in
            let first = BackendSample.bought(BackendSample.monthly, 1, expires: Self.now + .seconds(60))
            var renewal = BackendSample.bought(BackendSample.monthly, 2, expires: Self.now + .seconds(120))
            renewal.originalTransactionID = first.transactionID
            try await sample.record(first)
            #expect(await code { _ = try await sample.record(renewal, for: sample.john) } == .belongsToAnother)
            let entitlements = try await sample.backend.entitlements(of: sample.mary, at: Self.now + .seconds(90))
            #expect(entitlements.map(\.isInForce) == [true, false])
        }
    }

    /// A backend in which an issue is Mary's.
    private static func withIssue(
        _ policy: OwnershipPolicy, _ body: (BackendSample, VerifiedTransaction) async throws -> Void
    ) async throws {
        let settings = BackendSettings(bundleIDs: [BackendSample.app], ownership: policy)
        try await BackendSample.with(settings: settings) { sample in
            try await sample.backend.addContent(
                try sample.file("page 1"), as: "issue-1", version: "1.0", at: now)
            let issue = BackendSample.bought(BackendSample.issue)
            try await sample.record(issue)
            try await body(sample, issue)
        }
    }

    /// Why a user does not get the issue; nil if they do.
    private static func content(_ sample: BackendSample, for user: BackendUser) async -> BackendError.Code? {
        await code { _ = try await sample.backend.content(BackendSample.issue.productID, for: user, at: now) }
    }
}
