import CMicroHTTPD
import StoreHTTP
import Synchronization

/// One request and its response.
///
/// The library calls it on the thread of the connection; handlers, streams and the watchdog reach it from elsewhere. It
/// waits by suspension: under its lock it checks the condition and suspends the connection if it does not hold; the
/// code that makes it hold resumes the connection under the same lock. So no wake-up is lost, and only suspended connections are
/// resumed.
final class Exchange: Sendable {
    let connection: ListenerConnection
    let target: TargetText
    let state = Mutex(ExchangeState())
    /// Whether a task runs for it. Only the thread of the connection starts one.
    let hasHandler = Atomic(false)
    private let handle: ConnectionHandle

    var core: ListenerCore { connection.daemon.core }

    init(_ connection: ListenerConnection, _ handle: ConnectionHandle, target: UnsafePointer<CChar>) {
        self.connection = connection
        self.handle = handle
        self.target = TargetText(target)
        _ = connection.begin(self)
    }

    /// Called when the head is complete, for each piece of the body, when all is there, and after each resumption.
    func serve(
        _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>, _ piece: UnsafeRawBufferPointer,
        _ size: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        guard let stage = attend() else { return .NO }
        defer { if hasHandler.load(ordering: .relaxed) { leave() } }
        if stage == .head { return begin(method, version) }
        var current = stage
        if stage == .gated {
            // Without an answer of the gate the piece stays with the library.
            if let result = awaitGate() { return result }
            current = state.withLock { $0.stage }
        }
        guard size.pointee > 0 else { return conclude(current) }
        size.pointee = 0
        return take(piece, current)
    }

    /// Enters the exchange on its thread; nil if there is nothing left to do.
    func attend() -> ExchangeState.Stage? {
        let hasHandler = hasHandler.load(ordering: .relaxed)
        return state.withLock { state in
            guard !state.isAborted else { return nil }
            state.isAttended = hasHandler
            return state.stage
        }
    }

    // MARK: The head

    private func begin(_ word: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>) -> MHD_Result {
        guard connection.enter(.body) else { return .NO }
        core.counters.requests.add(1, ordering: .relaxed)
        let method = String(cString: word)
        if method == HTTPMethod.head.rawValue { state.withLock { $0.isHead = true } }
        do throws(HeadRefusal) {
            guard connection.admission == .admitted else { throw .surplusConnection }
            let head = try HeadReader.read(
                handle, method: word, version: version, target: target, limits: core.limits)
            let accepted = core.service.accept(
                RequestHead(
                    method, target.text, fields: head.fields, peer: connection.peer,
                    isSecure: connection.daemon.isSecure))
            return prepare(accepted, head)
        } catch {
            core.counters.refusals.add(1, ordering: .relaxed)
            guard error == .tooManyFields, !connection.daemon.isSecure else { return deliver(error.response) }
            connection.say(CannedResponse.tooManyFields)
            connection.abortResponse()
            return .NO
        }
    }

    /// Has the route look at who asks, if it wants to and there is a body; decides what becomes of the body then.
    private func prepare(_ accepted: AcceptedRequest, _ head: HeadReader) -> MHD_Result {
        guard accepted.isGated, head.framing != .none else { return prepare(accepted, head, isFirst: true, nil) }
        state.withLock { state in
            state.accepted = accepted
            state.stage = .gated
            state.gate = Gate(head)
        }
        guard startGate(accepted) else { return deliver(HeadRefusal.surplusRequest.response) }
        work()
        guard let outcome = state.withLock({ $0.gate?.outcome }) else { return .YES }
        return prepare(accepted, head, isFirst: true, outcome.refusal)
    }

    /// Waits for the gate of a request whose body arrives already; nil once that may go on.
    private func awaitGate() -> MHD_Result? {
        while true {
            work()
            let (gate, accepted) = state.withLock { ($0.gate, $0.accepted) }
            guard let gate, let accepted else { return .NO }
            if let outcome = gate.outcome {
                connection.stay(in: .body)
                let result = prepare(accepted, gate.head, isFirst: false, outcome.refusal)
                return result == .YES ? nil : result
            }
            if let result = pause(.answering, unless: { $0.gate?.outcome != nil }) { return result }
        }
    }

    /// Decides what becomes of the body.
    ///
    /// - Parameters:
    ///   - isFirst: whether nothing of it was read, so that an answer may still come before it.
    ///   - refused: the refusal of the gate.
    private func prepare(
        _ accepted: AcceptedRequest, _ head: HeadReader, isFirst: Bool, _ refused: HTTPResponse?
    ) -> MHD_Result {
        let length: Int? =
            switch head.framing {
            case .none: 0
            case .length(let length): length
            case .chunked: nil
            }
        let refusal = refused ?? accepted.early ?? accepted.refuseBody(declaredLength: length)
        // After a refusal a short rest is read, to keep the connection; for a long one, closing is cheaper.
        if let refusal, isFirst, length != 0,
            head.expectsContinue || (length ?? .max) > core.limits.discardedBytes, length != nil
        {
            return deliver(refusal)
        }
        // Chunks are read leniently by the library: nothing that follows them is taken for a request. The same holds
        // for what follows a malformed head.
        let closes = head.framing == .chunked || accepted.early.map { Self.isMalformed($0.status) } == true
        state.withLock { state in
            state.accepted = accepted
            state.closes = state.closes || closes
            state.answer = refusal
            state.allowed = accepted.policy.limit
            guard refusal == nil else {
                state.stage = .discarding
                state.allowed = core.limits.discardedBytes
                return
            }
            state.stage = .collecting
            if case .streamed = accepted.policy { state.stage = .streaming }
        }
        if refusal == nil, case .streamed = accepted.policy { return startStreaming(accepted) }
        return .YES
    }

