import Foundation
import StoreKit
import StoreModel
import StoreSigning

/// A device whose journal has a long history: ten thousand transactions, of which some were never finished.
final class LongHistory: Sendable {
    static let count = 10_000
    static let unfinished = 500

    private let store: StoreFolder
    let device: BenchDevice
    /// All of them, signed.
    let all: [String]
    /// Those that were not finished.
    var waiting: [String] { Array(all.suffix(Self.unfinished)) }

    /// - Parameter isOwned: each is of a product of its own, so that the customer owns all of it; else all are of one.
    init(isOwned: Bool = false) throws {
        store = try StoreFolder(customers: StoreFolder.clients)
        device = try BenchDevice(of: store)
        guard let key = store.keys.current[.jws] else { throw BenchmarkError("the sandbox has no key for JWS") }
        let signer = try JWSSigner(key)
        let session = try device.begin()
        let identity = CurrentSession.$own.withValue(SessionContext(session)) { AppStore.deviceVerificationID }
        let transactions = try (0..<Self.count).map { index in
            var payload = try Self.payload(Int64(index), of: BenchDevice.product + (isOwned ? ".\(index)" : ""))
            let nonce = UUID()
            payload.deviceVerificationNonce = DeviceVerificationNonce(nonce)
            // As the store signs it for this device: StoreKit 2 looks at that too.
            payload.deviceVerification = try identity.map {
                Base64.encode(try DeviceVerification.digest(nonce: nonce, device: $0))
            }
            return JournalTransaction(
                id: payload.transactionId, signed: try signer.sign(encoding: payload, at: BenchClock.start),
                state: index < Self.count - Self.unfinished ? .finished : .waiting)
        }
        all = transactions.map(\.signed)
        try session.journal.store(transactions)
        try FirstThread.wait { await session.shutDown() }
    }

    private static func payload(_ number: Int64, of product: String) throws -> TransactionPayload {
        let purchase = BenchClock.start.adding(milliseconds: -60_000 * (count64 - number))
        return try TransactionPayload(
            transactionId: TransactionID(number: 2_000_000_900_000_000 + number),
            originalTransactionId: TransactionID(number: 2_000_000_900_000_000 + number),
            bundleId: BundleID(parsing: StoreFolder.bundle), productId: ProductID(parsing: product),
            type: .nonConsumable, purchaseDate: purchase, originalPurchaseDate: purchase, quantity: 1,
            inAppOwnershipType: .purchased, environment: .sandbox, signedDate: BenchClock.start,
            storefront: StorefrontCode(rawValue: "USA"), storefrontId: StorefrontID(number: 143441),
            transactionReason: .purchase, price: 1990, currency: CurrencyCode(rawValue: "USD"))
    }

    /// What the signatures are verified by.
    var roots: [Certificate] {
        get throws {
            try device.profile.content.jwsRoots.map { text in
                try Certificate(derRepresentation: Base64.decode(text) ?? [])
            }
        }
    }

    private static let count64 = Int64(count)
}

/// Launches: a session begins, and the observer is told of everything that waits for it.
final class Launches: Contestant {
    private let history: LongHistory

    init(_ history: LongHistory) {
        self.history = history
    }

    /// All of a launch happens on the thread that attaches, so its processor time is what counts, as it is for the reference.
    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        var (done, spent) = (0, 0.0)
        while done == 0 || (clock.now - start) / .seconds(1) < seconds {
            let begin = ProcessorClock.seconds
            let session = try history.device.begin()
            let count = Self.attach(session)
            spent += ProcessorClock.seconds - begin
            guard count == LongHistory.unfinished else {
                throw BenchmarkError("a launch told of \(count) transactions")
            }
            try FirstThread.wait { await session.shutDown() }
            done += 1
        }
        return Rate(operations: done, seconds: spent)
    }

    /// How many entries a sink is told of at once.
    static func attach(_ session: DeviceSession) -> Int {
        let count = Counter()
        let sink = SessionSink { news in
            if case .attached(let entries) = news { count.add(entries.count) }
        }
        session.attach(sink)
        return count.value
    }
}
