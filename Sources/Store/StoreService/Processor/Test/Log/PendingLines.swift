import Foundation

/// Lines on their way to the disk, and who waits for them: many calls share one synchronisation.
// Safe: the state is read and written only while the condition's lock is held.
final class PendingLines: @unchecked Sendable {
    private let condition = NSCondition()
    private var bytes: [UInt8] = []
    /// The number of the last record handed in, and of the last one on the disk.
    private var last: Int
    private var durable: Int
    private var waiting: [(number: Int, continuation: CheckedContinuation<TestProcessorLogError?, Never>)] = []
    private var end: TestProcessorLogError?
    /// Whether the disk refused something: nothing may follow the gap.
    private var isBroken: Bool { end.map { $0.code != .closed } ?? false }

    init(durable: Int) {
        last = durable
        self.durable = durable
    }

    /// Hands in the line of the next record.
    func append(_ line: [UInt8]) {
        condition.lock()
        defer { condition.unlock() }
        last += 1
        if isBroken { return }
        bytes += line
        condition.signal()
    }

    /// Waits until a record is on the disk.
    func settled(_ number: Int) async throws(TestProcessorLogError) {
        let failure = await withCheckedContinuation { continuation in
            condition.lock()
            let isOver = number <= durable || end != nil
            let end = number <= durable ? nil : end
            if !isOver { waiting.append((number, continuation)) }
            condition.unlock()
            if isOver { continuation.resume(returning: end) }
        }
        if let failure { throw failure }
    }

    /// All lines that wait, for the thread that writes; nil once it is over.
    func next() -> (bytes: [UInt8], last: Int)? {
        condition.lock()
        defer { condition.unlock() }
        while bytes.isEmpty {
            if end != nil { return nil }
            condition.wait()
        }
        defer { bytes = [] }
        return (bytes, last)
    }

    /// Everything up to a record is on the disk.
    func settle(_ number: Int) {
        condition.lock()
        durable = number
        let settled = waiting.filter { $0.number <= number }
        waiting.removeAll { $0.number <= number }
        condition.unlock()
        for one in settled { one.continuation.resume(returning: nil) }
    }

    /// Nothing more gets to the disk. What was handed in before a close still does; what a disk has refused does not.
    func close(_ error: TestProcessorLogError) {
        condition.lock()
        if !isBroken { end = error }
        var refused: [CheckedContinuation<TestProcessorLogError?, Never>] = []
        if isBroken {
            bytes = []
            refused = waiting.map(\.continuation)
            waiting = []
        }
        condition.broadcast()
        condition.unlock()
        for continuation in refused { continuation.resume(returning: error) }
    }
}
