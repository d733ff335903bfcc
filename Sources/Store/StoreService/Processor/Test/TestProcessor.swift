package import StoreModel

/// What the test processor knows and decides; nothing else. What it did is in its records, and making them again from the
/// first makes the same processor.
package struct TestProcessor: Sendable {
    /// Everything that happened, in its order.
    package private(set) var records: [TestProcessorRecord] = []
    /// What is to go wrong.
    package internal(set) var scripts: [TestProcessorScript] = []
    /// How each record stands.
    private var statuses: [Status] = []
    private var numbers: [String: Int] = [:]
    /// What came of actions, by the number of their authorisation.
    private var actions: [Int: TestProcessorRecord] = [:]
    private var undelivered: Set<Int> = []
    package private(set) var totals = TestProcessorTotals()

    private enum Status: Sendable {
        case closed, reserved, waiting
        /// With what was given back of it.
        case taken(refunded: Int64)
    }

    package init() {}

    package subscript(number: Int) -> TestProcessorRecord? {
        records.indices.contains(number - 1) ? records[number - 1] : nil
    }

    func number(of key: String) -> Int? { numbers[key] }

    /// What came of the action of an authorisation, if it is over.
    func action(of authorisation: Int) -> TestProcessorRecord? { actions[authorisation] }

    /// Actions whose news the store has not taken yet, in their order.
    package var pendingNews: [Int] { undelivered.sorted() }

    /// Lets a record count that fits to those before it; refuses any other and changes nothing.
    package mutating func add(_ record: TestProcessorRecord) throws(TestProcessorRefusal) {
        guard record.number == records.count + 1 else {
            throw TestProcessorRefusal(
                .referenceUnknown, "Record \(record.number) does not follow record \(records.count).")
        }
        if let key = record.key, numbers[key] != nil {
            throw TestProcessorRefusal(.keyReused, "Another call, or one with other parameters, had this key.")
        }
        let status = try settle(record)
        if let key = record.key { numbers[key] = record.number }
        records.append(record)
        statuses.append(status)
        totals.add(record)
    }

    /// Changes what the record is about and answers how the record itself stands.
    private mutating func settle(_ record: TestProcessorRecord) throws(TestProcessorRefusal) -> Status {
        switch record.kind {
        case .authorise:
            try requireAmount(record, atMost: nil)
            return record.result == .approved ? .reserved : record.result == .actionNeeded ? .waiting : .closed
        case .capture:
            let (number, authorisation) = try subject(of: record, .authorise)
            guard case .reserved = statuses[number - 1] else { throw Self.otherState(authorisation, "reserved") }
            try requireAmount(record, atMost: authorisation.amount)
            guard record.result == .captured else { return .closed }
            statuses[number - 1] = .closed
            return .taken(refunded: 0)
        case .void:
            let (number, authorisation) = try subject(of: record, .authorise)
            if case .closed = statuses[number - 1] { throw Self.otherState(authorisation, "reserved") }
            statuses[number - 1] = .closed
            return .closed
        case .refund:
            try settleRefund(record)
            return .closed
        case .action:
            let (number, authorisation) = try subject(of: record, .authorise)
            guard case .waiting = statuses[number - 1] else { throw Self.otherState(authorisation, "waiting") }
            statuses[number - 1] = record.result == .completed ? .reserved : .closed
            actions[number] = record
            undelivered.insert(record.number)
            return .closed
        case .news:
            let (number, _) = try subject(of: record, .action)
            undelivered.remove(number)
            return .closed
        }
    }

    private mutating func settleRefund(_ record: TestProcessorRecord) throws(TestProcessorRefusal) {
        let (number, capture) = try subject(of: record, .capture)
        guard case .taken(let refunded) = statuses[number - 1], let taken = capture.amount, let amount = record.amount
        else { throw Self.otherState(capture, "taken") }
        try requireAmount(record, atMost: Money(minorUnits: taken.minorUnits - refunded, currency: taken.currency))
        guard record.result == .refunded else { return }
        statuses[number - 1] = .taken(refunded: refunded + amount.minorUnits)
    }

    private func subject(
        of record: TestProcessorRecord, _ kind: TestProcessorRecord.Kind
    ) throws(TestProcessorRefusal) -> (Int, TestProcessorRecord) {
        guard let number = record.of, let subject = self[number], subject.kind == kind else {
            throw TestProcessorRefusal(.referenceUnknown, "There is no \(kind.rawValue) of this reference.")
        }
        return (number, subject)
    }

    private func requireAmount(_ record: TestProcessorRecord, atMost limit: Money?) throws(TestProcessorRefusal) {
        guard let amount = record.amount, amount.minorUnits > 0 else {
            throw TestProcessorRefusal(.amountInvalid, "An amount must be more than nothing.")
        }
        guard let limit else { return }
        guard amount.currency == limit.currency else {
            throw TestProcessorRefusal(.currencyOther, "The amount must be in \(limit.currency).")
        }
        guard amount.minorUnits <= limit.minorUnits else {
            throw TestProcessorRefusal(.amountTooLarge, "The amount is more than the \(limit) there are.")
        }
    }

    private static func otherState(_ record: TestProcessorRecord, _ state: String) -> TestProcessorRefusal {
        TestProcessorRefusal(.stateOther, "\(record.reference) is not \(state).")
    }
}

/// What went through the test processor, for each currency.
package struct TestProcessorTotals: Hashable, Sendable {
    /// Sums in minor units, exact however many there were.
    package struct Sums: Hashable, Sendable {
        package var captured: Int128 = 0
        package var refunded: Int128 = 0
    }

    package private(set) var sums: [Currency: Sums] = [:]

    mutating func add(_ record: TestProcessorRecord) {
        guard let amount = record.amount else { return }
        switch record.result {
        case .captured: sums[amount.currency, default: Sums()].captured += Int128(amount.minorUnits)
        case .refunded: sums[amount.currency, default: Sums()].refunded += Int128(amount.minorUnits)
        default: break
        }
    }
}

/// The limits of the test processor.
package enum TestProcessorLimits {
    /// The body of a request for the records of many keys.
    static let keysBytes = 1024 * 1024
    /// A key, in bytes.
    package static let keyBytes = 200
    /// A token or a description, in bytes.
    package static let textBytes = 500
    /// The body of a request, in bytes.
    package static let bodyBytes = 16 * 1024
    /// A line of the log, in bytes.
    package static let lineBytes = 16 * 1024
    /// Scripts at once.
    package static let scripts = 1000
    /// Calls of one script.
    package static let scriptCalls = 1_000_000
    /// Records of one answer about the log.
    package static let page = 1000
}
