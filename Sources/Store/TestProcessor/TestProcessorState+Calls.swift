package import StoreModel
package import StoreRules

/// What the test processor answers to a call, and how.
package struct TestProcessorReply: Hashable, Sendable {
    /// What has to be in the log before the answer may go out.
    package var record: TestProcessorRecord?
    /// The number of the record that the answer rests on.
    package var number: Int?
    /// None if the call has no effect.
    package var outcome: LookupOutcome?
    /// What goes wrong with the answer.
    package var fault: TestProcessorFault?
}

extension TestProcessorState {
    /// Carries out a call, or repeats what it answered to the same call before.
    package mutating func handle(
        _ call: TestProcessorCall, actionURL: String
    ) throws(TestProcessorRefusal) -> TestProcessorReply {
        let scripted = takeScript(for: call)
        var fault = scripted?.fault
        if let number = number(of: call.key), let record = self[number] {
            guard record.isOf(call) else {
                throw TestProcessorRefusal(.keyReused, "Another call, or one with other parameters, had this key.")
            }
            if let fault, !fault.hasEffect { return TestProcessorReply(fault: fault) }
            return TestProcessorReply(number: number, outcome: first(record, actionURL), fault: fault)
        }
        try requireTexts(of: call)
        if fault == nil, case .authorise(let order) = call { fault = TestPaymentMethod.named(order.method).fault }
        if let fault, !fault.hasEffect { return TestProcessorReply(fault: fault) }
        let record = try record(of: call, refusing: fault == .refuse ? scripted?.refusal ?? .cardDeclined : nil)
        try happen(record)
        return TestProcessorReply(
            record: record, number: record.number, outcome: first(record, actionURL), fault: fault)
    }

    /// What came of the call with a key, as it stands now, and the number of the record that says so.
    package func lookup(_ key: String, actionURL: String) -> (outcome: LookupOutcome, number: Int?) {
        guard let number = number(of: key), let record = self[number] else { return (.nothing, nil) }
        guard let action = action(of: number) else { return (first(record, actionURL), number) }
        let outcome: AuthoriseOutcome =
            action.result == .completed ? .approved(reference: record.reference) : .declined(.actionFailed)
        return (.authorise(outcome), action.number)
    }

    /// The customer does what was asked of them, or fails at it. Saying the same again changes nothing.
    package mutating func act(
        on reference: String, completed: Bool
    ) throws(TestProcessorRefusal) -> TestProcessorReply {
        let number = TestProcessorRecord.number(reference, .authorise)
        let result: TestProcessorRecord.Result = completed ? .completed : .failed
        if let number, let before = action(of: number), before.result == result {
            return TestProcessorReply(number: before.number)
        }
        var record = TestProcessorRecord(count + 1, .action, result)
        record.of = number
        try happen(record)
        return TestProcessorReply(record: record, number: record.number)
    }

    /// The store took the news of an action.
    package mutating func delivered(_ action: Int) throws(TestProcessorRefusal) -> TestProcessorReply {
        var record = TestProcessorRecord(count + 1, .news, .delivered)
        record.of = action
        try happen(record)
        return TestProcessorReply(record: record, number: record.number)
    }

    /// The news of an action that is over.
    package func news(of action: Int, actionURL: String) -> ProcessorNews? {
        guard let number = self[action]?.of, let key = self[number]?.key else { return nil }
        return ProcessorNews(id: "news-\(action)", key: key, outcome: lookup(key, actionURL: actionURL).outcome)
    }

    /// Lets something new happen, where there is room to keep it.
    private mutating func happen(_ record: TestProcessorRecord) throws(TestProcessorRefusal) {
        guard !isFull else {
            throw TestProcessorRefusal(
                .diskFull, "The disk of the processor is full, so that nothing was done; make room, and ask again.")
        }
        try add(record)
    }

    /// What a call was answered the first time.
    private func first(_ record: TestProcessorRecord, _ actionURL: String) -> LookupOutcome {
        let refusal = record.refusal ?? .cardDeclined
        switch (record.kind, record.result) {
        case (.authorise, .approved): return .authorise(.approved(reference: record.reference))
        case (.authorise, .actionNeeded):
            return .authorise(.actionNeeded(reference: record.reference, url: actionURL + record.reference))
        case (.authorise, _): return .authorise(.declined(refusal))
        case (.capture, .captured): return .capture(.captured(reference: record.reference))
        case (.capture, _): return .capture(.failed(refusal))
        case (.refund, .refunded): return .refund(.refunded(reference: record.reference))
        case (.refund, _): return .refund(.failed(refusal))
        case (.void, _): return .voided
        case (.action, _), (.news, _): return .nothing
        }
    }
}

