import StoreDatabase
import Testing

extension StorageCase {
    static let lookUps: [StorageCase] = [
        StorageCase("A look-up sees what was written before it, whoever wrote it") { place in
            try await place.withDatabase(.sample()) { database in
                for id in 1...20 {
                    try await database.write { try $0.openAccount(id, named: "\(id)") }
                    let names = try await database.lookUp { try $0.accountNames() }
                    #expect(names == (1...id).map(String.init))
                }
            }
        },
        StorageCase("More look-ups at once than there are connections for are all answered") { place in
            var limits = DatabaseLimits()
            limits.lookUps = 1
            try await place.withDatabase(.sample(), limits: limits) { database in
                try await database.write { try $0.openAccount(1, named: "one") }
                try await withThrowingTaskGroup(of: [String].self) { group in
                    for _ in 0..<64 { group.addTask { try await database.lookUp { try $0.accountNames() } } }
                    for try await names in group { #expect(names == ["one"]) }
                }
            }
        },
        StorageCase("A look-up that throws tells why, and the next one goes on") { place in
            try await place.withDatabase(.sample()) { database in
                await #expect(throws: Refusal(reason: "own")) {
                    try await database.lookUp { _ in throw Refusal(reason: "own") }
                }
                await expect(.statement) {
                    try await database.lookUp { transaction in
                        _ = try? transaction.query("SELECT nothing FROM nowhere") { try $0.value(0, as: String.self) }
                        return 1
                    }
                }
                let names = try await database.lookUp { try $0.accountNames() }
                #expect(names == [])
            }
        },
        StorageCase("Nothing is looked up in a database that is closed") { place in
            let database = try await place.open(.sample())
            _ = try await database.lookUp { try $0.accountNames() }
            await database.close()
            await expect(.closed) { try await database.lookUp { try $0.accountNames() } }
        },
        StorageCase("A look-up of one statement sees what was written before it, and takes no second statement") {
            place in
            try await place.withDatabase(.sample()) { database in
                for id in 1...20 {
                    try await database.write { try $0.openAccount(id, named: "\(id)") }
                    let names = try await database.lookUpOnce { try $0.accountNames() }
                    #expect(names == (1...id).map(String.init))
                }
                await expect(.statement) {
                    try await database.lookUpOnce { transaction in
                        _ = try transaction.accountNames()
                        return try transaction.accountNames()
                    }
                }
                await expect(.statement) {
                    try await database.lookUpOnce { transaction in
                        _ = try? transaction.query("SELECT nothing FROM nowhere") { try $0.value(0, as: String.self) }
                        return 1
                    }
                }
                await #expect(throws: Refusal(reason: "own")) {
                    try await database.lookUpOnce { transaction in
                        _ = try transaction.accountNames()
                        throw Refusal(reason: "own")
                    }
                }
                // Nothing of that holds up whoever writes, or whoever comes after.
                try await database.write { try $0.openAccount(21, named: "21") }
                let names = try await database.lookUpOnce { try $0.accountNames() }
                #expect(names.count == 21)
            }
        },
        StorageCase("A look-up of one statement changes nothing, and nothing is looked up once the database is closed")
        {
            place in
            let database = try await place.open(.sample())
            await expect(.readOnly) {
                try await database.lookUpOnce { transaction in
                    try transaction.optional("DELETE FROM account RETURNING id") { try $0.value(0, as: Int.self) }
                }
            }
            await database.close()
            await expect(.closed) { try await database.lookUpOnce { try $0.accountNames() } }
        },
    ]
}
