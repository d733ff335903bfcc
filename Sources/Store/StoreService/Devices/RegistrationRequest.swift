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
