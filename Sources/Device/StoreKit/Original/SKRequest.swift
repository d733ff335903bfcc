import Synchronization

/// A request to the store.
///
/// Apps use the subclasses. A request is started once, is answered through its delegate on the main queue, and ends
/// exactly once: with ``SKRequestDelegate/requestDidFinish(_:)`` or with
/// ``SKRequestDelegate/request(_:didFailWithError:)``. Once started it lives until it ends, whether or not the app keeps
/// it; a request that is cancelled says nothing more.
// Safe: everything that changes is behind a mutex, but for the weak delegate, which the app sets before it starts.
open class SKRequest: NSObject, @unchecked Sendable {
    private enum Progress {
        case ready
        case running(Task<Void, Never>?)
        case ended
    }

    private let progress = Mutex(Progress.ready)

    /// The object that is told how the request ends; not retained.
    @_disfavoredOverload
    weak open var delegate: (any SKRequestDelegate)?

    /// Makes a request that asks for nothing; subclasses ask for something.
    public override init() { super.init() }

    /// Stops the request: its delegate is told nothing more.
    open func cancel() {
        let task = progress.withLock { progress -> Task<Void, Never>? in
            guard case .running(let task) = progress else { return nil }
            progress = .ended
            return task
        }
        task?.cancel()
    }

    /// Sends the request, once, and returns at once. The request is kept until it has ended or is cancelled.
    open func start() {
        guard let work = makeWork() else { return }
        let isFirst = progress.withLock { progress in
            guard case .ready = progress else { return false }
            progress = .running(nil)
            return true
        }
        guard isFirst else { return }
        let context = CurrentSession.own
        let task = Task {
            let answer = await work()
            DispatchQueue.main.async {
                CurrentSession.$own.withValue(context) { self.end(with: answer) }
                OpenQuestion.showAgain()
            }
        }
        progress.withLock { progress in
            if case .running = progress { progress = .running(task) }
        }
    }

    /// Whether the request was sent and has neither ended nor been cancelled.
    final var isRunning: Bool {
        progress.withLock { progress in
            if case .running = progress { true } else { false }
        }
    }

    /// What the request does away from the main queue; nil for a request that asks for nothing.
    func makeWork() -> (@Sendable () async -> Answer)? { nil }

    /// The delegate that is told how the request ends.
    var listener: (any SKRequestDelegate)? { delegate }

    /// What a request comes back with.
    enum Answer: Sendable {
        case products(ProductAnswer)
        case done
        case failure(SKError)
    }

    private func end(with answer: Answer) {
        guard isRunning else { return }
        switch answer {
        case .products(let answer):
            let response = SKProductsResponse(answer)
            if let request = self as? SKProductsRequest, let delegate = request.delegate {
                delegate.productsRequest(request, didReceive: response)
            }
            finish { $0.requestDidFinish(self) }
        case .done:
            finish { $0.requestDidFinish(self) }
        case .failure(let error):
            finish { $0.request(self, didFailWithError: error) }
        }
    }

    /// Ends the request, unless its delegate cancelled it meanwhile.
    private func finish(_ tell: (any SKRequestDelegate) -> Void) {
        let wasRunning = progress.withLock { progress in
            guard case .running = progress else { return false }
            progress = .ended
            return true
        }
        if wasRunning, let listener { tell(listener) }
    }
}

/// What is told how a request to the store ends.
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request was answered; it says nothing more.
    func requestDidFinish(_ request: SKRequest)

    /// The request failed; it says nothing more.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    /// Does nothing, for delegates that need not know.
    public func requestDidFinish(_ request: SKRequest) {}

    /// Does nothing, for delegates that need not know.
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}
