import StoreModel

/// What guesses are counted for.
struct GuessSubject: Hashable, Sendable {
    let text: String
    let limit: Int
    /// Whether the right password makes it forget all guesses, and not only this one.
    let endsWithSuccess: Bool

    /// The accounts that are made from an address, which have nothing to do with its wrong passwords.
    static func accounts(from address: String, limit: Int) -> GuessSubject {
        GuessSubject("accounts from \(address)", limit: limit, endsWithSuccess: false)
    }

    private init(_ text: String, limit: Int, endsWithSuccess: Bool) {
        (self.text, self.limit, self.endsWithSuccess) = (text, limit, endsWithSuccess)
    }

    /// The name from this address, the name from everywhere, and the address for all names.
    static func all(name: String, address: String?, limits: BackendLimits) -> [GuessSubject] {
        [
            GuessSubject(
                "name \(name) from \(address ?? "anywhere")", limit: limits.guessesPerName, endsWithSuccess: true),
            GuessSubject("name \(name)", limit: limits.guessesPerAddress, endsWithSuccess: false),
        ]
            + (address.map {
                [GuessSubject("address \($0)", limit: limits.guessesPerAddress, endsWithSuccess: false)]
            } ?? [])
    }
}

/// The table of wrong passwords, and of accounts that were made.
struct GuessTable {
    let connection: any BackendConnection
    let limits: BackendLimits

    init(_ connection: any BackendConnection, limits: BackendLimits) {
        self.connection = connection
        self.limits = limits
    }

    /// Counts a guess; throws ``BackendError/Code/tooManyRequests`` if there were too many, and counts nothing then.
    func count(_ subjects: [GuessSubject], at now: Instant) throws {
        try connection.run(
            "DELETE FROM backend_guess WHERE since <= $1", [SQLValue(now - .seconds(limits.guessSeconds))])
        for subject in subjects {
            let row = try connection.run(
                """
                INSERT INTO backend_guess (subject, guesses, since) VALUES ($1, 1, $2)
                ON CONFLICT (subject) DO UPDATE SET guesses = backend_guess.guesses + 1 RETURNING guesses, since
                """, [.text(subject.text), SQLValue(now)]
            ).first
            guard let row else { continue }
            let guesses = try row.requiredInteger(0)
            if guesses == Int64(subject.limit) {
                try AuditTable(connection).note(.guessesExhausted, "\(guesses) for the \(subject.text)", at: now)
            }
            guard guesses > Int64(subject.limit) else { continue }
            let wait = try row.requiredInstant(1) + .seconds(limits.guessSeconds) - now
            throw BackendError(
                .tooManyRequests, "There were too many tries; wait for some minutes.",
                retryAfter: max(1, Int(wait.components.seconds)))
        }
    }

    /// Takes back the count of a guess that was right.
    func forgive(_ subjects: [GuessSubject]) throws {
        for subject in subjects {
            let statement =
                subject.endsWithSuccess
                ? "DELETE FROM backend_guess WHERE subject = $1"
                : "UPDATE backend_guess SET guesses = guesses - 1 WHERE subject = $1"
            try connection.run(statement, [.text(subject.text)])
        }
    }
}
