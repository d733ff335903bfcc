import Foundation
public import StoreModel
package import StoreSigning

/// The accounts of a backend of its own: a name, a password that is kept as a hash, and tokens that are kept as digests.
public final class BackendAccounts: UserDirectory {
    /// How long the name of an account may be, in characters.
    public static let nameLength = 1...100
    /// How long a password may be, in bytes of UTF-8.
    public static let passwordLength = 8...PasswordHash.longestPassword
    /// The longest token that is looked up, in bytes.
    static let longestToken = 512

    private let database: BackendDatabase
    private let limits: BackendLimits
    private let passwords: PasswordQueue

    package init(database: BackendDatabase, limits: BackendLimits, scrypt: Scrypt = .standard) {
        self.database = database
        self.limits = limits
        passwords = PasswordQueue(longest: limits.waitingPasswords, scrypt: scrypt)
    }

    /// Makes an account and signs it in. Its id is a UUID, which is the user's ``BackendUser/appAccountToken`` too.
    ///
    /// - Parameter address: where the request comes from, so that nobody makes accounts without end; nil if that is not counted.
    public func signUp(
        name: String, password: String, from address: String?, at now: Instant
    ) async throws -> SignedIn {
        let folded = try Self.folded(name)
        try Self.check(password)
        let user = Self.user(id: UUID().uuidString.lowercased(), name: name)
        let limits = limits
        let subject = address.flatMap { address in
            limits.accountsPerAddress.map { GuessSubject.accounts(from: address, limit: $0) }
        }
        try await database.transaction { connection in
            if let subject { try GuessTable(connection, limits: limits).count([subject], at: now) }
            guard try AccountTable(connection).account(named: folded) == nil else { throw Self.nameTaken }
        }
        let hash = try await passwords.hash(password)
        let token = try Token.new()
        return try await database.transaction { connection in
            let accounts = AccountTable(connection)
            guard try accounts.add(user, foldedName: folded, hash: hash, at: now) else { throw Self.nameTaken }
            try AuditTable(connection).note(.userAdded, of: user.id, at: now)
            return try accounts.beginSession(of: user, token: token, limits: limits, at: now)
        }
    }

    /// Signs somebody in. After too many wrong passwords the name has to wait, and so has the address.
    ///
    /// It takes as long for a name that nobody has, so that nobody learns which accounts there are.
    public func signIn(
        name: String, password: String, from address: String?, at now: Instant
    ) async throws -> SignedIn {
        let folded = try Self.folded(name)
        let (limits, subjects) = (limits, GuessSubject.all(name: folded, address: address, limits: limits))
        // A guess is counted before it is checked, so that many at once are not more than the limit.
        let account = try await database.transaction { connection in
            try GuessTable(connection, limits: limits).count(subjects, at: now)
            return try AccountTable(connection).account(named: folded)
        }
        let isRight = try await passwords.matches(password, hash: account?.hash)
        let token = try Token.new()
        return try await database.transaction { connection in
            guard isRight, let account, try AccountTable(connection).account(named: folded) == account else {
                throw BackendError(.notSignedIn, "There is no user of this name with this password.")
            }
            try GuessTable(connection, limits: limits).forgive(subjects)
            try AuditTable(connection).note(.signedIn, of: account.user.id, at: now)
            return try AccountTable(connection).beginSession(of: account.user, token: token, limits: limits, at: now)
        }
    }

    /// Ends what a token is good for. A token that is nobody's is no error.
    public func signOut(token: String, at now: Instant) async throws {
        let digest = try Token.digest(token)
        try await database.transaction { connection in
            guard let userID = try AccountTable(connection).endSession(digest) else { return }
            try AuditTable(connection).note(.signedOut, of: userID, at: now)
        }
    }

    /// The user whose token this is; nil if it is nobody's, or holds no longer.
    public func user(withToken token: String, at now: Instant) async throws -> BackendUser? {
        guard token.utf8.count <= Self.longestToken else { return nil }
        let digest = try Token.digest(token)
        return try await database.transaction { try AccountTable($0).user(withDigest: digest, at: now) }
    }

    /// Gives an account another password, and ends everything that was signed in with the old one.
    public func changePassword(of user: BackendUser, to password: String, at now: Instant) async throws {
        try Self.check(password)
        let hash = try await passwords.hash(password)
        try await database.transaction { connection in
            guard try AccountTable(connection).changePassword(of: user, hash: hash) else { throw Self.noAccount }
            try AuditTable(connection).note(.passwordChanged, of: user.id, at: now)
        }
    }

    /// Removes an account. What its user bought is nobody's then, and belongs to the next user who brings it; what was
    /// credited is not credited again.
    public func remove(_ user: BackendUser, at now: Instant) async throws {
        try await database.transaction { connection in
            guard try AccountTable(connection).remove(user) else { throw Self.noAccount }
            try AuditTable(connection).note(.userRemoved, of: user.id, at: now)
        }
    }

    /// The user of a name; nil if there is none.
    public func user(named name: String) async throws -> BackendUser? {
        let folded = try Self.folded(name)
        return try await database.transaction { try AccountTable($0).account(named: folded)?.user }
    }

    /// The accounts in the order of their names, so many behind a name.
    public func list(after name: String = "", atMost limit: Int = 100) async throws -> [BackendUser] {
        let folded = name.isEmpty ? "" : try Self.folded(name)
        return try await database.transaction { try AccountTable($0).users(after: folded, atMost: limit) }
    }

    static func user(id: String, name: String) -> BackendUser {
        BackendUser(known: id, name: name, appAccountToken: AppAccountToken(id))
    }

    private static let nameTaken = BackendError(.nameTaken, "The name is taken; choose another.", parameter: "name")
    private static let noAccount = BackendError(.unknownUser, "There is no account of this user.", parameter: "user")

    /// The name by which two are the same: without the difference of capitals, nor what only joins letters, as some scripts
    /// need it. Nothing else that is not seen may be in a name.
    private static func folded(_ name: String) throws -> String {
        let isTrimmed = name.first?.isWhitespace == false && name.last?.isWhitespace == false
        let seen = name.unicodeScalars.filter { !$0.properties.isJoinControl }
        guard nameLength.contains(name.count), name.utf8.count <= BackendUser.longestID, isTrimmed,
            NameRule.flaw(of: name) == nil, !seen.isEmpty,
            !seen.contains(where: { $0.properties.generalCategory == .format })
        else {
            throw BackendError(
                .invalidValue,
                "A name has 1 to \(nameLength.upperBound) characters, none that is not seen, and no spaces at its ends.",
                parameter: "name")
        }
        return String(String.UnicodeScalarView(seen)).precomposedStringWithCanonicalMapping.lowercased()
    }

    private static func check(_ password: String) throws {
        guard passwordLength.contains(password.utf8.count) else {
            throw BackendError(
                .invalidValue,
                "A password has \(passwordLength.lowerBound) to \(passwordLength.upperBound) bytes.",
                parameter: "password")
        }
    }
}

/// What shows who sends a request.
enum Token {
    /// A token that nobody can guess.
    static func new() throws -> String { Base64.encode(try RandomBytes()(32), .url) }

    /// What is kept of it.
    static func digest(_ token: String) throws -> String {
        hexadecimal(try DigestAlgorithm.sha256.digest(Array(token.utf8)))
    }
}

/// Bytes in hexadecimal digits.
func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}
