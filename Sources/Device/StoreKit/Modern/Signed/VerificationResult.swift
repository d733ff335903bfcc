/// A value that the store signed, with what came of verifying it on this device.
@frozen public enum VerificationResult<SignedType> {
    /// The value could not be verified: do not give anything for it.
    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
    /// The store signed the value for this app on this device.
    case verified(SignedType)

    /// The value; throws the error if it is not verified.
    public var payloadValue: SignedType {
        get throws {
            switch self {
            case .verified(let value): return value
            case .unverified(_, let error): throw error
            }
        }
    }

    /// The value, whether it is verified or not.
    public var unsafePayloadValue: SignedType {
        switch self {
        case .verified(let value), .unverified(let value, _): value
        }
    }
}

extension VerificationResult: Equatable where SignedType: Equatable {}
extension VerificationResult: Hashable where SignedType: Hashable {}
extension VerificationResult: Sendable where SignedType: Sendable {}

extension VerificationResult: CustomDebugStringConvertible where SignedType: CustomDebugStringConvertible {
    /// The value and what came of verifying it.
    public var debugDescription: String {
        switch self {
        case .verified(let value): "verified(\(value.debugDescription))"
        case .unverified(let value, let error): "unverified(\(value.debugDescription), \(error))"
        }
    }
}

extension VerificationResult {
    /// Why a value is not verified.
    public enum VerificationError: Error, Equatable, Hashable, Sendable {
        /// A certificate of its chain was revoked. A device believes the roots of its provisioning profile, and asks nobody what was
        /// revoked since: the error comes where a test lets every verification fail with it, and nowhere else. A store whose key was
        /// stolen gives out profiles with another root, and what the former one signed has ``invalidCertificateChain`` then.
        case revokedCertificate
        /// Its certificates do not lead to a root of the app's provisioning profile.
        case invalidCertificateChain
        /// It was signed for another device.
        case invalidDeviceVerification
        /// It is no JWS, or says nothing that can be read.
        case invalidEncoding
        /// Its signature does not belong to what it says.
        case invalidSignature
        /// It lacks what it must say, or is of another app or environment.
        case missingRequiredProperties
    }
}
