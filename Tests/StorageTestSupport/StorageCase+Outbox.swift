import StoreDatabase
import StoreModel
import Testing

extension StorageCase {
    private static let outbox = Outbox("notification")

    static let outboxes: [StorageCase] = [
        StorageCase("Messages of a stream are delivered in order, each after the one before it") { place in
            try await place.withDatabase(.working()) { database in
                try await append(["x": 3, "y": 2], on: database)
                let journal = Journal()
                let report = try await scheduler(on: database) { journal.note("\($0.stream)\($0.number)") }
                    .drain(from: .ms(0), until: .ms(10))
                #expect(journal.lines.filter { $0.hasPrefix("x") } == ["x1", "x2", "x3"])
                #expect(journal.lines.filter { $0.hasPrefix("y") } == ["y1", "y2"])
                #expect(report.endings == ["notification": [.done: 5]])
                let delivered = try await database.read { try outbox.deliveredCount(in: "x", transaction: $0) }
                #expect(delivered == 3)
                try await append(["x": 1], on: database)
                _ = try await scheduler(on: database) { journal.note("\($0.stream)\($0.number)") }
                    .drain(from: .ms(0), until: .ms(10))
                #expect(journal.lines.last == "x4")
            }
        },
        StorageCase("A message that is undone was never there, and leaves no gap") { place in
            try await place.withDatabase(.working()) { database in
                try await append(["x": 1], on: database)
                await #expect(throws: Mishap.self) {
                    try await database.write { transaction in
                        try outbox.append([0], to: "x", at: .ms(1), in: transaction)
                        throw Mishap(description: "undone")
                    }
                }
                try await append(["x": 1], on: database)
                let numbers = try await database.read {
                    try outbox.messages(in: "x", limit: 9, transaction: $0).map(\.number)
                }
                #expect(numbers == [1, 2])
            }
        },
        StorageCase("A message that fails is tried again before those behind it, and given up at last") { place in
            try await place.withDatabase(.working()) { database in
                try await append(["x": 3], on: database)
                let journal = Journal()
                let report = try await scheduler(on: database) { message in
                    journal.note("x\(message.number)")
                    if message.number == 2 { throw Mishap(description: "no answer") }
                }.drain(from: .ms(0), until: .ms(1000))
                #expect(journal.lines == ["x1", "x2", "x2", "x2", "x3"])
                #expect(report.endings == ["notification": [.done: 2, .failed: 2, .gaveUp: 1]])
                let failures = try await database.read {
                    try outbox.messages(in: "x", limit: 9, transaction: $0).map(\.failure)
                }
                #expect(failures == [nil, "no answer", nil])
            }
        },
        StorageCase("A message that was delivered just before the lights went out is delivered once more") { place in
            try await place.withDatabase(.working()) { database in
                try await append(["x": 1], on: database)
                let journal = Journal()
                let wall = WallTime()
                let lost = scheduler(on: database, wall) { message in
                    journal.note("x\(message.number)")
                    throw CancellationError()
                }
                await #expect(throws: CancellationError.self) { try await lost.drain(from: .ms(0), until: .ms(10)) }
                wall.advance(WorkLimits().leaseMilliseconds)
                _ = try await scheduler(on: database, wall) { journal.note("x\($0.number)") }
                    .drain(from: .ms(0), until: .ms(10))
                #expect(journal.lines == ["x1", "x1"])
            }
        },
        StorageCase("What is written while a stream is delivered is delivered too") { place in
            try await place.withDatabase(.working()) { database in
                try await append(["x": 1], on: database)
                let journal = Journal()
                _ = try await scheduler(on: database) { message in
                    if journal.note("x\(message.number)") == 1, message.number < 4 {
                        try await append(["x": 1], on: database)
                    }
                }.drain(from: .ms(0), until: .ms(10))
                #expect(journal.lines == ["x1", "x2", "x3", "x4"])
            }
        },
        StorageCase("What was delivered is forgotten on demand, and what was not is kept") { place in
            try await place.withDatabase(.working()) { database in
                try await append(["x": 2], on: database)
                _ = try await scheduler(on: database) { message in
                    if message.number == 2 { throw Mishap(description: "no answer") }
                }.drain(from: .ms(0), until: .ms(10))
                let (early, count) = try await database.write { transaction in
                    (
                        try outbox.prune("x", writtenBefore: .ms(10), in: transaction),
                        try outbox.prune("x", writtenBefore: .ms(11), in: transaction)
                    )
                }
                #expect(early == 0)
                #expect(count == 1)
                let left = try await database.read {
                    try outbox.messages(in: "x", limit: 9, transaction: $0).map(\.number)
                }
                #expect(left == [2])
            }
        },
    ]

    /// Appends so many messages to each stream, each in a transaction of its own, at 10.
    private static func append(_ counts: [String: Int], on database: any Database) async throws {
        for (stream, count) in counts {
            for number in 0..<count {
                try await database.write { transaction in
                    _ = try outbox.append([UInt8(number)], to: stream, at: .ms(10), in: transaction)
                }
            }
        }
    }

    private static func scheduler(
        on database: any Database, _ wall: WallTime = WallTime(),
        deliver: @escaping @Sendable (OutboxMessage) async throws -> Void
    ) -> WorkScheduler {
        let handler = outbox.handler(on: database, retries: RetrySchedule(delays: [5, 50]), deliver: deliver)
        return WorkScheduler(database, handlers: [handler], name: "outbox", wallTime: wall.reading)
    }
}
