import Foundation
import StoreFoundation
package import StoreHTTP
import StoreHTTPClient
public import StoreModel
import Synchronization

/// Asks a store, Apple's or Till: `verifyReceipt`, and the App Store Server API.
///
/// Each question has its time limit and is repeated where that may help and the budget of ``StoreLimits`` allows it.
/// Whatever comes back that is no answer of a store is a ``BackendError`` with the code `store_unavailable`.
public final class StoreConnection: Sendable {
    /// Where one environment is asked, through transports.
    package struct Place: Sendable {
        let receipts: any HTTPTransport
        let serverAPI: any HTTPTransport
        let host: String

        package init(receipts: any HTTPTransport, serverAPI: any HTTPTransport, host: String) {
            self.receipts = receipts
            self.serverAPI = serverAPI
            self.host = host
        }
    }

    private let places: [StoreEnvironment: Place]
    let key: StoreKey?
    private let sharedSecrets: [StoreEnvironment: String]
    private let appSecrets: [BundleID: [StoreEnvironment: String]]
    let limits: StoreLimits
    private let retries: RetryPolicy
    /// How many attempts may still be repeated.
    private let budget: Mutex<Double>

    /// - Parameters:
    ///   - key: that of the App Store Server API; without one only receipts are verified.
    ///   - sharedSecrets: those that the store wants with receipts of subscriptions, of whatever app.
    ///   - appSecrets: those of apps that have their own.
    public convenience init(
        _ addresses: StoreAddresses, key: StoreKey? = nil, sharedSecrets: [StoreEnvironment: String] = [:],
        appSecrets: [BundleID: [StoreEnvironment: String]] = [:], limits: StoreLimits = StoreLimits()
    ) {
        // The operator of the backend names the store, which may run on the same machine.
        var configuration = HTTPClientConfiguration(addresses: .everywhere)
        configuration.timeouts = ClientTimeouts(
            connect: limits.connectTime, idle: limits.attemptTime, total: limits.attemptTime)
        let client = HTTPClient(configuration)
        var places: [StoreEnvironment: Place] = [:]
        for environment in addresses.environments {
            guard let place = addresses[environment] else { continue }
            places[environment] = Place(
                receipts: ClientTransport(client, origin: place.receipts.description),
                serverAPI: ClientTransport(client, origin: place.serverAPI.description), host: place.receipts.host)
        }
        self.init(places, key: key, sharedSecrets: sharedSecrets, appSecrets: appSecrets, limits: limits)
    }

    /// - Parameter wait: waits before another attempt.
    package init(
        _ places: [StoreEnvironment: Place], key: StoreKey? = nil, sharedSecrets: [StoreEnvironment: String] = [:],
        appSecrets: [BundleID: [StoreEnvironment: String]] = [:], limits: StoreLimits = StoreLimits(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.places = places
        self.key = key
        self.sharedSecrets = sharedSecrets
        self.appSecrets = appSecrets
        self.limits = limits
        retries = RetryPolicy(
            attempts: limits.attempts, longestDelay: limits.longestWait, longestRetryAfter: limits.longestWait,
            random: random, wait: wait)
        budget = Mutex(Double(limits.retryBudget))
    }

    /// The environments that have an address.
    public var environments: Set<StoreEnvironment> { Set(places.keys) }

    /// Whether the App Store Server API can be asked.
    public var hasKey: Bool { key != nil }

    /// Whether receipts of subscriptions of an app can be asked about in an environment.
    public func hasSharedSecret(of bundleID: BundleID, in environment: StoreEnvironment) -> Bool {
        sharedSecret(of: bundleID, in: environment) != nil
    }

    /// The secret that goes with receipts of an app; nil if there is none.
    func sharedSecret(of bundleID: BundleID?, in environment: StoreEnvironment) -> String? {
        bundleID.flatMap { appSecrets[$0]?[environment] } ?? sharedSecrets[environment]
    }

    func place(_ environment: StoreEnvironment) throws -> Place {
        guard let place = places[environment] else {
            throw BackendError(
                .wrongEnvironment,
                "This backend has no address of \(WireEnvironment(environment)); expected \(environments.names).")
        }
        return place
    }

    /// What a store answered.
    struct Answer: Sendable {
        let status: HTTPStatus
        let fields: HTTPFields
        let body: [UInt8]
    }

    /// What an answer is good for.
    enum Judgement<Value> {
        case value(Value)
        /// Another attempt may help, after a while that the store may have named.
        case again(BackendError, after: Duration? = nil)
    }

    /// Sends a request until its answer is judged to be one, or no further attempt is allowed.
    ///
    /// - Parameter isRepeatable: whether it may be sent again though it may have been carried out.
    func ask<Value>(
        _ request: TransportRequest, _ transport: any HTTPTransport, at place: Place, isRepeatable: Bool = true,
        judge: (Answer) throws -> Judgement<Value>
    ) async throws -> Value {
        var failures = 0
        while true {
            let failure: BackendError
            var wish: Duration?
            var mayRepeat = isRepeatable
            do {
                switch try judge(try await send(request, transport)) {
                case .value(let value):
                    budget.withLock { $0 = min(Double(limits.retryBudget), $0 + Self.earned) }
                    return value
                case .again(let error, let after): (failure, wish) = (error, after)
                }
            } catch let error as HTTPClientError {
                if error.code == .cancelled { throw CancellationError() }
                failure = Self.unavailable("\(place.host) gives no answer: \(error.message)")
                mayRepeat = error.isTemporary && (isRepeatable || error.outcome == .notSent)
            } catch is ConnectionClosed {
                failure = Self.unavailable("\(place.host) closed the connection without an answer.")
            }
            failures += 1
            guard mayRepeat, let delay = retries.delay(afterFailures: failures, retryAfter: wish), spendRetry() else {
                throw failure
            }
            try await retries.wait(delay)
        }
    }

    /// What a question that was answered adds to the budget.
    private static let earned = 0.1

    private func spendRetry() -> Bool {
        budget.withLock { left in
            guard left >= 1 else { return false }
            left -= 1
            return true
        }
    }

    private func send(_ request: TransportRequest, _ transport: any HTTPTransport) async throws -> Answer {
        let response = try await transport.send(request)
        var body: [UInt8] = []
        for try await piece in response.body {
            guard body.count + piece.count <= limits.answerBytes else {
                response.body.giveUp()
                throw Self.unavailable("The answer of the store exceeds \(limits.answerBytes) bytes.")
            }
            body += piece
        }
        return Answer(status: response.status, fields: response.fields, body: body)
    }

    static func unavailable(_ message: String, retryAfter: Int? = nil) -> BackendError {
        BackendError(.storeUnavailable, message, retryAfter: retryAfter)
    }

    static func decode<Value: Decodable>(_ answer: Answer, from place: Place) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(answer.body))
        } catch {
            throw unavailable("\(place.host) did not answer as a store does: the body is not of the form it has there.")
        }
    }
}
