import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

extension DeviceRoutes {
    var subscriptionRoutes: [Route] {
        [
            .get("/device/v1/subscriptions", suspending: { try await subscriptions($0) })
                .described(
                    "readSubscriptions", "How the customer's subscriptions in this app stand now.", tag: "devices",
                    token: Self.scheme,
                    answers: [.init(.ok, "The oldest first.", .of(SubscriptionsAnswer.self))], refusals: [.notSignedIn]
                ),
            .get("/device/v1/app-transaction", suspending: { try await appTransaction($0) })
                .described(
                    "showAppTransaction", "The download of the app, as it is on this device.", tag: "devices",
                    token: Self.scheme,
                    answers: [
                        .init(
                            .ok, "The customer's; that of the device where nobody is signed in.",
                            .of(AppTransactionAnswer.self))
                    ]),
            .post(
                "/device/v1/transactions/{transactionId}/refund-request",
                suspending: { request in
                    let (id, token) = (try request[Self.transaction], try Self.token(request))
                    try await DeviceSubscriptions(store).askForRefund(
                        of: id, because: request.decode(RefundWishRequest.self).reason, as: token, request: request.name
                    )
                    return HTTPResponse(.noContent)
                }
            )
            .described(
                "askForRefund", "Ask for money back. Asking again before it is decided changes nothing.",
                tag: "devices", token: Self.scheme,
                parameters: [.path(Self.transaction, schema: TransactionID.schema)], body: .of(RefundWishRequest.self),
                answers: [.init(.noContent, "The store looks at it.")],
                refusals: [.notSignedIn, .transactionUnknown, .notPaid, .alreadyRevoked]),
        ]
    }

    private func subscriptions(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (found, scope) = try await DeviceSubscriptions(store).list(as: Self.token(request))
        return try answer(
            SubscriptionsAnswer(
                subscriptions: found.map { told in
                    SubscriptionStatusAnswer(
                        subscriptionGroupIdentifier: told.group, status: told.status,
                        originalTransactionId: told.newest.originalID,
                        signedTransaction: try sign(told.newest, scope),
                        signedRenewalInfo: try sign(told.renewal, scope))
                }))
    }

    private func sign(_ renewal: RenewalInfoPayload, _ scope: DeviceScope) throws -> String {
        var payload = renewal
        let verification = try verification(scope)
        payload.deviceVerification = verification?.text
        payload.deviceVerificationNonce = verification?.nonce
        return try store.signers.jws.sign(encoding: payload, at: payload.signedDate)
    }

    private func appTransaction(_ request: HTTPRequest) async throws -> HTTPResponse {
        var (payload, scope) = try await DeviceSubscriptions(store).appTransaction(as: Self.token(request))
        let verification = try verification(scope)
        payload.deviceVerification = verification?.text
        payload.deviceVerificationNonce = verification?.nonce
        return try answer(
            AppTransactionAnswer(
                signedAppTransaction: store.signers.jws.sign(encoding: payload, at: payload.receiptCreationDate)))
    }
}
