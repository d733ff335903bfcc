import StoreDatabase
import StoreModel
import Testing

extension StorageCase {
    static let rounds: [StorageCase] = [
        StorageCase("Turns of different subjects share commits, and one that fails undoes only itself") { place in
            try await place.withDatabase(.working()) { database in
                let subjects = (1...100).map { "\($0)" }
                try await database.write { transaction in
                    try transaction.schedule("step", Dictionary(uniqueKeysWithValues: subjects.map { ($0, 10) }))
                }
                let handler = WorkHandler("step", retries: RetrySchedule(delays: [])) { turn, transaction in
                    try transaction.noteDone(turn.work.subject)
                    switch turn.work.subject {
                    case "13": throw Mishap(description: "out of luck")
                    // A statement that fails ends the turn, even if its handler does not care.
                    case "14": _ = try? transaction.execute("INSERT INTO done (number, what) VALUES (1, 'first')")
                    default: break
                    }
                    return .done
                }
                let counting = CountingDatabase(database)
                let scheduler = WorkScheduler(counting, handlers: [handler], name: "one") { .ms(0) }
                let report = try await scheduler.drain(from: .ms(0), until: .ms(10))
                #expect(report.endings == ["step": [.done: 98, .gaveUp: 2]])
                // One to claim, one to do, one to see that all is quiet.
                #expect(counting.writes == 3)
                let (done, dead) = try await database.read { transaction in
                    (try transaction.done(), try WorkTable.dead(limit: 9, in: transaction))
                }
                #expect(done.sorted() == subjects.filter { !["13", "14"].contains($0) }.sorted())
                #expect(dead.map(\.work.subject) == ["13", "14"])
                #expect(dead.first?.error == "out of luck")
            }
        },
        StorageCase("Turns that call out are settled together when they end together") { place in
            try await place.withDatabase(.working()) { database in
                let subjects = (1...64).map { "\($0)" }
                try await database.write { transaction in
                    try transaction.schedule("call", Dictionary(uniqueKeysWithValues: subjects.map { ($0, 10) }))
                }
                let journal = Journal()
                let (all, reached) = AsyncStream.makeStream(of: Void.self)
                let handler = WorkHandler("call", retries: RetrySchedule(delays: [5])) { turn in
                    journal.note(turn.work.subject)
                    if journal.lines.count == subjects.count { reached.finish() }
                    if turn.work.subject == "13" { throw Mishap(description: "out of luck") }
                    return .done
                }
                // The first that end are settled only after all others have been called.
                let counting = CountingDatabase(database) { number in
                    if number == 3 { for await _ in all {} }
                }
                let scheduler = WorkScheduler(counting, handlers: [handler], name: "one") { .ms(0) }
                let results = try await scheduler.runRound(at: .ms(10))
                #expect(Set(results.map(\.turn.work.subject)) == Set(subjects))
                #expect(results.count { $0.ending == .done } == 63)
                #expect(counting.writes < 32, "each turn was settled by itself")
                #expect(try await scheduler.nextDue() == .ms(15))
            }
        },
        StorageCase("Turns of one subject follow each other, whatever form their handlers have") { place in
            try await place.withDatabase(.working()) { database in
                try await database.write { transaction in
                    try transaction.schedule("a call", ["x": 20, "y": 30])
                    try transaction.schedule("b step", ["x": 10, "y": 40])
                    try transaction.schedule("c call", ["x": 30, "y": 10])
                    try transaction.schedule("d step", ["x": 40, "y": 20])
                }
                let small: WorkHandler.Write = { turn, transaction in
                    try transaction.noteDone("\(turn.work.subject)\(turn.at.millisecondsSinceEpoch)")
                    return .done
                }
                let calling: WorkHandler.Run = { turn in
                    try await database.write { try turn.settle(small(turn, $0), in: $0) }
                    return .settled
                }
                let none = RetrySchedule(delays: [])
                let handlers = [
                    WorkHandler("a call", retries: none, run: calling),
                    WorkHandler("b step", retries: none, write: small),
                    WorkHandler("c call", retries: none, run: calling),
                    WorkHandler("d step", retries: none, write: small),
                ]
                let scheduler = WorkScheduler(database, handlers: handlers, name: "one") { .ms(0) }
                try await #expect(scheduler.drain(from: .ms(0), until: .ms(99)).turns == 8)
                let done = try await database.read { try $0.done() }
                #expect(done.filter { $0.hasPrefix("x") } == ["x10", "x20", "x30", "x40"])
                #expect(done.filter { $0.hasPrefix("y") } == ["y10", "y20", "y30", "y40"])
            }
        },
        StorageCase("A turn that cannot give up properly is kept among the dead, and does not stop the rest") { place in
            try await place.withDatabase(.working()) { database in
                try await database.write { try $0.schedule("step", ["a": 10, "b": 20]) }
                let handler = WorkHandler(
                    "step", retries: RetrySchedule(delays: []),
                    giveUp: { _, _, _ in throw Mishap(description: "nobody to tell") }
                ) { turn, transaction in
                    if turn.work.subject == "a" { throw Mishap(description: "out of luck") }
                    try transaction.noteDone(turn.work.subject)
                    return .done
                }
                let scheduler = WorkScheduler(database, handlers: [handler], name: "one") { .ms(0) }
                let report = try await scheduler.drain(from: .ms(0), until: .ms(99))
                #expect(report.endings == ["step": [.gaveUp: 1, .done: 1]])
                let dead = try await database.read { try WorkTable.dead(limit: 9, in: $0).map(\.error) }
                #expect(dead == ["nobody to tell; before: out of luck"])
            }
        },
        StorageCase("Turns are done one by one where they cannot be done together") { place in
            try await place.withDatabase(.working()) { database in
                try await database.write { try $0.schedule("step", ["a": 10, "b": 20, "c": 30]) }
                let handler = WorkHandler("step", retries: RetrySchedule(delays: [])) { turn, transaction in
                    try transaction.noteDone("\(turn.work.subject)\(turn.at.millisecondsSinceEpoch)")
                    return .done
                }
                // The second write is that of all turns, the fourth that of the second turn.
                let failing = CountingDatabase(database) { number in
                    if [2, 4].contains(number) { throw Mishap(description: "took too long") }
                }
                let scheduler = WorkScheduler(failing, handlers: [handler], name: "one") { .ms(0) }
                let report = try await scheduler.drain(from: .ms(0), until: .ms(99))
                #expect(report.endings == ["step": [.done: 2, .gaveUp: 1]])
                #expect(try await database.read { try $0.done() } == ["a10", "c30"])
            }
        },
    ]
}
