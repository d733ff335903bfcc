public import Foundation

// The same members stand once for each type that the store signs, as they do on Apple's platforms: no other type has them.

extension VerificationResult where SignedType == Transaction {
    /// The transaction as the store signed it, for a server to verify.
    public var jwsRepresentation: String { unsafePayloadValue.signed.jws }

    /// The first part of the JWS, decoded: algorithm and certificates.
    public var headerData: Data { unsafePayloadValue.signed.header }

    /// The second part of the JWS, decoded: what the transaction says.
    public var payloadData: Data { Data(unsafePayloadValue.signed.payload) }

    /// The third part of the JWS, decoded.
    public var signatureData: Data { unsafePayloadValue.signed.signature }

    /// What the signature is of: the first two parts with the point between.
    public var signedData: Data { unsafePayloadValue.signed.signedData }

    /// The signature.
    public var signature: P256.Signing.ECDSASignature { .init(unchecked: signatureData) }

    /// When the store signed it.
    public var signedDate: Date { unsafePayloadValue.signedDate }

    /// Ties the transaction to the device that got it.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }

    /// What ``deviceVerification`` was made with.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}

extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
    /// The information as the store signed it, for a server to verify.
    public var jwsRepresentation: String { unsafePayloadValue.signed.jws }

    /// The first part of the JWS, decoded: algorithm and certificates.
    public var headerData: Data { unsafePayloadValue.signed.header }

    /// The second part of the JWS, decoded: what the information says.
    public var payloadData: Data { Data(unsafePayloadValue.signed.payload) }

    /// The third part of the JWS, decoded.
    public var signatureData: Data { unsafePayloadValue.signed.signature }

    /// What the signature is of: the first two parts with the point between.
    public var signedData: Data { unsafePayloadValue.signed.signedData }

    /// The signature.
    public var signature: P256.Signing.ECDSASignature { .init(unchecked: signatureData) }

    /// When the store signed it.
    public var signedDate: Date { unsafePayloadValue.signedDate }

    /// Ties the information to the device that got it.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }

    /// What ``deviceVerification`` was made with.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}

extension VerificationResult where SignedType == AppTransaction {
    /// The download as the store signed it, for a server to verify.
    public var jwsRepresentation: String { unsafePayloadValue.signed.jws }

    /// The first part of the JWS, decoded: algorithm and certificates.
    public var headerData: Data { unsafePayloadValue.signed.header }

    /// The second part of the JWS, decoded: what the download says.
    public var payloadData: Data { Data(unsafePayloadValue.signed.payload) }

    /// The third part of the JWS, decoded.
    public var signatureData: Data { unsafePayloadValue.signed.signature }

    /// What the signature is of: the first two parts with the point between.
    public var signedData: Data { unsafePayloadValue.signed.signedData }

    /// The signature.
    public var signature: P256.Signing.ECDSASignature { .init(unchecked: signatureData) }

    /// When the store signed it.
    public var signedDate: Date { unsafePayloadValue.signedDate }

    /// Ties the download to the device that got it.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }

    /// What ``deviceVerification`` was made with.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}
