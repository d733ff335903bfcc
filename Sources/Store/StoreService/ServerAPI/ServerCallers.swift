package import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreSigning
import Synchronization

/// A server of a developer that asks about an app, as its token proves.
package struct ServerCaller: Sendable {
    /// The key of its team, in the environment that it asks.
    package let actor: Actor
    package let app: AppID
    package let bundle: BundleID

    package init(actor: Actor, app: AppID, bundle: BundleID) {
        self.actor = actor
        self.app = app
        self.bundle = bundle
    }
}

/// Why a token opens nothing: a sentence that names what of it is wrong.
package struct Unauthenticated: Error, Hashable {
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// Finds out which server asks, by the token that it shows.
///
/// Key and app are looked up with every request, so that one that was revoked opens nothing from then on. What is remembered
/// is what cannot change: that a text bears the signature of a key.
package final class ServerCallers: Sendable {
    private let environment: StoreEnvironment
    private let catalogue: any Database
    private let wall: @Sendable () -> Instant
    private let uses = Throttle<String>(step: APIKeys.useStep)
    private let verified = Mutex<[String: Verified]>([:])

    /// A token whose signature was found to be good, and the key by which it was.
    private struct Verified {
        let token: BearerToken
        let publicKey: [UInt8]
    }

    /// Tokens that are remembered.
    private static let most = 2000

    package init(_ store: EnvironmentStore) {
        environment = store.environment
        catalogue = store.catalogue
        wall = store.clocks.wall
    }

    /// Who shows a token. Throws ``Unauthenticated`` for one that opens nothing, ``ServerAPIError`` for the app that it names.
    package func caller(showing text: String) async throws -> ServerCaller {
        let remembered = verified.withLock { $0[text] }
        let said =
            try remembered.map { (keyID: $0.token.keyID, bundleID: $0.token.claims.bundleID) }
            ?? Self.named("the token") { try BearerToken.unverified(text) }
        let (key, app) = try await catalogue.lookUp { transaction in
            let bundle = said.bundleID.flatMap { BundleID($0) }
            return (
                try APIKeys.find(said.keyID, in: transaction),
                try bundle.flatMap { try Catalogue.app($0, in: transaction) }
            )
        }
        let known = try open(key, called: said.keyID)
        let now = wall()
        let token = try verify(text, remembered, known, at: now)
        guard let bundle = token.claims.bundleID else {
            throw Unauthenticated("bid: the token names no app; it is the bundle id")
        }
        guard BundleID(bundle) != nil else {
            throw ServerAPIError(.invalidAppIdentifier, "bid: \(bundle) has not the form of a bundle id")
        }
        guard let app, app.teamID == known.team else {
            throw ServerAPIError(
                .appNotFound, "bid: team \(known.team), whose key \(known.id) is, has no app \(bundle)")
        }
        if uses.allows(known.id, at: now) {
            // Where nothing can be written, something can still be read.
            try? await APIKeys.noteUse(of: known.id, at: now, in: catalogue)
        }
        return ServerCaller(actor: Actor(known, in: environment), app: app.id, bundle: app.bundleID)
    }

    /// The key, if it opens anything here.
    private func open(_ key: APIKeys.Entry?, called id: String) throws(Unauthenticated) -> APIKeys.Entry {
        guard let key else {
            throw Unauthenticated("kid: there is no key \(id); till api-key list shows those that there are")
        }
        if let revokedAt = key.revokedAt {
            throw Unauthenticated("kid: the key \(id) was revoked at \(revokedAt.rfc3339)")
        }
        guard key.reaches(environment) else {
            throw Unauthenticated(
                "kid: the key \(id) is of the \(key.environment?.rawValue ?? ""), and this is the \(environment)")
        }
        return key
    }

    private func verify(
        _ text: String, _ remembered: Verified?, _ key: APIKeys.Entry, at now: Instant
    ) throws(Unauthenticated) -> BearerToken {
        if let known = remembered, known.publicKey == key.publicKey {
            try Self.named("exp") { try known.token.requireTime(at: now, lifetime: .serverAPI) }
            return known.token
        }
        let token = try Self.named("the token") {
            try BearerToken(verifying: text, at: now, lifetime: .serverAPI) { _ in
                KnownKey(
                    keyID: key.id, issuerID: key.issuer,
                    publicKey: try PublicKey(derRepresentation: key.publicKey))
            }
        }
        guard token.claims.issuerID == key.issuer else {
            throw Unauthenticated("iss: the issuer of team \(key.team) is \(key.issuer)")
        }
        verified.withLock { verified in
            if verified.count >= Self.most { verified = [:] }
            verified[text] = Verified(token: token, publicKey: key.publicKey)
        }
        return token
    }

    /// What is wrong with a token, by the part of it that is.
    private static func named<Value>(
        _ part: String, _ body: () throws -> Value
    ) throws(Unauthenticated) -> Value {
        do {
            return try body()
        } catch let error as SigningError {
            throw Unauthenticated(error.code == .invalidSignature ? "signature: \(error.message)" : error.message)
        } catch {
            throw Unauthenticated("\(part) cannot be read")
        }
    }
}
