import StoreFoundation

/// Reads files that are sent to a store, one at a time and on threads of their own: a large one takes a second and some
/// hundred megabytes, and what customers ask for is answered meanwhile.
package actor CatalogueFileReading {
    private var isReading = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    package func read(_ bytes: [UInt8]) async throws -> CatalogueFile {
        if isReading {
            await withCheckedContinuation { waiting.append($0) }
        }
        isReading = true
        defer {
            if waiting.isEmpty { isReading = false } else { waiting.removeFirst().resume() }
        }
        // Whoever sent it may have gone while it waited.
        try Task.checkCancellation()
        return try await OwnThread.run(named: "catalogue") { () throws(CatalogueError) in try CatalogueFile(bytes) }
    }
}
