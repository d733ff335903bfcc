import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import StoreBackend

/// A verifier that says what it is told to, counts how often it is asked, and may be held.
private final class ToldVerifier: PaymentVerifier, Sendable {
    struct State: Sendable {
        var error: BackendError?
        var asked = 0
        var atOnce = 0
        var mostAtOnce = 0
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
        var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    let state = Mutex(State())

    var asked: Int { state.withLock { $0.asked } }

    func say(_ error: BackendError?) { state.withLock { $0.error = error } }
    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let held = state.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for one in held { one.resume() }
    }

    /// Returns when it was asked so many times.
    func whenAsked(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.asked < count { state.waiting = (count, continuation) }
                return state.asked >= count
            }
            if isThere { continuation.resume() }
        }
    }

    func verify(_ proof: ProofOfPayment, at now: Instant) async throws -> VerifiedPayment {
        await withCheckedContinuation { continuation in
            let goOn = state.withLock { state in
                state.asked += 1
                state.atOnce += 1
                state.mostAtOnce = max(state.mostAtOnce, state.atOnce)
                var goOn: [CheckedContinuation<Void, Never>] = []
                if state.isHeld { state.held.append(continuation) } else { goOn.append(continuation) }
                if let waiting = state.waiting, state.asked >= waiting.count {
                    state.waiting = nil
                    goOn.append(waiting.continuation)
                }
                return goOn
            }
            for one in goOn { one.resume() }
        }
        let error = state.withLock { state in
            state.atOnce -= 1
            return state.error
        }
        if let error { throw error }
        return VerifiedPayment(
            environment: .sandbox, bundleID: try SampleProofs.bundleID(),
            transactions: [try VerifiedTransaction(SampleProofs.transaction())])
    }
}

@Suite struct RememberedVerdictsTests {
    private static let start = SampleProofs.now
    private static let outage = BackendError(.storeUnavailable, "The store gives no answer.")

    private static func proof(_ number: UInt8) -> ProofOfPayment { ProofOfPayment(.appReceipt, [0x30, number]) }

    private static func code(
        _ verdicts: RememberedVerdicts, _ number: UInt8 = 1, after seconds: Int = 0
    ) async -> BackendError.Code? {
        do {
            _ = try await verdicts.verify(proof(number), at: start + .seconds(seconds))
            return nil
        } catch {
            return (error as? BackendError)?.code
        }
    }

