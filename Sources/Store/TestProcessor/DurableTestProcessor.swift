import Foundation
import StoreFoundation
package import StoreRules
import Synchronization

/// A test processor whose every effect is on the disk before anybody hears of it.
package final class DurableTestProcessor: Sendable {
    private struct State {
        var processor: TestProcessorState
        let index: TestProcessorIndex
        /// Up to where the log reaches with all that was handed in.
        var place: TestProcessorIndex.Place
        /// Why the index is of no use any more: what it would answer may be wrong.
        var failure: TestProcessorLogError?
    }

    /// After how many records the index is kept: so many are read from the log at a start, and are in memory.
    private static let recordsPerSnapshot = 1000

    private let state: Mutex<State>
    private let pending: PendingLines
    private let ended = AsyncStream<TestProcessorLogError>.makeStream()
    private let hasRoom: @Sendable () -> Bool
    /// Where customers do what is asked of them; the reference comes behind it.
    package let actionURL: String
    /// The name of this processor and its log, given when the log was begun.
    package let identity: String

    /// Reads what the log has beyond its index, and takes calls from then on.
    ///
    /// - Parameter hasRoom: whether the disk takes more; nil for that of the log. Without room nothing new happens, and
    ///   what has happened is still told.
    package init(
        _ file: TestProcessorLogFile, actionURL: String, hasRoom: (@Sendable () -> Bool)? = nil
    ) throws {
        identity = try file.identity()
        self.hasRoom = hasRoom ?? { file.hasRoom }
        let opened = try Self.open(file, keeping: self.hasRoom())
        pending = PendingLines(durable: opened.place.count)
        state = Mutex(opened)
        self.actionURL = actionURL
        let writer = Writer(file: file, pending: pending, end: ended.continuation) { [weak self] write in
            self?.keep(write)
        }
        OwnThread.start(named: "processor log") { writer.run() }
    }

    deinit { close() }

    /// An index that is not of this log is made anew from its beginning.
    ///
    /// - Parameter isKept: whether it is kept at once; else what it lacks is in memory.
    private static func open(_ file: TestProcessorLogFile, keeping isKept: Bool) throws -> State {
        let path = (file.path as NSString).deletingPathExtension + ".index"
        do {
            return try replay(file, TestProcessorIndex(path: path), keeping: isKept)
        } catch {
            try TestProcessorIndex.remove(path)
            return try replay(file, TestProcessorIndex(path: path), keeping: isKept)
        }
    }

    private static func replay(
        _ file: TestProcessorLogFile, _ index: TestProcessorIndex, keeping isKept: Bool
    ) throws -> State {
        var processor = try TestProcessorState(index)
        let place = try file.replay(into: &processor, from: index.place())
        if isKept { try index.commit(place, processor.totals) }
        return State(processor: processor, index: index, place: place)
    }

    /// Keeps the index, once everything that it has is in the log. One that cannot be kept ends the processor.
    ///
    /// - Parameter write: writes what waits, while nothing can be handed in; false if the disk refused.
    private func keep(_ write: () -> Bool) {
        state.withLock { state in
            guard state.index.uncommitted >= Self.recordsPerSnapshot, hasRoom(), write() else { return }
            do {
                try state.index.commit(state.place, state.processor.totals)
            } catch {
                let failure = TestProcessorLogError(.inputOutput, "the index of the log cannot be kept: \(error)")
                state.failure = failure
                pending.close(failure)
                ended.continuation.yield(failure)
            }
        }
    }

    /// Writes lines to the log on a thread of its own.
    private struct Writer: Sendable {
        let file: TestProcessorLogFile
        let pending: PendingLines
        let end: AsyncStream<TestProcessorLogError>.Continuation
        /// Is called after each batch, with what writes the rest.
        let wrote: @Sendable (() -> Bool) -> Void

        func run() {
            while let batch = pending.next(), write(batch) {
                wrote { write(pending.rest()) && pending.isSettled }
            }
            end.finish()
        }

        private func write(_ batch: (bytes: [UInt8], last: Int)) -> Bool {
            do throws(TestProcessorLogError) {
                if !batch.bytes.isEmpty { try file.append(batch.bytes) }
                pending.settle(batch.last)
                return true
            } catch {
                // What the disk holds now is only known to who reads it anew.
                pending.close(error)
                end.yield(error)
                return false
            }
        }
    }

    /// Does something, and returns when all that the answer rests on is on the disk.
    package func perform(
        _ body: @Sendable (inout TestProcessorState) throws(TestProcessorRefusal) -> TestProcessorReply
    ) async throws -> TestProcessorReply {
        let reply = try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.processor.isFull = !hasRoom()
            let reply = try body(&state.processor)
            if let record = reply.record {
                let line = state.place.lines.line(of: record)
                state.place.count += 1
                state.place.offset += Int64(line.count)
                pending.append(line)
            }
            return reply
        }
        if let number = reply.number { try await pending.settled(number) }
        return reply
    }

    /// Looks at something, and returns when all that was seen is on the disk.
    package func read<Value: Sendable>(_ body: @Sendable (TestProcessorState) -> Value) async throws -> Value {
        let (value, last) = try state.withLock { state in
            if let failure = state.failure { throw failure }
            return (body(state.processor), state.processor.count)
        }
        try await pending.settled(last)
        return value
    }

    /// What came of the call with a key.
    package func lookup(_ key: String) async throws -> LookupOutcome {
        let (outcome, number) = try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.processor.lookup(key, actionURL: actionURL)
        }
        if let number { try await pending.settled(number) }
        return outcome
    }

    /// Changes what goes wrong, which is not kept.
    package func script<Value: Sendable>(
        _ body: @Sendable (inout TestProcessorState) throws(TestProcessorRefusal) -> Value
    ) throws(TestProcessorRefusal) -> Value {
        try state.withLock { state throws(TestProcessorRefusal) in try body(&state.processor) }
    }

    /// Takes no more effects.
    package func close() {
        pending.close(TestProcessorLogError(.closed, "the processor was stopped"))
    }

    /// Why the disk took no more; nil when everything was written to the end.
    package func failure() async -> TestProcessorLogError? {
        for await error in ended.stream { return error }
        return nil
    }
}
