package import StoreModel

/// What the test processor knows and decides; nothing else. What it did is in its records, and making them again from the
/// first makes the same processor.
package struct TestProcessorState: Sendable {
    /// Everything that happened, in its order. Copies of a processor share it.
    private let index: TestProcessorIndex
    /// What is to go wrong.
    package internal(set) var scripts: [TestProcessorScript] = []
    package private(set) var totals = TestProcessorTotals()
    /// Whether nothing new may happen, because there is no room to keep it.
    var isFull = false

    /// One that keeps nothing when it goes.
    package init() {
        index = TestProcessorIndex()
    }

    /// One that has done what an index tells.
    init(_ index: TestProcessorIndex) throws {
        self.index = index
        totals = try index.totals()
    }

    /// How many things happened.
    package var count: Int { index.count }

    package subscript(number: Int) -> TestProcessorRecord? { index.entry(number)?.record }

    package func records(after number: Int, limit: Int) -> [TestProcessorRecord] {
        index.records(after: number, limit: limit)
    }

    func number(of key: String) -> Int? { index.number(of: key) }

    /// What came of the action of an authorisation, if it is over.
    func action(of authorisation: Int) -> TestProcessorRecord? {
        index.entry(authorisation)?.action.flatMap { self[$0] }
    }

    /// Actions whose news the store has not taken yet, in their order.
    package var pendingNews: [Int] { index.untold }

    /// Lets a record count that fits to those before it; refuses any other and changes nothing.
    package mutating func add(_ record: TestProcessorRecord) throws(TestProcessorRefusal) {
        guard record.number == count + 1 else {
            throw TestProcessorRefusal(.referenceUnknown, "Record \(record.number) does not follow record \(count).")
        }
        if let key = record.key, index.number(of: key) != nil {
            throw TestProcessorRefusal(.keyReused, "Another call, or one with other parameters, had this key.")
        }
        index.append(record, try settle(record))
        totals.add(record)
    }

    /// Changes what the record is about and answers how the record itself stands.
    private mutating func settle(_ record: TestProcessorRecord) throws(TestProcessorRefusal)
        -> TestProcessorIndex.Status
    {
        switch record.kind {
        case .authorise:
            try requireAmount(record, atMost: nil)
            return record.result == .approved ? .reserved : record.result == .actionNeeded ? .waiting : .closed
        case .capture:
            let (number, authorisation) = try subject(of: record, .authorise)
            guard index.entry(number)?.status == .reserved else { throw Self.otherState(authorisation, "reserved") }
            try requireAmount(record, atMost: authorisation.amount)
            guard record.result == .captured else { return .closed }
            index.set(.closed, of: number)
            return .taken(refunded: 0)
        case .void:
            let (number, authorisation) = try subject(of: record, .authorise)
            if index.entry(number)?.status == .closed { throw Self.otherState(authorisation, "reserved") }
            index.set(.closed, of: number)
            return .closed
        case .refund:
            try settleRefund(record)
            return .closed
        case .action:
            let (number, authorisation) = try subject(of: record, .authorise)
            guard index.entry(number)?.status == .waiting else { throw Self.otherState(authorisation, "waiting") }
            index.set(record.result == .completed ? .reserved : .closed, of: number, action: record.number)
            return .untold
        case .news:
            let (number, _) = try subject(of: record, .action)
            index.set(.closed, of: number)
            return .closed
        }
    }

    private mutating func settleRefund(_ record: TestProcessorRecord) throws(TestProcessorRefusal) {
        let (number, capture) = try subject(of: record, .capture)
        guard case .taken(let refunded)? = index.entry(number)?.status, let taken = capture.amount,
            let amount = record.amount
        else { throw Self.otherState(capture, "taken") }
        try requireAmount(record, atMost: Money(minorUnits: taken.minorUnits - refunded, currency: taken.currency))
        guard record.result == .refunded else { return }
        index.set(.taken(refunded: refunded + amount.minorUnits), of: number)
    }

    private func subject(
        of record: TestProcessorRecord, _ kind: TestProcessorRecord.Kind
    ) throws(TestProcessorRefusal) -> (Int, TestProcessorRecord) {
        guard let number = record.of, let subject = self[number], subject.kind == kind else {
            throw TestProcessorRefusal(.referenceUnknown, "Nothing that this can be done to has this reference.")
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

    package init() {}

    mutating func set(_ sums: Sums, _ currency: Currency) { self.sums[currency] = sums }

    package mutating func add(_ record: TestProcessorRecord) {
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
    /// What the disk must have left, in bytes, for anything new to happen.
    package static let reserveBytes: Int64 = 16 << 20
    /// A line of the log, in bytes.
    package static let lineBytes = 16 * 1024
    /// Scripts at once.
    package static let scripts = 1000
    /// Calls of one script.
    package static let scriptCalls = 1_000_000
    /// Records of one answer about the log.
    package static let page = 1000
}
