import StoreCatalogue
import StoreDatabase
import StoreLog
import StoreModel

/// Counts wrong passwords and codes over all servers of a database, so that nobody finds one by trying.
///
/// | what | counted together | limit |
/// |---|---|---|
/// | at an account, where it has signed in before | at that place | ``GuessLimit/accountAtPlace`` |
/// | at an account, elsewhere | at that place; and at all such places | that one; ``GuessLimit/accountElsewhere`` |
/// | at a person of the console, in a browser in which the person has signed in before | there | ``GuessLimit/accountAtPlace`` |
/// | at any account | on that device, or from that network | ``GuessLimit/device``, ``GuessLimit/network`` |
///
/// So a stranger who knows an address keeps nobody from signing in where the account has signed in before.
package struct GuessCounts: Sendable {
    private let environment: StoreEnvironment
    private let database: any Database
    private let secret: PageSecret
    private let wall: @Sendable () -> Instant
    private let log: Log
    /// What was refused, and logged, lately.
    private let told = Throttle<[String]>(step: .seconds(10 * 60))

    init(
        _ environment: StoreEnvironment, _ database: any Database, _ secret: PageSecret,
        wall: @escaping @Sendable () -> Instant, log: Log
    ) {
        self.environment = environment
        self.database = database
        self.secret = secret
        self.wall = wall
        self.log = log
    }

    /// Lets somebody guess, unless it was too often. What was right does not count, and its place is remembered.
    ///
    /// A guess counts from its beginning, so that many at once are not free.
    package func guess<Result: Sendable>(
        at place: GuessPlace, of subject: GuessSubject, _ body: () async throws -> Result?
    ) async throws -> Result? {
        let counted = try await begin(at: place, of: subject)
        let result: Result?
        do {
            result = try await body()
        } catch {
            try await end(counted, isRight: false)
            throw error
        }
        if result != nil { try await end(counted, isRight: true) }
        return result
    }

    private static let thisMachine = "this machine"

    /// A guess that was counted.
    private struct Counted: Sendable {
        let counts: [GuessCount]
        let customer: CustomerID?
        let places: [[UInt8]]
    }

    private func begin(at place: GuessPlace, of subject: GuessSubject) async throws -> Counted {
        let (names, now) = (place.names, wall())
        var keys: [String: [UInt8]] = [:]
        for name in names + [subject.name] + (names + [Self.thisMachine]).map({ "\(subject.name) at \($0)" }) {
            keys[name] = try await secret.shortCode(of: name)
        }
        let known = keys
        let (counted, wait) = try await database.write(isolation: .snapshot) { transaction in
            let counts = try Self.counts(at: names, of: subject, known, in: transaction)
            let ends = try counts.map { try $0.end(in: transaction) }
            let waits = zip(counts, ends).compactMap { $0.limit.wait($1, at: now) }
            if waits.isEmpty {
                for (count, end) in zip(counts, ends) {
                    try count.set(count.limit.counting(end, at: now), in: transaction)
                }
            }
            let counted = Counted(
                counts: counts, customer: subject.account, places: names.compactMap { known[$0] })
            return (counted, waits.max())
        }
        guard let wait else { return counted }
        tell(place, subject, wait, at: now)
        let seconds = Int64((wait / .seconds(1)).rounded(.up))
        throw ServiceError(
            .tooMany, "there were too many wrong guesses; try again in \(seconds) seconds", parameter: "password",
            retryAfter: .seconds(seconds))
    }

    /// What a guess counts for.
    private static func counts(
        at names: [String], of subject: GuessSubject, _ keys: [String: [UInt8]], in transaction: any ReadTransaction
    ) throws -> [GuessCount] {
        func count(_ name: String, _ limit: GuessLimit) -> [GuessCount] {
            keys[name].map { [GuessCount(key: $0, limit: limit)] } ?? []
        }
        let ofPlace = names.first.map { count($0, $0.hasPrefix("network") ? .network : .device) } ?? []
        if let limit = subject.limit { return ofPlace + count(subject.name, limit) }
        let familiar = try names.first { name in
            guard let customer = subject.account, let key = keys[name] else { return false }
            return try FamiliarPlaces.isKnown(key, to: customer, in: transaction)
        }
        // Who types on this machine, or behind a proxy that was not named, is at one place, where the console is concerned.
        if case .person = subject {
            if names.isEmpty { return count("\(subject.name) at \(Self.thisMachine)", .accountAtPlace) }
            // Where the person has signed in before, nobody else's guesses count.
            if let browser = names.first, browser.hasPrefix("browser") {
                return count("\(subject.name) at \(browser)", .accountAtPlace)
            }
        }
        let atPlace = (familiar ?? names.first).map { count("\(subject.name) at \($0)", .accountAtPlace) } ?? []
        return ofPlace + atPlace + (familiar == nil ? count(subject.name, .accountElsewhere) : [])
    }

    private func tell(_ place: GuessPlace, _ subject: GuessSubject, _ wait: Duration, at now: Instant) {
        let at = place.names.first ?? "this machine"
        guard told.allows([at, subject.sayable], at: now) else { return }
        log.warning(
            "guesses.refused", "Too many wrong passwords or codes; further ones are refused for a while.",
            [
                "environment": .text(environment.rawValue), "subject": .text(subject.sayable), "place": .text(at),
                "seconds": .number(wait.components.seconds),
            ])
    }

    /// Takes back a guess that was right, or that came to nothing.
    private func end(_ counted: Counted, isRight: Bool) async throws {
        let now = wall()
        try await database.write(isolation: .snapshot) { transaction in
            for count in counted.counts {
                if let end = try count.end(in: transaction) {
                    try count.set(count.limit.takingBack(end), in: transaction)
                }
            }
            guard isRight, let customer = counted.customer else { return }
            for place in counted.places { try FamiliarPlaces.remember(place, of: customer, at: now, in: transaction) }
        }
    }

    /// Remembers that an account has proven itself at a place by other means than its password.
    func remember(_ place: GuessPlace, of customer: CustomerID) async throws {
        let now = wall()
        for name in place.names {
            let key = try await secret.shortCode(of: name)
            try await database.write(isolation: .snapshot) { transaction in
                try FamiliarPlaces.remember(key, of: customer, at: now, in: transaction)
            }
        }
    }
}

