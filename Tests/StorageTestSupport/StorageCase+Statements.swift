import StoreDatabase
import Testing

extension StorageCase {
    static let statements: [StorageCase] = [
        StorageCase("Parameters are bound by their number, wherever and however often they stand") { place in
            try await place.withDatabase(.sample()) { database in
                let found = try await database.write { transaction in
                    try transaction.execute(
                        "INSERT INTO account (name, balance, id) VALUES ($2, $3, $1)", 7, "seven", 70)
                    return try transaction.query(
                        "SELECT id, name, balance FROM account WHERE balance = $2 AND id = $1 AND $2 = balance", 7, 70
                    ) { try ($0.value(0, as: Int.self), $0.value(1, as: String.self), $0.value(2, as: Int.self)) }
                }
                #expect(found.count == 1)
                #expect(found.first.map { $0 == (7, "seven", 70) } == true)
            }
        },
        StorageCase("Rows are looked up by any number of keys, each once, with one statement") { place in
            try await place.withDatabase(.sample()) { database in
                let (found, none, richer) = try await database.write { transaction in
                    for id in 1...300 { try transaction.openAccount(id, named: "\(id)") }
                    try transaction.execute("UPDATE account SET balance = id")
                    func look(_ keys: [Int]) throws -> [Int] {
                        try transaction.query("SELECT id FROM account WHERE id IN \(.numbers)", of: keys) {
                            try $0.value(0)
                        }
                    }
                    let richer: [String] = try transaction.query(
                        "SELECT name FROM account WHERE id IN \(.numbers) AND balance > $2", of: [3, 250, 299], 200
                    ) { try $0.value(0) }
                    return (try look([7, 7, 999, -1] + Array(100...299)), try look([]), richer)
                }
                #expect(found.sorted() == [7] + Array(100...299))
                #expect(none == [] && Set(richer) == ["250", "299"])
            }
        },
        StorageCase("A statement says how many rows it changed") { place in
            try await place.withDatabase(.sample()) { database in
                let counts = try await database.write { transaction in
                    for id in 1...3 { try transaction.openAccount(id, named: "\(id)") }
                    return [
                        try transaction.execute("UPDATE account SET balance = 5 WHERE id >= $1", 2),
                        try transaction.execute("DELETE FROM account WHERE id = $1", 9),
                        try transaction.execute("DELETE FROM account"),
                    ]
                }
                #expect(counts == [2, 0, 3])
            }
        },
        StorageCase("A query for one row finds none or one, and refuses two") { place in
            try await place.withDatabase(.sample()) { database in
                try await database.write { transaction in
                    for id in 1...2 { try transaction.openAccount(id, named: "\(id)") }
                    let one = try transaction.optional("SELECT id FROM account WHERE id = $1", 1) {
                        try $0.value(0) as Int
                    }
                    let none = try transaction.optional("SELECT id FROM account WHERE id = $1", 3) {
                        try $0.value(0) as Int
                    }
                    #expect(one == 1)
                    #expect(none == nil)
                }
                await expect(.tooManyRows) {
                    try await database.read { try $0.value("SELECT id FROM account", as: Int.self) }
                }
                await expect(.noSuchRow) {
                    try await database.read { try $0.value("SELECT id FROM account WHERE id = 3", as: Int.self) }
                }
            }
        },
        StorageCase("A query that gives more rows than the limit is refused") { place in
            var limits = DatabaseLimits()
            limits.rowsPerQuery = 3
            try await place.withDatabase(.sample(), limits: limits) { database in
                try await database.write { transaction in
                    for id in 1...4 { try transaction.openAccount(id, named: "\(id)") }
                    let three = try transaction.query("SELECT id FROM account WHERE id < 4") { try $0.value(0) as Int }
                    #expect(three.count == 3)
                }
                await expect(.tooManyRows) { try await database.read { try $0.accountNames() } }
            }
        },
        StorageCase("A wrong statement, or a wrong number of values, is an error") { place in
            try await place.withDatabase(.sample()) { database in
                await expect(.statement) { try await database.write { try $0.execute("DELETE FROM nowhere") } }
                await expect(.statement) { try await database.write { try $0.execute("DELETE FROM account", 1) } }
                await expect(.statement) {
                    try await database.write { try $0.execute("DELETE FROM account WHERE id = $1") }
                }
                await expect(.statement) { try await database.read { try $0.value("SELECT nothing", as: Int.self) } }
            }
        },
        StorageCase("A query may run within a query, also the same one") { place in
            try await place.withDatabase(.sample()) { database in
                try await database.write { for id in 1...3 { try $0.openAccount(id, named: "\(id)") } }
                let pairs = try await database.read { transaction in
                    try transaction.query("SELECT id FROM account ORDER BY id") { row in
                        try transaction.query("SELECT id FROM account ORDER BY id") { try $0.value(0) as Int }
                            .map { [try row.value(0), $0] }
                    }.flatMap { $0 }
                }
                #expect(pairs == [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3], [3, 1], [3, 2], [3, 3]])
            }
        },
    ]
}

/// Expects an error of this code; gives it.
@discardableResult
func expect(
    _ code: DatabaseError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Sendable
) async -> DatabaseError? {
    let error = await #expect(throws: DatabaseError.self, sourceLocation: sourceLocation) { _ = try await body() }
    #expect(error?.code == code, "\(error.map { $0.message } ?? "")", sourceLocation: sourceLocation)
    return error
}
