import StoreFoundation

/// Carries requests to a service in memory, with the same behaviour as over a network.
///
/// A client can do here what it can do to a live listener: send malformed or too large requests, stop in the middle of
/// a body, read slowly, disconnect. So one test can run on both.
package struct InMemoryTransport: Sendable {
    private let service: HTTPService
    private let now: @Sendable () -> Int64

    /// `clock` returns the nanoseconds since 1970, for the `Date` of responses.
    package init(_ service: HTTPService, clock: @escaping @Sendable () -> Int64) {
        self.service = service
        now = clock
    }

    /// Sends a request and returns when the head of the response is there. Throws the error of the client's own body: a
    /// client that does not finish its request gets no response.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        let accepted = service.accept(
            RequestHead(
                request.method, request.target, fields: request.fields, peer: request.peer, isSecure: request.isSecure))
        if accepted.isGated, request.declaredLength != 0, let refused = await accepted.pass() {
            request.giveUpBody()
            return try deliver(refused, to: request)
        }
        if let refused = accepted.early ?? accepted.refuseBody(declaredLength: request.declaredLength) {
            request.giveUpBody()
            return try deliver(refused, to: request)
        }
        switch accepted.policy {
        case .none: return try await deliver(Self.response(accepted, .empty), to: request)
        case .collected(let limit):
            do {
                let body = try await request.collectBody(limit: limit)
                return try await deliver(Self.response(accepted, body), to: request)
            } catch is APIError {
                return try deliver(accepted.refuseBody(), to: request)
            }
        case .streamed:
            let body = BodyStream(limit: HTTPLimits.streamedBytes)
            // It ends with the body or its reader.
            Task(executorPreference: TaskThreads.executor) { await request.pump(into: body, policy: accepted.policy) }
            return try await deliver(Self.response(accepted, .streaming(body)), to: request) { body.giveUp() }
        }
    }

    /// Runs the handler to its end even if the client disconnects, as a listener does, which notices only when it
    /// writes.
    private static func response(_ accepted: AcceptedRequest, _ body: RequestBody) async -> HTTPResponse {
        switch accepted.answer(body) {
        case .ready(let response): response
        case .pending(let respond): await Task(executorPreference: TaskThreads.executor) { await respond() }.value
        }
    }

    /// A complete body counts as sent at once; a stream is sent as it is read.
    private func deliver(
        _ response: HTTPResponse, to request: TransportRequest, ended: @escaping @Sendable () -> Void = {}
    ) throws -> TransportResponse {
        if response.isWithheld {
            ended()
            response.abandon()
            throw ConnectionClosed()
        }
        let method = HTTPMethod(rawValue: request.method)
        let response = response.prepared(for: method, date: HTTPDate(nanosecondsSince1970: now()))
        // The stream may depend on the request's body, which is therefore needed until the response has ended.
        if case .stream = response.body {
            let body = TransportBody(response.body) { [observers = response.observers] end in
                ended()
                observers.notify(end)
            }
            return TransportResponse(response.status, fields: response.fields, body: body)
        }
        ended()
        response.observers.notify(ResponseEnd(bytes: response.body.length, isComplete: true))
        return TransportResponse(response.status, fields: response.fields, body: TransportBody(response.body))
    }
}

/// The connection was closed before there was an answer.
package struct ConnectionClosed: Error {}

extension TransportRequest {
    func giveUpBody() {
        if case .streaming(let stream) = body { stream.giveUp() }
    }

    func collectBody(limit: Int) async throws -> RequestBody {
        guard case .streaming(let stream) = body else { return body }
        return .collected(try await stream.collect(limit: limit))
    }

    /// Forwards a body as it arrives; exceeding the limit of the route fails it.
    func pump(into reader: BodyStream, policy: BodyPolicy) async {
        do {
            switch body {
            case .empty: break
            case .collected(let bytes): try await reader.write(bytes)
            case .streaming(let stream):
                var total = 0
                while let piece = try await stream.next() {
                    total += piece.count
                    guard total <= policy.limit else { throw policy.refusal }
                    try await reader.write(piece)
                }
            }
            reader.finish()
        } catch {
            reader.fail(error)
            giveUpBody()
        }
    }
}
