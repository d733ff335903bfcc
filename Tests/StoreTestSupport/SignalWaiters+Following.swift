package import StoreDatabase
package import StoreService
import Synchronization

extension SignalWaiters {
    /// Signals on a topic until one arrives: from then on none is missed. Somebody has begun to follow it.
    package func untilFollowing(_ topic: SignalTopic, of database: any Database) async throws {
        let looks = Mutex(0)
        async let seen = wait(for: "begin", on: topic, upTo: .seconds(60)) {
            looks.withLock { count in
                count += 1
                return count > 1 ? true : nil
            }
        }
        while looks.withLock({ $0 < 2 }) {
            try await database.write { try $0.signal(Signal(topic, subject: "begin")) }
        }
        _ = try await seen
    }
}
