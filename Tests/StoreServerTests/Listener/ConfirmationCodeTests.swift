import Foundation
import StoreDatabase
import StoreModel
import StoreService
import StoreSigning
import Synchronization
import TestSupport
import Testing

@testable import StoreServer

@Suite("A code that is in use is drawn again", .bounded)
struct ConfirmationCodeTests {
    /// Random bytes that repeat themselves so often, where codes are drawn; all else is random.
    private static func repeating(_ count: Int) -> RandomBytes {
        let left = Mutex(count)
        let random = RandomBytes()
        return RandomBytes { length in
            let bytes = try random(length)
            guard length == 16 else { return bytes }
            let isRepeated = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return isRepeated ? [UInt8](repeating: 3, count: 16) : bytes
        }
    }

    private func codes(_ bench: ListenerBench, _ count: Int) async throws -> [String?] {
        let device = try await bench.device()
        var codes: [String?] = []
        for _ in 0..<count {
            let opened = try await device.ask(
                "POST", "/purchases", ["productId": "\(ListenerBench.bundle).credits5"], key: UUID().uuidString)
            codes.append((opened.json["confirmation"] as? [String: Any])?["code"] as? String)
        }
        return codes
    }

    @Test("By a device, which hears nothing of it")
    func device() async throws {
        let codes = try await codes(ListenerBench(random: Self.repeating(3)), 2)
        #expect(codes[0] == "FFFF-FFFF")
        #expect(codes[1] != nil && codes[1] != codes[0])
    }

    @Test("By an operator too")
    func control() async throws {
        let bench = try await ListenerBench(random: Self.repeating(3))
        #expect(try await codes(bench, 1) == ["FFFF-FFFF"])
        let bought = try await bench.control(
            "POST", "/purchases",
            [
                "customer": "ada@example.com", "bundleId": ListenerBench.bundle,
                "productId": "\(ListenerBench.bundle).credits5",
            ])
        #expect(bought.status == 201 && bought.json["state"] as? String == "purchased")
    }

    @Test("Not for ever")
    func never() async throws {
        let bench = try await ListenerBench(random: Self.repeating(1000))
        let codes = try await codes(bench, 2)
        #expect(codes == ["FFFF-FFFF", nil])
    }
}
