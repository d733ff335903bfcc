/// Something that has to be in order for the store to do business.
package struct ReadinessCheck: Sendable {
    package let name: String
    /// Throws what is wrong.
    package let run: @Sendable () async throws -> Void

    package init(_ name: String, run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// What came of a check.
    package struct Result: Hashable, Sendable {
        package let name: String
        /// What is wrong; nil if it is in order.
        package let problem: String?
    }

    /// Runs all of them, one after the other.
    package static func results(of checks: [ReadinessCheck]) async -> [Result] {
        var results: [Result] = []
        for check in checks {
            do {
                try await check.run()
                results.append(Result(name: check.name, problem: nil))
            } catch {
                results.append(Result(name: check.name, problem: "\(error)"))
            }
        }
        return results
    }
}
