import StoreHTTP

/// Does one thing at a time: who comes while it is being done gets the same result.
actor SingleFlight {
    typealias Outcome = Result<Void, ConnectionError>

    private var running: Task<Outcome, Never>?

    func run(_ body: @escaping @Sendable () async throws(ConnectionError) -> Void) async throws(ConnectionError) {
        if let running { return try await running.value.get() }
        let task = Task(executorPreference: TaskThreads.executor) { () -> Outcome in
            let outcome: Outcome
            do throws(ConnectionError) {
                outcome = .success(try await body())
            } catch {
                outcome = .failure(error)
            }
            // Before the task has ended: who comes afterwards must not get what was done before.
            await self.land()
            return outcome
        }
        running = task
        try await task.value.get()
    }

    private func land() { running = nil }
}
