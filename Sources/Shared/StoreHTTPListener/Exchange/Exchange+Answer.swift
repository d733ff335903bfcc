import CMicroHTTPD
import StoreHTTP
import Synchronization

extension Exchange {
    /// The request is complete, or its handler is done.
    func conclude(_ stage: ExchangeState.Stage) -> MHD_Result {
        switch stage {
        case .collecting:
            let (accepted, body) = state.withLock { state in
                state.stage = .answering
                let body = state.body.handOver(to: core.budget.bodies)
                return (state.accepted, body.isEmpty ? RequestBody.empty : .collected(body))
            }
            return accepted.map { answer($0, body) } ?? .NO
        case .streaming:
            state.withLock { state -> BodyStream? in
                state.stage = .answering
                return state.stream
            }?.finish()
            return awaitAnswer()
        case .discarding, .answering: return awaitAnswer()
        case .head, .gated, .writing: return .NO
        }
    }

    /// Returns a request that is complete, or starts its handler.
    func answer(_ accepted: AcceptedRequest, _ body: RequestBody) -> MHD_Result {
        switch accepted.answer(body) {
        case .ready(let response): return deliver(response)
        case .pending(let respond):
            return start(respond) ? awaitAnswer() : deliver(HeadRefusal.surplusRequest.response)
        }
    }

    private func awaitAnswer() -> MHD_Result {
        while true {
            work()
            if let answer = state.withLock({ $0.answer }) { return deliver(answer) }
            if let result = pause(.answering, unless: { $0.answer != nil }) { return result }
        }
    }

    /// Starts a handler; false if too many are running.
    func start(_ respond: @escaping @Sendable () async -> HTTPResponse) -> Bool {
        start(respond) { $0.complete($1) }
    }

    private func start<Result: Sendable>(
        _ body: @escaping @Sendable () async -> Result, then end: @escaping @Sendable (Exchange, Result) -> Void
    ) -> Bool {
        guard core.takePlace() else {
            core.counters.refusals.add(1, ordering: .relaxed)
            state.withLock { $0.closes = true }
            return false
        }
        hostsHandler()
        let task = Task.immediate(executorPreference: self) {
            let result = await body()
            self.core.releasePlace()
            end(self, result)
        }
        // The handler has run up to its first suspension. A cancellation in the meantime found no task.
        let isOver = state.withLock { state in
            guard state.answer == nil, state.gate?.outcome == nil || state.stage != .gated, !state.isAborted
            else { return true }
            state.task = task
            return false
        }
        if isOver { task.cancel() }
        return true
    }

    /// Starts to look at who asks; false if too many handlers are running.
    func startGate(_ accepted: AcceptedRequest) -> Bool {
        start { () -> HTTPResponse? in
            await accepted.pass()
        } then: { exchange, refusal in
            exchange.wake { state in
                state.task = nil
                guard state.gate?.outcome == nil else { return }
                state.gate?.outcome = refusal.map(Gate.Outcome.refused) ?? .passed
            }
        }
    }

    /// The handler is done. The first answer counts; a late handler finds one there.
    private func complete(_ response: HTTPResponse) {
        var isWanted = false
        wake { state in
            state.task = nil
            guard state.answer == nil, !state.isAborted else { return }
            state.answer = response
            isWanted = true
        }
        if !isWanted { response.abandon() }
    }

    /// The handler took too long.
    func timeOut() {
        let task = state.withLock { $0.task }
        wake { state in
            guard state.answer == nil else { return }
            if state.stage == .gated {
                if state.gate?.outcome == nil { state.gate?.outcome = .refused(HeadRefusal.slowAnswer.response) }
                state.closes = true
                return
            }
            state.answer = HeadRefusal.slowAnswer.response
            state.closes = true
        }
        task?.cancel()
    }
}

/// A response that is sent without the library, to explain why a connection ends.
struct CannedResponse: Sendable {
    let bytes: [UInt8]

    static let requestTimeout = CannedResponse(408, "Request Timeout", "The request took too long to arrive.")
    static let tooManyConnections = CannedResponse(
        503, "Service Unavailable", "Too many connections are open; come back later.")
    static let tooManyBodies = CannedResponse(
        503, "Service Unavailable", "Too many bodies are arriving; come back later.")
    static let tooManyFields = CannedResponse(
        431, "Request Header Fields Too Large", "The header has too many fields.")
    static let contentTooLarge = CannedResponse(413, "Content Too Large", "The body exceeds the limit of this address.")

    private init(_ status: Int, _ phrase: String, _ message: String) {
        let head = [
            "HTTP/1.1 \(status) \(phrase)", "Content-Type: text/plain; charset=utf-8",
            "Content-Length: \(message.utf8.count + 1)", "Connection: close",
        ]
        bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + message + "\n").utf8)
    }
}
