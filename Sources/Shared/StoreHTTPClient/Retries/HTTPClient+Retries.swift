extension HTTPClient {
    /// Sends a request, and again where that may help and can do no harm: after temporary failures and answers, if the
    /// request is idempotent or keyed, or was certainly not sent.
    ///
    /// If the last attempt has a response, that is returned whatever its status. The outcome of an error is that of all
    /// attempts together: once one of them may have been carried out, it stays unknown.
    @discardableResult package func send(
        _ request: ClientRequest, limit: Int? = nil, retrying policy: RetryPolicy
    ) async throws -> ClientResponse {
        var failures = 0
        var mayHaveHappened = false
        while true {
            let delay: Duration
            do {
                let response = try await send(request, limit: limit)
                failures += 1
                guard response.status.isTemporary, request.isRepeatable,
                    let wait = policy.delay(afterFailures: failures, retryAfter: RetryAfter.wait(response.fields))
                else { return response }
                mayHaveHappened = true
                delay = wait
            } catch let error as HTTPClientError {
                failures += 1
                mayHaveHappened = mayHaveHappened || error.outcome != .notSent
                let mayRepeat = request.isRepeatable || error.outcome == .notSent && request.body.isRepeatable
                guard error.isTemporary, mayRepeat, let wait = policy.delay(afterFailures: failures) else {
                    throw mayHaveHappened && error.outcome == .notSent
                        ? error.withOutcome(.unknown, status: nil) : error
                }
                delay = wait
            }
            do {
                try await policy.wait(delay)
            } catch {
                throw HTTPClientError.abandoned.withOutcome(mayHaveHappened ? .unknown : .notSent, status: nil)
            }
        }
    }
}
