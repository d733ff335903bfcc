import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreServer

@Suite("The page of errors", .bounded)
struct ErrorReferenceTests {
    @Test("X13: has every code that the sources of our interfaces name, once")
    func complete() throws {
        let root = URL(filePath: #filePath + "/../../../../Sources").standardizedFileURL
        let codes = ErrorReference.entries.map(\.code)
        #expect(Set(codes).count == codes.count)
        var named: Set<String> = []
        for folder in ["Shared/StoreHTTP", "Shared/StoreHTTPListener", "Store/StoreServer"] {
            let files = FileManager.default.enumerator(
                at: root.appending(path: folder), includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                guard file.pathExtension == "swift" else { continue }
                let text = try String(contentsOf: file, encoding: .utf8)
                named.formUnion(text.matches(of: /code: "([a-z_]+)"/).map { String($0.output.1) })
            }
        }
        #expect(named.count > 20)
        #expect(named.subtracting(codes) == [])
        #expect(RefusalCode.allCases.allSatisfy { codes.contains($0.rawValue) })
    }

    @Test("X13: is where the link of an error leads, on both listeners", arguments: StoreEnvironment.allCases)
    func link(_ environment: StoreEnvironment) async throws {
        let bench = try await ListenerBench(environment)
        let refused = try await bench.control("GET", "/customers/nobody@example.com")
        let error = try #require(refused.json["error"] as? [String: Any])
        #expect(error["documentation"] as? String == "/errors#customer_unknown")
        let page = try await bench.ask("GET", "/errors", nil, token: nil)
        #expect(page.status == 200 && page.text.contains("<tr id=\"customer_unknown\">"))
    }
}
