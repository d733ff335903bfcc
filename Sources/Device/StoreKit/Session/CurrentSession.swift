import Foundation
import Synchronization

/// Which engine serves the original API.
package enum CurrentSession {
    /// The engine of the current task alone; tests that run side by side have one each.
    @TaskLocal package static var own: SessionContext?

    /// The engine of the current task, else the one of the process.
    package static var session: any OriginalSession { own?.session ?? shared }

    /// The engine of the process: the last one that was activated, else the one of the app's profile.
    package static var shared: any OriginalSession {
        state.withLock { state in
            if let session = state.activated.last { return session }
            if let session = state.standing { return session }
            let session = StandingSession.make()
            state.standing = session
            return session
        }
    }

    /// Puts an engine before all others, until it is deactivated.
    package static func activate(_ session: any OriginalSession) {
        changing.withLock {
            state.withLock { state in
                state.activated.removeAll { $0 === session }
                state.activated.append(session)
            }
            SKPaymentQueue.shared.delivery.serve(shared)
        }
    }

    /// Gives way to the engine that was activated before, or to the one of the app's profile.
    package static func deactivate(_ session: any OriginalSession) {
        changing.withLock {
            state.withLock { state in state.activated.removeAll { $0 === session } }
            SKPaymentQueue.shared.delivery.serve(shared)
        }
    }

    private struct State {
        var activated: [any OriginalSession] = []
        var standing: (any OriginalSession)?
    }

    private static let state = Mutex(State())
    /// Held until the queue of the process has followed, so that of two changes the last one counts for both.
    private static let changing = NSRecursiveLock()
}
