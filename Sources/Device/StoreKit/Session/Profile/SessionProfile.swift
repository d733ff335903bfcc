import Foundation
package import StoreModel
import StoreSigning

/// The provisioning profile of the app, verified, with all that follows from it.
package final class SessionProfile: Sendable {
    /// The most bytes of a profile.
    static let longestProfile = 256 * 1024

    /// As the store is shown it.
    package let text: String
    package let content: ProvisioningProfile
    /// The app.
    package let bundle: BundleID
    /// Twelve digits that tell the store from all others, also after it has got new roots: those of its first root.
    package let store: String
    let transactions: JWSVerifier
    let receipts: ReceiptVerifier

    /// Reads a profile, and throws ``ProfileError`` unless something can be sold with it.
    ///
    /// That the profile is whole is proven by its own roots; who made it is believed, because it was put where it is.
    ///
    /// - Parameter bundle: what the app says it is, if it does.
    package init(_ text: String, bundle: String?) throws {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count <= Self.longestProfile else {
            throw ProfileError(.malformed, "the provisioning profile exceeds \(Self.longestProfile) bytes")
        }
        content = try Self.claims(of: text)
        let roots: [Certificate]
        do {
            roots = try content.jwsRoots.map(Self.certificate)
            receipts = try ReceiptVerifier(roots: content.receiptRoots.map(Self.certificate))
            transactions = try JWSVerifier(roots: roots)
            _ = try transactions.verify(text)
        } catch {
            throw ProfileError(.untrusted, "the provisioning profile was changed or damaged: \(error)")
        }
        guard let oldest = roots.first else { throw ProfileError(.untrusted, "the provisioning profile has no roots") }
        guard content.canSell, let app = content.bundleId.bundleID else {
            throw ProfileError(
                .wildcard,
                "the provisioning profile is for \(content.bundleId); nothing can be sold with one for many apps")
        }
        if let bundle, bundle != app.text {
            throw ProfileError(.otherApp, "the provisioning profile is for \(app), and this app is \(bundle)")
        }
        guard content.environment != .production || content.storeUrl.isPrivate else {
            throw ProfileError(.notPrivate, "a production profile needs https, or a store on this machine")
        }
        self.text = text
        self.bundle = app
        let digest = try DigestAlgorithm.sha256.digest(oldest.derRepresentation)
        store = digest.prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func certificate(_ text: String) throws -> Certificate {
        guard let der = Base64.decode(text) else {
            throw ProfileError(.malformed, "a root of the provisioning profile is not Base64")
        }
        return try Certificate(derRepresentation: der)
    }

    /// What a profile says, not yet believed.
    private static func claims(of text: String) throws -> ProvisioningProfile {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64.decode(parts[1], .url),
            let content = try? JSONDecoder().decode(ProvisioningProfile.self, from: Data(payload))
        else {
            throw ProfileError(.malformed, "the file is no provisioning profile; make one with till provision")
        }
        return content
    }
}
