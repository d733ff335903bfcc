import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

extension DeviceRoutes {
    static let key = PathParameter<PurchaseKey>("key", rule: "the key of a purchase of this device, a UUID") {
        PurchaseKey($0)
    }

    var purchaseRoutes: [Route] {
        [
            .post("/device/v1/purchases", suspending: { try await open($0) })
                .described(
                    "openPurchase",
                    "Ask to buy something. A repeated request with the same key is the same purchase, with a new token "
                        + "while it waits for a yes.",
                    tag: "devices", token: Self.scheme,
                    parameters: [
                        .header(
                            "Idempotency-Key", "A UUID that this device never used before.", isRequired: true,
                            schema: DeviceSchemas.uuid)
                    ], body: DeviceSchemas.purchaseOrder,
                    answers: [
                        .init(.created, "The purchase is open.", .json(DeviceSchemas.purchase)),
                        .init(.ok, "There is a purchase with this key.", .json(DeviceSchemas.purchase)),
                    ], refusals: [.forbidden, .notFound, .conflict, .tooManyRequests]),
            .get("/device/v1/purchases/{key}", suspending: { try await show($0) })
                .described(
                    "showPurchase", "How a purchase stands, or how it stands once it changes.", tag: "devices",
                    token: Self.scheme,
                    parameters: [
                        .path(Self.key, schema: DeviceSchemas.uuid),
                        .query("wait", "For so many seconds, if it stands as state says.", schema: Self.waitSchema),
                        .query("state", "The state that is known already."),
                    ], answers: [.init(.ok, "The purchase.", .json(DeviceSchemas.purchase))], refusals: [.notFound]),
            .post("/device/v1/purchases/{key}/confirmation", suspending: { try await confirm($0) })
                .described(
                    "confirmPurchase", "Say yes from the device, in the sandbox.", tag: "devices", token: Self.scheme,
                    parameters: [.path(Self.key, schema: DeviceSchemas.uuid)],
                    body: .object(["token": .string(), "password": .string()], optional: ["token", "password"]),
                    answers: [.init(.ok, "The purchase.", .json(DeviceSchemas.purchase))],
                    refusals: [.forbidden, .notFound, .conflict, .tooManyRequests]),
            .post(
                "/device/v1/purchases/{key}/cancellation", body: BodyPolicy.none,
                suspending: { try await cancel($0) }
            )
            .described(
                "cancelPurchase", "Say no.", tag: "devices", token: Self.scheme,
                parameters: [.path(Self.key, schema: DeviceSchemas.uuid)],
                answers: [.init(.ok, "The purchase.", .json(DeviceSchemas.purchase))], refusals: [.notFound, .conflict]),
        ]
    }

    static let waitSchema = JSONSchema.integer(minimum: 0, maximum: longestWait)

    private func open(_ request: HTTPRequest) async throws -> HTTPResponse {
        let order = try request.decode(PurchaseRequest.self)
        let key = try Self.idempotencyKey(request)
        let quantity = try Self.quantity(order.quantity)
        let (scope, known) = try await lookUp(request) { scope, transaction in
            (scope, try Purchases.find(key, of: scope, in: transaction))
        }
        guard !scope.isSimulator else {
            throw APIError(ServiceError(.simulator, "nothing can be bought in a simulator"))
        }
        let item = try await item(order.productId, quantity, known: known, scope)
        let id = try PurchaseID(number: await store.numbers.next(.purchases))
        let requestID = request.name
        return try await Confirmation.drawn(store.random) { confirmation in
            let purchase = CheckoutRequest(
                key: key, item: item, quantity: quantity, accountToken: order.appAccountToken,
                confirmation: confirmation)
            let (opened, bought, now) = try await write(request) { scope, transaction, times in
                let opened = try Purchases.open(
                    purchase, as: id, in: scope, at: times, request: requestID, in: transaction)
                return (opened, try opened.transaction.flatMap { try Transactions.find($0, in: transaction) }, scope)
            }
            let isNew = opened.id == id
            // The answer that told a former token may have been lost on its way.
            let token = isNew || opened.state.waitsForYes ? confirmation.token : nil
            return try answer(answer(opened, bought, now, token: token), status: isNew ? .created : .ok)
        }
    }

