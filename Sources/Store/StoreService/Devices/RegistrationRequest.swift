import Foundation
package import StoreModel
package import StoreSigning

/// A device that wants to be known, with the proof that it holds the key it names.
package struct RegistrationRequest: Sendable {
    /// How far the clock of a device may be from that of the store.
    package static let tolerance = Duration.seconds(15 * 60)
    /// The most bytes of a version or language.
    package static let longestText = 64

    package let bundle: BundleID
    package let publicKey: PublicKey
    /// ECDSA with SHA-256 over ``statement``, in DER.
    package let signature: [UInt8]
    package let signedAt: Instant
    /// What goes into the device hash of receipts.
    package let identifier: [UInt8]
    package let vendorIdentifier: String
    package let appVersion: String
    package let language: String
    package let storefront: StorefrontRecord
    package let isSimulator: Bool

    package init(
        bundle: BundleID, publicKey: PublicKey, signature: [UInt8], signedAt: Instant, identifier: [UInt8],
        vendorIdentifier: String, appVersion: String, language: String, storefront: StorefrontRecord,
        isSimulator: Bool
    ) throws {
        for (name, text) in [("app version", appVersion), ("language", language)]
        where text.isEmpty || text.utf8.count > Self.longestText
            || !text.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) })
        {
            throw InvalidValue(
                subject: name, value: text, rule: "has 1 to \(Self.longestText) printable characters of ASCII")
        }
        guard identifier.count == 16 || identifier.count == 6 else {
            throw InvalidValue(subject: "device identifier", value: "", rule: "is a UUID or a hardware address")
        }
        self.bundle = bundle
        self.publicKey = publicKey
        self.signature = signature
        self.signedAt = signedAt
        self.identifier = identifier
        self.vendorIdentifier = vendorIdentifier
        self.appVersion = appVersion
        self.language = language
        self.storefront = storefront
        self.isSimulator = isSimulator
    }

    /// What the device signed.
    package static func statement(_ environment: StoreEnvironment, _ bundle: BundleID, signedAt: Instant) -> String {
        "till-device\n\(environment.rawValue)\n\(bundle)\n\(signedAt.millisecondsSinceEpoch)\n"
    }

    /// Refuses a device that does not hold the key, or signed too long ago.
    package func requireProof(_ environment: StoreEnvironment, at wallTime: Instant) throws {
        let distance = wallTime - signedAt
        guard (.zero - Self.tolerance...Self.tolerance).contains(distance) else {
            throw ServiceError(
                .registrationRefused,
                "the registration was not signed within the last quarter of an hour; the clock of "
                    + "the store says \(wallTime.rfc3339)", parameter: "signedAt")
        }
        let statement = Self.statement(environment, bundle, signedAt: signedAt)
        guard publicKey.algorithm == .p256,
            try publicKey.isValidSignature(signature, for: statement.utf8)
        else {
            throw ServiceError(
                .registrationRefused, "the signature does not belong to the key, the bundle and the environment",
                parameter: "signature")
        }
    }
}

/// Judges the provisioning profile that an app shows when it makes itself known.
///
/// It proves nothing about who shows it: on Linux a bundle id is a claim. It says which store and environment the app was
/// built for, and with which capabilities.
package struct ProfileJudge: Sendable {
    private let environment: StoreEnvironment
    private let verifier: JWSVerifier

    package init(_ environment: StoreEnvironment, verifier: JWSVerifier) {
        self.environment = environment
        self.verifier = verifier
    }

    /// The revision of capabilities that a profile has; nil for one that is for many apps, with which nothing is sold.
    package func revision(of profile: String, for bundle: BundleID) throws -> Int? {
        let content: ProvisioningProfile
        do {
            content = try JSONDecoder().decode(ProvisioningProfile.self, from: Data(verifier.verify(profile).payload))
        } catch {
            throw refusal(
                "the profile was not made by this environment of this store; make another with till provision")
        }
        guard content.environment == environment else {
            throw refusal("the profile is for \(content.environment.rawValue), and this is \(environment.rawValue)")
        }
        guard content.bundleId.matches(bundle) else {
            throw refusal("the profile is for \(content.bundleId), not for \(bundle)")
        }
        return content.bundleId.isWildcard ? nil : content.capabilitiesRevision
    }

    private func refusal(_ message: String) -> ServiceError {
        ServiceError(.registrationRefused, message, parameter: "profile")
    }
}
