import Foundation
import StoreHTTP
import StoreModel

extension ConnectionError {
    /// What a store says of a request that it did not carry out, in the form of errors of its own interfaces.
    private struct Form: Decodable {
        struct Content: Decodable {
            var code: String
            var message: String
            var parameter: String?
            var request: String?

            private enum CodingKeys: String, CodingKey {
                case code
                case message
                case parameter
                case request = "request_id"
            }
        }

        var error: Content
    }

    /// What an answer that is no success says.
    init(_ answer: StoreAnswer) {
        let content = try? JSONDecoder().decode(Form.self, from: Data(answer.body)).error
        let isTrouble = answer.status >= 500 || answer.status == 408 || answer.status == 425
        let kind: Kind =
            content == nil && !isTrouble
            ? .malformed : isTrouble ? .unavailable : .refused(status: answer.status)
        let seconds = answer.fields["retry-after"].flatMap { Int($0) }.flatMap { (0...3600).contains($0) ? $0 : nil }
        self.init(
            kind, code: content?.code ?? "status_\(answer.status)",
            content?.message ?? "The store answered with the status \(answer.status).", parameter: content?.parameter,
            request: content?.request ?? answer.fields["x-request-id"], retryAfter: seconds.map { .seconds($0) },
            storeTime: answer.fields["date"].flatMap { HTTPDate(parsing: $0) }.map {
                Instant(millisecondsSinceEpoch: Int64($0.secondsSince1970) * 1000)
            })
    }
}
