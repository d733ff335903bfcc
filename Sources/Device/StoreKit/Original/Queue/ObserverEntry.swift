/// An observer's place at a payment queue.
// Safe: `isGreeted` is touched on the main queue alone; the rest never changes, and weak references are atomic.
final class ObserverEntry: @unchecked Sendable {
    /// Tells the observer from others even while it is going away.
    let identity: ObjectIdentifier
    private(set) weak var observer: (any SKPaymentTransactionObserver)?
    /// Whether it was told of what is unfinished, and so is told of changes.
    var isGreeted = false

    init(_ observer: any SKPaymentTransactionObserver) {
        identity = ObjectIdentifier(observer)
        self.observer = observer
    }
}