extension TestProcessorState {
    /// What happens at a call that is new.
    private func record(
        of call: TestProcessorCall, refusing refusal: PaymentRefusal?
    ) throws(TestProcessorRefusal) -> TestProcessorRecord {
        let number = count + 1
        switch call {
        case .authorise(let order): return authorisation(number, order, refusing: refusal)
        case .capture(let key, let reference, let amount):
            let of = TestProcessorRecord.number(reference, .authorise)
            let fails = method(of: of)?.captureFails == true ? PaymentRefusal.captureFailed : nil
            return Self.record(number, .capture, .captured, key, of, amount, refusing: refusal ?? fails)
        case .void(let key, let reference):
            return Self.record(
                number, .void, .voided, key, TestProcessorRecord.number(reference, .authorise), nil, refusing: nil)
        case .refund(let key, let reference, let amount):
            let of = TestProcessorRecord.number(reference, .capture)
            let fails = method(of: of.flatMap { self[$0]?.of })?.refundFails == true ? PaymentRefusal.refundFailed : nil
            return Self.record(number, .refund, .refunded, key, of, amount, refusing: refusal ?? fails)
        }
    }

    private func authorisation(
        _ number: Int, _ order: AuthorisationRequest, refusing refusal: PaymentRefusal?
    ) -> TestProcessorRecord {
        let answer = refusal.map { .decline($0) } ?? TestPaymentMethod.named(order.method).answer
        var record: TestProcessorRecord
        switch answer {
        case .approve: record = TestProcessorRecord(number, .authorise, .approved)
        case .act: record = TestProcessorRecord(number, .authorise, .actionNeeded)
        case .decline(let refusal):
            record = TestProcessorRecord(number, .authorise, .declined)
            record.refusal = refusal
        }
        record.key = order.key
        record.amount = order.amount
        record.method = order.method
        record.description = order.description
        return record
    }

    private static func record(
        _ number: Int, _ kind: TestProcessorRecord.Kind, _ result: TestProcessorRecord.Result, _ key: String,
        _ of: Int?, _ amount: Money?, refusing refusal: PaymentRefusal?
    ) -> TestProcessorRecord {
        var record = TestProcessorRecord(number, kind, refusal == nil ? result : .failed)
        record.key = key
        record.of = of
        record.amount = amount
        record.refusal = refusal
        return record
    }

    private func method(of authorisation: Int?) -> TestPaymentMethod? {
        authorisation.flatMap { self[$0]?.method }.map(TestPaymentMethod.named)
    }

    private func requireTexts(of call: TestProcessorCall) throws(TestProcessorRefusal) {
        guard (1...TestProcessorLimits.keyBytes).contains(call.key.utf8.count) else {
            throw TestProcessorRefusal(.keyInvalid, "A key has 1 to \(TestProcessorLimits.keyBytes) bytes.")
        }
        guard case .authorise(let order) = call else { return }
        guard [order.method, order.description].allSatisfy({ $0.utf8.count <= TestProcessorLimits.textBytes }) else {
            throw TestProcessorRefusal(
                .keyInvalid, "method and description have at most \(TestProcessorLimits.textBytes) bytes.")
        }
    }
}

/// A call with a key to the test processor.
package enum TestProcessorCall: Hashable, Sendable {
    case authorise(AuthorisationRequest)
    case capture(key: String, reference: String, amount: Money)
    case void(key: String, reference: String)
    case refund(key: String, reference: String, amount: Money)

    package var key: String {
        switch self {
        case .authorise(let order): order.key
        case .capture(let key, _, _), .void(let key, _), .refund(let key, _, _): key
        }
    }

    package var kind: TestProcessorRecord.Kind {
        switch self {
        case .authorise: .authorise
        case .capture: .capture
        case .void: .void
        case .refund: .refund
        }
    }
}

/// Why the test processor does not do what it is asked. Nothing has happened then.
package struct TestProcessorRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let keyReused = Code(rawValue: "key_reused")
        package static let keyInvalid = Code(rawValue: "key_invalid")
        package static let referenceUnknown = Code(rawValue: "reference_unknown")
        package static let amountInvalid = Code(rawValue: "amount_invalid")
        package static let amountTooLarge = Code(rawValue: "amount_too_large")
        package static let currencyOther = Code(rawValue: "currency_other")
        /// What it is about is not in a state for it: captured already, voided, waiting for its customer.
        package static let stateOther = Code(rawValue: "state_other")
        package static let scriptInvalid = Code(rawValue: "script_invalid")
        /// There is no room to keep what would happen.
        package static let diskFull = Code(rawValue: "disk_full")
    }

    package let code: Code
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(message) (\(code.rawValue))" }
}
