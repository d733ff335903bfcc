import Foundation
import StoreKit
import StoreModel

/// The requests that a purchase consists of, sent by the same client to the same store, and nothing else: opened,
/// confirmed, and both receipts at once, as the session gets them.
final class BarePurchases: Contestant {
    private let server: ServerProcess
    private let connection: NetworkConnection
    private let token: String

    /// - Parameter device: a device that is registered and signed in.
    init(_ server: ServerProcess, _ device: BenchDevice) throws {
        self.server = server
        connection = NetworkConnection(device.address)
        token = try FirstThread.wait {
            let session = try device.begin()
            try await session.device.prepare()
            try await session.device.signIn(StoreFolder.otherAccount, StoreFolder.password)
            let token = try session.journal.value(.token)
            await session.shutDown()
            return try token ?? { throw BenchmarkError("the store gave the device no token") }()
        }
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        let (connection, token) = (connection, token)
        var (done, spent) = (0, Duration.zero)
        while done == 0 || (clock.now - start) / .seconds(1) < seconds {
            spent += try FirstThread.wait {
                let purchase = BarePurchase(connection: connection, token: token)
                let begin = clock.now
                let transaction = try await purchase.buy(BenchDevice.product)
                let time = clock.now - begin
                _ = try await purchase.send("POST", "/transactions/\(transaction)/finish")
                return time
            }
            done += 1
        }
        return Rate(operations: done, seconds: spent / .seconds(1))
    }
}

/// A purchase of one device, request by request.
struct BarePurchase: Sendable {
    let connection: any StoreConnection
    let token: String
    private let key = UUID().uuidString.lowercased()

    init(connection: any StoreConnection, token: String) {
        (self.connection, self.token) = (connection, token)
    }

    /// Gives the number of the transaction.
    func buy(_ product: String) async throws -> String {
        let opened = try await send("POST", "/purchases", body: #"{"productId":"\#(product)"}"#, key: key)
        guard let confirmation = opened["confirmation"] as? [String: Any], let secret = confirmation["token"] as? String
        else { throw BenchmarkError("a purchase was not opened: \(opened)") }
        let bought = try await send("POST", "/purchases/\(key)/confirmation", body: #"{"token":"\#(secret)"}"#)
        guard let signed = bought["signedTransaction"] as? String,
            let transaction = try Self.payload(of: signed)["transactionId"] as? String
        else { throw BenchmarkError("a purchase was not confirmed: \(bought)") }
        async let receipt = get("/receipt")
        async let own = get("/transactions/\(transaction)/receipt")
        _ = try await (receipt, own)
        return transaction
    }

    func send(
        _ method: String, _ path: String, body: String? = nil, key: String? = nil
    ) async throws -> [String: Any] {
        let request = StoreRequest(
            method, path, token: token, key: key, body: body.map { Array($0.utf8) }, isRepeatable: true)
        let answer = try await connection.send(request)
        guard (200..<300).contains(answer.status) else {
            throw BenchmarkError("\(method) \(path): \(String(decoding: answer.body, as: UTF8.self))")
        }
        return try JSONSerialization.jsonObject(with: Data(answer.body.isEmpty ? Array("{}".utf8) : answer.body))
            as? [String: Any] ?? [:]
    }

    private func get(_ path: String) async throws -> Int {
        try await connection.send(StoreRequest("GET", path, token: token)).status
    }

    private static func payload(of signed: String) throws -> [String: Any] {
        let parts = signed.split(separator: ".")
        guard parts.count == 3 else { return [:] }
        var text = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return try JSONSerialization.jsonObject(with: Data(base64Encoded: text) ?? Data()) as? [String: Any] ?? [:]
    }
}
