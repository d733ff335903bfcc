import StoreModel
import StoreRules
import Synchronization

/// What happens to a sender, in the order in which it happens, for one task that takes all of it at once.
final class SenderInbox: Sendable {
    // Closed: the sender handles each of them.
    enum Event: Sendable {
        /// There may be something for an app.
        case called(AppID)
        /// There may be something for any app.
        case look
        /// Some time has passed.
        case sweep
        /// An attempt has ended.
        case ended(DeliveryPlan<AppID>.Ticket, isSuccess: Bool)
        /// Nothing more is to be begun.
        case stop
        /// What is on its way is left.
        case cut
    }

    private struct State {
        var events: [Event] = []
        var waiter: CheckedContinuation<Void, Never>?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func add(_ event: Event) {
        let waiter = state.withLock { state in
            state.events.append(event)
            return Self.taken(&state)
        }
        waiter?.resume()
    }

    /// Waits until something has happened, and gives all of it; nothing once the task is cancelled.
    func next() async -> [Event] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isReady = state.withLock { state in
                    guard state.events.isEmpty, !state.isCancelled else { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.isCancelled = true
                return Self.taken(&state)
            }
            waiter?.resume()
        }
        return state.withLock { state in
            defer { state.events = [] }
            return state.isCancelled ? [] : state.events
        }
    }

    private static func taken(_ state: inout State) -> CheckedContinuation<Void, Never>? {
        defer { state.waiter = nil }
        return state.waiter
    }
}