    private static func isMalformed(_ status: HTTPStatus) -> Bool {
        status == .badRequest || status == .targetTooLong || status == .fieldsTooLarge
    }

    // MARK: Waiting

    /// Suspends the connection unless the condition holds; then returns nil, to check again.
    func pause(_ phase: ConnectionDeadline.Phase, unless isReady: (ExchangeState) -> Bool) -> MHD_Result? {
        state.withLock { state in
            if connection.daemon.isEnding { state.isAborted = true }
            if state.isAborted { return .NO }
            if isReady(state) || !state.jobs.isEmpty { return nil }
            guard connection.stay(in: phase) else { return .NO }
            MHD_suspend_connection(handle.pointer)
            state.isSuspended = true
            return .YES
        }
    }

    /// Changes the state and resumes the connection.
    func wake(_ change: (inout ExchangeState) -> Void = { _ in }) {
        state.withLock { state in
            change(&state)
            guard state.isSuspended else { return }
            state.isSuspended = false
            MHD_resume_connection(handle.pointer)
        }
    }

    // MARK: The response

    /// Hands a response to the library.
    func deliver(_ response: HTTPResponse) -> MHD_Result {
        guard !response.isWithheld else { return withhold(response) }
        let closes = state.withLock { state in
            state.stage = .writing
            state.observers = response.observers
            let hasBody = !state.isHead && !response.status.forbidsBody
            state.length = hasBody ? response.body.length : 0
            return state.closes
        }
        let writer = ResponseWriter(response, closes: closes || connection.daemon.isRetiring)
        guard let prepared = writer.make(for: self) else { return .NO }
        if let feed = prepared.feed { state.withLock { $0.feed = feed } }
        guard connection.enter(.writing) else {
            MHD_destroy_response(prepared.pointer)
            return .NO
        }
        defer { MHD_destroy_response(prepared.pointer) }
        return MHD_queue_response(handle.pointer, UInt32(response.status.rawValue), prepared.pointer)
    }

    /// Closes the connection in the place of an answer, which ends with the exchange.
    private func withhold(_ response: HTTPResponse) -> MHD_Result {
        state.withLock { $0.answer = response }
        connection.abortResponse()
        return .NO
    }

    // MARK: The end

    /// The library has finished the request.
    func end(isComplete: Bool) {
        connection.end(self)
        var last = ExchangeState()
        last.isAborted = true
        state.withLock { swap(&$0, &last) }
        last.body.release(to: core.budget.bodies)
        for job in last.jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
        report(last, isComplete)
        guard !isComplete || last.stream != nil || last.feed != nil else { return }
        last.stream?.fail(RequestEnded())
        last.feed?.stop()
        last.task?.cancel()
    }

    /// Counts the bytes sent, and notifies the observers.
    private func report(_ last: ExchangeState, _ isComplete: Bool) {
        core.counters.bytesReceived.add(last.received, ordering: .relaxed)
        if isComplete { core.counters.bytesSent.add(last.length ?? 0, ordering: .relaxed) }
        guard last.stage == .writing else {
            last.answer?.abandon()
            return
        }
        // The library does not report how much it sent of a body that it had as a whole.
        let bytes = last.feed?.taken ?? (isComplete ? last.length : nil)
        last.observers.notify(ResponseEnd(bytes: bytes, isComplete: isComplete))
    }

    /// Ends the request from outside: its connection closes without an answer.
    func abort() {
        let (task, stream, feed) = state.withLock { state in
            state.isAborted = true
            return (state.task, state.stream, state.feed)
        }
        task?.cancel()
        stream?.fail(RequestEnded())
        feed?.stop()
        wake()
    }
}

/// What a route says of who asks, while the body waits.
struct Gate {
    // Closed: it lets a request pass, or not.
    enum Outcome {
        case passed
        case refused(HTTPResponse)

        var refusal: HTTPResponse? { if case .refused(let response) = self { response } else { nil } }
    }

    let head: HeadReader
    var outcome: Outcome?

    init(_ head: HeadReader) {
        self.head = head
    }
}

/// The state of one request.
struct ExchangeState {
    enum Stage {
        /// The fields have not been read.
        case head
        /// The route looks at who asks; the body waits.
        case gated
        /// The body is collected; there may be none.
        case collecting
        /// The body goes to the handler as it arrives.
        case streaming
        /// The body is thrown away; the answer is there or being made.
        case discarding
        /// The request is complete, its handler is running.
        case answering
        /// The response belongs to the library.
        case writing
    }

    var stage = Stage.head
    /// Whether the method is HEAD, whose response has no body.
    var isHead = false
    var accepted: AcceptedRequest?
    /// What has arrived of a body that is collected.
    var body = ArrivingBody()
    var stream: BodyStream?
    /// How much of the body has arrived, and the limit.
    var received = 0
    var allowed = 0
    /// Whether the stream of the body has room.
    var hasRoom = true
    var gate: Gate?
    var answer: HTTPResponse?
    var task: Task<Void, Never>?
    var feed: StreamFeed?
    /// Jobs of the handler that are ready.
    var jobs: [UnownedJob] = []
    /// Whether the thread of the connection is in the exchange.
    var isAttended = false
    var isSuspended = false
    var isAborted = false
    /// Whether the connection ends behind the response.
    var closes = false
    /// How much of the response's body is to be sent, where it is known.
    var length: Int? = 0
    /// The observers of the response's end.
    var observers = ResponseObservers()
}
