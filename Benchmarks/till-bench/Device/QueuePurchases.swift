import Foundation
import StoreKit

/// An app that buys one consumable after the other with the original API. What counts is the time from `add(_:)` to the
/// callback with `.purchased`; that it is finished in between does not.
// Safe: everything happens on the main queue, which the first thread serves while it waits.
final class QueuePurchases: NSObject, Contestant, SKPaymentTransactionObserver, @unchecked Sendable {
    private let server: ServerProcess
    private let processor: ServerProcess
    private let device: BenchDevice
    private let session: DeviceSession
    private var bought: SKPaymentTransaction?
    private var failure: (any Error)?
    private var isFinished = true

    init(_ server: ServerProcess, _ processor: ServerProcess, _ device: BenchDevice) throws {
        (self.server, self.processor, self.device) = (server, processor, device)
        session = try device.begin()
        super.init()
        CurrentSession.activate(session)
        SKPaymentQueue.default().add(self)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            if transaction.transactionState == .purchased { bought = transaction }
            if transaction.transactionState == .failed { failure = transaction.error ?? SKError(.unknown) }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        isFinished = true
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        var (done, spent) = (0, Duration.zero)
        while done == 0 || (clock.now - start) / .seconds(1) < seconds {
            let begin = clock.now
            let payment = SKMutablePayment()
            payment.productIdentifier = BenchDevice.product
            SKPaymentQueue.default().add(payment)
            try serveMainQueue { bought != nil }
            spent += clock.now - begin
            done += 1
            try finish()
        }
        return Rate(operations: done, seconds: spent / .seconds(1))
    }

    private func finish() throws {
        guard let transaction = bought else { return }
        (bought, isFinished) = (nil, false)
        SKPaymentQueue.default().finishTransaction(transaction)
        try serveMainQueue { isFinished }
        // The store hears of it in the background, which is not to disturb the next purchase.
        try FirstThread.wait { [session] in
            repeat { await session.tellFinishes() } while !(try session.journal.finishes()).isEmpty
        }
    }

    private func serveMainQueue(until isOver: () -> Bool) throws {
        while !isOver() {
            if let failure { throw failure }
            _ = RunLoop.main.run(mode: .default, before: .distantFuture)
        }
    }
}
