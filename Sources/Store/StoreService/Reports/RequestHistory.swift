import StoreCatalogue
import StoreDatabase
package import StoreHTTP
package import StoreModel
import StoreSigning
import Synchronization

/// The newest requests of an environment, with what was answered, for whoever asks what became of one.
///
/// It keeps no secret: of tokens a hash, of queries the names. Of bodies production keeps only the receipts that were to be
/// verified, and the sandbox what ``ShownBody`` leaves of them. A device that asks again and again whether something has
/// happened has one entry for all of that.
///
/// A store with one server has them in memory. Where several share a database they are in a table, which all of them fill.
package final class RequestHistory: Sendable {
    /// How many requests are kept.
    package static let most = 5_000
    /// Bytes of receipts and bodies that are kept in memory, together.
    private static let room = 4 * 1024 * 1024

    /// A request and its answer.
    package struct Entry: Hashable, Sendable {
        /// Later ones have higher numbers, on all servers.
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
        /// How often the same was asked one after the other, the last time when and by which request.
        package internal(set) var repeats = 1
        package internal(set) var lastAt: Instant
        package internal(set) var lastId: String
        /// The body of a request to verify a receipt, as far as it was kept.
        package internal(set) var verification: [UInt8]?
        /// What was sent and answered, without secrets, as far as it was kept.
        package internal(set) var request: [UInt8]?
        package internal(set) var response: [UInt8]?

        /// Whether it was refused: by its status, or, where that is always 200, by what was answered.
        package var isRefused: Bool { status >= 400 || code != nil }

        /// Whether it only asked whether something has happened, and nothing was wrong.
        var isPoll: Bool { method == "GET" && path.hasPrefix(RequestHistory.polled) && status < 300 }

        fileprivate var bytes: Int { (verification?.count ?? 0) + (request?.count ?? 0) + (response?.count ?? 0) }
    }

    private struct Content {
        var entries: [Entry] = []
        /// The place of the next entry, once there are ``most``.
        var next = 0
        var count = 0
        var number = 0
        var bytes = 0
        /// The places of the entries that have bodies, the oldest first.
        var withBodies: [Int] = []
        /// Bodies of requests that have no answer yet.
        var waiting: [String: [UInt8]] = [:]
        /// Why requests were refused whose answer does not say it.
        var reasons: [String: String] = [:]
        /// The place of the newest entry of each device.
        var newest: [[UInt8]: Int] = [:]
        /// The places of what other servers do not know yet.
        var unwritten: Set<Int> = []

        /// Forgets the bodies of an entry that gives way, and the oldest ones until there is room for more bytes.
        mutating func forgetBodies(at place: Int, beside more: Int) {
            while let oldest = withBodies.first, oldest == place || bytes + more > RequestHistory.room {
                withBodies.removeFirst()
                bytes -= entries[oldest].bytes
                (entries[oldest].verification, entries[oldest].request, entries[oldest].response) = (nil, nil, nil)
            }
        }

        /// Counts a poll with that before it, if its device has asked nothing else since; false if it has.
        mutating func fold(_ entry: Entry) -> Bool {
            guard entry.isPoll, let bearer = entry.bearer, let place = newest[bearer], entries[place].bearer == bearer,
                entries[place].isPoll, entries[place].path == entry.path
            else { return false }
            entries[place].repeats += 1
            (entries[place].lastAt, entries[place].lastId) = (entry.at, entry.id)
            unwritten.insert(place)
            return true
        }

        mutating func add(_ entry: Entry) {
            var entry = entry
            if entry.bytes > RequestHistory.room {
                (entry.verification, entry.request, entry.response) = (nil, nil, nil)
            }
            let place = entries.count < RequestHistory.most ? entries.count : next
            forgetBodies(at: place, beside: entry.bytes)
            if entry.bytes > 0 {
                bytes += entry.bytes
                withBodies.append(place)
            }
            if let bearer = entry.bearer { newest[bearer] = place }
            unwritten.insert(place)
            if place == entries.count { return entries.append(entry) }
            if let bearer = entries[place].bearer, newest[bearer] == place, bearer != entry.bearer {
                newest[bearer] = nil
            }
            entries[place] = entry
            next = (place + 1) % RequestHistory.most
        }
    }

    private let content = Mutex(Content())
    private let hidden: PathSecrets
    private let keepsBodies: Bool
    private let shared: SharedRequests?
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - hidden: what is secret in paths.
    ///   - keepsBodies: whether bodies are kept without their secrets, as in the sandbox.
    ///   - shared: where the servers of a database have their requests together; nil where there is one server.
    package init(
        hiding hidden: PathSecrets, keepsBodies: Bool = false, shared: SharedRequests? = nil,
        now: @escaping @Sendable () -> Instant
    ) {
        (self.hidden, self.keepsBodies, self.shared, self.now) = (hidden, keepsBodies, shared, now)
    }

    // MARK: Reading

    /// Requests the newest first, those before a number, as far as they are still kept; of all servers.
    package func list(
        before number: Int? = nil, limit: Int, where isMeant: (Entry) -> Bool = { _ in true }
    ) async -> [Entry] {
        var found: [Entry] = []
        for entry in await all() where entry.number < number ?? .max && isMeant(entry) {
            found.append(entry)
            if found.count == limit { break }
        }
        return found
    }

    /// The request with an id, with its bodies.
    package func entry(_ id: String) async -> Entry? {
        func isMeant(_ entry: Entry) -> Bool { entry.id == id || entry.lastId == id }
        if let here = here().first(where: isMeant) { return here }
        return try? await shared?.entry(id)
    }

    /// All of them, the newest first. Where the database does not answer, those of this server are better than none.
    private func all() async -> [Entry] {
        guard let shared else { return here() }
        try? await flush()
        return (try? await shared.newest(Self.most)) ?? here()
    }

    private func here() -> [Entry] {
        content.withLock { Array($0.entries[$0.next...] + $0.entries[..<$0.next]) }.reversed()
    }

    /// How many there have been on this server.
    package var count: Int { content.withLock(\.count) }

    /// Which are told: calls of devices, servers, pages of purchases, and of operators.
    static func isTold(_ request: HTTPRequest) -> Bool { told.contains { request.target.raw.hasPrefix($0) } }

    static let verifying = "/verifyReceipt"
    fileprivate static let polled = "/device/v1/events"
    private static let told = ["/device/", "/control/", "/pay/", "/inApps/", verifying]

    // MARK: Writing

    func hold(_ body: [UInt8], of request: HTTPRequest) {
        guard keepsBodies || request.route?.text == Self.verifying else { return }
        guard request.route?.text == Self.verifying || body.count <= ShownBody.mostBytes else { return }
        content.withLock { content in
            if content.waiting.count > 100 { content.waiting.removeAll() }
            content.waiting[request.id] = body
        }
    }

    /// Keeps why a request is refused, where its client is told no more than a number.
    package func keep(reason: String, of id: String) {
        content.withLock { content in
            if content.reasons.count > 100 { content.reasons.removeAll() }
            content.reasons[id] = reason
        }
    }

    func add(_ request: HTTPRequest, _ response: HTTPResponse) {
        var bearer: [UInt8]?
        if case .bearer(let token) = request.authorization { bearer = try? DigestAlgorithm.sha256.digest(token.utf8) }
        let refusal = ToldRefusal(of: response, to: request)
        let path = request.target.logged(pattern: request.route, hiding: hidden)
        let (at, isVerifying) = (now(), request.route?.text == Self.verifying)
        let (sent, reason) = content.withLock {
            ($0.waiting.removeValue(forKey: request.id), $0.reasons.removeValue(forKey: request.id))
        }
        var entry = Entry(
            number: 0, id: request.id, at: at, method: request.method.rawValue, path: path,
            status: response.status.rawValue, peer: request.peer.host, bearer: bearer, code: refusal?.code,
            message: reason ?? refusal?.message, lastAt: at, lastId: request.id)
        if isVerifying {
            entry.verification = sent
        } else if keepsBodies, !entry.isPoll {
            entry.request = sent.flatMap { ShownBody.request($0) }
            if case .bytes(let bytes) = response.body { entry.response = ShownBody.answer(bytes) }
        }
        content.withLock { [entry] content in
            content.count += 1
            guard !content.fold(entry) else { return }
            content.number = max(content.number + 1, Int(at.millisecondsSinceEpoch) << Self.bitsInMillisecond)
            content.add(entry.numbered(content.number))
        }
    }

    /// Numbers follow the time, so that those of several servers are in one order.
    private static let bitsInMillisecond = 12

    // MARK: Servers of one database

    /// How often other servers are told, and how many requests at a time.
    private static let pause = Duration.seconds(1)
    private static let batch = 500

    /// Tells other servers until the task is cancelled; does nothing where there are none.
    package func run(pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) async {
        guard shared != nil else { return }
        while (try? await pause(Self.pause)) != nil { try? await flush() }
    }

    /// Writes what other servers do not know yet.
    package func flush() async throws {
        guard let shared else { return }
        while true {
            let (places, entries) = content.withLock { content in
                let places = Array(content.unwritten.prefix(Self.batch))
                content.unwritten.subtract(places)
                return (places, places.map { content.entries[$0] })
            }
            guard !places.isEmpty else { return }
            do {
                try await shared.write(entries)
            } catch {
                content.withLock { $0.unwritten.formUnion(places) }
                throw error
            }
        }
    }
}

extension RequestHistory.Entry {
    fileprivate func numbered(_ number: Int) -> RequestHistory.Entry {
        var entry = RequestHistory.Entry(
            number: number, id: id, at: at, method: method, path: path, status: status, peer: peer, bearer: bearer,
            code: code, message: message, lastAt: lastAt, lastId: lastId)
        (entry.verification, entry.request, entry.response) = (verification, request, response)
        return entry
    }
}
