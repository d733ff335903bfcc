import StoreDatabase
import StoreModel
import Testing

extension StorageCase {
    static let leases: [StorageCase] = [
        StorageCase("Several schedulers share the work, and nobody does a piece that another has") { place in
            try await place.withDatabase(.working()) { database in
                let subjects = (0..<60).map { "\($0)" }
                try await database.write { transaction in
                    try transaction.schedule("step", Dictionary(uniqueKeysWithValues: subjects.map { ($0, 10) }))
                }
                let journal = Journal()
                let handler = WorkHandler("step", retries: RetrySchedule(delays: [])) { turn in
                    journal.note(turn.work.subject)
                    return .done
                }
                var limits = WorkLimits()
                limits.turnsPerRound = 7
                try await withThrowingTaskGroup(of: Void.self) { [limits] group in
                    for name in ["one", "two", "three"] {
                        group.addTask {
                            let scheduler = WorkScheduler(
                                database, handlers: [handler], limits: limits, name: name
                            ) { .ms(0) }
                            while try await scheduler.nextDue() != nil {
                                let results = try await scheduler.runRound(at: .ms(10))
                                #expect(results.allSatisfy { $0.ending == .done })
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(journal.lines.sorted() == subjects.sorted())
            }
        },
        StorageCase("A claim ends with its time, and whoever held it then settles nothing") { place in
            try await place.withDatabase(.working()) { database in
                try await database.write { try $0.schedule("step", ["a": 10]) }
                let wall = WallTime()
                let journal = Journal()
                let second = noting(on: database, wall)
                let slow = WorkHandler("step", retries: RetrySchedule(delays: [1, 1])) { turn in
                    #expect(try await second.runRound(at: .ms(10)) == [], "somebody else did claimed work")
                    wall.advance(WorkLimits().leaseMilliseconds)
                    #expect(try await second.runRound(at: .ms(10)).map(\.ending) == [.done])
                    try await database.write { transaction in
                        try transaction.noteDone("slow")
                        try turn.settle(in: transaction)
                    }
                    journal.note("settled after its time")
                    return .settled
                }
                let first = WorkScheduler(database, handlers: [slow], name: "slow", wallTime: wall.reading)
                let results = try await first.runRound(at: .ms(10))
                #expect(results.map(\.ending) == [.overtaken])
                #expect(journal.lines == [])
                #expect(try await database.read { try $0.done() } == ["a"])
            }
        },
        StorageCase("Work that is scheduled anew during its turn has another one") { place in
            try await place.withDatabase(.working()) { database in
                try await database.write { try $0.schedule("step", ["a": 10]) }
                let handler = WorkHandler("step", retries: RetrySchedule(delays: [])) { turn in
                    if turn.at == .ms(10) { try await database.write { try $0.schedule("step", ["a": 20]) } }
                    return .done
                }
                let scheduler = WorkScheduler(database, handlers: [handler], name: "one") { .ms(0) }
                let report = try await scheduler.drain(from: .ms(0), until: .ms(30))
                #expect(report.endings == ["step": [.overtaken: 1, .done: 1]])
                #expect(try await scheduler.nextDue() == nil)
            }
        },
        StorageCase("A round does what is due now, and gives it back in order") { place in
            try await place.withDatabase(.working()) { database in
                try await database.write { try $0.schedule("step", ["c": 3, "a": 1, "b": 2, "later": 11]) }
                let results = try await noting(on: database, WallTime()).runRound(at: .ms(10))
                #expect(results.map(\.turn.work.subject) == ["a", "b", "c"])
                #expect(results.allSatisfy { $0.turn.at == .ms(10) && $0.ending == .done })
            }
        },
    ]

    private static func noting(on database: any Database, _ wall: WallTime) -> WorkScheduler {
        let handler = WorkHandler("step", retries: RetrySchedule(delays: [])) { turn in
            try await database.write { transaction in
                try transaction.noteDone(turn.work.subject)
                try turn.settle(in: transaction)
            }
            return .settled
        }
        return WorkScheduler(database, handlers: [handler], name: "second", wallTime: wall.reading)
    }
}
