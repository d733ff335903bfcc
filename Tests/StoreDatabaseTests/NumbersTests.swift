import StorageTestSupport
import StoreDatabase
import TestSupport
import Testing

@Suite(.bounded) struct NumbersTests {
    private static let series = NumberSeries("test", from: 50, block: 3)

    private func database() async throws -> any Database {
        let schemas = try StoreSchemas(
            catalogue: [], environment: [Migration(1, "numbers", Numbers.tables)])
        return try await StoreDatabases.inMemory(schemas).sandbox
    }

    @Test("A series begins with its first number and rises by one")
    func rises() async throws {
        let numbers = Numbers(try await database())
        #expect(try await numbers.next(8, of: Self.series) == Array(50...57))
    }

    @Test("Whoever begins anew, or stands beside, gives out no number again")
    func never() async throws {
        let database = try await database()
        let (one, other) = (Numbers(database), Numbers(database))
        var seen: Set<Int64> = []
        for _ in 0..<10 {
            #expect(seen.insert(try await one.next(Self.series)).inserted)
            #expect(seen.insert(try await other.next(Self.series)).inserted)
        }
    }

    @Test("A number that is drawn within a transaction is given out by nothing else, unless the transaction fails")
    func drawn() async throws {
        let database = try await database()
        let numbers = Numbers(database)
        var seen: Set<Int64> = []
        for _ in 0..<4 {
            #expect(seen.insert(try await database.write { try Numbers.draw(Self.series, in: $0) }).inserted)
            for number in try await numbers.next(2, of: Self.series) { #expect(seen.insert(number).inserted) }
        }
        struct GivenUp: Error {}
        await #expect(throws: GivenUp.self) {
            try await database.write { transaction in
                _ = try Numbers.draw(Self.series, in: transaction)
                throw GivenUp()
            }
        }
        #expect(seen.insert(try await database.write { try Numbers.draw(Self.series, in: $0) }).inserted)
    }

    @Test("Many who ask at once get a number each")
    func concurrent() async throws {
        let numbers = Numbers(try await database())
        let drawn = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<200 { group.addTask { try await numbers.next(Self.series) } }
            return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
        }
        #expect(drawn == Set(50..<250))
    }

    @Test("A restored backup gives out no number that was given out after it was made")
    func restored() async throws {
        let database = try await database()
        try await database.write { try StoreProperty.beginEpoch("one", in: $0) }
        #expect(try await Numbers(database).next(4, of: Self.series) == [50, 51, 52, 53])
        #expect(try await Numbers(database).next(Self.series) == 56)
        try await database.write { try StoreProperty.beginEpoch("two", in: $0) }
        let later = try await Numbers(database).next(Self.series)
        #expect(later == 59 + Numbers.leap)
        #expect(try await Numbers(database).next(Self.series) == later + 3)
    }

    @Test("Two series have nothing to do with each other")
    func apart() async throws {
        let numbers = Numbers(try await database())
        #expect(try await numbers.next(Self.series) == 50)
        #expect(try await numbers.next(NumberSeries("other")) == 1)
        #expect(try await numbers.next(Self.series) == 51)
    }
}
