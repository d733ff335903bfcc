import StoreHTTP

/// Does one thing at a time: who comes while it is being done gets the same result.
actor SingleFlight {
    typealias Outcome = Result<Void, ConnectionError>

    private var running: Task<Outcome, Never>?

    func run(_ body: @escaping @Sendable () async throws(ConnectionError) -> Void) async throws(ConnectionError) {
        if let running { return try await running.value.get() }
        let task = Task(executorPreference: TaskThreads.executor) { () -> Outcome in
            do throws(ConnectionError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        running = task
        let outcome = await task.value
        running = nil
        try outcome.get()
    }
}
