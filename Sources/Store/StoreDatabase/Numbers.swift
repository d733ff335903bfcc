import StoreFoundation

/// Gives out the numbers of a database: each once, in rising order within a process, with gaps after a restart.
///
/// They are drawn before a transaction and not in it, because its closure may run again, and because a counter that every
/// purchase changes would make all of them wait for each other.
package actor Numbers {
    private struct Reserve {
        var next: Int64
        var end: Int64
    }

    /// How far the numbers leap when the database begins another life. What was given out after the backup that it was
    /// restored from is not given out again: devices, receipts and the processor know those numbers.
    package static let leap: Int64 = 100_000_000

    /// The table that the databases need whose numbers are given out.
    package static let tables: [SQL] = [
        """
        CREATE TABLE sequence (
            name \(.text) NOT NULL PRIMARY KEY, last \(.integer) NOT NULL, epoch \(.text) NOT NULL
        ) \(.table)
        """
    ]

    private let database: any Database
    private var reserves: [NumberSeries: Reserve] = [:]
    private var reservations: [NumberSeries: Task<Reserve, any Error>] = [:]

    package init(_ database: any Database) {
        self.database = database
    }

    /// The next number of a series.
    package func next(_ series: NumberSeries) async throws -> Int64 {
        while true {
            if let reserve = reserves[series], reserve.next < reserve.end {
                reserves[series]?.next += 1
                return reserve.next
            }
            try await refill(series)
        }
    }

    /// Several numbers of a series, rising.
    package func next(_ count: Int, of series: NumberSeries) async throws -> [Int64] {
        var numbers: [Int64] = []
        for _ in 0..<count { numbers.append(try await next(series)) }
        return numbers
    }

    /// One reservation at a time for a series. Who comes meanwhile waits for it, and the first of all that go on puts it
    /// into its place.
    private func refill(_ series: NumberSeries) async throws {
        let database = database
        let reservation =
            reservations[series]
            ?? Task(executorPreference: TaskThreads.executor) { try await Self.reserve(series, in: database) }
        reservations[series] = reservation
        let result = await reservation.result
        if reservations[series] == reservation {
            reservations[series] = nil
            reserves[series] = try result.get()
        }
        _ = try result.get()
    }

    /// Draws a number within a transaction: for what is rare, and of which is not known before whether it needs one. Two that
    /// draw of a series at once wait for each other.
    package static func draw(_ series: NumberSeries, in transaction: any WriteTransaction) throws -> Int64 {
        try reserve(1, of: series, in: transaction)
    }

    /// Lets a series go on behind a number.
    package static func pass(_ number: Int64, of series: NumberSeries, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            "UPDATE sequence SET last = $2 WHERE name = $1 AND last < $2", series.name, number)
    }

    private static func reserve(_ series: NumberSeries, in database: any Database) async throws -> Reserve {
        let last = try await database.write { try reserve(series.block, of: series, in: $0) }
        return Reserve(next: last - series.block + 1, end: last + 1)
    }

    /// Takes the next numbers of a series out of what others get; returns the last of them.
    private static func reserve(
        _ count: Int64, of series: NumberSeries, in transaction: any WriteTransaction
    ) throws -> Int64 {
        try transaction.value(
            """
            INSERT INTO sequence (name, last, epoch) VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET
                last = sequence.last + $4 + CASE WHEN sequence.epoch = $3 THEN 0 ELSE $5 END, epoch = $3
            RETURNING last
            """, series.name, series.first + count - 1, StoreProperty.epoch(in: transaction) ?? "", count, leap,
            as: Int64.self)
    }
}

/// What is counted in a database, each series by itself.
package struct NumberSeries: Hashable, Sendable {
    let name: String
    /// The first number of the series.
    let first: Int64
    /// How many numbers are reserved at once. What a process reserved and did not use before it ended is left out.
    let block: Int64

    package init(_ name: StaticString, from first: Int64 = 1, block: Int64 = 100) {
        self.name = name.description
        self.first = first
        self.block = block
    }
}
