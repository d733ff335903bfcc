import StoreModel
import StoreService
import TestSupport
import Testing

@Suite("Passwords are checked two at a time", .bounded)
struct PasswordGateTests {
    @Test("A password matches its hash and no other; without a hash nothing does")
    func matches() async throws {
        let gate = PasswordGate()
        let hash = try await gate.hash("correct horse")
        #expect(try await gate.matches("correct horse", hash: hash))
        #expect(try await !gate.matches("correct horsf", hash: hash))
        #expect(try await !gate.matches("correct horse", hash: nil))
        #expect(try await !gate.matches(String(repeating: "x", count: 5000), hash: nil))
        #expect(try await gate.hash("correct horse") != hash)
    }

    @Test("Who finds the queue full is told to come back, and everybody else has their turn")
    func queue() async throws {
        let gate = PasswordGate(longestQueue: 1)
        let outcomes = await withTaskGroup(of: RefusalCode?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do {
                        _ = try await gate.hash("correct horse")
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
            await #expect(throws: (any Error).self) { try await gate.matches("x", hash: "no hash") }
        }
        #expect(try await !gate.hash("correct horse").isEmpty)
    }
}
