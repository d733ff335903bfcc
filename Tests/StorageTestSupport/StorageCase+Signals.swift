package import StoreDatabase
import Testing

extension SignalTopic {
    package static let accounts = SignalTopic("accounts")
    static let others = SignalTopic("others")
}

extension StorageCase {
    static let signals: [StorageCase] = [
        StorageCase("A signal comes once its change is there, and only to those who listen for it") { place in
            try await place.withDatabase(.sample()) { database in
                let signals = try await database.signals(on: .accounts)
                try await database.write { transaction in
                    try transaction.signal(Signal(.others, subject: "0"))
                    try transaction.openAccount(1, named: "one")
                    try transaction.signal(Signal(.accounts, subject: "1"))
                }
                for await signal in signals {
                    #expect(signal == Signal(.accounts, subject: "1"))
                    try await expectNames(["one"], in: database)
                    break
                }
            }
        },
        StorageCase("What was undone is not signalled") { place in
            try await place.withDatabase(.sample()) { database in
                let signals = try await database.signals(on: .accounts)
                await #expect(throws: Refusal.self) {
                    try await database.write { transaction in
                        try transaction.signal(Signal(.accounts, subject: "thrown"))
                        throw Refusal(reason: "own")
                    }
                }
                try await database.write { transaction in
                    try? transaction.attempt {
                        try transaction.signal(Signal(.accounts, subject: "attempted"))
                        throw Refusal(reason: "own")
                    }
                    try transaction.signal(Signal(.accounts, subject: "done"))
                }
                var iterator = signals.makeAsyncIterator()
                #expect(await iterator.next() == Signal(.accounts, subject: "done"))
            }
        },
        StorageCase("Who does not come to take its signals hears that some are missing") { place in
            var limits = DatabaseLimits()
            limits.waitingSignals = 2
            try await place.withDatabase(.sample(), limits: limits) { database in
                let signals = try await database.signals(on: .accounts)
                for number in 0..<5 {
                    try await database.write { try $0.signal(Signal(.accounts, subject: "\(number)")) }
                }
                var iterator = signals.makeAsyncIterator()
                var heard: [Signal] = []
                while let signal = await iterator.next() {
                    heard.append(signal)
                    if signal.subject == nil || heard.count == 5 { break }
                }
                #expect(heard.last == Signal(missedOn: .accounts) || heard.count == 5)
            }
        },
        StorageCase("Closing the database ends the streams of signals") { place in
            let database = try await place.open(.sample())
            let signals = try await database.signals(on: .accounts)
            await database.close()
            var heard = 0
            for await _ in signals { heard += 1 }
            #expect(heard == 0)
        },
    ]
}
