public import StoreModel
import StoreSigning

/// Verifies proofs with another verifier, and remembers what came of it.
///
/// However often one proof comes, the store is asked for it once in a while; and whatever comes, the store is not asked
/// more often, nor for more proofs at once, than its limits say. While the store gives no answer, what it has vouched
/// for within a named time is still taken.
public actor RememberedVerdicts: PaymentVerifier {
    /// How much is asked and remembered.
    public struct Limits: Hashable, Sendable {
        /// How many proofs are verified at once; further ones wait.
        public var atOnce = 16
        /// How many may wait; further ones are refused.
        public var waiting = 256
        /// How many proofs are verified within a minute; further ones are refused.
        public var perMinute = 600
        /// How long a proof that was good is taken without asking again.
        public var goodFor: Duration = .seconds(60)
        /// How long a proof that was refused is refused without asking again.
        public var refusedFor: Duration = .seconds(30)
        /// For how long after it was verified a proof is taken while the store gives no answer.
        public var outageFor: Duration = .seconds(24 * 60 * 60)
        /// How many proofs are remembered; the oldest are forgotten first.
        public var proofs = 10_000
        /// How many transactions are remembered with them.
        public var transactions = 100_000

        /// The usual limits.
        public init() {}
    }

    private enum Verdict {
        case good(VerifiedPayment)
        case refused(BackendError)

        var weight: Int {
            switch self {
            case .good(let payment): payment.transactions.count
            case .refused: 0
            }
        }
    }

    private struct Memory {
        let verdict: Verdict
        let at: Instant
        let turn: Int
    }

    private let verifier: any PaymentVerifier
    private let limits: Limits
    private var memories: [[UInt8]: Memory] = [:]
    /// The keys of the memories in the order in which they were made, some of them made anew since.
    private var order: [(key: [UInt8], turn: Int)] = []
    private var turns = 0
    private var weight = 0
    private var asked: [[UInt8]: Task<VerifiedPayment, any Error>] = [:]
    private var running = 0
    private var line: [CheckedContinuation<Void, Never>] = []
    /// What may still be asked, and as of when.
    private var allowance: (count: Double, at: Instant?)

    /// - Parameter verifier: what is asked.
    public init(_ verifier: any PaymentVerifier, limits: Limits = Limits()) {
        self.verifier = verifier
        self.limits = limits
        allowance = (Double(limits.perMinute), nil)
    }

    /// Verifies a proof, or says what came of it before; throws ``BackendError``.
    ///
    /// What can be refused without asking is refused before anything is counted, so that nobody uses up with it what others
    /// may ask.
    public nonisolated func verify(_ proof: ProofOfPayment, at now: Instant) async throws -> VerifiedPayment {
        let key = try Self.key(of: proof)
        if let known = try await remembered(key, at: now) { return known }
        try verifier.check(proof, at: now)
        return try await judged(proof, key, at: now)
    }

    private func judged(_ proof: ProofOfPayment, _ key: [UInt8], at now: Instant) async throws -> VerifiedPayment {
        // Somebody else may have asked meanwhile.
        if let known = try remembered(key, at: now) { return known }
        let memory = memories[key]
        do {
            return try await answer(to: proof, key, at: now)
        } catch let error as BackendError where error.isRetryable {
            guard let memory, case .good(let payment) = memory.verdict, isYoung(memory, limits.outageFor, now) else {
                throw error
            }
            return payment
        }
    }

    /// What came of a proof a short time ago: throws if it was refused; nil if it has to be asked for.
    private func remembered(_ key: [UInt8], at now: Instant) throws -> VerifiedPayment? {
        guard let memory = memories[key] else { return nil }
        switch memory.verdict {
        case .good(let payment): return isYoung(memory, limits.goodFor, now) ? payment : nil
        case .refused(let error):
            guard isYoung(memory, limits.refusedFor, now) else { return nil }
            throw error
        }
    }

    /// Refuses what is refused without asking.
    public nonisolated func check(_ proof: ProofOfPayment, at now: Instant) throws {
        try verifier.check(proof, at: now)
    }

    private static func key(of proof: ProofOfPayment) throws -> [UInt8] {
        do {
            return try DigestAlgorithm.sha256.digest(Array(proof.form.rawValue.utf8) + [0] + proof.bytes)
        } catch {
            throw BackendError(.storeUnavailable, "The digest of a proof cannot be made: \(error).")
        }
    }

    /// Whether something is not older than a time. What seems to come from the future is not trusted.
    private func isYoung(_ memory: Memory, _ span: Duration, _ now: Instant) -> Bool {
        memory.at <= now && now - memory.at < span
    }

    /// The answer of the verifier, which those who ask for the same proof at once have in common.
    private func answer(to proof: ProofOfPayment, _ key: [UInt8], at now: Instant) async throws -> VerifiedPayment {
        if let task = asked[key] { return try await task.value }
        guard asked.count < limits.atOnce + limits.waiting else {
            throw BackendError(
                .tooManyRequests, "\(limits.waiting) proofs wait to be verified already.", retryAfter: 1)
        }
        try spend(at: now)
        // It goes on where the first who asked gives up: others may wait for it.
        let task = Task { try await self.ask(proof, key, at: now) }
        asked[key] = task
        return try await task.value
    }

    private func ask(_ proof: ProofOfPayment, _ key: [UInt8], at now: Instant) async throws -> VerifiedPayment {
        if running >= limits.atOnce {
            await withCheckedContinuation { line.append($0) }
        } else {
            running += 1
        }
        defer {
            asked[key] = nil
            // Whose turn is next takes this place.
            if line.isEmpty { running -= 1 } else { line.removeFirst().resume() }
        }
        do {
            let payment = try await verifier.verify(proof, at: now)
            remember(.good(payment), for: key, at: now)
            return payment
        } catch let error as BackendError where Self.isVerdict(error) {
            remember(.refused(error), for: key, at: now)
            throw error
        }
    }

    /// Whether an error says something of the proof.
    private static func isVerdict(_ error: BackendError) -> Bool {
        !error.isRetryable && error.code != .storeKeyRefused
    }

    private func spend(at now: Instant) throws {
        let passed = allowance.at.map { max(.zero, now - $0) } ?? .zero
        let earned = Double(limits.perMinute) * (passed / .seconds(60))
        allowance = (min(Double(limits.perMinute), allowance.count + earned), max(now, allowance.at ?? now))
        guard allowance.count >= 1 else {
            throw BackendError(
                .tooManyRequests, "More than \(limits.perMinute) proofs were to be verified within a minute.",
                retryAfter: max(1, 60 / max(1, limits.perMinute)))
        }
        allowance.count -= 1
    }

    private func remember(_ verdict: Verdict, for key: [UInt8], at now: Instant) {
        forget(key)
        turns += 1
        memories[key] = Memory(verdict: verdict, at: now, turn: turns)
        order.append((key, turns))
        weight += verdict.weight
        var first = 0
        while first < order.count, memories.count > limits.proofs || weight > limits.transactions {
            if memories[order[first].key]?.turn == order[first].turn { forget(order[first].key) }
            first += 1
        }
        order.removeFirst(first)
        // What was remembered anew leaves its former place behind.
        if order.count > 2 * limits.proofs {
            order.removeAll { memories[$0.key]?.turn != $0.turn }
        }
    }

    private func forget(_ key: [UInt8]) {
        guard let memory = memories.removeValue(forKey: key) else { return }
        weight -= memory.verdict.weight
    }

    /// How many verdicts are remembered.
    var count: Int { memories.count }
}