    static func quantity(_ wanted: Int?) throws -> Int {
        let quantity = wanted ?? 1
        guard Sale.quantities.contains(quantity) else {
            throw APIError(
                .badRequest, code: "quantity_out_of_range",
                "A purchase is of \(Sale.quantities.lowerBound) to \(Sale.quantities.upperBound).",
                parameter: "quantity")
        }
        return quantity
    }

    /// What is bought: of a request that is repeated what it was the first time, whatever became of the product since.
    func item(
        _ productID: String, _ quantity: Int, known: StoredPurchase?, _ scope: DeviceScope
    ) async throws -> SoldItem {
        if let known {
            guard known.product.text == productID else {
                throw APIError(
                    ServiceError(
                        .keyReused, "this key opened a purchase of something else; every purchase has a key of its own",
                        parameter: "Idempotency-Key"))
            }
            return SoldItem(known)
        }
        let item = try await sold(productID, scope)
        guard quantity == 1 || !item.kind.isOwnedOnce else {
            throw APIError(
                .badRequest, code: "quantity_out_of_range", "Of what an account owns once, a purchase is of 1.",
                parameter: "quantity")
        }
        return item
    }

    /// The product as the storefront of the device sells it.
    private func sold(_ productID: String, _ scope: DeviceScope) async throws -> SoldItem {
        let offers = try await offers([productID], scope)
        if let offer = offers.offers.first { return SoldItem(offer, scope.storefront) }
        let invalid = offers.invalid.first
        let reason = store.environment == .sandbox ? invalid.map { ": \($0.obstacle.explanation)" } ?? "" : ""
        let advice = invalid?.nearest.map { " Did you mean \($0)?" } ?? ""
        throw APIError(
            .notFound, code: "product_unavailable", "This product cannot be bought here\(reason).\(advice)",
            parameter: "productId")
    }

    static func idempotencyKey(_ request: HTTPRequest) throws -> PurchaseKey {
        let values = request.fields.values("Idempotency-Key")
        guard values.count == 1, let key = PurchaseKey(values[0]) else {
            throw APIError(
                .badRequest, code: "key_missing",
                "A purchase needs a fresh UUID as Idempotency-Key; a repeated request has the same one.",
                parameter: "Idempotency-Key")
        }
        return key
    }

    /// How a purchase stands; with `wait`, once it stands otherwise than `state` says.
    private func show(_ request: HTTPRequest) async throws -> HTTPResponse {
        let key = try request[Self.key]
        let wait = try Self.wait(request)
        let known = request.target.query["state"]
        var (purchase, bought, scope) = try await find(key, request)
        if purchase.state == .action || purchase.state.awaitsProcessor {
            _ = try await purchases.look(after: purchase.id)
            (purchase, bought, scope) = try await find(key, request)
        }
        if wait > 0, let known, known == (try answer(purchase, bought, scope)).state {
            let found = try await store.wakes.wait(
                for: purchase.id.description, on: .purchases, upTo: .seconds(wait)
            ) {
                let found = try await find(key, request)
                return try answer(found.0, found.1, found.2).state == known ? nil : found
            }
            if let found { (purchase, bought, scope) = found }
        }
        return try answer(answer(purchase, bought, scope))
    }

    private func find(
        _ key: PurchaseKey, _ request: HTTPRequest
    ) async throws -> (purchase: StoredPurchase, bought: StoreTransaction?, scope: DeviceScope) {
        try await lookUp(request) { scope, transaction in
            let found = try Self.purchase(key, of: scope, in: transaction)
            return (found, try found.transaction.flatMap { try Transactions.find($0, in: transaction) }, scope)
        }
    }

