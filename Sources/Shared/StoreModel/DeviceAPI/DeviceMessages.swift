/// The registration of a device, with a proof that it has the private key.
package struct DeviceRegistrationRequest: Codable, Hashable, Sendable {
    /// The provisioning profile of the app, a JWS of the store.
    package var profile: String
    package var bundleId: BundleID
    /// A P-256 key as SubjectPublicKeyInfo in DER, in Base64.
    package var publicKey: String
    /// ECDSA with SHA-256 in DER, in Base64, over ``statement(in:)``. The store takes each statement once.
    package var signature: String
    package var signedAt: Instant
    /// The UUID of the device; it is part of the hash of receipts.
    package var deviceIdentifier: String
    /// A UUID that the apps of one vendor share.
    package var vendorIdentifier: String
    package var appVersion: String
    /// The language of the device, `en-US`.
    package var language: String
    /// The storefront of the device until a customer signs in; three letters.
    package var storefront: StorefrontCode?
    /// Whether it behaves as a simulator: prices load, purchases fail.
    package var isSimulator: Bool?

    package init(
        profile: String, bundleId: BundleID, publicKey: String, signature: String, signedAt: Instant,
        deviceIdentifier: String, vendorIdentifier: String, appVersion: String, language: String,
        storefront: StorefrontCode? = nil, isSimulator: Bool? = nil
    ) {
        self.profile = profile
        self.bundleId = bundleId
        self.publicKey = publicKey
        self.signature = signature
        self.signedAt = signedAt
        self.deviceIdentifier = deviceIdentifier
        self.vendorIdentifier = vendorIdentifier
        self.appVersion = appVersion
        self.language = language
        self.storefront = storefront
        self.isSimulator = isSimulator
    }

    /// What the device signs: `till-device`, the environment and all other members, a line each, as they are sent. A
    /// storefront that is left out is an empty line, `isSimulator` is `true` or `false`.
    package func statement(in environment: StoreEnvironment) -> String {
        let lines = [
            "till-device", environment.rawValue, bundleId.text, "\(signedAt.millisecondsSinceEpoch)", publicKey,
            deviceIdentifier, vendorIdentifier, appVersion, language, storefront?.rawValue ?? "",
            isSimulator == true ? "true" : "false", profile,
        ]
        return lines.map { $0 + "\n" }.joined()
    }
}

/// A registered device.
package struct DeviceAnswer: Codable, Hashable, Sendable {
    package var deviceId: DeviceID
    package var bundleId: BundleID
    package var environment: StoreEnvironment
    /// Only in the response to a registration: the token for all other requests, and its expiry.
    package var token: String?
    package var tokenExpires: Instant?
    package var storefront: StorefrontAnswer
    package var language: String
    package var isSignedIn: Bool
    /// Whether the user of the device allows purchases.
    package var purchasesAllowed: Bool
    package var isSimulator: Bool
    /// Whether the account that is signed in may buy.
    package var accountMayBuy: Bool?
    /// For how many seconds after it was last heard of the device has its unfinished consumables for itself.
    package var patience: Int?

    package init(
        deviceId: DeviceID, bundleId: BundleID, environment: StoreEnvironment, token: String? = nil,
        tokenExpires: Instant? = nil, storefront: StorefrontAnswer, language: String, isSignedIn: Bool,
        purchasesAllowed: Bool, isSimulator: Bool, accountMayBuy: Bool? = nil, patience: Int? = nil
    ) {
        self.accountMayBuy = accountMayBuy
        self.patience = patience
        self.deviceId = deviceId
        self.bundleId = bundleId
        self.environment = environment
        self.token = token
        self.tokenExpires = tokenExpires
        self.storefront = storefront
        self.language = language
        self.isSignedIn = isSignedIn
        self.purchasesAllowed = purchasesAllowed
        self.isSimulator = isSimulator
    }
}

/// Settings of the device; missing ones are not changed.
package struct DeviceSettings: Codable, Hashable, Sendable {
    package var purchasesAllowed: Bool?
    package var language: String?

    package init(purchasesAllowed: Bool? = nil, language: String? = nil) {
        self.purchasesAllowed = purchasesAllowed
        self.language = language
    }
}

package struct StorefrontAnswer: Codable, Hashable, Sendable {
    package var countryCode: StorefrontCode
    package var id: StorefrontID
    package var currency: CurrencyCode

    package init(countryCode: StorefrontCode, id: StorefrontID, currency: CurrencyCode) {
        self.countryCode = countryCode
        self.id = id
        self.currency = currency
    }
}

package struct StorefrontRequest: Codable, Hashable, Sendable {
    package var countryCode: StorefrontCode

    package init(countryCode: StorefrontCode) {
        self.countryCode = countryCode
    }
}

package struct SignInRequest: Codable, Hashable, Sendable {
    package var email: String
    package var password: String

    package init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

package struct PasswordRecoveryRequest: Codable, Hashable, Sendable {
    package var email: String

    package init(email: String) {
        self.email = email
    }
}
