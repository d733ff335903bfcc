import Foundation
package import StoreHTTP
import StoreModel

/// Keeps the requests of devices, servers and operators in a history.
package struct RequestKeeper: Middleware {
    private let history: RequestHistory

    package init(_ history: RequestHistory) {
        self.history = history
    }

    package func receive(_ body: inout RequestBody, of request: HTTPRequest, policy: BodyPolicy) throws {
        guard RequestHistory.isTold(request), request.method != .get, !body.bytes.isEmpty else { return }
        history.hold(body.bytes, of: request)
    }

    package func end(_ response: inout HTTPResponse, of request: HTTPRequest) {
        guard RequestHistory.isTold(request) else { return }
        history.add(request, response)
    }
}

/// What a client was told, in the form of the store's own interfaces or of those of the App Store.
struct ToldRefusal {
    let code: String
    let message: String?

    init?(of response: HTTPResponse, to request: HTTPRequest) {
        guard case .bytes(let bytes) = response.body else { return nil }
        if request.route?.text == RequestHistory.verifying {
            // Whoever is refused is told so in a line.
            guard bytes.count < 200, let answer = try? JSONDecoder().decode(Status.self, from: Data(bytes)),
                answer.status != 0
            else { return nil }
            code = String(answer.status)
            message = nil
            return
        }
        guard response.status.rawValue >= 400, bytes.count < 16_384 else { return nil }
        if let answer = try? JSONDecoder().decode(ServerAnswer.self, from: Data(bytes)) {
            (code, message) = (String(answer.errorCode), answer.errorMessage)
            return
        }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(bytes)) else { return nil }
        (code, message) = (answer.error.code, answer.error.message)
    }

    private struct Status: Decodable {
        let status: Int
    }

    /// An error of the App Store Server API.
    private struct ServerAnswer: Decodable {
        let errorCode: Int
        let errorMessage: String
    }

    private struct Answer: Decodable {
        struct Told: Decodable {
            let code: String
            let message: String
        }

        let error: Told
    }
}
