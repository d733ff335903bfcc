import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import TestSupport

/// A processor in memory that keeps the promises of ``PaymentProcessor``, and loses answers as it is told to.
///
/// Of means of payment it knows `approve`, `decline`, `action` and `worthless`, whose money can be held and not taken.
actor ScriptedProcessor: PaymentProcessor, ProcessorBooks {
    /// What goes wrong with one call.
    enum Fault: Hashable, Sendable {
        /// The call is lost, and the caller does not know.
        case lostBefore
        /// The call is carried out, and the answer is lost.
        case lostAfter
        case notSent
        case refused(ProcessorError.Code)
        /// The call is on its way for long: it arrives only with ``deliverLate()``.
        case late
    }

    struct Authorisation: Hashable, Sendable {
        enum State: Hashable, Sendable { case waiting, held, taken, voided }
        let amount: Money
        let method: String
        var state: State
    }

    nonisolated func expectation(of method: String) -> PaymentExpectation {
        switch method {
        case "decline", "action": .declined
        case "worthless": .released
        default: .paid
        }
    }

    private enum Parameters: Hashable {
        case authorise(AuthorisationRequest)
        case other(String, Money?)
    }

    /// Calls wait here while it is shut. Whoever is cancelled meanwhile gets no answer, as over a connection.
    let door = Observed(true)
    /// How many have come to it.
    let arrived = Observed(0)

    private func enter() async throws(ProcessorError) {
        arrived.update { $0 += 1 }
        do {
            try await door.wait { $0 }
        } catch {
            throw ProcessorError(.unknown, "the caller is gone")
        }
    }

    private var known: [String: (Parameters, LookupOutcome)] = [:]
    private(set) var authorisations: [String: Authorisation] = [:]
    private(set) var movements: [String: ProcessorMovement] = [:]
    private(set) var calls: [String] = []
    private var faults: [String: [Fault]] = [:]
    private var late: [AuthorisationRequest] = []
    private var random: SplitMix64?
    private var perMille: UInt64 = 0

    /// Lets the next calls of a step go wrong, one after the other.
    func plan(_ step: String, _ next: Fault...) { faults[step, default: []] += next }

    func failAtRandom(_ generator: SplitMix64?, perMille: UInt64 = 0) {
        (random, self.perMille) = (generator, perMille)
    }

    /// The customer does at the bank what was asked of them, or fails at it.
    func act(_ reference: String, succeeds: Bool = true) {
        guard authorisations[reference]?.state == .waiting else { return }
        authorisations[reference]?.state = succeeds ? .held : .voided
        guard let key = known.first(where: { $0.value.1 == .authorise(Self.action(reference)) })?.key else { return }
        known[key]?.1 = .authorise(succeeds ? .approved(reference: reference) : .declined(.actionFailed))
    }

    /// What was late arrives.
    func deliverLate() {
        for order in late { _ = try? effect(order) }
        late = []
    }

    func count(_ step: String) -> Int { calls.count { $0 == step } }

    /// How much money is held that was neither taken nor let go of.
    var held: Int { authorisations.values.count { $0.state == .held } }

    private static func action(_ reference: String) -> AuthoriseOutcome {
        .actionNeeded(reference: reference, url: "https://bank.example/\(reference)")
    }

    private func fault(_ step: String) -> Fault? {
        calls.append(step)
        if let next = faults[step]?.first {
            faults[step]?.removeFirst()
            return next
        }
        guard var generator = random else { return nil }
        defer { random = generator }
        guard generator.next() % 1000 < perMille else { return nil }
        return [.lostBefore, .lostAfter, .notSent][Int(generator.next() % 3)]
    }

    private func faced<Outcome>(
        _ step: String, _ effect: () throws(ProcessorError) -> Outcome
    ) throws(ProcessorError) -> Outcome {
        switch fault(step) {
        case .lostBefore, .late: throw ProcessorError(.unknown, "no answer")
        case .notSent: throw ProcessorError(.notSent, "no connection")
        case .refused(let code): throw ProcessorError(code, "no")
        case .lostAfter:
            _ = try effect()
            throw ProcessorError(.unknown, "no answer")
        case nil: return try effect()
        }
    }

    private func once(
        _ key: String, _ parameters: Parameters, _ effect: () throws(ProcessorError) -> LookupOutcome
    ) throws(ProcessorError) -> LookupOutcome {
        if let (first, outcome) = known[key] {
            guard first == parameters else { throw ProcessorError(.keyReused, "the key had other parameters") }
            return outcome
        }
        let outcome = try effect()
        known[key] = (parameters, outcome)
        return outcome
    }

    private func effect(_ order: AuthorisationRequest) throws(ProcessorError) -> AuthoriseOutcome {
        let outcome = try once(order.key, .authorise(order)) { () throws(ProcessorError) in
            if order.method == "decline" { return .authorise(.declined(.insufficientFunds)) }
            let reference = "authorisation-\(authorisations.count + 1)"
            let waits = order.method == "action"
            authorisations[reference] = Authorisation(
                amount: order.amount, method: order.method, state: waits ? .waiting : .held)
            return .authorise(waits ? Self.action(reference) : .approved(reference: reference))
        }
        guard case .authorise(let answer) = outcome else { throw ProcessorError(.keyReused, "another call") }
        return answer
    }

    func authorise(_ order: AuthorisationRequest) async throws(ProcessorError) -> AuthoriseOutcome {
        try await enter()
        if faults["authorise"]?.first == .late { late.append(order) }
        return try faced("authorise") { () throws(ProcessorError) in try effect(order) }
    }

    func capture(
        key: String, reference: String, amount: Money
    ) async throws(ProcessorError) -> CaptureOutcome {
        try faced("capture") { () throws(ProcessorError) in
            let outcome = try once(key, .other(reference, amount)) { () throws(ProcessorError) in
                guard let found = authorisations[reference], found.state == .held, found.amount == amount else {
                    throw ProcessorError(.refused, "nothing is held under \(reference)")
                }
                if found.method == "worthless" { return .capture(.failed(.captureFailed)) }
                authorisations[reference]?.state = .taken
                movements[key] = ProcessorMovement(key: key, kind: .captured, amount: amount)
                return .capture(.captured(reference: "capture-\(movements.count)"))
            }
            guard case .capture(let answer) = outcome else { throw ProcessorError(.keyReused, "another call") }
            return answer
        }
    }

    func void(key: String, reference: String) async throws(ProcessorError) {
        try faced("void") { () throws(ProcessorError) in
            _ = try once(key, .other(reference, nil)) { () throws(ProcessorError) in
                guard let state = authorisations[reference]?.state, state == .held || state == .waiting else {
                    throw ProcessorError(.refused, "nothing is held under \(reference)")
                }
                authorisations[reference]?.state = .voided
                return .voided
            }
        }
    }

    func refund(key: String, reference: String, amount: Money) async throws(ProcessorError) -> RefundOutcome {
        try await enter()
        return try faced("refund") { () throws(ProcessorError) in
            let outcome = try once(key, .other(reference, amount)) { () throws(ProcessorError) in
                movements[key] = ProcessorMovement(key: key, kind: .refunded, amount: amount)
                return .refund(.refunded(reference: "refund-\(movements.count)"))
            }
            guard case .refund(let answer) = outcome else { throw ProcessorError(.keyReused, "another call") }
            return answer
        }
    }

    func lookup(key: String) async throws(ProcessorError) -> LookupOutcome {
        try faced("lookup") { known[key]?.1 ?? .nothing }
    }

    nonisolated func news(
        field: (String) -> String?, body: [UInt8], at time: Instant
    ) throws(ProcessorError) -> ProcessorNews {
        throw ProcessorError(.newsRefused, "this processor has no news")
    }

    func movements(after place: String?, limit: Int) -> ProcessorMovementPage {
        let sorted = movements.values.sorted { $0.key < $1.key }
        let page = Array(sorted.filter { $0.key > place ?? "" }.prefix(limit))
        return ProcessorMovementPage(page, next: page.count == limit ? page.last?.key : nil)
    }

    func movements(of keys: [String]) -> [ProcessorMovement] { keys.compactMap { movements[$0] } }

    /// Changes the processor's own books, as no processor should.
    func falsify(_ key: String, to movement: ProcessorMovement?) { movements[key] = movement }
}
