import StoreCatalogue
import StoreModel
import StoreService
import TestSupport
import Testing

@Suite("Passwords are checked two at a time", .bounded)
struct PasswordGateTests {
    @Test("A password matches its hash and no other; without a hash nothing does")
    func matches() async throws {
        let gate = PasswordGate()
        let hash = try await gate.hash("correct horse", for: .operators)
        #expect(try await gate.matches("correct horse", hash: hash, for: .operators))
        #expect(try await !gate.matches("correct horsf", hash: hash, for: .operators))
        #expect(try await !gate.matches("correct horse", hash: nil, for: .operators))
        #expect(try await !gate.matches(String(repeating: "x", count: 5000), hash: nil, for: .operators))
        #expect(try await gate.hash("correct horse", for: .operators) != hash)
    }

    @Test("Who finds the queue full is told to come back, and everybody else has their turn")
    func queue() async throws {
        let gate = PasswordGate(longestQueue: 1)
        let outcomes = await withTaskGroup(of: RefusalCode?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do {
                        _ = try await gate.hash("correct horse", for: .operators)
                        return nil
                    } catch {
                        return (error as? ServiceError)?.code ?? .keyReused
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let refused = outcomes.compactMap(\.self)
        #expect(refused.allSatisfy { $0 == .tooMany })
        #expect(!refused.isEmpty && outcomes.count - refused.count >= PasswordGate.width + 1)
        // No place is lost by what was refused or failed.
        for _ in 0..<PasswordGate.width + 1 {
            await #expect(throws: (any Error).self) { try await gate.matches("x", hash: "no hash", for: .operators) }
        }
        #expect(try await !gate.hash("correct horse", for: .operators).isEmpty)
    }

    @Test("Operators have the next turn, and the environments take turns")
    func order() {
        var queue = PasswordGate.Queue<String>()
        for name in ["s1", "s2", "s3"] { queue.append(name, of: .customers(.sandbox)) }
        for name in ["p1", "p2"] { queue.append(name, of: .customers(.production)) }
        queue.append("o", of: .operators)
        let turns = (0..<7).map { _ in queue.next() }
        #expect(turns == ["o", "p1", "s1", "p2", "s2", "s3", nil])
    }
}
