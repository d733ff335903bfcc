import StoreDatabase
import StoreModel
import Testing

extension StorageCase {
    static let work: [StorageCase] = [
        StorageCase("Work is done in the order in which it is due, and only what is due") { place in
            try await place.withDatabase(.working()) { database in
                try await database.write { try $0.schedule("step", ["b": 20, "a": 20, "c": 10, "later": 31]) }
                let scheduler = noting(on: database)
                let report = try await scheduler.drain(from: .ms(0), until: .ms(30))
                #expect(report.endings == ["step": [.done: 3]])
                #expect(report.keptBusyBy == nil)
                let (done, left) = try await database.read {
                    (try $0.done(), try WorkTable.upcoming(limit: 9, in: $0).map(\.subject))
                }
                #expect(done == ["c at 10", "a at 20", "b at 20"])
                #expect(left == ["later"])
                #expect(try await scheduler.nextDue() == .ms(31))
            }
        },
        StorageCase("Scheduling work again moves it; ensuring it leaves it where it is; cancelling ends it") { place in
            try await place.withDatabase(.working()) { database in
                let left = try await database.write { transaction in
                    try transaction.schedule("step", ["a": 10, "b": 10, "c": 10])
                    try transaction.schedule("step", ["a": 30])
                    try WorkTable.ensure(Work("step", "b", dueAt: .ms(5)), in: transaction)
                    try WorkTable.ensure(Work("step", "d", dueAt: .ms(40)), in: transaction)
                    try WorkTable.cancel("step", "c", in: transaction)
                    try WorkTable.cancel("step", "nobody", in: transaction)
                    return try WorkTable.upcoming(limit: 9, in: transaction).map {
                        "\($0.subject) \($0.dueAt.millisecondsSinceEpoch)"
                    }
                }
                #expect(left == ["b 10", "a 30", "d 40"])
            }
        },
        StorageCase("Each clock has work of its own") { place in
            try await place.withDatabase(.working()) { database in
                let tester = ClockID(number: 7)
                try await database.write { transaction in
                    try transaction.schedule("step", ["a": 10])
                    try transaction.schedule("step", ["a": 10], clock: tester)
                }
                let report = try await noting(on: database).drain(clock: tester, from: .ms(0), until: .ms(99))
                #expect(report.turns == 1)
                let left = try await database.read { try WorkTable.upcoming(limit: 9, in: $0).map(\.clock) }
                #expect(left == [.environment])
            }
        },
        StorageCase("What fails is tried again when its schedule says, and kept with its error at last") { place in
            try await place.withDatabase(.working()) { database in
                try await database.write { try $0.schedule("step", ["a": 10]) }
                let journal = Journal()
                let handler = WorkHandler("step", retries: RetrySchedule(delays: [5, 50])) { turn in
                    journal.note("attempt \(turn.work.attempt) at \(turn.at.millisecondsSinceEpoch)")
                    throw Mishap(description: "out of paper")
                }
                let scheduler = WorkScheduler(database, handlers: [handler], name: "one") { .ms(0) }
                let report = try await scheduler.drain(from: .ms(0), until: .ms(100))
                #expect(journal.lines == ["attempt 0 at 10", "attempt 1 at 15", "attempt 2 at 65"])
                #expect(report.endings == ["step": [.failed: 2, .gaveUp: 1]])
                let dead = try await database.read { try WorkTable.dead(limit: 9, in: $0) }
                #expect(dead.map(\.error) == ["out of paper"])
                #expect(dead.map(\.work.attempt) == [3])
                #expect(dead.map(\.diedAt) == [.ms(65)])
                #expect(try await scheduler.nextDue() == nil)
            }
        },
        StorageCase("Work of a kind that nobody knows is kept, and does not stop the rest") { place in
            try await place.withDatabase(.working()) { database in
                try await database.write { transaction in
                    try transaction.schedule("unheard", ["a": 1])
                    try transaction.schedule("step", ["b": 2])
                }
                let report = try await noting(on: database).drain(from: .ms(0), until: .ms(9))
                #expect(report.endings == ["unheard": [.gaveUp: 1], "step": [.done: 1]])
                let dead = try await database.read { try WorkTable.dead(limit: 9, in: $0).map(\.work.kind) }
                #expect(dead == ["unheard"])
            }
        },
        StorageCase("A clock that is advanced a year lives through it in order, whatever becomes due on the way") {
            place in
            try await place.withDatabase(.working()) { database in
                try await database.write { try $0.schedule("renewal", ["x": 100, "y": 150]) }
                let handler = WorkHandler("renewal", retries: RetrySchedule(delays: [])) { turn, transaction in
                    try transaction.noteDone("\(turn.work.subject)\(turn.at.millisecondsSinceEpoch)")
                    // The second comes before what was due when the first was claimed.
                    let interval: Int64 = turn.work.subject == "x" ? 30 : 100
                    return .again(at: .ms(turn.at.millisecondsSinceEpoch + interval))
                }
                let scheduler = WorkScheduler(database, handlers: [handler], name: "one") { .ms(0) }
                try await #expect(scheduler.drain(from: .ms(0), until: .ms(260)).turns == 8)
                let done = try await database.read { try $0.done() }
                #expect(done == ["x100", "x130", "y150", "x160", "x190", "x220", "x250", "y250"])
            }
        },
        StorageCase("Draining that does not come to an end says what kept it busy") { place in
            try await place.withDatabase(.working()) { database in
                try await database.write { try $0.schedule("mill", ["a": 10]) }
                var limits = WorkLimits()
                limits.turnsWithoutProgress = 5
                let handlers = [
                    WorkHandler("mill", retries: RetrySchedule(delays: [])) { .again(at: $0.at) },
                    WorkHandler("small mill", retries: RetrySchedule(delays: [])) { turn, _ in .again(at: turn.at) },
                ]
                let scheduler = WorkScheduler(database, handlers: handlers, limits: limits, name: "one") { .ms(0) }
                let report = try await scheduler.drain(from: .ms(0), until: .ms(10))
                #expect(report.turns == 5)
                #expect(report.keptBusyBy == "mill")
                try await database.write { transaction in
                    try WorkTable.cancel("mill", "a", in: transaction)
                    try transaction.schedule("small mill", ["a": 10])
                }
                let next = try await scheduler.drain(from: .ms(0), until: .ms(10))
                #expect(next.turns == 5)
                #expect(next.keptBusyBy == "small mill")
            }
        },
        StorageCase("Draining goes on however much there is to do while the clock moves") { place in
            try await place.withDatabase(.working()) { database in
                try await database.write { try $0.schedule("step", ["a": 0, "b": 0, "c": 0]) }
                var limits = WorkLimits()
                limits.turnsWithoutProgress = 3
                limits.turnsPerRound = 2
                let handler = WorkHandler("step", retries: RetrySchedule(delays: [])) { turn, _ in
                    .again(at: .ms(turn.at.millisecondsSinceEpoch + 30_000))
                }
                let scheduler = WorkScheduler(database, handlers: [handler], limits: limits, name: "one") { .ms(0) }
                let report = try await scheduler.drain(from: .ms(0), until: .ms(300_000))
                #expect(report.turns == 33)
                #expect(report.keptBusyBy == nil)
            }
        },
    ]

    /// A scheduler that notes each piece of work in the transaction that settles it.
    static func noting(on database: any Database) -> WorkScheduler {
        let handler = WorkHandler("step", retries: RetrySchedule(delays: [])) { turn, transaction in
            try transaction.noteDone("\(turn.work.subject) at \(turn.at.millisecondsSinceEpoch)")
            return .done
        }
        return WorkScheduler(database, handlers: [handler], name: "one") { .ms(0) }
    }
}
