public import StoreModel

/// The server of an app's developer: it lists products, verifies and records what was bought, and gives what was paid for.
///
/// Everything is written into ``database`` with one transaction for each call, together with its entry in the audit. It
/// reads no clock: every call says when it is.
public final class Backend: Sendable {
    /// Where everything is kept.
    public let database: BackendDatabase
    /// How it behaves.
    public let settings: BackendSettings
    /// The accounts of its own.
    public let accounts: BackendAccounts
    /// Who says whether a proof is true.
    let verifier: any PaymentVerifier
    /// Who knows users by their tokens.
    let users: any UserDirectory
    /// The files of its contents; nil if it has none.
    let library: ContentLibrary?
    /// The lists of products that were read already.
    let lists = ListCache()
    /// Who says whether a notification is true; nil if none are taken.
    let notificationVerifier: NotificationVerifier?
    /// The store that is asked for what was missed.
    let store: StoreConnection?

    /// Makes a backend.
    ///
    /// - Parameters:
    ///   - database: where everything is kept.
    ///   - verifier: who says whether a proof is true: a store that is asked, or pinned certificates.
    ///   - settings: the apps, and how it behaves.
    ///   - library: the files of its contents.
    ///   - users: where users are found by their tokens, if not among ``accounts``.
    ///   - notifications: who says whether a notification of the store is true; nil to take none.
    ///   - store: the store that ``catchUp(at:)`` asks for what was missed.
    public convenience init(
        database: BackendDatabase, verifier: any PaymentVerifier, settings: BackendSettings,
        library: ContentLibrary? = nil, users: (any UserDirectory)? = nil,
        notifications: NotificationVerifier? = nil, store: StoreConnection? = nil
    ) {
        self.init(
            database: database, verifier: verifier, settings: settings, library: library, users: users,
            accounts: BackendAccounts(database: database, limits: settings.limits), notifications: notifications,
            store: store)
    }

    package init(
        database: BackendDatabase, verifier: any PaymentVerifier, settings: BackendSettings, library: ContentLibrary?,
        users: (any UserDirectory)?, accounts: BackendAccounts, notifications: NotificationVerifier? = nil,
        store: StoreConnection? = nil
    ) {
        self.database = database
        self.verifier = verifier
        self.settings = settings
        self.library = library
        self.accounts = accounts
        self.users = users ?? accounts
        notificationVerifier = notifications
        self.store = store
    }

    /// Makes the tables that are not there yet. Call it once at the start.
    public func prepare(at now: Instant) async throws {
        try await database.transaction { try BackendSchema.prepare($0, at: now) }
    }

    /// Takes in what was bought, within a transaction of the database.
    func recorder(_ connection: any BackendConnection, at now: Instant) -> PurchaseRecorder {
        PurchaseRecorder(
            connection, settings: settings, lists: lists, knowsUsers: users is BackendAccounts, at: now)
    }

    /// The user whose token this is; throws ``BackendError/Code/notSignedIn`` if it is nobody's.
    public func user(withToken token: String, at now: Instant) async throws -> BackendUser {
        guard let user = try await users.user(withToken: token, at: now) else {
            throw BackendError(.notSignedIn, "The token is nobody's, or holds no longer; sign in again.")
        }
        return user
    }

    /// The audit, the oldest entries first, at most ``BackendLimits/auditEntriesPerPage`` of them.
    ///
    /// - Parameters:
    ///   - number: entries up to this one are left out.
    ///   - user: whose entries are asked for, with those about what the user bought; nil for all.
    public func audit(after number: Int64 = 0, of user: BackendUser? = nil) async throws -> [AuditEntry] {
        let limit = settings.limits.auditEntriesPerPage
        return try await database.transaction { connection in
            try AuditTable(connection).entries(after: number, of: user, atMost: limit)
        }
    }
}