extension GuessSubject {
    /// How often it is guessed at from all places together; nil for accounts, at which places are told apart.
    fileprivate var limit: GuessLimit? {
        switch self {
        case .account, .address, .person: nil
        case .codesOfCustomer, .codesOnDevice: .codes
        case .secondFactor: .secondFactor
        case .application: .applications
        }
    }

    /// The account that proves itself by a right guess.
    fileprivate var account: CustomerID? { if case .account(let id) = self { id } else { nil } }
}

/// A row that says how many guesses of one kind there were: by when all are forgotten.
private struct GuessCount: Sendable {
    let key: [UInt8]
    let limit: GuessLimit

    func end(in transaction: any ReadTransaction) throws -> Instant? {
        try transaction.optional("SELECT forgotten_at FROM wrong_guess WHERE count_key = $1", key) { try $0.value(0) }
    }

    func set(_ end: Instant, in transaction: any WriteTransaction) throws {
        try transaction.insertOrUpdate("wrong_guess", ["forgotten_at": end], key: ["count_key": key])
    }
}

/// The places where accounts have signed in.
enum FamiliarPlaces {
    /// How many there are of an account; the one that was used longest ago makes room.
    static let limit = 20
    /// How long one is remembered after it was used.
    static let memory = Duration.seconds(400 * 24 * 60 * 60)
    /// How exactly it is known when one was used.
    private static let step = Duration.seconds(24 * 60 * 60)

    static func isKnown(_ place: [UInt8], to customer: CustomerID, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.value(
            "SELECT count(*) FROM familiar_place WHERE customer_id = $1 AND place = $2", customer, place,
            as: Int.self) > 0
    }

    static func remember(
        _ place: [UInt8], of customer: CustomerID, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        let isNew = try transaction.insertIfNew(
            into: "familiar_place", ["customer_id": customer, "place": place, "used_at": now])
        guard isNew else {
            try transaction.execute(
                "UPDATE familiar_place SET used_at = $3 WHERE customer_id = $1 AND place = $2 AND used_at < $4",
                customer, place, now, now - step)
            return
        }
        try transaction.execute(
            """
            DELETE FROM familiar_place WHERE customer_id = $1 AND place NOT IN (
                SELECT place FROM familiar_place WHERE customer_id = $1 ORDER BY used_at DESC, place LIMIT $2)
            """, customer, limit)
    }

    /// Forgets those of an account, as whoever knew its password may be among them.
    static func forget(of customer: CustomerID, in transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM familiar_place WHERE customer_id = $1", customer)
    }
}

extension GuessCounts {
    static let tables: [SQL] = [
        """
        CREATE TABLE wrong_guess (
            count_key \(.bytes) NOT NULL PRIMARY KEY, forgotten_at \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE INDEX wrong_guess_end ON wrong_guess (forgotten_at)",
        // Places are codes that only this store can make of addresses and devices.
        """
        CREATE TABLE familiar_place (
            customer_id \(.integer) NOT NULL REFERENCES customer (id), place \(.bytes) NOT NULL,
            used_at \(.integer) NOT NULL, PRIMARY KEY (customer_id, place)
        ) \(.table)
        """,
        "CREATE INDEX familiar_place_end ON familiar_place (used_at)",
    ]

    /// Removes what counts no more and places that were not used for long; returns how many of the kind with the most.
    static func removeForgotten(at wall: Instant, limit: Int, in transaction: any WriteTransaction) throws -> Int {
        let guesses = try transaction.execute(
            """
            DELETE FROM wrong_guess WHERE count_key IN (
                SELECT count_key FROM wrong_guess WHERE forgotten_at <= $1 ORDER BY forgotten_at LIMIT $2)
            """, wall, limit)
        let places = try transaction.execute(
            """
            DELETE FROM familiar_place WHERE (customer_id, place) IN (
                SELECT customer_id, place FROM familiar_place WHERE used_at < $1 ORDER BY used_at LIMIT $2)
            """, wall - FamiliarPlaces.memory, limit)
        return max(guesses, places)
    }
}
