import StoreModel
import Synchronization

/// What `Transaction.updates` has to tell in this process, and who has heard what.
///
/// Every reader gets what comes while it is there. What nobody has taken, because there was no reader, or because it was cancelled
/// before its turn, waits for the next one. Nothing is told twice: a key is a transaction and whether it is revoked.
final class UpdateLog: Sendable {
    struct Key: Hashable, Sendable {
        let id: TransactionID
        let isRevoked: Bool
        /// What was told as unverified is told again once it is verified.
        var isVerified = true
    }

    /// One thing to tell.
    struct Update: Sendable {
        let key: Key
        let value: VerificationResult<Transaction>
        /// The entry of the queue; nil for what does not wait for the app.
        var entry: QueueEntry.Key?
        /// What the journal has to forget once the app has heard.
        var announced: JournalTransaction?
    }

    private struct Reader {
        /// What it looks at next.
        var place: Int
        /// What came before it is its own only if nobody has taken it.
        let beganAt: Int
        var waiting: CheckedContinuation<Update?, Never>?
        var isCancelled = false
    }

    private struct State {
        var updates: [Int: Update] = [:]
        /// The number of the next update.
        var next = 0
        var taken: Set<Int> = []
        var known: Set<Key> = []
        var readers: [Int: Reader] = [:]
        var readerCount = 0
    }

    private let state = Mutex(State())

    /// Tells something, unless it was told before.
    func add(_ update: Update) {
        state.withLock { state in
            guard state.known.insert(update.key).inserted else { return }
            let number = state.next
            state.next += 1
            state.updates[number] = update
            for id in state.readers.keys {
                guard let waiting = state.readers[id]?.waiting.take() else { continue }
                waiting.resume(returning: Self.take(&state, id))
            }
        }
    }

    /// What was finished before anybody took it is not told.
    func remove(_ entry: QueueEntry.Key) {
        state.withLock { state in
            for (number, update) in state.updates where update.entry == entry && !state.taken.contains(number) {
                state.updates[number] = nil
            }
        }
    }

    /// A new reader.
    func open() -> Int {
        state.withLock { state in
            state.readerCount += 1
            state.readers[state.readerCount] = Reader(place: 0, beganAt: state.next)
            return state.readerCount
        }
    }

    func close(_ reader: Int) {
        let waiting = state.withLock { state -> CheckedContinuation<Update?, Never>? in
            defer { Self.forget(&state) }
            return state.readers.removeValue(forKey: reader)?.waiting
        }
        waiting?.resume(returning: nil)
    }

    /// Ends all readers: another process of the app begins, and knows nothing of this one.
    func restart() {
        let waiting = state.withLock { state in
            let waiting = state.readers.values.compactMap(\.waiting)
            let count = state.readerCount
            state = State()
            state.readerCount = count
            return waiting
        }
        for one in waiting { one.resume(returning: nil) }
    }

    /// Forgets what another engine has told; the readers stay.
    func clear() {
        state.withLock { state in
            state.updates = [:]
            state.taken = []
            state.known = []
        }
    }

    /// The next update for a reader, as soon as there is one; nil once the task is cancelled, or the reader is closed.
    func next(_ reader: Int) async -> Update? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> Update?? in
                    guard state.readers[reader] != nil, state.readers[reader]?.isCancelled != true, !Task.isCancelled
                    else { return .some(nil) }
                    if let update = Self.take(&state, reader) { return update }
                    state.readers[reader]?.waiting = continuation
                    return .none
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.readers[reader]?.isCancelled = true
                return state.readers[reader]?.waiting.take()
            }
            waiting?.resume(returning: nil)
        }
    }

    private static func take(_ state: inout State, _ id: Int) -> Update? {
        guard var reader = state.readers[id] else { return nil }
        defer {
            state.readers[id] = reader
            forget(&state)
        }
        while reader.place < state.next {
            let number = reader.place
            reader.place += 1
            guard let update = state.updates[number], number >= reader.beganAt || !state.taken.contains(number)
            else { continue }
            state.taken.insert(number)
            return update
        }
        return nil
    }

    /// Forgets what everybody has heard.
    private static func forget(_ state: inout State) {
        let place = state.readers.values.map(\.place).min() ?? state.next
        for number in state.taken where number < place {
            state.taken.remove(number)
            state.updates[number] = nil
        }
    }
}
