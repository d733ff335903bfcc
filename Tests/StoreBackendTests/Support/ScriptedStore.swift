import Foundation
import StoreBackend
import StoreHTTP
import StoreHTTPClient
import StoreModel
import StoreSigning
import Synchronization

/// A store whose answers are written down: each question gets the next one, the last one again and again.
final class ScriptedStore: HTTPTransport, Sendable {
    struct Answer: Sendable {
        var status = 200
        var fields = HTTPFields()
        var body = ""
        /// What comes instead of an answer.
        var failure: (any Error)?

        static func json(_ body: String, status: Int = 200) -> Answer { Answer(status: status, body: body) }

        /// An error of the App Store Server API.
        static func error(_ code: Int, _ fields: HTTPFields = HTTPFields()) -> Answer {
            Answer(status: code / 10_000, fields: fields, body: #"{"errorCode":\#(code),"errorMessage":"No."}"#)
        }

        static func failure(_ code: HTTPClientError.Code, _ outcome: HTTPClientError.Outcome = .unknown) -> Answer {
            Answer(failure: HTTPClientError(code, "It failed.", outcome: outcome))
        }
    }

    private let script: Mutex<(answers: [Answer], asked: [TransportRequest])>

    init(_ answers: Answer...) { script = Mutex((answers, [])) }

    /// What was asked.
    var asked: [TransportRequest] { script.withLock { $0.asked } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let answer = script.withLock { script in
            script.asked.append(request)
            return script.answers.count > 1 ? script.answers.removeFirst() : script.answers.first ?? Answer(status: 500)
        }
        if let failure = answer.failure { throw failure }
        return TransportResponse(
            HTTPStatus(rawValue: answer.status), fields: answer.fields,
            body: TransportBody(.bytes(Array(answer.body.utf8))))
    }
}

extension StoreConnection {
    /// A connection to stores that are written down, which waits for nothing and notes how long it would have.
    static func scripted(
        _ stores: [StoreEnvironment: ScriptedStore], key: StoreKey? = nil,
        sharedSecrets: [StoreEnvironment: String] = [:], appSecrets: [BundleID: [StoreEnvironment: String]] = [:],
        limits: StoreLimits = StoreLimits(), waits: Waits = Waits()
    ) -> StoreConnection {
        StoreConnection(
            stores.mapValues { Place(receipts: $0, serverAPI: $0, host: "store.example") }, key: key,
            sharedSecrets: sharedSecrets, appSecrets: appSecrets, limits: limits, random: { 1 },
            wait: { waits.note($0) })
    }
}

/// How long was to be waited, each time.
final class Waits: Sendable {
    private let noted = Mutex<[Duration]>([])

    var all: [Duration] { noted.withLock { $0 } }

    func note(_ duration: Duration) { noted.withLock { $0.append(duration) } }
}
