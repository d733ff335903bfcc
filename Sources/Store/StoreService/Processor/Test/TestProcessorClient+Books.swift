import Foundation
import StoreHTTP
import StoreHTTPClient
import StoreModel

/// The processor's own log, to hold the books of the store against.
extension TestProcessorClient: ProcessorBooks {
    package func movements(after place: String?, limit: Int) async throws -> ProcessorMovementPage {
        let after = place.flatMap { Int($0) } ?? 0
        let limit = min(limit, TestProcessorLimits.page)
        let page = try await inspect(
            ClientRequest(.get, "http://processor/v1/log?after=\(after)&limit=\(limit)"), as: LogPage.self)
        return ProcessorMovementPage(
            page.records.compactMap(Self.movement),
            next: page.records.count == limit ? page.records.last.map { String($0.number) } : nil)
    }

    package func movements(of keys: [String]) async throws -> [ProcessorMovement] {
        guard !keys.isEmpty else { return [] }
        let body = JSONValue.members(["keys": .array(keys.map(JSONValue.string))])
        let page = try await inspect(
            ClientRequest(
                .post, "http://processor/v1/records", fields: ["Content-Type": "application/json"],
                body: .bytes(body.bytes)), as: LogPage.self)
        return page.records.compactMap(Self.movement)
    }

    private struct LogPage: Decodable {
        let records: [TestProcessorRecord]
    }

    private func inspect<Answer: Decodable>(_ request: ClientRequest, as type: Answer.Type) async throws -> Answer {
        let response = try await response(request)
        guard response.status == .ok else { throw Self.refusal(response) }
        return try JSONDecoder().decode(type, from: Data(response.body))
    }

    private static func movement(_ record: TestProcessorRecord) -> ProcessorMovement? {
        guard let key = record.key, let amount = record.amount else { return nil }
        switch record.result {
        case .captured: return ProcessorMovement(key: key, kind: .captured, amount: amount)
        case .refunded: return ProcessorMovement(key: key, kind: .refunded, amount: amount)
        default: return nil
        }
    }
}
