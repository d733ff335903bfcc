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
                defer { state.body = [] }
                return (state.accepted, state.body)
            }
            return accepted.map { answer($0, body.isEmpty ? .empty : .collected(body)) } ?? .NO
        case .streaming:
            state.withLock { state -> BodyStream? in
                state.stage = .answering
                return state.stream
            }?.finish()
            return awaitAnswer()
        case .discarding, .answering: return awaitAnswer()
        case .head, .writing: return .NO
        }
    }

    /// Answers a request that is complete, or sets its handler to work.
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

    /// Sets a handler to work; false if too many are.
    func start(_ respond: @escaping @Sendable () async -> HTTPResponse) -> Bool {
        guard core.takePlace() else {
            core.counters.refusals.add(1, ordering: .relaxed)
            state.withLock { $0.closes = true }
            return false
        }
        hostsHandler()
        let task = Task.immediate(executorPreference: self) {
            let response = await respond()
            self.core.releasePlace()
            self.complete(response)
        }
        // The handler has run as far as it goes without waiting. Whoever gave the request up meanwhile found no task.
        let isOver = state.withLock { state in
            guard state.answer == nil, !state.isAborted else { return true }
            state.task = task
            return false
        }
        if isOver { task.cancel() }
        return true
    }

    /// The handler is done. The first answer counts; there is another already if the handler was late.
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
            state.answer = HeadRefusal.slowAnswer.response
            state.closes = true
        }
        task?.cancel()
    }
}
