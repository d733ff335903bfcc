package import StoreCatalogue
package import StoreHTTP
import StoreModel
package import StoreService

/// The interface of devices: `/device/v1/…`. StoreKit speaks it, and everybody else may.
package struct DeviceRoutes: Sendable {
    let store: EnvironmentStore
    let prices: PriceText
    let checkout: Checkout
    let answers = ProductAnswers()
    private let rates: Rates
    /// Whether the pages of purchases are served beside these routes.
    let hasPages: Bool
    /// Where hosted content is.
    let blobs: BlobSource

    /// How often a client may ask for what the store then keeps.
    package struct Rates: Sendable {
        package var registrations: RateLimit?
        package var purchases: RateLimit?

        package init(registrations: RateLimit? = nil, purchases: RateLimit? = nil) {
            self.registrations = registrations
            self.purchases = purchases
        }
    }

    package init(
        _ store: EnvironmentStore, prices: PriceText = PriceText(), rates: Rates = Rates(), hasPages: Bool = false,
        blobs: BlobSource = .none
    ) {
        self.store = store
        self.blobs = blobs
        self.hasPages = hasPages
        self.prices = prices
        self.rates = rates
        checkout = Checkout(store)
    }

    package var routes: [Route] {
        let topics = [
            registrationRoutes, accountRoutes, productRoutes, purchaseRoutes, eventRoutes, transactionRoutes,
            receiptRoutes, contentRoutes, priceConsentRoutes, visitRoutes, subscriptionRoutes,
        ]
        return topics.joined().map { route in
            var route = route
            route.errors = DeviceErrorForm()
            route.middleware += [rate(of: route)].compactMap(\.self)
            let handler = route.handler
            route.handler = .suspending { [store] request in
                let seen = SeenClock()
                var response = try await SeenClock.$current.withValue(seen) { try await handler.answer(request) }
                let now = store.time(by: seen)
                response.fields["Till-Environment-Time"] = "\(now.time.millisecondsSinceEpoch)"
                response.fields["Till-Environment-Rate"] = "\(now.rate)"
                return response
            }
            if route.documentation?.bearer == Self.scheme, route.body != .none {
                route.gate = { [store] request in
                    request.context[DeviceScope.self] = try await store.scope(of: Self.token(request))
                }
            }
            return route
        }
    }

    private func rate(of route: Route) -> RateLimit? {
        switch route.documentation?.id {
        case Self.registration: rates.registrations
        case Self.opening, Self.visiting: rates.purchases
        default: nil
        }
    }

    /// The operations that make the store keep something for whoever asks.
    static let registration = "registerDevice"
    static let opening = "openPurchase"
    static let visiting = "openVisit"

    /// How the description of the interface calls the token of a device.
    static let scheme = "deviceToken"

    /// The longest wait of one request. What libmicrohttpd does not notice while it waits, a client that has gone, costs no
    /// more than this.
    static let longestWait = 25

    /// The scope of a request, as the gate has read it before the body came; of what changes or tells something of the customer
    /// the scope is read with it, in one transaction.
    func scope(_ request: HTTPRequest) async throws -> DeviceScope {
        guard let known = request.context[DeviceScope.self] else {
            return try await store.scope(of: Self.token(request))
        }
        SeenClock.current?.note(known.clock)
        return known
    }

    static func token(_ request: HTTPRequest) throws -> DeviceToken {
        guard case .bearer(let text)? = request.authorization else {
            throw APIError(
                .tokenMissing, "This needs the token of a device as Authorization: Bearer.",
                parameter: "Authorization")
        }
        return try DeviceToken(text: text)
    }

    /// An answer that nobody may keep: it is about one customer at one moment. As every answer, it carries the time of the
    /// environment, or of the customer's own clock, and how fast that runs.
    func answer(_ value: some Encodable, status: HTTPStatus = .ok) throws -> HTTPResponse {
        var response = try HTTPResponse.json(value, status: status)
        response.fields["Cache-Control"] = "no-store"
        return response
    }
}
