package import StoreHTTP
package import StoreLog
package import StoreModel
package import StoreService

/// `POST /verifyReceipt`, as servers of developers call it.
///
/// Whatever is wrong, the answer is 200 and the outcome stands in its `status`. In the sandbox the header `Till-Reason`
/// says precisely what it was; in production only the log does.
package struct VerifyReceiptRoutes: Sendable {
    private let environment: StoreEnvironment
    private let verification: ReceiptVerification
    private let now: @Sendable () -> Instant
    private let log: Log

    /// - Parameter now: the clock of the environment.
    package init(
        _ environment: StoreEnvironment, _ verification: ReceiptVerification, log: Log,
        now: @escaping @Sendable () -> Instant
    ) {
        self.environment = environment
        self.verification = verification
        self.log = log
        self.now = now
    }

    package var routes: [Route] {
        let form = VerifyReceiptErrors(refuse: { refuse($0, $1) })
        let all = [.post, .any].map { method in
            Route(
                method, "/verifyReceipt", body: .collected(limit: VerifyReceiptLimits.bodyBytes),
                handler: .suspending { await answer($0) }, errors: form)
        }
        return all.map { $0.method == .post ? $0.documented(Self.documentation) : $0 }
    }

    private static let documentation = OperationDocumentation(
        id: "verifyReceipt", summary: "Whether a receipt is good, and what it and the books say.",
        description: "Whatever is wrong, the answer is 200, and its status says what it was: see Receipts.md.",
        tag: "receipts", body: .json(VerifyReceiptSchemas.request),
        responses: [.init(.ok, "What came of it.", .json(VerifyReceiptSchemas.answer))])

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(ReceiptRefusal) {
            guard request.method == .post else { throw .method(request.method) }
            let instant = now()
            let asked = try VerificationRequest(body: request.body.bytes)
            return try await VerifyReceiptAnswer.success(
                verification.verify(asked, at: instant), in: environment, at: instant)
        } catch {
            return refuse(error, request)
        }
    }

    private func refuse(_ refusal: ReceiptRefusal, _ request: HTTPRequest) -> HTTPResponse {
        log.info(
            "receipt.refused", "A receipt was not verified.",
            [
                "request_id": .text(request.id), "status": .number(Int64(refusal.status.rawValue)),
                "reason": .text(refusal.reason),
            ])
        var response = VerifyReceiptAnswer.refusal(refusal.status)
        if environment == .sandbox { response.fields["Till-Reason"] = refusal.reason }
        return response
    }
}