    @Test func `a proof that was good is asked for again only when that has grown old`() async {
        let verifier = ToldVerifier()
        let verdicts = RememberedVerdicts(verifier)
        for seconds in [0, 1, 59] { #expect(await Self.code(verdicts, after: seconds) == nil) }
        #expect(verifier.asked == 1)
        #expect(await Self.code(verdicts, after: 60) == nil)
        #expect(verifier.asked == 2)
    }

    @Test func `a refusal is remembered for a shorter time, and none that says nothing of the proof`() async {
        let verifier = ToldVerifier()
        let verdicts = RememberedVerdicts(verifier)
        verifier.say(BackendError(.untrustedProof, "No."))
        for seconds in [0, 29] { #expect(await Self.code(verdicts, after: seconds) == .untrustedProof) }
        #expect(verifier.asked == 1)
        #expect(await Self.code(verdicts, after: 30) == .untrustedProof)
        #expect(verifier.asked == 2)
        for code in [BackendError.Code.storeUnavailable, .storeKeyRefused] {
            verifier.say(BackendError(code, "No."))
            for _ in 0..<2 { #expect(await Self.code(verdicts, 2, after: 31) == code) }
        }
        #expect(verifier.asked == 6)
    }

    @Test func `R5.9: while the store gives no answer, what it vouched for is taken for a named time`() async {
        let verifier = ToldVerifier()
        var limits = RememberedVerdicts.Limits()
        limits.outageFor = .seconds(3600)
        let verdicts = RememberedVerdicts(verifier, limits: limits)
        #expect(await Self.code(verdicts) == nil)
        verifier.say(Self.outage)
        #expect(await Self.code(verdicts, after: 3599) == nil)
        #expect(verifier.asked == 2)
        #expect(await Self.code(verdicts, after: 3600) == .storeUnavailable)
        // What it never vouched for is not taken at all.
        #expect(await Self.code(verdicts, 2, after: 10) == .storeUnavailable)
        // What it refuses afterwards is refused, outage or not.
        verifier.say(BackendError(.untrustedProof, "No."))
        #expect(await Self.code(verdicts, after: 100) == .untrustedProof)
        verifier.say(Self.outage)
        #expect(await Self.code(verdicts, after: 200) == .storeUnavailable)
    }

    @Test func `a clock that is set back makes nothing older than it is, nor younger`() async {
        let verifier = ToldVerifier()
        let verdicts = RememberedVerdicts(verifier)
        #expect(await Self.code(verdicts, after: 1000) == nil)
        #expect(await Self.code(verdicts, after: 0) == nil)
        #expect(verifier.asked == 2)
    }

    @Test(.bounded) func `R5.9: a flood of one proof asks once`() async {
        let verifier = ToldVerifier()
        let verdicts = RememberedVerdicts(verifier)
        verifier.hold()
        await withTaskGroup(of: BackendError.Code?.self) { group in
            for _ in 0..<200 { group.addTask { await Self.code(verdicts) } }
            await verifier.whenAsked(1)
            verifier.release()
            for await code in group { #expect(code == nil) }
        }
        #expect(verifier.asked == 1)
    }

    @Test(.bounded) func `R5.9: a flood of many proofs asks for a few at once, and refuses what is beyond the line`()
        async
    {
        let verifier = ToldVerifier()
        var limits = RememberedVerdicts.Limits()
        (limits.atOnce, limits.waiting) = (3, 20)
        let verdicts = RememberedVerdicts(verifier, limits: limits)
        verifier.hold()
        await withTaskGroup(of: BackendError.Code?.self) { group in
            for number in 0..<100 { group.addTask { await Self.code(verdicts, UInt8(number)) } }
            for _ in 0..<77 { #expect(await group.next() == .some(.tooManyRequests)) }
            await verifier.whenAsked(3)
            #expect(verifier.asked == 3)
            verifier.release()
            for await code in group { #expect(code == nil) }
        }
        let state = verifier.state.withLock { $0 }
        #expect(state.mostAtOnce == 3 && state.asked == 23)
    }

    @Test func `R5.9: no more proofs are verified within a minute than the limit says`() async {
        let verifier = ToldVerifier()
        var limits = RememberedVerdicts.Limits()
        limits.perMinute = 10
        let verdicts = RememberedVerdicts(verifier, limits: limits)
        for number in 0..<10 { #expect(await Self.code(verdicts, UInt8(number)) == nil) }
        #expect(await Self.code(verdicts, 10) == .tooManyRequests)
        // What is remembered costs nothing.
        #expect(await Self.code(verdicts, 3) == nil)
        #expect(await Self.code(verdicts, 10, after: 6) == nil)
        #expect(await Self.code(verdicts, 11, after: 6) == .tooManyRequests)
        #expect(verifier.asked == 11)
    }

    @Test func `R5.9: what needs no question counts towards nothing, and takes no memory from what does`() async {
        struct Reader: PaymentVerifier {
            let verifier: ToldVerifier

            func check(_ proof: ProofOfPayment, at now: Instant) throws {
                guard proof.bytes[0] == 0x30 else { throw BackendError(.malformedProof, "It cannot be read.") }
            }

            func verify(_ proof: ProofOfPayment, at now: Instant) async throws -> VerifiedPayment {
                try await verifier.verify(proof, at: now)
            }
        }
        let verifier = ToldVerifier()
        var limits = RememberedVerdicts.Limits()
        (limits.perMinute, limits.proofs) = (2, 3)
        let verdicts = RememberedVerdicts(Reader(verifier: verifier), limits: limits)
        #expect(await Self.code(verdicts, 1) == nil)
        for number in 0..<50 {
            let code = await SampleProofs.refusal(of: ProofOfPayment(.appReceipt, [0x31, UInt8(number)]), by: verdicts)
            #expect(code?.code == .malformedProof)
        }
        #expect(await Self.code(verdicts, 1) == nil)
        #expect(await Self.code(verdicts, 2) == nil)
        #expect(verifier.asked == 2)
    }

    @Test func `the oldest verdicts are forgotten first, by their number and by what is in them`() async {
        let verifier = ToldVerifier()
        var limits = RememberedVerdicts.Limits()
        (limits.proofs, limits.transactions) = (5, 4)
        let verdicts = RememberedVerdicts(verifier, limits: limits)
        for number in 0..<6 { #expect(await Self.code(verdicts, UInt8(number)) == nil) }
        // Each has one transaction, of which four are remembered.
        #expect(await verdicts.count == 4)
        verifier.say(BackendError(.untrustedProof, "No."))
        for number in 10..<30 { #expect(await Self.code(verdicts, UInt8(number)) == .untrustedProof) }
        #expect(await verdicts.count == 5)
        #expect(await Self.code(verdicts, 29) == .untrustedProof)
        #expect(verifier.asked == 26)
    }
}
