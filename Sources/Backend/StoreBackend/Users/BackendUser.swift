public import StoreModel

/// A user of the developer's own: somebody who bought, as the developer's server knows them.
public struct BackendUser: Codable, Hashable, Sendable {
    /// The most bytes of an id.
    public static let longestID = 255

    /// What the developer's server knows them by; it never changes.
    public let id: String
    /// What they call themselves.
    public var name: String?
    /// The token that the app hands to purchases of this user.
    public var appAccountToken: AppAccountToken?

    /// Makes a user; throws if the id is empty, too long, or has characters that turn what is shown around it.
    public init(id: String, name: String? = nil, appAccountToken: AppAccountToken? = nil) throws {
        guard !id.isEmpty, id.utf8.count <= Self.longestID, NameRule.flaw(of: id) == nil else {
            throw BackendError(
                .invalidValue, "The id of a user has 1 to \(Self.longestID) bytes and no control characters.",
                parameter: "user")
        }
        self.init(known: id, name: name, appAccountToken: appAccountToken)
    }

    /// Makes a user of an id that was read from the database.
    init(known id: String, name: String? = nil, appAccountToken: AppAccountToken? = nil) {
        self.id = id
        self.name = name
        self.appAccountToken = appAccountToken
    }
}

/// Where users are found by the token of a request: the place to plug in accounts that exist already.
public protocol UserDirectory: Sendable {
    /// The user whose token this is; nil if it is nobody's, or holds no longer.
    func user(withToken token: String, at now: Instant) async throws -> BackendUser?
}

/// A user who has just signed in.
public struct SignedIn: Hashable, Sendable {
    /// Who it is.
    public let user: BackendUser
    /// What the app sends with each request. It is kept nowhere else: the database has a digest.
    public let token: String
    /// Until when the token holds.
    public let expires: Instant
}
