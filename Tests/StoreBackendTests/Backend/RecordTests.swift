import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreBackend

@Suite("Recording proofs", .bounded)
struct RecordTests {
    private static let now = BackendSample.now

    @Test(
        "R5.2, R5.5: What a proof shows is the user's, and the same proof again changes nothing",
        arguments: engines)
    func recorded(dialect: SQLDialect) async throws {
        try await BackendSample.with(dialect) { sample in
            let credits = BackendSample.bought(BackendSample.credits, 1, quantity: 3)
            let issue = BackendSample.bought(BackendSample.issue, 2)
            let first = try await sample.record(issue, credits)
            #expect(first.map(\.transaction) == [issue, credits])
            #expect(first.map(\.isNew) == [true, true])
            #expect(first.map(\.state) == [.granted, .granted])
            #expect(first.map(\.balance) == [nil, Balance(name: "credits", amount: 300)])
            let entries = try await sample.backend.audit().map(\.number)
            let second = try await sample.record(issue, credits)
            #expect(second.map(\.isNew) == [false, false])
            #expect(second.map(\.balance) == first.map(\.balance))
            #expect(try await sample.backend.audit().map(\.number) == entries)
            #expect(
                try await sample.actions(of: sample.mary)
                    == [.purchaseRecorded, .ownerFirst, .credited, .purchaseRecorded, .ownerFirst])
        }
    }

    @Test(
        "P12: A refund takes back what was credited, an older receipt gives nothing back, a reversal does",
        arguments: engines)
    func refund(dialect: SQLDialect) async throws {
        try await BackendSample.with(dialect) { sample in
            let bought = BackendSample.bought(BackendSample.credits)
            try await sample.record(bought)
            _ = try await sample.backend.spend(30, of: "credits", key: "a", for: sample.mary, at: Self.now)
            #expect(try await sample.record(bought.refunded(after: 10)).map(\.state) == [.takenBack])
            #expect(try await sample.credits(of: sample.mary) == -30)
            #expect(try await sample.record(bought.stated(after: 9)).map(\.state) == [.takenBack])
            #expect(try await sample.credits(of: sample.mary) == -30)
            let owed = await code {
                _ = try await sample.backend.spend(1, of: "credits", key: "b", for: sample.mary, at: Self.now)
            }
            #expect(owed == .balanceTooLow)
            #expect(try await sample.record(bought.stated(after: 20)).map(\.state) == [.granted])
            #expect(try await sample.credits(of: sample.mary) == 70)
            #expect(try await sample.record(bought.refunded(after: 10)).map(\.state) == [.granted])
            #expect(try await sample.credits(of: sample.mary) == 70)
        }
    }

    @Test("P12: Of two statements of one instant the one that takes back is believed")
    func oneInstant() async throws {
        try await BackendSample.with { sample in
            let bought = BackendSample.bought(BackendSample.credits)
            try await sample.record(bought.refunded(after: 0))
            #expect(try await sample.record(bought).map(\.state) == [.takenBack])
            #expect(try await sample.credits(of: sample.mary) == 0)
        }
    }

    @Test("A refund that the store tells of its own accord is taken from whom it was credited to")
    func toldRefund() async throws {
        let settings = BackendSettings(bundleIDs: [BackendSample.app], ownership: .transfer)
        try await BackendSample.with(settings: settings) { sample in
            let bought = BackendSample.bought(BackendSample.credits)
            try await sample.record(bought)
            try await sample.record(bought, for: sample.john)
            let told = try await sample.database.transaction { connection in
                var recorder = sample.backend.recorder(connection, at: Self.now)
                let first = try recorder.update(bought.refunded(after: 5)).1
                return [first, try recorder.update(bought.refunded(after: 5)).1]
            }
            #expect(told == [.changed, .unchanged])
            #expect(try await sample.credits(of: sample.mary) == 0)
            #expect(try await sample.credits(of: sample.john) == 0)
        }
    }

    @Test("P10: What is bought before it is listed is credited as soon as it is, and not before")
    func listedLater() async throws {
        try await BackendSample.with { sample in
            let gems = ListedProduct("gems", kind: .consumable, credit: Balance(name: "gems", amount: 5))
            let bought = BackendSample.bought(gems)
            let before = try await sample.record(bought)
            #expect(before.map(\.isListed) == [false])
            #expect(try await sample.backend.balances(of: sample.mary).isEmpty)
            try await sample.backend.publish(ProductList(bundleID: BackendSample.app, products: [gems]), at: Self.now)
            let after = try await sample.record(bought)
            #expect(after.map(\.isNew) == [true])
            #expect(after.map(\.balance) == [Balance(name: "gems", amount: 5)])
            try await sample.record(bought)
            #expect(try await sample.backend.balances(of: sample.mary) == [Balance(name: "gems", amount: 5)])
        }
    }

    @Test(
        "P10: A consumable that credits nothing yet is credited once it does, and what is no consumable never afterwards"
    )
    func creditedLater() async throws {
        try await BackendSample.with { sample in
            var gems = ListedProduct("gems", kind: .consumable)
            var club = ListedProduct("club", kind: .autoRenewable)
            let bought = BackendSample.bought(gems, 1)
            let month = BackendSample.bought(club, 2, expires: Self.now + .seconds(60))
            func publish() async throws {
                try await sample.backend.publish(
                    ProductList(bundleID: BackendSample.app, products: [gems, club]), at: Self.now)
            }
            try await publish()
            try await sample.record(bought, month)
            #expect(try await sample.backend.balances(of: sample.mary).isEmpty)
            (gems.credit, club.credit) = (Balance(name: "gems", amount: 5), Balance(name: "gems", amount: 1_000))
            try await publish()
            for isNew in [true, false] {
                #expect(try await sample.record(bought, month).map(\.isNew) == [isNew, false])
                #expect(try await sample.backend.balances(of: sample.mary) == [Balance(name: "gems", amount: 5)])
            }
        }
    }

    /// A proof that is refused, and why.
    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: BackendError.Code
        let proof: @Sendable (BackendSample) throws -> ProofOfPayment

        init(
            _ description: String, _ code: BackendError.Code,
            _ proof: @escaping @Sendable (BackendSample) throws -> ProofOfPayment
        ) {
            (testDescription, self.code, self.proof) = (description, code, proof)
        }

        static let all: [Refused] = [
            Refused("not genuine", .untrustedProof) { _ in ProofOfPayment(.appReceipt, Array("paid!".utf8)) },
            Refused("of another app", .wrongApp) { try $0.proof([], of: BackendSample.other) },
            Refused("with a transaction of another app", .wrongApp) { sample in
                var foreign = BackendSample.bought(BackendSample.credits)
                foreign.bundleID = BackendSample.other
                return try sample.proof([foreign])
            },
            Refused("of another environment", .wrongEnvironment) { sample in
                var foreign = BackendSample.bought(BackendSample.credits)
                foreign.environment = .production
                return try sample.proof([foreign])
            },
            Refused("with two environments", .wrongEnvironment) { sample in
                var foreign = BackendSample.bought(BackendSample.credits)
                foreign.environment = .production
                return try sample.proof([BackendSample.bought(BackendSample.issue, 2), foreign])
            },
            Refused("of nothing", .wrongQuantity) { sample in
                try sample.proof([BackendSample.bought(BackendSample.credits, quantity: 0)])
            },
            Refused("of more than a receipt has", .invalidValue) { sample in
                try sample.proof((1...5_001).map { BackendSample.bought(BackendSample.credits, $0) })
            },
        ]
    }

    @Test(
        "R5.9: A proof that shows nothing to this backend leaves nothing but an entry of the audit",
        arguments: Refused.all)
    func refused(row: Refused) async throws {
        let settings = BackendSettings(bundleIDs: [BackendSample.app], environments: [.sandbox])
        try await BackendSample.with(settings: settings) { sample in
            let proof = try row.proof(sample)
            let refused = await code { _ = try await sample.backend.record(proof, for: sample.mary, at: Self.now) }
            #expect(refused == row.code)
            #expect(try await sample.backend.entitlements(of: sample.mary, at: Self.now).isEmpty)
            let entries = try await sample.backend.audit(of: sample.mary)
            #expect(entries.map(\.action) == [.proofRefused])
            #expect(entries.map(\.detail) == [row.code.rawValue])
        }
    }
}
