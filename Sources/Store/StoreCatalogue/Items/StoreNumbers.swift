package import StoreDatabase
import StoreModel

/// The numbers of apps, items and artists: one series, so that a number is one thing only. Some things bring a number of their own,
/// because links to them are there already; the series passes over those.
package enum StoreNumbers {
    /// The highest that something may bring: more than a store ever gives out itself.
    package static let highestBrought: Int64 = 999_999_999_999

    /// Numbers that nothing has.
    ///
    /// - Parameter brought: those that other things are about to bring.
    package static func next(
        _ count: Int, except brought: Set<Int64> = [], _ numbers: Numbers, in database: any Database
    ) async throws -> [Int64] {
        var free: [Int64] = []
        while free.count < count {
            let drawn = try await numbers.next(count - free.count, of: .items)
            let known = try await database.read { try taken(of: drawn, in: $0) }.union(brought)
            free += drawn.filter { !known.contains($0) }
        }
        return free
    }

    /// Lets the series go on behind those of some numbers, about to be brought, that it would come to soon: what is drawn in the
    /// same transaction is none of them.
    static func pass(_ brought: Set<Int64>, in transaction: any WriteTransaction) throws {
        guard !brought.isEmpty else { return }
        let drawn = try draw(in: transaction)
        guard let last = brought.filter({ $0 > drawn && $0 - drawn <= reach }).max() else { return }
        try Numbers.pass(last, of: .items, in: transaction)
    }

    /// How many numbers one transaction draws at most.
    private static let reach: Int64 = 1_000_000

    /// A number that nothing has.
    package static func next(_ numbers: Numbers, in database: any Database) async throws -> Int64 {
        let drawn = try await next(1, numbers, in: database)
        return drawn[0]
    }

    /// A number that nothing has, drawn within a transaction.
    static func draw(in transaction: any WriteTransaction) throws -> Int64 {
        while true {
            let number = try Numbers.draw(.items, in: transaction)
            if try taken(of: [number], in: transaction).isEmpty { return number }
        }
    }

    /// Throws unless something may bring a number, which nothing else has.
    static func requireFree(_ number: Int64, in transaction: any ReadTransaction) throws {
        guard try taken(of: [number], in: transaction).isEmpty else {
            throw CatalogueError(
                .nameTaken, "an app, an item or an artist has the store id \(number)", field: "storeId")
        }
    }

    /// The same of a number that somebody chose.
    static func requireBrought(_ number: Int64, in transaction: any ReadTransaction) throws {
        guard (1...highestBrought).contains(number) else {
            throw CatalogueError(
                .valueInvalid, "a store id is a number from 1 to \(highestBrought)", field: "storeId")
        }
        try requireFree(number, in: transaction)
    }

    private static func taken(of numbers: [Int64], in transaction: any ReadTransaction) throws -> Set<Int64> {
        let found = try transaction.query(
            """
            SELECT app_id FROM app WHERE app_id IN \(.numbers)
            UNION SELECT item_id FROM product WHERE item_id IN \(.numbers)
            UNION SELECT artist_id FROM artist WHERE artist_id IN \(.numbers)
            """, of: numbers
        ) { try $0.value(0, as: Int64.self) }
        return Set(found)
    }
}
