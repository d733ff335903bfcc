import StoreDatabase
import Testing

/// An error of a closure's own.
struct Refusal: Error, Equatable {
    let reason: String
}

extension StorageCase {
    static let transactions: [StorageCase] = [
        StorageCase("A closure that throws changes nothing, and its error comes back") { place in
            try await place.withDatabase(.sample()) { database in
                await #expect(throws: Refusal(reason: "own")) {
                    try await database.write { transaction in
                        try transaction.openAccount(1, named: "one")
                        throw Refusal(reason: "own")
                    }
                }
                try await expectNames([], in: database)
            }
        },
        StorageCase("What a closure returned is there for every later read and after closing") { place in
            let database = try await place.open(.sample())
            try await database.write { try $0.openAccount(1, named: "one") }
            try await expectNames(["one"], in: database)
            await database.close()
            guard place.outlivesClosing else { return }
            try await place.withDatabase(.sample()) { database in
                try await expectNames(["one"], in: database)
            }
        },
        StorageCase("A broken constraint is named, whatever kind it is") { place in
            try await place.withDatabase(.sample()) { database in
                try await database.write { transaction in
                    try transaction.openAccount(1, named: "one")
                    try transaction.addEntry("first", to: 1)
                }
                let name = await expect(.uniqueViolation) {
                    try await database.write { try $0.openAccount(2, named: "one") }
                }
                #expect(name?.constraint == "account_name")
                let key = await expect(.uniqueViolation) {
                    try await database.write { try $0.openAccount(1, named: "two") }
                }
                #expect(key?.constraint == "account_pkey")
                let keys = await expect(.uniqueViolation) {
                    try await database.write { try $0.execute("INSERT INTO entry (account_id, number) VALUES (1, 1)") }
                }
                #expect(keys?.constraint == "entry_pkey")
                let check = await expect(.checkViolation) {
                    try await database.write { try $0.execute("UPDATE account SET balance = -1") }
                }
                #expect(check?.constraint == "balance_not_negative")
                await expect(.notNullViolation) {
                    try await database.write { try $0.execute("UPDATE account SET name = $1", String?.none) }
                }
                for error in [name, key, keys, check] { #expect(error?.isRetryable == false) }
            }
        },
        StorageCase("A row that points to nothing is refused at the end, and not before") { place in
            try await place.withDatabase(.sample()) { database in
                try await database.write { transaction in
                    try transaction.addEntry("before its account", to: 1)
                    try transaction.openAccount(1, named: "one")
                }
                await expect(.foreignKeyViolation) { try await database.write { try $0.addEntry("nobody's", to: 9) } }
                await expect(.foreignKeyViolation) {
                    try await database.write { try $0.execute("DELETE FROM account") }
                }
                let counts = try await database.read {
                    try $0.value("SELECT count(*) FROM entry", as: Int.self)
                }
                #expect(counts == 1)
            }
        },
        StorageCase("Nothing more is done after a statement has failed, even if the closure goes on") { place in
            try await place.withDatabase(.sample()) { database in
                await expect(.uniqueViolation) {
                    try await database.write { transaction in
                        try transaction.openAccount(1, named: "one")
                        #expect(throws: DatabaseError.self) { try transaction.openAccount(1, named: "again") }
                        let error = #expect(throws: DatabaseError.self) { try transaction.openAccount(2, named: "two") }
                        #expect(error?.code == .transactionFailed)
                    }
                }
                try await expectNames([], in: database)
            }
        },
        StorageCase("An attempt that fails is undone, and the transaction goes on") { place in
            try await place.withDatabase(.sample()) { database in
                try await database.write { transaction in
                    try transaction.openAccount(1, named: "one")
                    #expect(throws: DatabaseError.self) {
                        try transaction.attempt {
                            try transaction.openAccount(2, named: "two")
                            try transaction.openAccount(1, named: "again")
                        }
                    }
                    #expect(throws: Refusal.self) {
                        try transaction.attempt {
                            try transaction.openAccount(3, named: "three")
                            throw Refusal(reason: "own")
                        }
                    }
                    try transaction.attempt {
                        try transaction.openAccount(4, named: "four")
                        try? transaction.attempt { try transaction.openAccount(4, named: "again") }
                        try transaction.openAccount(5, named: "five")
                    }
                }
                try await expectNames(["one", "four", "five"], in: database)
            }
        },
        StorageCase("An attempt that hides the failure of its statement fails all the same") { place in
            try await place.withDatabase(.sample()) { database in
                try await database.write { transaction in
                    try transaction.openAccount(1, named: "one")
                    let error = #expect(throws: DatabaseError.self) {
                        try transaction.attempt {
                            try transaction.openAccount(2, named: "two")
                            try? transaction.openAccount(1, named: "again")
                        }
                    }
                    #expect(error?.code == .uniqueViolation)
                }
                try await expectNames(["one"], in: database)
            }
        },
        StorageCase("A read transaction changes nothing, whatever it is asked") { place in
            try await place.withDatabase(.sample()) { database in
                try await database.write { try $0.openAccount(1, named: "one") }
                await expect(.readOnly) {
                    try await database.read {
                        try $0.query("UPDATE account SET name = 'two' RETURNING id") { try $0.value(0) as Int }
                    }
                }
                try await expectNames(["one"], in: database)
            }
        },
        StorageCase("A transaction that outlives its closure does nothing") { place in
            try await place.withDatabase(.sample()) { database in
                let kept = Kept()
                try await database.write { kept.transaction = $0 }
                let error = #expect(throws: DatabaseError.self) { try kept.transaction?.openAccount(1, named: "one") }
                #expect(error?.code == .closed)
                try await expectNames([], in: database)
            }
        },
        StorageCase("A closed database refuses, and closing twice does no harm") { place in
            let database = try await place.open(.sample())
            await database.close()
            await database.close()
            await expect(.closed) { try await database.write { try $0.openAccount(1, named: "one") } }
            await expect(.closed) { try await database.read { try $0.accountNames() } }
        },
    ]
}

/// Where a closure leaves its transaction, which it should not.
// Safe: the closure that fills it has ended when it is read.
private final class Kept: @unchecked Sendable {
    var transaction: (any WriteTransaction)?
}
