import StoreHTTP
import StoreModel

/// What the store tells of subscriptions and refunds, and what apps may ask subscribers.
extension BackendServer {
    var subscriptionRoutes: [Route] {
        [
            forUsers(
                .post("/v1/subscriptions/{originalTransactionId}/prompts", body: BodyPolicy.none, suspending: prompt)
                    .described(
                        "askToPrompt", "Whether the app may show the store's question to a subscriber now.",
                        description:
                            "Yes is said at most once for each subscription and period, on all devices together. "
                            + "The reason of a no has the minimumPeriodReason of the list, where that is in the way.",
                        tag: "subscriptions", needsUser: true,
                        parameters: [.path(BackendPaths.subscription, schema: BackendPaths.transactionSchema)],
                        answers: [.init(.ok, "Whether it may, and why.", .json(.of(PromptAnswer.self)))],
                        refusals: [.unknownSubscription]))
        ]
    }

    var notificationRoutes: [Route] {
        [
            .post("/notifications", body: .collected(limit: limits.notificationBytes), suspending: receive)
                .described(
                    "receiveNotification", "Take a notification of the store, version 2.",
                    description: "The same one again, or one that comes late, changes nothing.", tag: "notifications",
                    body: .of(NotificationRequest.self), answers: [.init(.ok, "It is kept.")],
                    refusals: [.malformedProof, .untrustedProof, .wrongApp, .wrongEnvironment, .storeUnavailable]
                ).withExactBodies
        ]
    }

    private func prompt(_ request: HTTPRequest) async throws -> HTTPResponse {
        let decision = try await backend.mayPrompt(
            request[BackendPaths.subscription], for: user(of: request), at: now())
        return try .json(PromptAnswer(decision.code, decision.reason, notBefore: decision.notBefore))
    }

    private func receive(_ request: HTTPRequest) async throws -> HTTPResponse {
        let payload = try request.decode(NotificationRequest.self).signedPayload
        do {
            let received = try await backend.receive(signedPayload: payload, at: now())
            log.notified(received, request)
            return HTTPResponse(.ok)
        } catch let error as BackendError {
            log.refusedNotification(error, request)
            throw error
        }
    }
}

/// What the store sends.
struct NotificationRequest: Codable, Hashable, Sendable {
    var signedPayload: String
}
