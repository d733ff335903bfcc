import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import Synchronization
import TestSupport
import Testing

@testable import StoreServer

@Suite("Codes of purchases", .bounded)
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

    @Test("One that is in use is drawn again by a device, which hears nothing of it")
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

    @Test("The code that another screen shows leads to the page of its purchase")
    func page() async throws {
        let bench = try await ListenerBench()
        let opened = try await bench.device().ask(
            "POST", "/purchases", ["productId": "\(ListenerBench.bundle).credits5"], key: UUID().uuidString)
        let confirmation = try #require(opened.json["confirmation"] as? [String: Any])
        let code = try #require(confirmation["code"] as? String)
        let page = try #require(confirmation["page"] as? String)
        #expect(try await bench.browse("/code").text.contains("BDFG-HJKM"))
        let found = try await bench.browse("/code", ["code": code.lowercased().replacing("-", with: " ")])
        #expect(found.status == 303 && found.fields["Location"] == page)
        let wrong = try await bench.browse("/code", ["code": "BCDF-GHJK"], ["Accept-Language": "de"])
        #expect(wrong.status == 404 && wrong.text.contains("Unter diesem Code wartet nichts"))
        _ = try await bench.browse(page + "/cancellation", [:])
        #expect(try await bench.browse("/code", ["code": code]).status == 404)
    }
}
