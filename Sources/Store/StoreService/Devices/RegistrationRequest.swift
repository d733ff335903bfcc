import Foundation
import StoreCatalogue
import StoreDatabase
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
    /// What the device signed: everything that it says.
    package let statement: String
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
        bundle: BundleID, publicKey: PublicKey, statement: String, signature: [UInt8], signedAt: Instant,
        identifier: [UInt8],
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
        self.statement = statement
        self.signature = signature
        self.signedAt = signedAt
        self.identifier = identifier
        self.vendorIdentifier = vendorIdentifier
        self.appVersion = appVersion
        self.language = language
        self.storefront = storefront
        self.isSimulator = isSimulator
    }

    /// Refuses a device that does not hold the key, or signed too long ago.
    package func requireProof(at wallTime: Instant) throws {
        let distance = wallTime - signedAt
        guard (.zero - Self.tolerance...Self.tolerance).contains(distance) else {
            throw ServiceError(
                .registrationRefused,
                "the registration was not signed within the last quarter of an hour; the clock of "
                    + "the store says \(wallTime.rfc3339)", parameter: "signedAt")
        }
        guard publicKey.algorithm == .p256,
            try publicKey.isValidSignature(signature, for: statement.utf8)
        else {
            throw ServiceError(
                .registrationRefused,
                "the signature does not belong to the key and to everything that the registration says",
                parameter: "signature")
        }
    }

    /// Notes that the signature was used, and refuses one that was used before: who has seen it go by could register with it
    /// again. A device whose answer was lost signs anew.
    func useUp(at wallTime: Instant, in transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM registration_proof WHERE expires_at < $1", wallTime)
        // The clock of a device may be early by the tolerance, and its statement is good until it is late by as much.
        let expiry = wallTime + Self.tolerance + Self.tolerance
        // The signature is part of it, as two of one millisecond may say the same.
        let hash = try DigestAlgorithm.sha256.digest(
            Array(statement.utf8) + (ECDSASignature.nonce(of: signature) ?? []))
        guard
            try transaction.insertIfNew(
                into: "registration_proof", ["statement_hash": hash, "expires_at": expiry])
        else {
            throw ServiceError(
                .registrationRefused, "this registration was used before; sign another one", parameter: "signature")
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
