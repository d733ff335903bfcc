import Foundation
package import StoreModel
package import StoreSigning

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
