import Foundation
import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreSigning
import Synchronization

/// The newest requests of a listener, with what was answered: in memory, for whoever asks what became of one.
///
/// It keeps no secret: of tokens a hash, of queries the names, of bodies only the receipts that were to be verified.
package final class RequestHistory: Sendable {
    /// How many requests are kept.
    package static let most = 5_000
    /// Bytes of the receipts that are kept, together.
    fileprivate static let receiptRoom = 4 * 1024 * 1024

    /// A request and its answer.
    package struct Entry: Sendable {
        package let number: Int
        package let id: String
        package let at: Instant
        package let method: String
        package let path: String
        package let status: Int
        package let peer: String
        /// A hash of the token that was shown; nil without one.
        package let bearer: [UInt8]?
        /// The name of the reason, where it was refused.
        package let code: String?
        /// What was said to the client, where it was refused.
        package let message: String?
        /// The body of a request to verify a receipt, as far as it was kept.
        package fileprivate(set) var verification: [UInt8]?

        /// Whether it was refused: by its status, or, where that is always 200, by what was answered.
        package var isRefused: Bool { status >= 400 || code != nil }
    }

    private struct Content {
        var entries: [Entry] = []
        /// The place of the next entry, once there are ``most``.
        var next = 0
        var count = 0
        var receiptBytes = 0
        /// The places of the entries that have one, the oldest first.
        var withReceipt: [Int] = []
        /// Bodies of requests that have no answer yet.
        var waiting: [String: [UInt8]] = [:]
        /// Why requests were refused whose answer does not say it.
        var reasons: [String: String] = [:]

        /// Forgets the receipt of an entry that gives way, and the oldest ones until there is room for more bytes.
        mutating func forgetReceipts(at place: Int, beside bytes: Int) {
            while let oldest = withReceipt.first, oldest == place || receiptBytes + bytes > RequestHistory.receiptRoom {
                withReceipt.removeFirst()
                receiptBytes -= entries[oldest].verification?.count ?? 0
                entries[oldest].verification = nil
            }
        }
    }

    private let content = Mutex(Content())
    private let hidden: PathSecrets
    private let now: @Sendable () -> Instant

    /// - Parameter hidden: what is secret in paths.
    package init(hiding hidden: PathSecrets, now: @escaping @Sendable () -> Instant) {
        self.hidden = hidden
        self.now = now
    }

    /// Requests the newest first, those before a number, as far as they are still kept.
    package func list(
        before number: Int? = nil, limit: Int, where isMeant: (Entry) -> Bool = { _ in true }
    ) -> [Entry] {
        let all = content.withLock { Array($0.entries[$0.next...] + $0.entries[..<$0.next]) }
        var found: [Entry] = []
        for entry in all.reversed() where entry.number < number ?? .max && isMeant(entry) {
            found.append(entry)
            if found.count == limit { break }
        }
        return found
    }

    package func entry(_ id: String) -> Entry? { list(limit: 1) { $0.id == id }.first }

    /// How many there have been.
    package var count: Int { content.withLock(\.count) }

    fileprivate func hold(_ body: [UInt8], of id: String) {
        content.withLock { content in
            if content.waiting.count > 100 { content.waiting.removeAll() }
            content.waiting[id] = body
        }
    }

    /// Keeps why a request is refused, where its client is told no more than a number.
    package func keep(reason: String, of id: String) {
        content.withLock { content in
            if content.reasons.count > 100 { content.reasons.removeAll() }
            content.reasons[id] = reason
        }
    }

    fileprivate func add(_ request: HTTPRequest, _ response: HTTPResponse) {
        var bearer: [UInt8]?
        if case .bearer(let token) = request.authorization { bearer = try? DigestAlgorithm.sha256.digest(token.utf8) }
        let refusal = Refusal(of: response, to: request)
        let path = request.target.logged(pattern: request.route, hiding: hidden)
        let at = now()
        content.withLock { content in
            content.count += 1
            let reason = content.reasons.removeValue(forKey: request.id)
            var entry = Entry(
                number: content.count, id: request.id, at: at, method: request.method.rawValue, path: path,
                status: response.status.rawValue, peer: request.peer.host, bearer: bearer,
                code: refusal?.code, message: reason ?? refusal?.message,
                verification: content.waiting.removeValue(forKey: request.id))
            let place = content.entries.count < Self.most ? content.entries.count : content.next
            content.forgetReceipts(at: place, beside: entry.verification?.count ?? 0)
            if let bytes = entry.verification?.count {
                if bytes > Self.receiptRoom {
                    entry.verification = nil
                } else {
                    content.receiptBytes += bytes
                    content.withReceipt.append(place)
                }
            }
            if place == content.entries.count { return content.entries.append(entry) }
            content.entries[place] = entry
            content.next = (place + 1) % Self.most
        }
    }

    /// What a client was told, in the form of the store's own interfaces or of those of the App Store.
    private struct Refusal {
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

    fileprivate static let verifying = "/verifyReceipt"
    fileprivate static let told = ["/device/", "/control/", "/pay/", "/inApps/", verifying]
}

/// Keeps the requests of devices, servers and operators in a history.
package struct RequestKeeper: Middleware {
    private let history: RequestHistory

    package init(_ history: RequestHistory) {
        self.history = history
    }

    package func receive(_ body: inout RequestBody, of request: HTTPRequest, policy: BodyPolicy) throws {
        guard request.route?.text == RequestHistory.verifying, request.method == .post, !body.bytes.isEmpty else {
            return
        }
        history.hold(body.bytes, of: request.id)
    }

    package func end(_ response: inout HTTPResponse, of request: HTTPRequest) {
        guard RequestHistory.told.contains(where: { request.target.raw.hasPrefix($0) }) else { return }
        history.add(request, response)
    }
}
