import StoreBackend
import StoreModel
import TestSupport
import Testing

@Suite("A process that is killed while it fulfils", .serialized, .bounded)
struct FulfilmentKilledTests {
    /// The process is killed as each call of the system begins by which it changes a file, or asks or hears the server.
    @Test("X5: Killed at every step, it has fulfilled or not, and the next try makes it once", arguments: engines)
    func everyStep(dialect: SQLDialect) async throws {
        try await BackendPlace.with(dialect) { place in
            try CreditAccount(place).prepare()
            let steps = try await onOwnThread {
                try Self.fulfilment(0, place).calls(within: WriterProcess.beginning(of: place))
            }
            #expect(steps.count > 10)
            var (before, after) = (0, 0)
            for (index, step) in WriterProcess.chosen(steps, most: 9).enumerated() {
                let number = Int64(index + 1)
                let run = try await onOwnThread { try Self.fulfilment(number, place).run(.kill, at: step) }
                let account = try CreditAccount(place)
                var transaction = FulfilmentLedgerTests.bought
                transaction.transactionID = FulfilmentLedgerTests.id(number)
                let again = try account.fulfil(transaction)
                #expect(again.result == "credited 100", "killed at \(step)")
                #expect(!again.isNew || !run.output.contains("credited"), "what was told is lost, killed at \(step)")
                #expect(try account.ledger.history(of: transaction.transactionID, in: .sandbox).count == 1)
                #expect(try account.balance() == 100 * (number + 1), "killed at \(step)")
                if again.isNew { before += 1 } else { after += 1 }
            }
            #expect(before > 0, "no kill came before the commit")
            #expect(after > 0, "no kill came after the commit")
        }
    }

    /// Fulfils the transaction with this number.
    private static func fulfilment(_ number: Int64, _ place: BackendPlace) -> InjectedFault {
        WriterProcess.fault(
            ["fulfil-\(place.dialect)", place.address, FulfilmentLedgerTests.id(number).description], place)
    }
}
