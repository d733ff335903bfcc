import StoreHTTP
import StoreModel
import StoreService

extension DeviceRoutes {
    static let key = PathParameter<PurchaseKey>("key", rule: "the key of a purchase of this device, a UUID") {
        PurchaseKey($0)
    }

    var purchaseRoutes: [Route] {
        [
            .post("/device/v1/purchases", suspending: { try await open($0) })
                .described(
                    Self.opening,
                    "Ask to buy something. A repeated request with the same key is the same purchase, with a new token "
                        + "while it waits for a yes.",
                    tag: "devices", token: Self.scheme,
                    parameters: [
                        .header(
                            "Idempotency-Key", "A UUID that this device never used before.", isRequired: true,
                            schema: PurchaseKey.schema)
                    ], body: .of(PurchaseRequest.self),
                    answers: [
                        .init(.created, "The purchase is open.", .of(PurchaseAnswer.self)),
                        .init(.ok, "There is a purchase with this key.", .of(PurchaseAnswer.self)),
                    ], refusals: .sale + [.simulator, .purchaseForgotten, .keyMissing]),
            .post("/device/v1/redemptions", suspending: { try await redeem($0) })
                .described(
                    "lookUpCode", "What a code is good for. It is redeemed by a purchase with it as offerCode.",
                    tag: "devices", token: Self.scheme, body: .of(RedemptionRequest.self),
                    answers: [.init(.ok, "The product and its offer.", .of(RedemptionAnswer.self))],
                    refusals: [
                        .codeUnknown, .codeSpent, .codeExpired, .ineligibleForOffer, .invalidOfferIdentifier,
                        .invalidOfferPrice, .tooMany,
                    ]),
            .get("/device/v1/purchases/{key}", suspending: { try await show($0) })
                .described(
                    "showPurchase", "How a purchase stands, or how it stands once it changes.", tag: "devices",
                    token: Self.scheme,
                    parameters: [
                        .path(Self.key, schema: PurchaseKey.schema),
                        .query("wait", "For so many seconds, if it stands as state says.", schema: Self.waitSchema),
                        .query("state", "The state that is known already."),
                    ], answers: [.init(.ok, "The purchase.", .of(PurchaseAnswer.self))],
                    refusals: [.purchaseUnknown, .purchaseForgotten]),
            .post("/device/v1/purchases/{key}/confirmation", suspending: { try await confirm($0) })
                .described(
                    "confirmPurchase",
                    "Say yes from the device, in the sandbox: with the token, or with the password and the code.",
                    tag: "devices", token: Self.scheme,
                    parameters: [.path(Self.key, schema: PurchaseKey.schema)],
                    body: .object(
                        ["token": .string(), "password": .string(), "code": .string()],
                        optional: ["token", "password", "code"]),
                    answers: [.init(.ok, "The purchase.", .of(PurchaseAnswer.self))],
                    refusals: [
                        .purchaseUnknown, .purchaseForgotten, .sandboxOnly, .credentialsWrong, .notSignedIn, .tooLate,
                        .priceChanged, .testerSpent, .tooMany,
                    ]),
            .post(
                "/device/v1/purchases/{key}/cancellation", body: BodyPolicy.none,
                suspending: { try await cancel($0) }
            )
            .described(
                "cancelPurchase", "Say no.", tag: "devices", token: Self.scheme,
                parameters: [.path(Self.key, schema: PurchaseKey.schema)],
                answers: [.init(.ok, "The purchase.", .of(PurchaseAnswer.self))],
                refusals: [.purchaseUnknown, .purchaseForgotten, .tooLate]),
        ]
    }

    static let waitSchema = JSONSchema.integer(minimum: 0, maximum: longestWait)

    private func open(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(PurchaseRequest.self)
        let key = try Self.idempotencyKey(request)
        let offers = [
            wanted.discount.map { RequestedOffer.signed(SignedDiscount($0)) }, wanted.offerCode.map { .code($0) },
            wanted.winBackOfferId.map { .winBack($0) }, wanted.signedOffer.map { .compact($0) },
        ].compactMap(\.self)
        guard offers.count <= 1 else {
            throw APIError(
                .valueInvalid, "A purchase has one offer.",
                parameter: wanted.offerCode == nil ? "discount" : "offerCode")
        }
        let selection = try Checkout.Selection(
            product: wanted.productId, quantity: wanted.quantity, accountToken: wanted.appAccountToken,
            asksToBuy: wanted.asksToBuy ?? false,
            offer: offers.first, introductoryEligibility: wanted.introductoryEligibility)
        let opened = try await checkout.open(selection, key: key, as: Self.token(request), request: request.name)
        return try await answer(answer(opened), status: opened.isNew ? .created : .ok)
    }

    private func redeem(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(RedemptionRequest.self)
        let batch = try await OfferCodeBatches(store).lookUp(wanted.code, as: Self.token(request))
        return try answer(
            RedemptionAnswer(
                productId: batch.product, offerId: batch.offer,
                offerCode: OfferCodes.normal(wanted.code) ?? wanted.code))
    }

    static func idempotencyKey(_ request: HTTPRequest) throws -> PurchaseKey {
        let values = request.fields.values("Idempotency-Key")
        guard values.count == 1, let key = PurchaseKey(values[0]) else {
            throw APIError(
                .keyMissing,
                "A purchase needs a fresh UUID as Idempotency-Key; a repeated request has the same one.",
                parameter: "Idempotency-Key")
        }
        return key
    }

    /// How a purchase stands; with `wait`, once it stands otherwise than `state` says.
    private func show(_ request: HTTPRequest) async throws -> HTTPResponse {
        let key = try request[Self.key]
        let wait = try Self.wait(request)
        let known = request.target.query["state"].map(PurchaseState.init(rawValue:))
        let found = try await checkout.status(
            of: key, as: Self.token(request), waitingUpTo: .seconds(known == nil ? 0 : wait)
        ) { PurchaseState($0.status) == known }
        return try await answer(answer(found))
    }

    private func confirm(_ request: HTTPRequest) async throws -> HTTPResponse {
        let key = try request[Self.key]
        let wanted = try request.decode(ConfirmationRequest.self)
        return try await answer(
            answer(checkout.confirm(key, with: Self.proof(wanted), as: Self.token(request), request: request.name)))
    }

    private static func proof(_ wanted: ConfirmationRequest) throws -> Checkout.Proof? {
        guard let password = wanted.password else { return wanted.token.map(Checkout.Proof.token) }
        guard let code = wanted.code else {
            throw APIError(
                .valueMissing, "A password says yes to a purchase together with its code, which stands for the price.",
                parameter: "code")
        }
        return .password(password, code: code)
    }

    private func cancel(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answer(
            answer(checkout.cancel(request[Self.key], as: Self.token(request), request: request.name)))
    }

    static func wait(_ request: HTTPRequest) throws -> Int {
        guard let text = request.target.query["wait"] else { return 0 }
        guard let seconds = Int(text), (0...longestWait).contains(seconds) else {
            throw APIError(
                .valueInvalid, "A request waits for 0 to \(longestWait) seconds.",
                parameter: "wait")
        }
        return seconds
    }
}

extension SignedDiscount {
    init(_ request: DiscountRequest) {
        self.init(
            offerID: request.offerId, keyID: request.keyId, nonce: request.nonce, signature: request.signature,
            timestamp: request.timestamp, username: request.applicationUsername)
    }
}
