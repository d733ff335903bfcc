import StoreDatabase
import Testing

/// An entry of an account of ``StoreDatabase/Schema/sample()``, whose note is its version.
private struct Entry: Hashable, Sendable {
    var account = 1
    var number = 1
    var note: String? = "first"
    var content: [UInt8]?

    static let place = Columns<Entry> {
        Column("account_id") { $0.account }
        Column("number") { $0.number }
    }

    static let table = RowTable<Entry>("entry") {
        place.of(.key) { $0 }
        Column("note", .version) { $0.note }
        Column("content", .changing) { $0.content }
    }

    static let misspelt = RowTable<Entry>("entry") {
        place.of(.key) { $0 }
        Column("note") { $0.note }
        Column("contend", .changing) { $0.content }
    }

    static let incomplete = RowTable<Entry>("entry") { Column("account_id", .key) { $0.account } }

    static func all(in transaction: any ReadTransaction) throws -> [Entry] {
        try transaction.query("SELECT \(table.columns) FROM entry ORDER BY account_id, number") { row in
            var cells = row.cells
            return try Entry(account: cells.next(), number: cells.next(), note: cells.next(), content: cells.next())
        }
    }
}

extension StorageCase {
    static let rows: [StorageCase] = [
        StorageCase("A row is written by the names of its columns and read again as it was") { place in
            try await withEntries(place) { database in
                let first = Entry(content: [1, 2])
                let second = Entry(number: 2, note: nil)
                try await database.write { transaction in
                    for entry in [first, second] { try transaction.insert(entry, into: Entry.table) }
                }
                #expect(try await database.read { try Entry.all(in: $0) } == [first, second])
                let joined = try await database.read { transaction in
                    try transaction.query(
                        """
                        SELECT \(Entry.table.qualifiedColumns) FROM entry JOIN account ON account.id = entry.account_id
                        ORDER BY entry.number
                        """
                    ) { try $0.value(1, as: Int.self) }
                }
                #expect(joined == [1, 2])
            }
        },
        StorageCase("An update writes what changes, of the row with the key") { place in
            try await withEntries(place) { database in
                let (first, second) = (Entry(), Entry(number: 2))
                var changed = first
                (changed.note, changed.content) = ("again", [7])
                try await database.write { [changed] transaction in
                    for entry in [first, second] { try transaction.insert(entry, into: Entry.table) }
                    try transaction.update(changed, from: first, in: Entry.table)
                }
                #expect(try await database.read { try Entry.all(in: $0) } == [changed, second])
            }
        },
        StorageCase("A row that is not as it was read is not written over, and what is read anew may be") { place in
            try await withEntries(place) { database in
                let former = Entry(note: "former")
                try await database.write { try $0.insert(Entry(), into: Entry.table) }
                let error = await expect(.serialization) {
                    try await database.write { try $0.update(Entry(content: [1]), from: former, in: Entry.table) }
                }
                #expect(error?.message == "a row of entry is not as it was read")
                #expect(error?.isRetryable == true)
                #expect(try await database.read { try Entry.all(in: $0) } == [Entry()])
            }
        },
        StorageCase("A column that a table does not have is named with the table, at the first write") { place in
            try await withEntries(place) { database in
                let wrong: [@Sendable (any WriteTransaction) throws -> Void] = [
                    { try $0.insert(Entry(), into: Entry.misspelt) },
                    { try $0.update(Entry(), from: Entry(), in: Entry.misspelt) },
                    { try $0.insert(into: "entry", ["account_id": 1, "number": 1, "contend": "text"]) },
                    { try $0.update("entry", ["contend": "text"], where: ["account_id": 1]) },
                    { try $0.update("entry", ["note": "text"], where: ["contend": 1]) },
                ]
                for write in wrong {
                    let error = await expect(.statement) { try await database.write { try write($0) } }
                    #expect(error?.message.contains("a row of entry cannot be written") == true)
                    #expect(error?.message.contains("contend") == true)
                }
            }
        },
        StorageCase("A column that must have a value and is left out is named") { place in
            try await withEntries(place) { database in
                let error = await expect(.notNullViolation) {
                    try await database.write { try $0.insert(Entry(), into: Entry.incomplete) }
                }
                #expect(error?.message.contains("number") == true)
                #expect(error?.message.contains("entry") == true)
            }
        },
        StorageCase("Values are written with the names of their columns, in any order") { place in
            try await withEntries(place) { database in
                let counts = try await database.write { transaction in
                    try transaction.insert(into: "entry", ["note": "first", "number": 1, "account_id": 1])
                    let key: RowValues = ["number": 2] + ["account_id": 1]
                    let isNew = try [
                        transaction.insertIfNew(into: "entry", key + ["note": "second"]),
                        transaction.insertIfNew(into: "entry", key + ["note": "third"]),
                    ]
                    #expect(isNew == [true, false])
                    return try [
                        transaction.update("entry", ["content": [UInt8](1...2)], where: key),
                        transaction.update("entry", ["note": String?.none], where: ["number": 3]),
                        transaction.update("entry", RowValues(Entry(number: 5), Entry.place), where: ["number": 1]),
                    ]
                }
                #expect(counts == [1, 0, 1])
                let expected = [Entry(number: 2, note: "second", content: [1, 2]), Entry(number: 5)]
                #expect(try await database.read { try Entry.all(in: $0) } == expected)
            }
        },
        StorageCase("Values come into the row of their key, or into a new one") { place in
            try await withEntries(place) { database in
                try await database.write { transaction in
                    for (note, content) in [("first", [1]), ("second", [2])] as [(String, [UInt8])] {
                        try transaction.insertOrUpdate(
                            "entry", ["note": note], key: ["number": 2, "account_id": 1], new: ["content": content])
                    }
                }
                let expected = [Entry(number: 2, note: "second", content: [1])]
                #expect(try await database.read { try Entry.all(in: $0) } == expected)
            }
        },
        StorageCase("Rows are numbered one after the other, each part of a table by itself") { place in
            try await withEntries(place) { database in
                try await database.write { transaction in
                    try transaction.openAccount(2, named: "two")
                    for note in ["first", "second"] {
                        try transaction.insertNumbered(into: "entry", ["note": note], within: ["account_id": 1])
                    }
                    try transaction.insertNumbered(into: "entry", ["note": "other"], within: ["account_id": 2])
                    try transaction.insertNumbered(into: "entry", ["note": "last", "account_id": 2])
                }
                let numbers = try await database.read { transaction in
                    try transaction.query("SELECT note, number FROM entry ORDER BY account_id, number") { row in
                        try "\(row.value(0, as: String.self)) \(row.value(1, as: Int.self))"
                    }
                }
                #expect(numbers == ["first 1", "second 2", "other 1", "last 3"])
            }
        },
    ]

    private static func withEntries(
        _ place: any StoragePlace, _ body: (any Database) async throws -> Void
    ) async throws {
        try await place.withDatabase(.sample()) { database in
            try await database.write { try $0.openAccount(1, named: "one") }
            try await body(database)
        }
    }
}
