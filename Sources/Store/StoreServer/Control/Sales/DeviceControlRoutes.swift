package import StoreHTTP
package import StoreModel
package import StoreService

package struct DeviceReport: Codable, Hashable, Sendable {
    package var deviceId: DeviceID
    package var bundleId: BundleID
    package var customerId: CustomerID?
    package var storefront: StorefrontCode
    package var language: String
    package var appVersion: String
    package var purchasesAllowed: Bool
    package var isSimulator: Bool
    package var registeredAt: Instant
    package var seenAt: Instant

    init(_ device: DeviceRecord) {
        deviceId = device.id
        bundleId = device.bundle
        customerId = device.customer
        storefront = device.storefront
        language = device.language
        appVersion = device.appVersion
        purchasesAllowed = device.purchasesAllowed
        isSimulator = device.isSimulator
        registeredAt = device.registeredAt
        seenAt = device.seenAt
    }
}

package struct DeviceList: Codable, Hashable, Sendable {
    package var devices: [DeviceReport]
    package var hasMore: Bool
}

/// What is changed of a device; what is missing stays.
package struct DeviceChange: Codable, Hashable, Sendable {
    package var purchasesAllowed: Bool?
    package var isSimulator: Bool?

    package init(purchasesAllowed: Bool? = nil, isSimulator: Bool? = nil) {
        self.purchasesAllowed = purchasesAllowed
        self.isSimulator = isSimulator
    }
}

/// Devices, by those who look after the store.
package struct DeviceControlRoutes: Sendable {
    private let devices: DeviceDesk

    package init(_ store: EnvironmentStore) {
        devices = DeviceDesk(store)
    }

    static let page = 100
    static let device = PathParameter<DeviceID>("device", rule: "the number of a device") { DeviceID($0) }

    package var routes: [Route] {
        let routes: [Route] = [
            .get("/control/v1/devices", suspending: { try await list($0) })
                .described(
                    "listDevices", "The devices of the environment.", tag: "devices", token: nil,
                    parameters: [SaleSchemas.customerQuery, SaleSchemas.afterQuery],
                    answers: [.init(.ok, "A page of them.", .json(SaleSchemas.devices))], refusals: [.notFound]),
            .get(
                "/control/v1/devices/{device}",
                suspending: { request in
                    try .json(DeviceReport(try await devices.device(request[Self.device])))
                }
            )
            .described(
                "showAnyDevice", "A device.", tag: "devices", token: nil,
                parameters: [.path(Self.device, schema: DeviceSchemas.number)],
                answers: [.init(.ok, "The device.", .json(SaleSchemas.device))], refusals: [.notFound]),
            .patch("/control/v1/devices/{device}", suspending: { try await change($0) })
                .described(
                    "changeDevice", "Change what a device may do.", tag: "devices", token: nil,
                    parameters: [.path(Self.device, schema: DeviceSchemas.number)], body: SaleSchemas.deviceChange,
                    answers: [.init(.ok, "The device.", .json(SaleSchemas.device))], refusals: [.notFound]),
            .post(
                "/control/v1/devices/{device}/sign-out", body: BodyPolicy.none,
                suspending: { request in
                    try .json(DeviceReport(try await devices.signOut(request[Self.device])))
                }
            )
            .described(
                "signDeviceOut", "Sign whoever is signed in out.", tag: "devices", token: nil,
                parameters: [.path(Self.device, schema: DeviceSchemas.number)],
                answers: [.init(.ok, "The device.", .json(SaleSchemas.device))], refusals: [.notFound]),
        ]
        return routes.map(\.tellingService)
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = request.target.query["customer"]
        let after = try request.target.query["after"].map { text throws(APIError) in
            guard let id = DeviceID(text) else {
                throw APIError(
                    .badRequest, code: "value_invalid", "This must be the number of a device.", parameter: "after")
            }
            return id
        }
        let found = try await devices.list(of: name, after: after, limit: Self.page + 1)
        return try .json(
            DeviceList(devices: found.prefix(Self.page).map(DeviceReport.init), hasMore: found.count > Self.page))
    }

    private func change(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[Self.device]
        let change = try request.decode(DeviceChange.self)
        return try .json(
            DeviceReport(
                try await devices.change(
                    id, purchasesAllowed: change.purchasesAllowed, isSimulator: change.isSimulator)))
    }
}
