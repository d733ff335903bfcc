import Foundation
import StoreModel
import Synchronization

@testable import StoreKit

/// An engine that does what a test tells it to, in memory.
final class ScriptedSession: OriginalSession {
    struct State {
        var sink: (@Sendable (PaymentEvent) -> Void)?
        var records: [PaymentRecord] = []
        var orders: [PaymentOrder] = []
        var finished: [PaymentKey] = []
        var restores: [String?] = []
        var refreshes: [ReceiptProperties] = []
        var lookups: [Set<String>] = []
        var attachments = 0
        var detachments = 0
        var sheets: [String] = []
        var canMakePayments = true
        var storefront: StorefrontValue?
        var products: [String: ProductRecord] = [:]
        var error: SKError?
        var receiptURL: URL?
        /// While closed, look-ups wait.
        var gate: Gate?
    }

    private let state = Mutex(State())

    /// Changes what the session answers.
    func script(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    /// What the session was asked for.
    func read<Value: Sendable>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

    let network = NetworkStatusSource()
    var canMakePayments: Bool { read(\.canMakePayments) }
    var storefront: StorefrontValue? { read(\.storefront) }
    var payments: [PaymentRecord] { read(\.records) }
    var receiptURL: URL? { read(\.receiptURL) }

    func products(for identifiers: Set<String>) async throws(SKError) -> ProductAnswer {
        script { $0.lookups.append(identifiers) }
        await read(\.gate)?.pass()
        if let error = read(\.error) { throw error }
        let known = read(\.products)
        return ProductAnswer(
            products: identifiers.sorted().compactMap { known[$0] },
            invalidIdentifiers: identifiers.sorted().filter { known[$0] == nil })
    }

    func add(_ order: PaymentOrder) {
        let record = state.withLock { state in
            state.orders.append(order)
            let record = PaymentRecord(
                key: PaymentKey("purchase \(state.orders.count)"), state: .purchasing, order: order)
            state.records.append(record)
            return record
        }
        tell(.updated([record]))
    }

    func finish(_ key: PaymentKey) {
        let isKnown = state.withLock { state in
            guard state.records.contains(where: { $0.key == key }) else { return false }
            state.records.removeAll { $0.key == key }
            state.finished.append(key)
            return true
        }
        if isKnown { tell(.removed([key])) }
    }

    func restore(applicationUsername: String?) { script { $0.restores.append(applicationUsername) } }

    func attach(_ sink: @escaping @Sendable (PaymentEvent) -> Void) {
        let records = state.withLock { state in
            state.sink = sink
            state.attachments += 1
            return state.records
        }
        sink(.attached(records))
    }

    func detach() {
        script { state in
            state.sink = nil
            state.detachments += 1
        }
    }

    func refreshReceipt(_ properties: ReceiptProperties) async throws(SKError) {
        script { $0.refreshes.append(properties) }
        if let error = read(\.error) { throw error }
    }

    func presentCodeRedemption() { script { $0.sheets.append("code") } }
    func showPriceConsentIfNeeded() { script { $0.sheets.append("price") } }

    /// Says something to the queue, if one is attached.
    func tell(_ event: PaymentEvent) {
        let sink = read { $0.sink }
        sink?(event)
    }

    /// Decides a transaction, the last one unless another is named.
    func decide(_ key: PaymentKey? = nil, _ change: (inout PaymentRecord) -> Void) {
        let record = state.withLock { state -> PaymentRecord? in
            guard let index = state.records.lastIndex(where: { key == nil || $0.key == key }) else { return nil }
            change(&state.records[index])
            return state.records[index]
        }
        if let record { tell(.updated([record])) }
    }

    /// Puts a transaction in the journal, and tells the queue.
    func put(_ record: PaymentRecord) {
        script { $0.records.append(record) }
        tell(.updated([record]))
    }
}
