import StoreBackend
import StoreModel
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@Suite struct PinnedVerifierTests {
    private static func verifier(_ environments: StoreEnvironment...) throws -> PinnedVerifier {
        try PinnedVerifier(environments.map { try SampleProofs.pinned($0) }, bundleIDs: [SampleProofs.bundleID()])
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `P16: a verifier of both environments says which of them each form of proof is of`(
        environment: StoreEnvironment
    ) async throws {
        let verifier = try Self.verifier(.production, .sandbox)
        let expected = try SampleProofs.transaction(environment)
        let proofs = [
            try SampleProofs.receipt(environment), try SampleProofs.transactionReceipt(environment),
            SampleProofs.proof(try SampleProofs.signed(expected, in: environment)),
        ]
        for proof in proofs {
            let payment = try verifier.verify(proof, at: SampleProofs.now)
            let first = try #require(payment.transactions.first)
            #expect(payment.environment == environment && first.environment == environment, "\(proof.form)")
            #expect(payment.bundleID == expected.bundleId && first.transactionID == expected.transactionId)
            #expect(first.quantity == 2 && first.productID == expected.productId && first.revocationDate == nil)
            #expect(first.kind == (proof.form == .transactionReceipt ? nil : .consumable))
            let said = proof.form == .transactionReceipt ? SampleProofs.purchasedAt : SampleProofs.receiptAt
            #expect(first.statedAt == said)
        }
    }

    @Test func `an app receipt brings every purchase, and what was taken back before it was made`() async throws {
        let payment = try Self.verifier(.sandbox).verify(SampleProofs.receipt(), at: SampleProofs.now)
        #expect(payment.transactions.map(\.kind) == [.consumable, .nonConsumable])
        #expect(payment.transactions.map(\.revocationDate) == [nil, SampleProofs.receiptAt])
    }

    @Test func `R5.9: what another store has signed is not genuine, in every form`() async throws {
        let other = try SampleKeys.ofAnotherStore(.sandbox)
        let proofs = [
            try SampleProofs.receipt(by: other), try SampleProofs.transactionReceipt(by: other),
            SampleProofs.proof(try SampleProofs.signed(SampleProofs.transaction(), by: other)),
        ]
        for proof in proofs {
            let error = await SampleProofs.refusal(of: proof, by: try Self.verifier(.production, .sandbox))
            #expect(error?.code == .untrustedProof, "\(proof.form): \(String(describing: error))")
        }
    }

    @Test func `R5.9: a proof of the sandbox is refused by a verifier of production, with both names`() async throws {
        let proofs = [
            try SampleProofs.receipt(), try SampleProofs.transactionReceipt(),
            SampleProofs.proof(try SampleProofs.signed(SampleProofs.transaction())),
        ]
        for proof in proofs {
            let error = await SampleProofs.refusal(of: proof, by: try Self.verifier(.production))
            #expect(error?.code == .wrongEnvironment, "\(proof.form): \(String(describing: error))")
            #expect(error?.message.contains("Sandbox; expected Production") == true)
        }
    }

    @Test func `R5.9: keys of the sandbox sign nothing for production`() async throws {
        let verifier = try Self.verifier(.production, .sandbox)
        let sandbox = try SampleKeys.of(.sandbox)
        let forged = [
            SampleProofs.proof(try SampleProofs.signed(SampleProofs.transaction(.production), by: sandbox)),
            try SampleProofs.receipt(.production, by: sandbox),
            // Signed for the sandbox, with a number of production.
            try SampleProofs.transactionReceipt(.sandbox, of: .production),
        ]
        for proof in forged {
            let error = await SampleProofs.refusal(of: proof, by: verifier)
            #expect(error?.code == .untrustedProof, "\(proof.form): \(String(describing: error))")
        }
    }

    @Test func `R5.9: a proof of another app is refused, with both names`() async throws {
        let verifier = try PinnedVerifier(
            [SampleProofs.pinned(.sandbox)], bundleIDs: [SampleProofs.bundleID("com.example.torch")])
        let proofs = [
            try SampleProofs.receipt(), try SampleProofs.transactionReceipt(),
            SampleProofs.proof(try SampleProofs.signed(SampleProofs.transaction())),
        ]
        for proof in proofs {
            let error = await SampleProofs.refusal(of: proof, by: verifier)
            #expect(error?.code == .wrongApp, "\(proof.form)")
            #expect(error?.message.contains("com.example.monkey; expected com.example.torch") == true)
        }
    }

    @Test func `two environments with one root are told apart by what is signed`() async throws {
        let keys = try SampleKeys.of(.sandbox)
        let stores = try StoreEnvironment.allCases.map {
            PinnedStore($0, roots: try SampleProofs.pinned(.sandbox, keys: keys).roots)
        }
        let verifier = try PinnedVerifier(stores, bundleIDs: [SampleProofs.bundleID()])
        for environment in StoreEnvironment.allCases {
            let signed = try SampleProofs.signed(SampleProofs.transaction(environment), by: keys)
            let payment = try verifier.verify(SampleProofs.proof(signed), at: SampleProofs.now)
            #expect(payment.environment == environment)
        }
        // Nothing signed in it says which of the two it is of.
        let error = await SampleProofs.refusal(of: try SampleProofs.transactionReceipt(), by: verifier)
        #expect(error?.code == .untrustedProof)
        let intermediates = try SampleProofs.pinned(.sandbox, keys: keys).intermediates
        let mixed = stores.map { PinnedStore($0.environment, roots: $0.roots, intermediates: intermediates) }
        let refused = #expect(throws: BackendError.self) {
            try PinnedVerifier(mixed, bundleIDs: [SampleProofs.bundleID()])
        }
        #expect(refused?.parameter == "intermediates")
    }

    @Test func `environments of tests without a store are no stores`() async throws {
        let verifier = try Self.verifier(.production, .sandbox)
        for environment in [WireEnvironment.xcode, .localTesting, WireEnvironment(rawValue: "Moon")] {
            let payload = try SampleProofs.transaction { $0.environment = environment }
            let error = await SampleProofs.refusal(
                of: SampleProofs.proof(try SampleProofs.signed(payload)), by: verifier)
            #expect(error?.code == .wrongEnvironment)
        }
        let local = try SampleProofs.receipt { $0.type = ReceiptType(rawValue: "Xcode") }
        #expect(await SampleProofs.refusal(of: local, by: verifier)?.code == .wrongEnvironment)
    }

    @Test func `quantities that nobody can buy are malformed`() async throws {
        let verifier = try Self.verifier(.sandbox)
        let payload = try SampleProofs.transaction { $0.quantity = 0 }
        let proofs = [
            SampleProofs.proof(try SampleProofs.signed(payload)),
            try SampleProofs.receipt { $0.purchases[0].quantity = -3 },
        ]
        for proof in proofs { #expect(await SampleProofs.refusal(of: proof, by: verifier)?.code == .malformedProof) }
    }

    @Test func `the receipt of a volume purchase ends`() async throws {
        let verifier = try Self.verifier(.sandbox)
        for (end, code) in [(SampleProofs.now, BackendError.Code.expired), (SampleProofs.now + .seconds(1), nil)] {
            let receipt = try SampleProofs.receipt {
                $0.type = .volumePurchaseSandbox
                $0.expirationDate = end
            }
            #expect(await SampleProofs.refusal(of: receipt, by: verifier)?.code == code)
        }
    }

    @Test(.bounded) func `R5.9: nothing that was damaged is taken for something else`() async throws {
        let verifier = try Self.verifier(.production, .sandbox)
        let proofs = try StoreEnvironment.allCases.flatMap { environment in
            [
                try SampleProofs.receipt(environment), try SampleProofs.transactionReceipt(environment),
                SampleProofs.proof(
                    try SampleProofs.signed(SampleProofs.transaction(environment), in: environment)),
            ]
        }
        var genuine: [VerifiedPayment] = []
        for proof in proofs { genuine.append(try verifier.verify(proof, at: SampleProofs.now)) }
        var refused = 0
        for mutant in Mutants("proofs of payment", of: proofs.map(\.bytes), rounds: 1500) {
            let proof = ProofOfPayment(proofs[mutant.origin].form, mutant.bytes)
            do {
                let payment = try verifier.verify(proof, at: SampleProofs.now)
                #expect(genuine.contains(payment), "\(mutant)")
            } catch {
                refused += 1
                #expect(error is BackendError, "\(mutant): \(error)")
            }
        }
        #expect(refused > 0)
    }

    @Test func `roots may be in PEM, several in one file, and what is none is refused`() async throws {
        let keys = try SampleKeys.of(.sandbox)
        let text = try keys.roots.values.flatMap { $0 }.map { try $0.pemRepresentation }.joined(separator: "\n")
        let verifier = try PinnedVerifier(
            [PinnedStore(.sandbox, roots: [Array(text.utf8)])], bundleIDs: [SampleProofs.bundleID()])
        #expect(await SampleProofs.refusal(of: try SampleProofs.receipt(), by: verifier) == nil)
        for roots in [[], [[]], [Array("root".utf8)], [[0x30, 0x00]]] as [[[UInt8]]] {
            let error = #expect(throws: BackendError.self) {
                try PinnedVerifier([PinnedStore(.sandbox, roots: roots)], bundleIDs: [SampleProofs.bundleID()])
            }
            #expect(error?.parameter == "roots")
        }
    }
}
