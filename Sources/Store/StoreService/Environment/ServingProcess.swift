import CLinux
import StoreDatabase

/// A process that serves a store, and does nothing else.
package enum ServingProcess {
    /// How much memory that is free a thread keeps for the next request, and up to what size a piece comes from there, in
    /// bytes. A page that was given back and is asked for anew takes the kernel longer to clear than us to fill.
    private static let keptMemory: Int32 = 32 * 1024 * 1024

    /// Sets up what the process has once. It is called before anything opens a database.
    package static func prepare() {
        mallopt(M_TRIM_THRESHOLD, keptMemory)
        mallopt(M_MMAP_THRESHOLD, keptMemory)
        StoreDatabases.prepareProcess()
    }
}
