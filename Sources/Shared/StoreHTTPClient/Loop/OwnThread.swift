import Foundation

/// A thread of our own, for C calls that block. Every signal is blocked on it, so that handlers run elsewhere and a broken
/// pipe is an error like others.
struct OwnThread: Sendable {
    private let thread: pthread_t

    /// Starts it; nil if the system has none to give.
    init?(named name: String, _ body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                // Safe: the one who starts a thread always hands over what it is to do.
                let start = Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue()
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_SETMASK, &signals, nil)
                Thread.current.name = start.name
                start.body()
                return nil
            }, start.toOpaque())
        guard result == 0 else {
            start.release()
            return nil
        }
        self.thread = thread
    }

    /// Waits for its end: only when that is near.
    func join() { pthread_join(thread, nil) }

    /// Leaves it to its end.
    func detach() { pthread_detach(thread) }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
