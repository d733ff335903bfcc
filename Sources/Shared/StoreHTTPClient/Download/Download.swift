import StoreHTTP
import Synchronization

/// Downloads a file, and resumes after interruptions.
///
/// What has arrived is kept beside the destination. After a broken connection, a time-out, a server error, a pause, or
/// the end of the process or of the machine, the download continues where it stopped if the server still has the same
/// file; otherwise it starts over. The destination appears complete, verified and synchronised, or not at all.
///
/// ```swift
/// let download = Download(DownloadRequest(.get(url), to: path), with: client)
/// async let file: Void = download.run()
/// for await progress in download.progress { show(progress) }
/// try await file
/// ```
package final class Download: Sendable {
    private static let startOversInRow = 3
    /// How often a chunk that is not right is requested.
    private static let triesOfChunk = 3

    private let order: DownloadRequest
    private let client: HTTPClient
    private let rules: DownloadRules
    private let chunks: ChunkCheck?
    private let state = Mutex(DownloadState())

    package init(_ order: DownloadRequest, with client: HTTPClient) {
        self.order = order
        self.client = client
        let address = order.request.url.prefix { $0 != "?" && $0 != "#" }
        rules = DownloadRules(
            identity: order.identity ?? String(address), expectedLength: order.length, limit: order.limit,
            boot: DownloadRecord.currentBoot, range: order.range)
        chunks = order.length.flatMap { length in order.chunks.map { ChunkCheck($0, of: length) } }
    }

    // MARK: From any task

    /// The progress from now on; ends with the download.
    package var progress: AsyncStream<DownloadProgress> {
        let (stream, watcher) = AsyncStream.makeStream(of: DownloadProgress.self, bufferingPolicy: .bufferingNewest(1))
        let number: Int? = state.withLock { state in
            watcher.yield(state.progress)
            guard !state.hasEnded else { return nil }
            state.watcherCount += 1
            state.watchers[state.watcherCount] = watcher
            return state.watcherCount
        }
        guard let number else {
            watcher.finish()
            return stream
        }
        watcher.onTermination = { [weak self] _ in self?.state.withLock { $0.watchers[number] = nil } }
        return stream
    }

    /// Ends the connection and keeps the part; ``run()`` waits until ``resume()``.
    package func pause() { set(.pause, ifNow: [.run]) }

    /// Continues after a pause; ends a wait after a failure.
    package func resume() { set(.run, ifNow: [.pause, .run]) }

    /// Ends the download and removes the part. To keep the part, cancel the task that runs the download.
    package func cancel() { set(.cancel, ifNow: [.run, .pause]) }

    private func set(_ intent: DownloadState.Intent, ifNow allowed: Set<DownloadState.Intent>) {
        let wake: @Sendable () -> Void = state.withLock { state in
            guard allowed.contains(state.intent), !state.hasEnded else { return {} }
            // A running download is only resumed from a wait.
            if state.intent == .run, intent == .run {
                let wait = state.wait
                return { wait?.cancel() }
            }
            state.intent = intent
            return state.interrupt()
        }
        wake()
    }

    // MARK: Running

    /// Returns when the file is complete. Runs once; throws ``DownloadError`` and nothing else.
    package func run() async throws(DownloadError) {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { throw DownloadError(.busy, "This download has run already; make another one.") }
        defer { end() }
        let (order, rules) = (order, rules)
        let part = try await client.disk.perform { () throws(DownloadError) in
            try PartFile(of: order.destination, identity: rules.identity, boot: rules.boot)
        }
        let result = await result(part)
        let isCancelled = state.withLock { $0.intent == .cancel }
        let isUseless = if case .failure = result { isCancelled } else { false }
        await client.disk.perform {
            if isUseless { part.removeRest() }
            part.release()
        }
        if isUseless { throw .cancelled }
        try result.get()
    }

    private func result(_ part: PartFile) async -> Result<Void, DownloadError> {
        do throws(DownloadError) {
            return .success(try await fetch(part))
        } catch {
            return .failure(error)
        }
    }

    private func end() {
        let watchers = state.withLock { state in
            state.hasEnded = true
            defer { state.watchers = [:] }
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.finish() }
    }

    private func fetch(_ part: PartFile) async throws(DownloadError) {
        if try await client.disk.perform({ () throws(DownloadError) in try self.completeFinished(part) }) { return }
        try await client.disk.perform { () throws(DownloadError) in try self.chunks?.begin(part) }
        var failures = 0
        var startOvers = 0
        var damages: (chunk: Int, count: Int) = (-1, 0)
        var usesRanges = true
        while true {
            try await permission()
            switch try await attempt(part, usesRanges: usesRanges) {
            case .complete:
                if try await client.disk.perform({ () throws(DownloadError) in try self.finish(part) }) { return }
                startOvers += 1
                // A damaged chunk is requested alone.
                if chunks == nil { usesRanges = false }
                guard startOvers < Self.startOversInRow else { throw Self.neverRight }
            case .more: failures = 0
            case .damaged(let chunk, let gained):
                damages = chunk == damages.chunk ? (chunk, damages.count + 1) : (chunk, 1)
                guard damages.count < Self.triesOfChunk else { throw Self.damaged(chunk) }
                failures = gained > 0 ? 1 : failures + 1
                if let delay = order.policy.delay(afterFailures: failures) { await wait(delay) }
            case .startOver:
                startOvers += 1
                usesRanges = false
                guard startOvers < Self.startOversInRow else { throw Self.neverRight }
            case .redirected(let status, _): throw DownloadRules.refused(status)
            case .interrupted(let error, let retryAfter, let gained):
                failures = gained > 0 ? 1 : failures + 1
                guard state.withLock({ $0.intent == .run }), !Task.isCancelled else { continue }
                guard let delay = order.policy.delay(afterFailures: failures, retryAfter: retryAfter) else {
                    throw error
                }
                await wait(delay)
            case .failed(let error): throw error
            }
        }
    }

    private static let neverRight = DownloadError(
        .unexpectedContent, "What the server sends is not the file that was expected, and was not again.")

    private static func damaged(_ chunk: Int) -> DownloadError {
        DownloadError(
            .unexpectedContent, "The server sends chunk \(chunk) of the file damaged, \(triesOfChunk) times in a row.")
    }

    /// Returns when the download may continue, and throws when it may not.
    private func permission() async throws(DownloadError) {
        while true {
            if Task.isCancelled { throw .cancelled }
            let intent = state.withLock { $0.intent }
            switch intent {
            case .run: return
            case .cancel: throw .cancelled
            case .pause: await pauseEnded()
            }
        }
    }

    private func pauseEnded() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.intent == .pause, !Task.isCancelled else { return true }
                    state.paused = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            interrupt()
        }
    }

    private func interrupt() {
        let wake = state.withLock { $0.interrupt() }
        wake()
    }

    private func wait(_ delay: Duration) async {
        let policy = order.policy
        // Under the lock, so that `resume()` finds the task as soon as it runs.
        let (wait, mayWait) = state.withLock { state in
            let wait = Task { try await policy.wait(delay) }
            state.wait = wait
            return (wait, state.intent == .run)
        }
        if !mayWait { wait.cancel() }
        await withTaskCancellationHandler {
            _ = await wait.result
        } onCancel: {
            wait.cancel()
        }
        state.withLock { $0.wait = nil }
    }

    // MARK: An attempt

    /// Requests what is missing, following redirections.
    private func attempt(_ part: PartFile, usesRanges: Bool) async throws(DownloadError) -> DownloadWriter.Outcome {
        let (offset, record) = try await client.disk.perform { () throws(DownloadError) in
            if !usesRanges, part.length > 0 { try part.truncate(to: 0) }
            return (part.length, part.record)
        }
        var request = order.request
        for field in ["Accept-Encoding", "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since"] {
            request.fields[field] = nil
        }
        for field in rules.fields(offset: offset, record: record, isWhole: !usesRanges).all {
            request.fields.add(field.name, field.value)
        }
        request.timeouts = request.timeouts ?? client.configuration.timeouts
        request.timeouts?.total = nil
        var redirections = Redirections(request, limit: client.configuration.limits.redirections)
        do {
            while true {
                let url = try client.check(redirections.request)
                let outcome = await exchange(redirections.request, at: url, part, offset: offset)
                guard case .redirected(let status, let fields) = outcome,
                    try redirections.follow(status, fields, from: url)
                else { return outcome }
            }
        } catch {
            throw .transfer(error)
        }
    }

    private func exchange(
        _ request: ClientRequest, at url: ClientURL, _ part: PartFile, offset: Int
    ) async -> DownloadWriter.Outcome {
        let cancellation = ExchangeCancellation()
        let mayBegin = state.withLock { state in
            state.attempt = cancellation
            return state.intent == .run
        }
        if !mayBegin { cancellation.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let writer = DownloadWriter(part, rules, checking: chunks, offset: offset, progress: report) {
                    outcome in
                    continuation.resume(returning: outcome)
                }
                let receiver = DownloadReceiver(writer, on: client.disk)
                let exchange = Exchange(request, at: url, receiver: receiver, on: client.loop)
                cancellation.attach(exchange)
                exchange.begin()
            }
        } onCancel: {
            cancellation.cancel()
        }
        state.withLock { $0.attempt = nil }
        return outcome
    }

    @Sendable private func report(_ progress: DownloadProgress) {
        let watchers = state.withLock { state in
            state.progress = progress
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.yield(progress) }
    }

    // MARK: On the disk thread

    /// Whether an earlier process ended when only the record remained to be removed.
    private func completeFinished(_ part: PartFile) throws(DownloadError) -> Bool {
        guard part.wasFinished else { return false }
        part.removeRest()
        return true
    }

    /// Renames a correct part to the destination; false if its digest is wrong and it was emptied.
    private func finish(_ part: PartFile) throws(DownloadError) -> Bool {
        if let error = rules.lengthError(part.length) { throw error }
        if let chunks, try chunks.firstDamage(of: part) != nil { return false }
        if let digest = order.digest {
            let found = try Self.digest(of: part, digest)
            guard found == digest.bytes else {
                try part.truncate(to: 0)
                return false
            }
        }
        try part.finish()
        return true
    }

    private static func digest(of part: PartFile, _ expected: ExpectedDigest) throws(DownloadError) -> [UInt8] {
        do {
            var digest = try expected.make()
            try part.readAll { try digest.update($0) }
            return try digest.finish()
        } catch let error as DownloadError {
            throw error
        } catch {
            throw DownloadError(.file, "The digest of the file cannot be computed.")
        }
    }
}
