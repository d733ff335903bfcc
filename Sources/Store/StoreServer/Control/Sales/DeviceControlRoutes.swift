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
    private let devices: OperatorDevices
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        devices = OperatorDevices(store)
        self.store = store
    }

    static let device = PathParameter<DeviceID>("device", rule: "the number of a device") { DeviceID($0) }

    package var routes: [Route] {
        [
            .get("/control/v1/devices", suspending: { try await list($0) })
                .described(
                    "listDevices", "The devices of the environment.", tag: "devices",
                    parameters: [.ofCustomer] + .page(by: DeviceID.schema),
                    answers: [.init(.ok, "A page of them.", .of(Page<DeviceReport>.self))], refusals: [.customerUnknown]
                ),
            .get(
                "/control/v1/devices/{device}",
                suspending: { request in
                    try .json(DeviceReport(try await devices.device(request[Self.device])))
                }
            )
            .described(
                "showAnyDevice", "A device.", tag: "devices",
                parameters: [.path(Self.device, schema: DeviceID.schema)],
                answers: [.init(.ok, "The device.", .of(DeviceReport.self))], refusals: [.deviceUnknown]),
            .patch("/control/v1/devices/{device}", suspending: { try await change($0) })
                .described(
                    "changeDevice", "Change what a device may do.", tag: "devices",
                    parameters: [.path(Self.device, schema: DeviceID.schema)], body: .of(DeviceChange.self),
                    answers: [.init(.ok, "The device.", .of(DeviceReport.self))], refusals: [.deviceUnknown]),
            .delete(
                "/control/v1/devices/{device}/sign-in",
                suspending: { request in
                    try .json(DeviceReport(try await devices.signOut(request[Self.device], request.cause(in: store))))
                }
            )
            .described(
                "signDeviceOut", "Sign whoever is signed in out.", tag: "devices",
                parameters: [.path(Self.device, schema: DeviceID.schema)],
                answers: [.init(.ok, "The device.", .of(DeviceReport.self))], refusals: [.deviceUnknown]),
        ]
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = request.target.query["customer"]
        let wanted = try PageRequest<DeviceID>(request)
        let found = try await devices.list(of: name, after: wanted.after, limit: wanted.rows)
        return try .json(wanted.page(of: found, by: \.id, DeviceReport.init))
    }

    private func change(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[Self.device]
        let change = try request.decode(DeviceChange.self)
        return try .json(
            DeviceReport(
                try await devices.change(
                    id, purchasesAllowed: change.purchasesAllowed, isSimulator: change.isSimulator,
                    request.cause(in: store))))
    }
}
