package import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
package import StoreService

/// Lets requests of a sandbox go wrong on purpose, as its faults say. Production can have none.
///
/// A fault strikes a request that has its body and has been let in: what is refused before is counted by none.
package struct FaultMiddleware: Middleware {
    private let store: EnvironmentStore
    private let faults: Faults
    private let history: RequestHistory?
    private let pause: @Sendable (Duration) async throws -> Void

    /// Nil where nothing can go wrong on purpose.
    ///
    /// - Parameters:
    ///   - history: where it is kept which fault struck a request.
    ///   - pause: waits for so long, or until the task is cancelled.
    package init?(
        _ store: EnvironmentStore, history: RequestHistory? = nil,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        guard let faults = store.faults else { return nil }
        self.store = store
        self.faults = faults
        self.history = history
        self.pause = pause
    }

    /// What nothing happens to: where faults are taken away, and what an operator's machines ask.
    private static let spared = ["/control/v1/faults", "/console", "/healthz", "/readyz", "/metrics"]

    package func begin(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        guard !faults.isEmpty else { return nil }
        let path = "/" + request.target.segments.joined(separator: "/")
        guard !Self.spared.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) else { return nil }
        let about = faults.about(path: path, method: request.method.rawValue)
        guard !about.isEmpty else { return nil }
        request.interceptor = { request, handle in
            guard let strike = await strike(about, request) else { return try await handle() }
            note(strike, request)
            if strike.delay > .zero { try await pause(strike.delay) }
            return try await answer(request, struckBy: strike, at: path, handle)
        }
        return nil
    }

    /// What strikes a request; nil also where that cannot be counted, because the store has trouble of its own then.
    private func strike(_ about: [Fault], _ request: HTTPRequest) async -> Faults.Strike? {
        do {
            let isWhose = about.contains { $0.rule.bundle != nil || $0.rule.customer != nil }
            let subject = isWhose ? try await FaultSubject.find(.init(request, store), in: store) : nil
            return try await faults.strike(about, app: subject?.app, customer: subject?.customer)
        } catch {
            store.log.error(
                "fault.lost", "A fault could not be counted, and did nothing.",
                ["request_id": .text(request.id), "reason": "\(error)"])
            return nil
        }
    }

    private func note(_ strike: Faults.Strike, _ request: HTTPRequest) {
        history?.keep(reason: strike.words, of: request.id)
        store.log.info(
            "fault.struck", "A fault struck a request.",
            [
                "request_id": .text(request.id),
                "fault": .text(strike.faults.map(\.description).joined(separator: ",")),
                "reason": .text(strike.words),
            ])
    }

    private func answer(
        _ request: HTTPRequest, struckBy strike: Faults.Strike, at path: String,
        _ handle: @Sendable () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        var response: HTTPResponse
        switch strike.effect {
        case .status(let status, let wait):
            response = try FaultAnswer(status, retryAfter: wait, strike.words, at: store.clocks.wall()).response(path)
        case .drop(.before):
            response = HTTPResponse(.noAnswer)
            response.isWithheld = true
        case .drop(.after):
            response = (try? await handle()) ?? HTTPResponse(.noAnswer)
            response.isWithheld = true
        case .duplicate:
            // A body that is read as it arrives is there once only.
            if case .streaming = request.body {} else { (try? await handle())?.abandon() }
            response = try await handle()
        case .reorder, nil: response = try await handle()
        }
        response.fields[FaultAnswer.reasonField] = strike.words
        return response
    }
}

/// What a fault answers in the place of a handler, in the words of the interface that was asked.
struct FaultAnswer {
    static let code = "fault"
    static let reasonField = "Till-Reason"

    private let status: Int
    private let retryAfter: Int?
    private let words: String
    private let now: Instant

    init(_ status: Int, retryAfter: Int?, _ words: String, at now: Instant) {
        (self.status, self.retryAfter, self.words, self.now) = (status, retryAfter, words, now)
    }

    /// The answer, or the error that the form of the route makes it of.
    func response(_ path: String) throws -> HTTPResponse {
        if path == "/verifyReceipt" {
            return status > 999 ? VerifyReceiptAnswer.refusal(.init(rawValue: status)) : plain
        }
        if path.hasPrefix("/inApps/") {
            if status > 999 { throw error(status / 10_000, code: String(status)) }
            // Those that the interface has words for.
            if [401, 429, 500].contains(status) { throw error(status, code: Self.code) }
            return plain
        }
        guard status >= 400 else { return plain }
        throw error(status, code: Self.code)

        func error(_ status: Int, code: String) -> APIError {
            var error = APIError(
                HTTPStatus(rawValue: status), code: code, "This went wrong on purpose, by \(words).")
            error.fields["Retry-After"] = wait(path)
            error.fields[Self.reasonField] = words
            return error
        }
    }

    private var plain: HTTPResponse {
        var response = HTTPResponse(HTTPStatus(rawValue: status))
        response.fields["Retry-After"] = wait("")
        return response
    }

    /// Seconds, or, at the App Store Server API, an instant in milliseconds.
    private func wait(_ path: String) -> String? {
        retryAfter.map { seconds in
            path.hasPrefix("/inApps/") ? String(now.millisecondsSinceEpoch + Int64(seconds) * 1000) : String(seconds)
        }
    }
}

extension FaultSubject.Hints {
    /// What a request says of the app and the customer that it concerns.
    fileprivate init(_ request: HTTPRequest, _ store: EnvironmentStore) {
        self.init()
        app = request.context[ServerCaller.self]?.app
        if case .bearer(let text) = request.authorization { token = text }
        bundle = request.parameters.text("bundleId").flatMap { BundleID($0) }
        customer = request.parameters.text("customer")
        transactions = request.target.segments.compactMap { TransactionID($0) }
        if request.route?.text == "/verifyReceipt" {
            let found = Inspection(
                of: String(decoding: request.body.bytes, as: UTF8.self), askedIn: store.environment,
                signers: [store.environment: store.signers], at: store.clocks.wall())
            (bundle, transactions) = (found.bundle, found.transactions)
        }
    }
}
