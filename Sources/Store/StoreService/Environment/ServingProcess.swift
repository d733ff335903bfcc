import CLinux
import Foundation
import StoreDatabase
import StoreFoundation

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

    /// The memory that the process has, in bytes; 0 where the system does not say.
    package static var residentBytes: Int {
        // Total and resident pages, and more.
        guard let file = try? SystemFile("/proc/self/statm", O_RDONLY, for: "reading"),
            let bytes = try? file.read(count: 256)
        else { return 0 }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
    }
}
