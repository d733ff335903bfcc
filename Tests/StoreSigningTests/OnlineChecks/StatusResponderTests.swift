import COpenSSL
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

@Suite("Whether a certificate still counts, asked online (X3)") struct StatusResponderTests {
    private let temporary: TemporaryKeyStore
    private let now = Fixture.now

    init() throws {
        temporary = try TemporaryKeyStore()
    }

    private var store: KeyStore { temporary.store }

    private func chain() throws -> CertificateChain { try #require(store.load(.sandbox).current[.jws]).chain }

    private func leaf(_ chain: CertificateChain) -> StatusQuestion {
        StatusQuestion(subjects: [(chain.leaf, chain.intermediate)])
    }

    private func intermediate(_ chain: CertificateChain) -> StatusQuestion {
        StatusQuestion(subjects: [(chain.intermediate, chain.root)])
    }

    /// What the store answers now.
    private func answer(_ question: StatusQuestion, _ chain: CertificateChain) throws -> StatusQuestion.Answer? {
        let der = try store.load(.sandbox).statusResponder().answer(question.bytes, at: now)
        return try question.read(der, trusting: chain.root, intermediate: chain.intermediate)
    }

    private static let good = StatusQuestion.Answer(response: 0, statuses: [0], isBelieved: true)
    private static let revoked = StatusQuestion.Answer(response: 0, statuses: [1], isBelieved: true)

    @Test("Leaf and intermediate are good, by either digest, with the root's key elsewhere too")
    func goodCertificates() throws {
        let chain = try chain()
        try FileManager.default.removeItem(atPath: temporary.path("jws-root-1.key"))
        for question in [leaf(chain), intermediate(chain)] {
            for digest in [DigestAlgorithm.sha1, .sha256] {
                var question = question
                question.digest = digest
                #expect(try answer(question, chain) == Self.good)
                question.nonce = Array(repeating: 7, count: 32)
                var expected = Self.good
                expected.repeatsNonce = true
                #expect(try answer(question, chain) == expected)
            }
        }
    }

    @Test("A revoked certificate is revoked at once, one that was only replaced is good")
    func revokedCertificates() throws {
        let old = try chain()
        try store.rotate(.sandbox, purposes: [.jws], from: .leaf, at: now)
        #expect(try answer(leaf(old), old) == Self.good)
        let second = try chain()
        try store.rotate(.sandbox, purposes: [.jws], from: .leaf, revoking: true, at: now)
        #expect(try answer(leaf(second), second) == Self.revoked)
        #expect(try answer(leaf(old), old) == Self.good)
        #expect(try answer(leaf(chain()), old) == Self.good)
    }

    @Test("What a revoked intermediate has issued is revoked with it") func revokedIntermediate() throws {
        let old = try chain()
        try store.rotate(.sandbox, purposes: [.jws], from: .intermediate, revoking: true, at: now)
        #expect(try answer(intermediate(old), old) == Self.revoked)
        #expect(try answer(leaf(old), old) == Self.revoked)
        let new = try chain()
        #expect(try answer(intermediate(new), new) == Self.good)
        #expect(try answer(leaf(new), new) == Self.good)
    }

    @Test("What another server revoked is revoked here") func revokedElsewhere() throws {
        let chain = try chain()
        let keys = try store.load(.sandbox).revoking([Hexadecimal.encode(chain.leaf.fingerprint)])
        let question = leaf(chain)
        let der = try keys.statusResponder().answer(question.bytes, at: now)
        #expect(try question.read(der, trusting: chain.root, intermediate: chain.intermediate) == Self.revoked)
    }

    @Test("Chains under an earlier root are answered for by that root") func earlierRoot() throws {
        let old = try chain()
        try store.rotate(.sandbox, purposes: [.jws], from: .root, at: now)
        #expect(try answer(intermediate(old), old) == Self.good)
        #expect(try answer(leaf(old), old) == Self.good)
        #expect(try answer(intermediate(old), chain())?.isBelieved == false)
    }

    @Test("A number that was never given is unknown, an issuer that is not ours unauthorized") func unknown() throws {
        let chain = try chain()
        let foreign = try Fixture.chain(.jws).chain
        let number = StatusQuestion(subjects: [(foreign.leaf, chain.intermediate)])
        #expect(try answer(number, chain)?.statuses == [2])
        #expect(try answer(leaf(foreign), chain) == .init(response: 6))
        // No one answers for two issuers.
        let both = StatusQuestion(subjects: leaf(chain).subjects + intermediate(chain).subjects)
        #expect(try answer(both, chain) == .init(response: 6))
        var digest = leaf(chain)
        digest.digest = .sha384
        #expect(try answer(digest, chain) == .init(response: 6))
    }

    @Test("A store of before that has no certificate for it does not answer for its root") func withoutResponder()
        throws
    {
        let chain = try chain()
        var older = try store.keyring(.sandbox)
        older.entries.removeAll { $0.role == .responder }
        let responder = try StatusResponder(
            store.folder(.sandbox).statusAuthorities(older, passphrase: nil), revocations: Revocations())
        let question = intermediate(chain)
        #expect(responder.answer(try question.bytes, at: now) == StatusRefusal.unauthorized.response)
        let der = responder.answer(try leaf(chain).bytes, at: now)
        #expect(try leaf(chain).read(der, trusting: chain.root, intermediate: chain.intermediate) == Self.good)
    }

    @Test("What is no request, or too much of one, is malformed") func malformed() throws {
        let chain = try chain()
        let responder = try store.load(.sandbox).statusResponder()
        let genuine = try leaf(chain).bytes
        var (many, long) = (leaf(chain), leaf(chain))
        many.subjects = Array(repeating: many.subjects[0], count: SigningLimits.certificatesPerStatusRequest + 1)
        long.nonce = Array(repeating: 1, count: SigningLimits.statusNonceBytes)
        let empty = StatusQuestion(subjects: [])
        let huge = [UInt8](repeating: 0x30, count: SigningLimits.statusRequestBytes + 1)
        let others: [[UInt8]] = try [empty.bytes, many.bytes, long.bytes]
        for bytes in [[], [0x30, 0x80], Array(genuine.dropLast()), genuine + [0], huge] + others {
            #expect(responder.answer(bytes, at: now) == StatusRefusal.malformedRequest.response)
        }
        #expect(StatusRefusal.malformedRequest.response == [0x30, 3, 0x0A, 1, 1])
    }

    @Test("A damaged request is answered, and never vouches for another certificate", .mutationTimeLimit)
    func damaged() throws {
        let chain = try chain()
        let responder = try store.load(.sandbox).statusResponder()
        var genuine = [leaf(chain), intermediate(chain)]
        genuine[0].nonce = Array(1...16)
        genuine[1].digest = .sha1
        let known = try Set([chain.leaf, chain.intermediate].map { try $0.serialNumberBytes })
        for mutant in Mutants("status requests", of: try genuine.map { try $0.bytes }, rounds: 3000) {
            let answer = responder.answer(mutant.bytes, at: now)
            if [StatusRefusal.malformedRequest, .unauthorized].contains(where: { $0.response == answer }) { continue }
            let good = try goodNumbers(answer)
            #expect(good?.isSubset(of: known) == true, "\(mutant)")
        }
    }

    /// The numbers that an answer calls good; nil if it is no answer that OpenSSL reads.
    private func goodNumbers(_ der: [UInt8]) throws -> Set<[UInt8]>? {
        let response: OpaquePointer? = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_OCSP_RESPONSE(nil, &cursor, buffer.count)
        }
        guard let response else { return nil }
        defer { OCSP_RESPONSE_free(response) }
        guard let basic = OCSP_response_get1_basic(response) else { return nil }
        defer { OCSP_BASICRESP_free(basic) }
        var good: Set<[UInt8]> = []
        for index in 0..<OCSP_resp_count(basic) {
            let single = OCSP_resp_get0(basic, index)
            guard OCSP_single_get0_status(single, nil, nil, nil, nil) == V_OCSP_CERTSTATUS_GOOD else { continue }
            var number: UnsafeMutablePointer<ASN1_INTEGER>?
            OCSP_id_get0_info(nil, nil, nil, &number, OCSP_SINGLERESP_get0_id(single))
            good.insert(try DERExport.bytes("reading a number") { i2d_ASN1_INTEGER(number, $0) })
        }
        return good
    }
}
