import CMicroHTTPD
import StoreHTTP
import Synchronization

extension Exchange {
    /// Takes a piece of the body.
    func take(_ piece: UnsafeRawBufferPointer, _ stage: ExchangeState.Stage) -> MHD_Result {
        connection.received(piece.count)
        let (isTooMuch, hasRoom, stream) = state.withLock { state -> (Bool, Bool, BodyStream?) in
            state.received += piece.count
            let isTooMuch = state.received > state.allowed
            guard stage == .collecting, !isTooMuch else { return (isTooMuch, true, state.stream) }
            return (false, state.body.append(piece, from: core.budget.bodies), nil)
        }
        switch stage {
        case .collecting: return isTooMuch ? refuseRest() : hasRoom ? .YES : refuseForMemory()
        case .streaming:
            guard !isTooMuch else { return refuseRest() }
            return pass(Array(piece), to: stream)
        default: return isTooMuch ? closeConnection() : .YES
        }
    }

    /// The body exceeds the limit of its route; no length announced it.
    private func refuseRest() -> MHD_Result {
        let (accepted, stream, task) = state.withLock { state in
            state.stage = .discarding
            state.allowed = state.received + core.limits.discardedBytes
            return (state.accepted, state.stream, state.task)
        }
        releaseBody()
        guard let accepted else { return .NO }
        let refusal = accepted.refuseBody()
        let earlier = state.withLock { state in
            defer { state.answer = refusal }
            return state.answer
        }
        earlier?.abandon()
        stream?.fail(accepted.policy.refusal)
        task?.cancel()
        return .YES
    }

    /// Too many bodies are arriving at once.
    private func refuseForMemory() -> MHD_Result {
        core.counters.refusals.add(1, ordering: .relaxed)
        releaseBody()
        connection.say(.tooManyBodies)
        return .NO
    }

    /// Gives back the memory of the body, which is not needed.
    private func releaseBody() { state.withLock { $0.body.release(to: core.budget.bodies) } }

    /// The rest of the body is not needed, and too long to wait for.
    private func closeConnection() -> MHD_Result {
        connection.say(.contentTooLarge)
        return .NO
    }

    // MARK: Streams

    /// Starts the handler, which reads the body as it arrives.
    func startStreaming(_ accepted: AcceptedRequest) -> MHD_Result {
        let stream = BodyStream(limit: HTTPLimits.streamedBytes)
        connection.streams()
        guard case .pending(let respond) = accepted.answer(.streaming(stream)) else { return .NO }
        state.withLock { $0.stream = stream }
        guard start(respond) else { return deliver(HeadRefusal.surplusRequest.response) }
        work()
        return .YES
    }

    private func pass(_ piece: [UInt8], to stream: BodyStream?) -> MHD_Result {
        guard let stream else { return .NO }
        state.withLock { $0.hasRoom = false }
        switch stream.write(piece, drained: { [weak self] in self?.wake { $0.hasRoom = true } }) {
        case .keepWriting:
            state.withLock { $0.hasRoom = true }
            work()
            return .YES
        case .readerGone:
            state.withLock { state in
                state.hasRoom = true
                state.stage = .discarding
            }
            return .YES
        case .waitUntilDrained:
            // A handler that has answered may have put the stream into its response, which goes out only when the
            // request is complete: the rest of the body is then buffered, up to the limit of its route.
            while true {
                work()
                if state.withLock({ $0.hasRoom || $0.answer != nil }) {
                    connection.stay(in: .body)
                    return .YES
                }
                if let result = pause(.paused, unless: { $0.hasRoom || $0.answer != nil }) { return result }
            }
        }
    }
}
