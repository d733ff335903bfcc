import StoreFoundation
package import StoreHTTP
import Synchronization

/// A store in the same process: the same routes, without a network.
package struct MemoryConnection: StoreConnection {
    let transport: InMemoryTransport

    package init(_ transport: InMemoryTransport) {
        self.transport = transport
    }

    /// The store goes on with a request whose sender was cancelled, as it does with one whose connection broke.
    package func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        let waiting = FirstResult()
        let transport = transport
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.wait(continuation)
                Task(executorPreference: TaskThreads.executor) {
                    waiting.end(await Self.answer(to: request, transport))
                }
            }
        } onCancel: {
            waiting.end(.failure(ConnectionError(.cancelled, code: "cancelled", "The request was cancelled.")))
        }
        return try result.get()
    }

    private static func answer(
        to request: StoreRequest, _ transport: InMemoryTransport
    ) async -> Result<StoreAnswer, ConnectionError> {
        do {
            let body = request.body.map { RequestBody.collected($0) } ?? .empty
            let response = try await transport.send(
                TransportRequest(request.method, request.target, fields: request.fields, body: body))
            return .success(
                StoreAnswer(
                    status: response.status.rawValue, fields: StoreAnswer.fields(response.fields),
                    body: try await response.body.collect()))
        } catch {
            return .failure(
                ConnectionError(.unreachable(mayHaveHappened: true), code: "unreachable", "The store did not answer."))
        }
    }
}

/// Hands the first of several results to the one who waits.
private final class FirstResult: Sendable {
    typealias Outcome = Result<StoreAnswer, ConnectionError>

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var early: Outcome?
        var isOver = false
    }

    private let state = Mutex(State())

    func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        let early = state.withLock { state -> Outcome? in
            if state.early == nil { state.continuation = continuation }
            return state.early
        }
        if let early { continuation.resume(returning: early) }
    }

    func end(_ result: Outcome) {
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard !state.isOver else { return nil }
            state.isOver = true
            if state.continuation == nil { state.early = result }
            return state.continuation.take()
        }
        continuation?.resume(returning: result)
    }
}
