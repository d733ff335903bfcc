/// Where tasks run that somebody waits for.
///
/// Ordinarily they share the threads of all tasks. Whoever blocks one of those until a task has ended must have it run
/// elsewhere, with everything that it begins: with two cores, two who wait would otherwise wait for ever. A task that is
/// begun within another one takes its executor from here, because it does not inherit it.
package enum TaskThreads {
    /// The executor of the present task; nothing for that of all tasks.
    @TaskLocal package static var executor: (any TaskExecutor)?

    /// Does something to its end, even if the task that waits for it is cancelled, which waits all the same.
    package static func finish<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await Task(executorPreference: executor) { try await body() }.value
    }

    /// Does something on an executor, and all that it begins.
    package static func run<Result: Sendable, Failure: Error>(
        on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard let executor else { return try await body() }
        let outcome = await withTaskExecutorPreference(executor) {
            await $executor.withValue(executor) { () async -> Swift.Result<Result, Failure> in
                do throws(Failure) {
                    return .success(try await body())
                } catch {
                    return .failure(error)
                }
            }
        }
        return try outcome.get()
    }
}