    private static func purchase(
        _ key: PurchaseKey, of scope: DeviceScope, in transaction: any ReadTransaction
    ) throws -> StoredPurchase {
        guard let found = try Purchases.find(key, of: scope, in: transaction) else {
            throw ServiceError(.purchaseUnknown, "this device has no purchase with this key", parameter: "key")
        }
        return found
    }

    /// A yes from the device itself, which only the sandbox takes.
    private func confirm(_ request: HTTPRequest) async throws -> HTTPResponse {
        let key = try request[Self.key]
        let order = try request.decode(ConfirmationRequest.self)
        guard store.environment == .sandbox else {
            // Who shows no token of production is told that, and nothing else.
            _ = try await find(key, request)
            throw APIError(
                ServiceError(
                    .sandboxOnly, "in production a purchase is confirmed elsewhere, by its code; a device never does it"
                ))
        }
        guard order.password != nil || order.token != nil else {
            throw APIError(
                .badRequest, code: "value_missing", "A confirmation has the token of the purchase, or the password.",
                parameter: "token")
        }
        if let password = order.password {
            try await requirePassword(password, try await find(key, request).scope)
        }
        let token = order.password == nil ? order.token : nil
        return try await change(key, request) { current, transaction, times in
            if current.state != .confirmation, current.state != .signIn { return nil }
            if let token, try !Purchases.isConfirmed(current, by: token, in: transaction) {
                throw ServiceError(.credentialsWrong, "this is not the token of the purchase", parameter: "token")
            }
            return try Purchases.confirmation(of: &current, at: times, in: transaction)
        }
    }

    private func requirePassword(_ password: String, _ scope: DeviceScope) async throws {
        let customer = try scope.customer ?? { throw APIError(ServiceError(.notSignedIn, "nobody is signed in")) }()
        let hash = try await store.database.read { try Customers.passwordHash(of: customer, in: $0) }
        guard try await translating({ try await store.passwords.matches(password, hash: hash) }) else {
            throw APIError(ServiceError(.credentialsWrong, "this is not the password", parameter: "password"))
        }
    }

    private func cancel(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await change(try request[Self.key], request) { current, _, _ in
            current.state == .cancelled ? nil : .cancelled
        }
    }

    /// Says what happened to a purchase of the device, and answers with how it stands then.
    private func change(
        _ key: PurchaseKey, _ request: HTTPRequest,
        _ event: @escaping @Sendable (inout StoredPurchase, any WriteTransaction, StoreTimes) throws -> Purchase.Event?
    ) async throws -> HTTPResponse {
        let token = try Self.token(request)
        let (scope, standing) = try await translating {
            try await purchases.handle(request: request.name) { transaction, times in
                let scope = try DeviceScope.resolve(token: token, at: times.wall, in: transaction)
                var current = try Self.purchase(key, of: scope, in: transaction)
                let event = try event(&current, transaction, times)
                return (scope, current, event)
            }
        }
        return try answer(answer(standing.purchase, standing.bought, scope))
    }

    static func wait(_ request: HTTPRequest) throws -> Int {
        guard let text = request.target.query["wait"] else { return 0 }
        guard let seconds = Int(text), (0...longestWait).contains(seconds) else {
            throw APIError(
                .badRequest, code: "value_invalid", "A request waits for 0 to \(longestWait) seconds.",
                parameter: "wait")
        }
        return seconds
    }
}

extension SoldItem {
    init(_ purchase: StoredPurchase) {
        self.init(
            id: purchase.item, product: purchase.product, kind: purchase.kind, period: purchase.period,
            group: purchase.group, unitPrice: purchase.unitPrice, storefront: purchase.storefront)
    }

    init(_ offer: ProductOffer, _ storefront: StorefrontCode) {
        self.init(
            id: offer.product.itemID, product: offer.product.productID, kind: offer.product.kind,
            period: offer.product.period, group: offer.product.groupID, unitPrice: offer.price,
            storefront: storefront)
    }
}
