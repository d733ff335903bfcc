import StoreDatabase
import Testing

extension StorageCase {
    static let concurrency: [StorageCase] = [
        StorageCase("Many writers at once leave what they would one after the other") { place in
            try await place.withDatabase(.sample()) { database in
                try await database.write { for id in 1...4 { try $0.openAccount(id, named: "\(id)") } }
                let numbers = try await withThrowingTaskGroup(of: (account: Int, number: Int).self) { group in
                    for writer in 0..<64 {
                        group.addTask {
                            let account = writer % 4 + 1
                            let number = try await database.write { transaction in
                                try transaction.execute(
                                    "UPDATE account SET balance = balance + 1 WHERE id = $1", account)
                                return try transaction.addEntry("by \(writer)", to: account)
                            }
                            return (account, number)
                        }
                    }
                    return try await group.reduce(into: [:]) { $0[$1.account, default: []].insert($1.number) }
                        as [Int: Set<Int>]
                }
                #expect(numbers == Dictionary(uniqueKeysWithValues: (1...4).map { ($0, Set(1...16)) }))
                let balances = try await database.read {
                    try $0.query("SELECT balance FROM account") { try $0.value(0) as Int }
                }
                #expect(balances == [16, 16, 16, 16])
            }
        },
        StorageCase("A writer that fails among many takes nobody with it") { place in
            try await place.withDatabase(.sample()) { database in
                let failed = try await withThrowingTaskGroup(of: Int?.self) { group in
                    for writer in 0..<64 {
                        group.addTask {
                            do {
                                try await database.write { transaction in
                                    try transaction.openAccount(writer, named: "\(writer)")
                                    if writer % 3 == 0 { throw Refusal(reason: "own") }
                                    if writer % 7 == 0 { try transaction.openAccount(writer, named: "again") }
                                }
                                return nil
                            } catch is Refusal {
                                return writer
                            } catch let error as DatabaseError where error.code == .uniqueViolation {
                                return writer
                            }
                        }
                    }
                    return try await group.compactMap { $0 }.reduce(into: Set()) { $0.insert($1) } as Set<Int>
                }
                let expected = Set((0..<64).filter { $0 % 3 == 0 || $0 % 7 == 0 })
                #expect(failed == expected)
                let found = try await database.read {
                    try $0.query("SELECT id FROM account") { try $0.value(0) as Int }
                }
                #expect(Set(found) == Set(0..<64).subtracting(expected))
            }
        },
        StorageCase("A read sees one state, however much is written meanwhile") { place in
            try await place.withDatabase(.sample()) { database in
                try await database.write { for id in 1...2 { try $0.openAccount(id, named: "\(id)", balance: 100) } }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for amount in 1...40 {
                        group.addTask {
                            try await database.write { transaction in
                                try transaction.execute(
                                    "UPDATE account SET balance = balance - $1 WHERE id = 1", amount % 3)
                                try transaction.execute(
                                    "UPDATE account SET balance = balance + $1 WHERE id = 2", amount % 3)
                            }
                        }
                        group.addTask {
                            let (first, second) = try await database.read { transaction in
                                let query: SQL = "SELECT balance FROM account WHERE id = $1"
                                return (
                                    try transaction.value(query, 1, as: Int.self),
                                    try transaction.value(query, 2, as: Int.self)
                                )
                            }
                            #expect(first + second == 200)
                        }
                    }
                    try await group.waitForAll()
                }
            }
        },
        StorageCase("A write whose task is cancelled before its turn is withdrawn") { place in
            try await place.withDatabase(.sample()) { database in
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await database.write { try $0.openAccount(1, named: "one") }
                }
                await #expect(throws: CancellationError.self) { try await task.value }
                try await expectNames([], in: database)
            }
        },
    ]
}
