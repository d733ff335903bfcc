import Foundation

/// Threads of our own, for C calls that block: never on the threads that all tasks share.
///
/// Every signal is blocked on them, so that handlers run elsewhere and a broken pipe is an error like others.
package enum OwnThread {
    /// Starts a thread; false if the system has none to give.
    @discardableResult
    package static func start(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                // Safe: start(named:_:) always passes an argument, retained once for this thread.
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
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Runs what blocks on a thread made for it, and returns what comes of it.
    package static func run<Value: Sendable, Failure: Error>(
        named name: String, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            let work = { @Sendable in
                do throws(Failure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            // Without a thread there is only the caller's.
            if !start(named: name, work) { work() }
        }
        return try result.get()
    }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
