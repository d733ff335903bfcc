import StoreHTTP
package import StoreModel

/// Purchases that apps prove, and what a user has by them.
extension BackendServer {
    /// What every route refuses that takes a proof.
    static let proofRefusals: [BackendError.Code] = [
        .malformedProof, .proofTooLarge, .untrustedProof, .wrongApp, .wrongEnvironment, .belongsToAnother,
        .unknownTransaction,
        .storeUnavailable, .storeKeyRefused,
    ]

    static let proofDescription =
        "The proof is an app receipt, a transaction receipt or a signed transaction. It is sent as it is, with "
        + "Content-Type application/octet-stream, or in JSON: the Base64 of its bytes, or the signed transaction itself."

    var purchaseRoutes: [Route] {
        [
            forUsers(
                .post("/v1/purchases", body: .collected(limit: limits.proofBytes), suspending: record)
                    .described(
                        "recordPurchases", "Record what a proof of payment shows for the user.",
                        description: Self.proofDescription + " The same proof again changes nothing.",
                        tag: "purchases", needsUser: true, body: .of(ProofRequest.self),
                        answers: [.init(.ok, "Each transaction of the proof.", .json(.of(RecordedAnswer.self)))],
                        refusals: Self.proofRefusals + [.unknownProduct]
                    ).withExactBodies, limit: proofs),
            forUsers(
                .get("/v1/entitlements", suspending: entitlements)
                    .described(
                        "listEntitlements", "What the user has, or had, the newest first.", tag: "purchases",
                        needsUser: true,
                        answers: [.init(.ok, "All of it.", .json(.of(UserEntitlementsAnswer.self)))])),
        ]
    }

    private func record(_ request: HTTPRequest) async throws -> HTTPResponse {
        let user = try user(of: request)
        guard let proof = try proof(in: request) else {
            throw BackendError(.malformedProof, "There is no proof of payment in the request.", parameter: "body")
        }
        log.received(proof, of: user, request)
        let recorded = try await countingRefusals(of: proof, in: request) {
            try await backend.record(proof, for: user, at: now())
        }
        log.recorded(recorded, for: user, request)
        return try .json(RecordedAnswer(recorded: recorded.map(RecordedPurchase.init)))
    }

    /// Does something with a proof, and counts where it came from if it does not hold.
    func countingRefusals<Value>(
        of proof: ProofOfPayment?, in request: HTTPRequest, _ body: () async throws -> Value
    ) async throws -> Value {
        guard proof != nil else { return try await body() }
        try refusedProofs?.requireRest(for: request)
        do {
            return try await body()
        } catch let error as BackendError {
            if Self.refusedCodes.contains(error.code) { refusedProofs?.count(request) }
            throw error
        }
    }

    private static let refusedCodes: Set<BackendError.Code> = [
        .untrustedProof, .unknownTransaction, .malformedProof, .wrongEnvironment,
    ]

    private func entitlements(_ request: HTTPRequest) async throws -> HTTPResponse {
        let now = now()
        let all = try await backend.entitlements(of: user(of: request), at: now)
        return try .json(UserEntitlementsAnswer(entitlements: all.map(UserEntitlement.init), now: now))
    }

    /// The proof that a request carries; nil if it has none.
    func proof(in request: HTTPRequest) throws -> ProofOfPayment? {
        let bytes: [UInt8]
        if request.fields.mediaType?.essence == "application/octet-stream" {
            bytes = request.body.bytes
        } else {
            bytes = try Array((request.decode(OptionalProof.self).proof ?? "").utf8)
        }
        return bytes.isEmpty ? nil : try ProofOfPayment(reading: bytes)
    }
}

/// A proof in JSON, where it may be missing: what was recorded earlier pays then.
struct OptionalProof: Codable, Hashable, Sendable {
    var proof: String?
}

extension RecordedPurchase {
    init(_ recorded: Recorded) {
        let transaction = recorded.transaction
        self.init(
            transactionId: transaction.transactionID, originalTransactionId: transaction.originalTransactionID,
            productId: transaction.productID, quantity: transaction.quantity, environment: transaction.environment,
            isNew: recorded.isNew, state: State(rawValue: recorded.state.rawValue), expires: transaction.expiresDate,
            balance: recorded.balance.map { UserBalance(name: $0.name, amount: $0.amount) })
    }
}

extension UserEntitlement {
    /// What a client is told of an entitlement.
    package init(_ entitlement: Entitlement) {
        let transaction = entitlement.transaction
        self.init(
            productId: transaction.productID, kind: transaction.kind, transactionId: transaction.transactionID,
            originalTransactionId: transaction.originalTransactionID, environment: transaction.environment,
            quantity: transaction.quantity, purchased: transaction.purchaseDate, expires: entitlement.expires,
            revoked: transaction.revocationDate, isInForce: entitlement.isInForce)
    }
}
