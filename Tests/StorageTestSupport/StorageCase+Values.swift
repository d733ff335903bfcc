import StoreDatabase
import StoreModel
import Testing

extension StorageCase {
    static let values: [StorageCase] = [
        StorageCase("Every value comes back as it went in") { place in
            let texts = [
                "", "plain", "O'Brien; DROP TABLE account --", "snowman \u{2603}", "\u{1F4B0}", "e\u{301}", "\n\t\\",
            ]
            let bytes: [[UInt8]] = [[], [0], Array(0...255)]
            try await place.withDatabase(.sample()) { database in
                try await database.write { transaction in
                    try transaction.openAccount(1, named: "all")
                    for (number, text) in texts.enumerated() {
                        try transaction.execute(
                            "INSERT INTO entry (account_id, number, note, content) VALUES (1, $1, $2, $3)",
                            number, text, bytes[number % bytes.count])
                    }
                }
                let found = try await database.read { transaction in
                    try transaction.query("SELECT note, content FROM entry ORDER BY number") { row in
                        (Array(try row.value(0, as: String.self).utf8), try row.value(1, as: [UInt8].self))
                    }
                }
                #expect(found.map(\.0) == texts.map { Array($0.utf8) })
                #expect(found.map(\.1) == texts.indices.map { bytes[$0 % bytes.count] })
            }
        },
        StorageCase("Numbers keep their whole range") { place in
            try await place.withDatabase(.sample()) { database in
                let numbers: [Int64] = [.min, -1, 0, 1, 1 << 53 + 1, .max]
                try await database.write { transaction in
                    for number in numbers {
                        try transaction.execute(
                            "INSERT INTO account (id, name, balance) VALUES ($1, $2, 0)", number, "\(number)")
                    }
                }
                let found = try await database.read {
                    try $0.query("SELECT id FROM account ORDER BY id") { try $0.value(0) as Int64 }
                }
                #expect(found == numbers.sorted())
            }
        },
        StorageCase("A cell holds the text that is in it, and no other") { place in
            try await place.withDatabase(.sample()) { database in
                let texts = [
                    "", "plain", "plaim", "plai", "plain ", "O'Brien", "snowman \u{2603}", "e\u{301}", "\u{e9}",
                ]
                try await database.write { transaction in
                    try transaction.openAccount(1, named: "all")
                    for text in texts { try transaction.addEntry(text, to: 1) }
                    try transaction.addEntry(nil, to: 1)
                }
                let found = try await database.read { transaction in
                    try transaction.query("SELECT note, number FROM entry ORDER BY number") { row in
                        #expect(texts.allSatisfy { !row.holds($0, at: 1) && !row.holds($0, at: 2) })
                        return texts.indices.filter { row.holds(texts[$0], at: 0) }
                    }
                }
                #expect(found == texts.indices.map { [$0] } + [[]])
            }
        },
        StorageCase("No value is told from an empty one") { place in
            try await place.withDatabase(.sample()) { database in
                let found = try await database.write { transaction in
                    try transaction.openAccount(1, named: "one")
                    try transaction.addEntry(nil, to: 1)
                    try transaction.addEntry("", to: 1)
                    return try transaction.query("SELECT note, content FROM entry ORDER BY number") {
                        [try $0.value(0, as: String?.self), try $0.value(1, as: [UInt8]?.self).map { "\($0)" }]
                    }
                }
                #expect(found == [[nil, nil], ["", nil]])
            }
        },
        StorageCase("A column that holds something else than asked for is an error, and the transaction goes on") {
            place in
            try await place.withDatabase(.sample()) { database in
                try await database.write { transaction in
                    try transaction.openAccount(1, named: "one")
                    #expect(throws: DatabaseError.self) {
                        try transaction.value("SELECT name FROM account", as: Int.self)
                    }
                    #expect(throws: DatabaseError.self) {
                        try transaction.value("SELECT id FROM account", as: String.self)
                    }
                    #expect(throws: DatabaseError.self) {
                        try transaction.one("SELECT id FROM account") { try $0.value(1, as: Int.self) }
                    }
                    try transaction.openAccount(2, named: "two")
                }
                try await expectNames(["one", "two"], in: database)
            }
        },
        StorageCase("Ids, instants and money come back as what they are") { place in
            let customer = try CustomerID(number: 42)
            let product = try ProductID(parsing: "com.example.credits")
            let bought = Instant(millisecondsSinceEpoch: 1_700_000_000_123)
            let price = Money(minorUnits: 199, currency: .eur)
            try await place.withDatabase(.sample()) { database in
                try await database.write { transaction in
                    let found = try transaction.one(
                        "SELECT $1, $2, $3, $4, $5, $6", customer, product, bought, price.minorUnits, price.currency,
                        true
                    ) { row in
                        var cells = row.cells
                        return (
                            try cells.next(as: CustomerID.self), try cells.next(as: ProductID.self),
                            try cells.next(as: Instant.self), try cells.nextMoney(), try cells.next(as: Bool.self)
                        )
                    }
                    #expect(found == (customer, product, bought, price, true))
                }
            }
        },
        StorageCase("A row is read from left to right, and not beyond its end") { place in
            try await place.withDatabase(.sample()) { database in
                try await database.read { transaction in
                    try transaction.forEachRow(
                        "SELECT id, name, amount, currency, last FROM ("
                            + "SELECT 1 AS id, 'a' AS name, 5 AS amount, 'EUR' AS currency, 7 AS last "
                            + "UNION ALL SELECT 2, NULL, NULL, NULL, 8) AS rows ORDER BY id", binding: []
                    ) { row in
                        var cells = row.cells
                        let isFirst = try cells.next(as: Int.self) == 1
                        let (holdsOther, holdsName) = (cells.skip(ifHolding: "b"), cells.skip(ifHolding: "a"))
                        #expect((holdsOther, holdsName) == (false, isFirst))
                        if !isFirst {
                            #expect(throws: DatabaseError.self) { try cells.next(as: String.self) }
                            cells.skip()
                        }
                        let (amount, last) = (try cells.nextMoneyIfAny(), try cells.next(as: Int.self))
                        #expect(amount == (isFirst ? Money(minorUnits: 5, currency: .eur) : nil))
                        #expect(last == (isFirst ? 7 : 8))
                        #expect(throws: DatabaseError.self) { try cells.next(as: Int?.self) }
                    }
                }
            }
        },
        StorageCase("Texts are ordered by their bytes") { place in
            let names = ["Zebra", "a", "b", "B", "\u{E4}", "z", "_", "~", "\u{1F4B0}", "\u{FFFD}"]
            try await place.withDatabase(.sample()) { database in
                try await database.write { transaction in
                    for (id, name) in names.enumerated() { try transaction.openAccount(id, named: name) }
                }
                let expected = names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
                for query: SQL in [
                    "SELECT name FROM account ORDER BY name", "SELECT name FROM account ORDER BY name COLLATE \"C\"",
                ] {
                    #expect(try await database.read { try $0.query(query) { try $0.value(0) as String } } == expected)
                }
            }
        },
        StorageCase("A value that one engine could not keep is refused by all") { place in
            var limits = DatabaseLimits()
            limits.bytesPerValue = 1000
            try await place.withDatabase(.sample(), limits: limits) { database in
                let refused: [(String, DatabaseError.Code)] = [
                    ("a\0b", .textNotStorable), (String(repeating: "x", count: 1001), .unexpectedValue),
                ]
                for (name, code) in refused {
                    await expect(code) { try await database.write { try $0.openAccount(1, named: name) } }
                }
                try await database.write { try $0.openAccount(1, named: String(repeating: "x", count: 1000)) }
            }
        },
    ]
}
