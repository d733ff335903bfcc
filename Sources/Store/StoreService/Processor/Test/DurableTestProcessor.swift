import Foundation
import StoreFoundation
import Synchronization

/// A test processor whose every effect is on the disk before anybody hears of it.
package final class DurableTestProcessor: Sendable {
    private struct State {
        var processor: TestProcessor
        var lines: TestProcessorLogLines
    }

    private let state: Mutex<State>
    private let pending: PendingLines
    private let ended = AsyncStream<TestProcessorLogError>.makeStream()
    /// Where customers do what is asked of them; the reference comes behind it.
    package let actionURL: String

    /// Replays the log and takes calls from then on.
    package init(_ file: TestProcessorLogFile, actionURL: String) throws(TestProcessorLogError) {
        var processor = TestProcessor()
        let lines = try file.replay(into: &processor)
        pending = PendingLines(durable: processor.records.count)
        state = Mutex(State(processor: processor, lines: lines))
        self.actionURL = actionURL
        let (pending, end) = (pending, ended.continuation)
        OwnThread.start(named: "processor log") { Self.write(pending, to: file, end) }
    }

    deinit { close() }

    private static func write(
        _ pending: PendingLines, to file: TestProcessorLogFile, _ end: AsyncStream<TestProcessorLogError>.Continuation
    ) {
        while let batch = pending.next() {
            do throws(TestProcessorLogError) {
                try file.append(batch.bytes)
                pending.settle(batch.last)
            } catch {
                // What the disk holds now is only known to who reads it anew.
                pending.close(error)
                end.yield(error)
            }
        }
        end.finish()
    }

    /// Does something, and returns when all that the answer rests on is on the disk.
    package func perform(
        _ body: @Sendable (inout TestProcessor) throws(TestProcessorRefusal) -> TestProcessorReply
    ) async throws -> TestProcessorReply {
        let reply = try state.withLock { state in
            let reply = try body(&state.processor)
            if let record = reply.record { pending.append(state.lines.line(of: record)) }
            return reply
        }
        if let number = reply.number { try await pending.settled(number) }
        return reply
    }

    /// Looks at something, and returns when all that was seen is on the disk.
    package func read<Value: Sendable>(_ body: @Sendable (TestProcessor) -> Value) async throws -> Value {
        let (value, last) = state.withLock { (body($0.processor), $0.processor.records.count) }
        try await pending.settled(last)
        return value
    }

    /// What came of the call with a key.
    package func lookup(_ key: String) async throws -> LookupOutcome {
        let (outcome, number) = state.withLock { $0.processor.lookup(key, actionURL: actionURL) }
        if let number { try await pending.settled(number) }
        return outcome
    }

    /// Changes what goes wrong, which is not kept.
    package func script<Value: Sendable>(
        _ body: @Sendable (inout TestProcessor) throws(TestProcessorRefusal) -> Value
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
