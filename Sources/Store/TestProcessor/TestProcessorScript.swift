package import StoreRules

/// That the next calls of a kind go wrong in a way, as a test wants it. Scripts end with the process.
package struct TestProcessorScript: Hashable, Sendable, Codable {
    /// `authorise`, `capture`, `void`, `refund`; none for all of these.
    package var step: TestProcessorRecord.Kind?
    /// The keys it is for, with `*` for any text; none for all.
    package var key: String?
    /// How many calls it is for.
    package var count: Int
    package var fault: TestProcessorFault
    /// Why, if the fault is to refuse.
    package var refusal: PaymentRefusal?

    package init(
        _ fault: TestProcessorFault, step: TestProcessorRecord.Kind? = nil, key: String? = nil, count: Int = 1,
        refusal: PaymentRefusal? = nil
    ) {
        self.step = step
        self.key = key
        self.count = count
        self.fault = fault
        self.refusal = refusal
    }

    func check() throws(TestProcessorRefusal) {
        guard (1...TestProcessorLimits.scriptCalls).contains(count) else {
            throw TestProcessorRefusal(
                .scriptInvalid, "count must be 1 to \(TestProcessorLimits.scriptCalls).")
        }
        guard (key?.utf8.count ?? 0) <= TestProcessorLimits.keyBytes else {
            throw TestProcessorRefusal(.scriptInvalid, "key must have at most \(TestProcessorLimits.keyBytes) bytes.")
        }
        guard step != .action, step != .news else {
            throw TestProcessorRefusal(.scriptInvalid, "step must be authorise, capture, void or refund.")
        }
        guard fault == .refuse || refusal == nil else {
            throw TestProcessorRefusal(.scriptInvalid, "refusal goes with the fault refuse only.")
        }
        guard fault != .refuse || step != .void else {
            throw TestProcessorRefusal(.scriptInvalid, "A void has no outcome that could be refused.")
        }
    }

    func isFor(_ call: TestProcessorCall) -> Bool {
        if let step, step != call.kind { return false }
        if fault == .refuse, call.kind == .void { return false }
        return key.map { Self.matches($0, call.key) } ?? true
    }

    /// Whether a text is what a pattern says.
    static func matches(_ pattern: String, _ text: String) -> Bool {
        let pieces = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else { return pattern == text }
        guard text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}

/// What goes wrong with a call.
package enum TestProcessorFault: String, Codable, CaseIterable, Sendable {
    /// It is carried out, and the connection breaks before the answer.
    case lost
    case lostWithoutEffect = "lost_without_effect"
    /// It is carried out, and the answer comes too late.
    case late
    case lateWithoutEffect = "late_without_effect"
    /// It is carried out, and the processor is killed before the answer.
    case crash
    case crashWithoutEffect = "crash_without_effect"
    /// It is answered with 503 and not carried out.
    case unavailable
    /// It is declined, or fails, for a reason.
    case refuse

    /// Whether the call has its effect all the same.
    var hasEffect: Bool {
        switch self {
        case .lost, .late, .crash, .refuse: true
        case .lostWithoutEffect, .lateWithoutEffect, .crashWithoutEffect, .unavailable: false
        }
    }
}

extension TestProcessorState {
    /// Adds to what is to go wrong; earlier scripts come first.
    package mutating func add(_ script: TestProcessorScript) throws(TestProcessorRefusal) {
        try script.check()
        guard scripts.count < TestProcessorLimits.scripts else {
            throw TestProcessorRefusal(
                .scriptInvalid, "There are \(TestProcessorLimits.scripts) scripts already; delete them.")
        }
        scripts.append(script)
    }

    package mutating func removeScripts() { scripts = [] }

    /// What goes wrong with a call, which then is one of those it was for.
    mutating func takeScript(for call: TestProcessorCall) -> TestProcessorScript? {
        guard let index = scripts.firstIndex(where: { $0.isFor(call) }) else { return nil }
        let script = scripts[index]
        scripts[index].count -= 1
        if scripts[index].count == 0 { scripts.remove(at: index) }
        return script
    }
}
