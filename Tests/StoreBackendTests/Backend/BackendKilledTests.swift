import StoreBackend
import TestSupport
import Testing

@Suite("A developer's server that is killed", .serialized, .bounded)
struct BackendKilledTests {
    @Test(
        "X5, P10: Killed at every step between a receipt and what is spent of it, it credits once and spends once",
        arguments: engines)
    func everyStep(dialect: SQLDialect) async throws {
        try await BackendPlace.with(dialect) { place in
            @Sendable func words(_ number: Int) -> [String] { ["purchase-\(dialect)", place.address, "\(number)"] }
            let steps = try await onOwnThread {
                _ = try WriterProcess.run(words(0))
                return try WriterProcess.fault(words(1), place).calls(within: WriterProcess.beginning(of: place))
            }
            #expect(steps.count > 20)
            var told: Set<Int> = []
            for (index, step) in WriterProcess.chosen(steps, most: 9).enumerated() {
                let number = index + 2
                let (killed, again) = try await onOwnThread {
                    let run = try WriterProcess.fault(words(number), place).run(.kill, at: step)
                    return (run.output.split(separator: "\n").map(String.init), try WriterProcess.run(words(number)))
                }
                // 100 are credited and 30 spent each time, so that the sum shows what was done twice or not at all.
                #expect(again == ["recorded 1", "left \(70 * number)"], "killed at \(step)")
                #expect(again.starts(with: killed), "what was told was not kept, killed at \(step)")
                told.insert(killed.count)
            }
            #expect(told.count > 1, "kills came at few steps")
        }
    }
}
