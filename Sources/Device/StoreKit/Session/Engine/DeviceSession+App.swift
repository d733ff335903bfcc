import Foundation
package import StoreFoundation
package import StoreModel
import Synchronization

// What the app asks for.

extension DeviceSession {
    package var texts: Texts { settings.texts }

    package var isSimulator: Bool { settings.preferences().isSimulator }

    package var canMakePayments: Bool {
        // What the store says of the device is an echo of what the device has told it.
        settings.preferences().purchasesAllowed && device.answer?.accountMayBuy ?? true
    }

    package var storefront: StorefrontAnswer? { device.answer?.storefront }

    package var network: ObservedValue<NetworkStatus> { device.network }

    package var receiptURL: URL? { receipt.url }

    package var storeAddress: StoreAddress? { settings.profile.content.storeUrl }

    package var environmentTime: Instant { device.environmentTime }

    /// What the store calls this device, once it has made itself known.
    package var deviceID: DeviceID? { device.answer?.deviceId }

    package func simulatedFailure(of call: FailableCall) -> (any Error)? { settings.simulatedFailure?(call) }

    package var entries: [QueueEntry] {
        queue.withLock { state in
            readAtStart(&state)
            return withDownloads(state.rules.entries, &state)
        }
    }

    @discardableResult
    package func add(_ payment: Payment) -> QueueEntry.Key {
        add(payment) { calls, key in if payment.source == nil { calls.added.insert(key) } }
    }

    /// - Parameter note: notes who waits for it, before anybody is told.
    @discardableResult
    func add(_ payment: Payment, note: (inout PurchaseCalls, PurchaseKey) -> Void) -> QueueEntry.Key {
        var kept = JournalPayment(
            key: PurchaseKey(UUID()), payment: payment, owner: presence.name, addedAt: settings.wall())
        queue.withLock { state in
            note(&state.calls, kept.key)
            readAtStart(&state)
            do {
                if let refusal = payment.refusal { throw refusal }
                kept = try journal.keep(kept)
                perform(state.rules.handle(.added(kept)), &state)
            } catch {
                // What is not in the journal is never sent.
                kept.number = .max
                perform(state.rules.handle(.refused(kept, error as? SessionFailure ?? .journal(error))), &state)
                if payment.source == .modern { perform(state.rules.handle(.finish(.payment(kept.key))), &state) }
            }
        }
        presence.wakeOthers()
        return .payment(kept.key)
    }

    package func finish(_ key: QueueEntry.Key) {
        queue.withLock { state in
            guard let entry = state.rules.entries.first(where: { $0.key == key }), !entry.isOpen else { return }
            do {
                if let id = entry.bought?.id {
                    try journal.finish(id, by: presence.name)
                    // The app hears that a download was cancelled while it still knows the transaction.
                    readDownloads(&state)
                } else if case .payment(let payment) = key {
                    try journal.forget(payment)
                }
                perform(state.rules.handle(.finish(key)), &state)
            } catch {
                // It is not finished then, and comes again.
                settings.report("a transaction could not be finished: \(error)")
            }
        }
        presence.wakeOthers()
    }

    package func restore(applicationUsername username: String?) {
        queue.withLock { state in
            let actions = state.rules.handle(.restoreAsked(username: username))
            if actions.isEmpty { settings.report("a restore is running already; the second one is ignored") }
            perform(actions, &state)
        }
    }

    package func presentCodeRedemption() {
        tasks.start { [weak self] in await self?.redeemCode() }
    }
}
