import Foundation
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

extension DeviceRoutes {
    var registrationRoutes: [Route] {
        [
            .post("/device/v1/devices", suspending: { try await register($0) })
                .described(
                    Self.registration, "Make an app on a device known, or give it a new token.", tag: "devices",
                    token: nil, body: .of(DeviceRegistrationRequest.self),
                    answers: [
                        .init(.created, "The device is new.", .of(DeviceAnswer.self)),
                        .init(.ok, "The device was known.", .of(DeviceAnswer.self)),
                    ], refusals: [.registrationRefused, .appUnknown, .storefrontUnknown, .tooMany]),
            .get(
                "/device/v1/device",
                suspending: { try answer(answer(await store.scope(of: Self.token($0)))) }
            )
            .described(
                "showDevice", "How the store knows this device.", tag: "devices", token: Self.scheme,
                answers: [.init(.ok, "The device.", .of(DeviceAnswer.self))]),
            .patch("/device/v1/device", suspending: { try await set($0) })
                .described(
                    "setDevice", "Keep what the person sets on the device.", tag: "devices", token: Self.scheme,
                    body: .of(DeviceSettings.self), answers: [.init(.ok, "The device.", .of(DeviceAnswer.self))]),
            .get(
                "/device/v1/storefront",
                suspending: { request in
                    let scope = try await store.scope(of: Self.token(request))
                    return try answer(StorefrontAnswer(scope.storefront.known()))
                }
            )
            .described(
                "showStorefront", "Where this device buys.", tag: "devices", token: Self.scheme,
                answers: [.init(.ok, "The storefront.", .of(StorefrontAnswer.self))]),
            .put("/device/v1/storefront", suspending: { try await setStorefront($0) })
                .described(
                    "setStorefront", "Buy elsewhere; in the sandbox the account moves too.", tag: "devices",
                    token: Self.scheme,
                    body: .object(["countryCode": StorefrontCode.schema]),
                    answers: [.init(.ok, "The storefront.", .of(StorefrontAnswer.self))],
                    refusals: [.sandboxOnly, .storefrontUnknown]),
        ]
    }

    private func register(_ request: HTTPRequest) async throws -> HTTPResponse {
        let registration = try request.decode(DeviceRegistrationRequest.self)
        let order = try order(registration)
        let registered = try await registrations.register(order, profile: registration.profile)
        return try answer(
            answer(registered.scope, token: registered.token), status: registered.isNew ? .created : .ok)
    }

    private var registrations: Registrations { Registrations(store) }

    private func order(_ request: DeviceRegistrationRequest) throws -> RegistrationRequest {
        func bytes(_ text: String, _ name: String) throws -> [UInt8] {
            guard let bytes = Base64.decode(text) else {
                throw APIError(.valueInvalid, "This must be Base64.", parameter: name)
            }
            return bytes
        }
        guard let key = try? PublicKey(derRepresentation: bytes(request.publicKey, "publicKey")) else {
            throw APIError(
                .valueInvalid, "This must be a public key on P-256, in DER and Base64.",
                parameter: "publicKey")
        }
        guard let identifier = UUID(uuidString: request.deviceIdentifier) else {
            throw APIError(
                .valueInvalid, "This must be a UUID.", parameter: "deviceIdentifier")
        }
        guard let vendor = UUID(uuidString: request.vendorIdentifier) else {
            throw APIError(
                .valueInvalid, "This must be a UUID.", parameter: "vendorIdentifier")
        }
        do {
            return try RegistrationRequest(
                bundle: request.bundleId, publicKey: key, statement: request.statement(in: store.environment),
                signature: bytes(request.signature, "signature"), signedAt: request.signedAt,
                identifier: withUnsafeBytes(of: identifier.uuid) { Array($0) },
                vendorIdentifier: vendor.uuidString, appVersion: request.appVersion, language: request.language,
                storefront: (request.storefront ?? StorefrontCode(rawValue: "USA")).known(),
                isSimulator: request.isSimulator ?? false)
        } catch let error as InvalidValue {
            throw APIError(error, parameter: error.subject == "language" ? "language" : "appVersion")
        }
    }

    private func set(_ request: HTTPRequest) async throws -> HTTPResponse {
        let settings = try request.decode(DeviceSettings.self)
        let scope = try await registrations.set(
            purchasesAllowed: settings.purchasesAllowed, language: settings.language, as: Self.token(request))
        return try answer(answer(scope))
    }

    private func setStorefront(_ request: HTTPRequest) async throws -> HTTPResponse {
        let code = try request.decode(StorefrontRequest.self).countryCode
        let scope = try await registrations.setStorefront(code, as: Self.token(request))
        return try answer(StorefrontAnswer(scope.storefront.known()))
    }
}
