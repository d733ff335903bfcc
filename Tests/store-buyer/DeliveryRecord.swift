import Foundation
import Synchronization

/// The file in which an app writes down line by line what it is told and what it does, each line before the next step.
///
/// A delivery is on the disk when ``deliver(_:)`` returns, and stands there once for each transaction.
final class DeliveryRecord: Sendable {
    private static let delivered = "delivered "
    private let file: Int32
    private let known: Mutex<Set<String>>

    init(_ path: String) throws {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n").filter { $0.hasPrefix(Self.delivered) }
        known = Mutex(Set(lines.map { String($0.dropFirst(Self.delivered.count)) }))
        file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Writes a line, which is whole or not there if the process is killed.
    func note(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        guard write(file, bytes, bytes.count) == bytes.count else { fail() }
    }

    /// Delivers a transaction unless it is delivered.
    func deliver(_ id: String) {
        known.withLock { known in
            guard known.insert(id).inserted else { return }
            note(Self.delivered + id)
            guard fsync(file) == 0 else { fail() }
        }
    }

    private func fail() -> Never {
        FileHandle.standardError.write(Data("store-buyer: the record cannot be written\n".utf8))
        exit(1)
    }
}
