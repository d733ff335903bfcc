import StoreDatabase
package import StoreHTTP
import StoreModel
import StoreRules
package import StoreService

/// The interface of devices: `/device/v1/…`. StoreKit speaks it, and everybody else may.
package struct DeviceRoutes: Sendable {
    let store: EnvironmentStore
    let prices: PriceText
    let purchases: PurchaseRoad

    package init(_ store: EnvironmentStore, prices: PriceText = PriceText()) {
        self.store = store
        self.prices = prices
        purchases = PurchaseRoad(store)
    }

    package var routes: [Route] {
        registrationRoutes + accountRoutes + productRoutes + purchaseRoutes + eventRoutes + transactionRoutes
            + receiptRoutes
    }

    /// How the description of the interface calls the token of a device.
    static let scheme = "deviceToken"

    /// The longest wait of one request. What libmicrohttpd does not notice while it waits, a client that has gone, costs no
    /// more than this.
    static let longestWait = 25

    /// Reads in the scope of the token that a request shows.
    func read<Result: Sendable>(
        _ request: HTTPRequest,
        _ body: @escaping @Sendable (DeviceScope, any ReadTransaction) throws -> Result
    ) async throws -> Result {
        let (token, wall) = (try Self.token(request), store.clocks.wall())
        return try await translating {
            try await store.database.read { try body(DeviceScope.resolve(token: token, at: wall, in: $0), $0) }
        }
    }

    /// Looks up a row or two in the scope of the token that a request shows.
    func lookUp<Result: Sendable>(
        _ request: HTTPRequest,
        _ body: @escaping @Sendable (DeviceScope, any ReadTransaction) throws -> Result
    ) async throws -> Result {
        let (token, wall) = (try Self.token(request), store.clocks.wall())
        return try await translating {
            try await store.database.lookUp { try body(DeviceScope.resolve(token: token, at: wall, in: $0), $0) }
        }
    }

    /// Changes something in the scope of the token that a request shows.
    func write<Result: Sendable>(
        _ request: HTTPRequest,
        _ body: @escaping @Sendable (DeviceScope, any WriteTransaction, StoreTimes) throws -> Result
    ) async throws -> Result {
        let (token, times) = (try Self.token(request), store.clocks.now)
        return try await translating {
            try await store.database.write {
                try body(DeviceScope.resolve(token: token, at: times.wall, in: $0), $0, times)
            }
        }
    }

    /// Says refusals of use cases as HTTP does.
    func translating<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as ServiceError {
            throw APIError(error)
        }
    }

    static func token(_ request: HTTPRequest) throws -> DeviceToken {
        guard case .bearer(let text)? = request.authorization else {
            var error = APIError(
                .unauthorized, code: "token_missing", "This needs the token of a device as Authorization: Bearer.",
                parameter: "Authorization")
            error.fields["WWW-Authenticate"] = "Bearer"
            throw error
        }
        return try DeviceToken(text: text)
    }

    /// An answer that nobody may keep: it is about one customer at one moment, and carries the time of the environment.
    func answer(_ value: some Encodable, status: HTTPStatus = .ok) throws -> HTTPResponse {
        var response = try HTTPResponse.json(value, status: status)
        response.fields["Cache-Control"] = "no-store"
        response.fields["Till-Environment-Time"] = "\(store.clocks.commerce().millisecondsSinceEpoch)"
        return response
    }
}
