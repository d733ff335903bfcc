import Foundation

/// Runs what blocks on a thread made for it, so that it keeps no thread of the pool from others.
package enum BlockingCall {
    package static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
