import Foundation
package import StoreModel
package import StoreSigning

/// Verifies what the store signed, by the roots of the app's provisioning profile.
///
/// Everything is checked on the device: algorithm, chain with its markers and dates, signature, app, environment, and whether it
/// was signed for this device. A value that fails is handed out too, with the first thing that is wrong.
package struct SignedValueVerifier: Sendable {
    private let verifier: JWSVerifier
    private let app: BundleID
    private let environment: AppStore.Environment
    private let device: UUID?
    private let failure: (@Sendable () -> (any Error)?)?

    /// - Parameters:
    ///   - device: what ``AppStore/deviceVerificationID`` is; nil checks nothing of it.
    ///   - failure: what a test lets every verification fail with, a `VerificationResult<Any>.VerificationError`.
    package init(_ profile: SessionProfile, device: UUID?, failure: (@Sendable () -> (any Error)?)? = nil) {
        self.init(
            verifier: profile.transactions, app: profile.bundle, environment: profile.content.environment,
            device: device, failure: failure)
    }

    package init(
        verifier: JWSVerifier, app: BundleID, environment: StoreEnvironment, device: UUID?,
        failure: (@Sendable () -> (any Error)?)? = nil
    ) {
        self.verifier = verifier
        self.app = app
        self.environment = AppStore.Environment(rawValue: WireEnvironment(environment).rawValue)
        self.device = device
        self.failure = failure
    }

    /// A transaction, and whether it is good.
    package func transaction(_ jws: String) -> VerificationResult<Transaction> { result(jws) }

    /// What comes after the current period of a subscription, and whether it is good.
    package func renewalInfo(_ jws: String) -> VerificationResult<Product.SubscriptionInfo.RenewalInfo> { result(jws) }

    /// The customer's download of the app, and whether it is good.
    package func appTransaction(_ jws: String) -> VerificationResult<AppTransaction> { result(jws) }

    /// A transaction whose signature was verified before.
    package func transaction(_ verified: VerifiedTransaction) -> VerificationResult<Transaction> {
        judged(Transaction(SignedText(verified.signed)))
    }

    private func result<Value: SignedValue>(_ jws: String) -> VerificationResult<Value> {
        do {
            let payload = try verifier.verify(jws).payload
            return judged(Value(SignedText(jws, payload: payload)))
        } catch {
            let value = Value(SignedText(jws))
            return .unverified(value, .init(error, isUndated: value.isReadable && value.signedDate == .missing))
        }
    }

    /// A value whose signature is good, and whether it is for this app on this device.
    private func judged<Value: SignedValue>(_ value: Value) -> VerificationResult<Value> {
        if let error = failure?() as? VerificationResult<Any>.VerificationError {
            return .unverified(value, .init(like: error))
        }
        guard value.isReadable else { return .unverified(value, .invalidEncoding) }
        guard value.isComplete, value.app ?? app.text == app.text, value.environment == environment else {
            return .unverified(value, .missingRequiredProperties)
        }
        guard isForDevice(value) else { return .unverified(value, .invalidDeviceVerification) }
        return .verified(value)
    }

    private func isForDevice(_ value: some SignedValue) -> Bool {
        guard let device else { return true }
        let nonce = value.deviceVerificationNonce
        guard let expected = try? DeviceVerification.digest(nonce: nonce, device: device) else { return false }
        return Array(value.deviceVerification) == expected
    }
}

extension VerificationResult.VerificationError {
    /// The error of the same name for another type.
    fileprivate init(like error: VerificationResult<Any>.VerificationError) {
        switch error {
        case .revokedCertificate: self = .revokedCertificate
        case .invalidCertificateChain: self = .invalidCertificateChain
        case .invalidDeviceVerification: self = .invalidDeviceVerification
        case .invalidEncoding: self = .invalidEncoding
        case .invalidSignature: self = .invalidSignature
        case .missingRequiredProperties: self = .missingRequiredProperties
        }
    }

    /// What an app gets for an error of a verification.
    ///
    /// - Parameter isUndated: whether the payload can be read and lacks the date by which certificates are judged.
    fileprivate init(_ error: any Error, isUndated: Bool) {
        switch (error as? SigningError)?.code {
        case .revokedCertificate?, .signerRevoked?: self = .revokedCertificate
        case .untrustedChain?, .invalidChainLength?, .invalidCertificatePurpose?, .outsideValidity?:
            self = .invalidCertificateChain
        case .malformed?: self = isUndated ? .missingRequiredProperties : .invalidEncoding
        case .tooLarge?: self = .invalidEncoding
        default: self = .invalidSignature
        }
    }
}

extension VerificationResult where SignedType == Transaction {
    /// A transaction as the store signed it, verified by a profile.
    package init(signed jws: String, by profile: SessionProfile, device: UUID?) {
        self = SignedValueVerifier(profile, device: device).transaction(jws)
    }
}

extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
    /// What comes after a period as the store signed it, verified by a profile.
    package init(signed jws: String, by profile: SessionProfile, device: UUID?) {
        self = SignedValueVerifier(profile, device: device).renewalInfo(jws)
    }
}

extension VerificationResult where SignedType == AppTransaction {
    /// The download of the app as the store signed it, verified by a profile.
    package init(signed jws: String, by profile: SessionProfile, device: UUID?) {
        self = SignedValueVerifier(profile, device: device).appTransaction(jws)
    }
}
