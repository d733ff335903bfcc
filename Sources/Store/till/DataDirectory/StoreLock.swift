import CommandOptions
import Foundation
import StoreFoundation

/// The right to open the store in a data directory, which one process has at a time.
///
/// The lock belongs to the open file, so it ends with the process, however that ends. What the file says is for people.
final class StoreLock: Sendable {
    private let file: SystemFile

    /// Takes the lock; nil if another process has it.
    init?(_ directory: DataDirectory) throws {
        let path = directory.lockPath
        do throws(FileFailure) {
            file = try SystemFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, for: "opening")
        } catch {
            throw CommandFailure(
                .cannotCreate, "\(path) cannot be opened: \(error.reason); check who owns the folder")
        }
        do throws(FileFailure) {
            guard try file.lock() else { return nil }
        } catch {
            throw CommandFailure(.inputOutput, "\(path) cannot be locked: \(error.reason)")
        }
    }

    /// Takes the lock, and waits for a while if a command of the operator has it: those are over soon. Nil if another process
    /// keeps it.
    static func taken(_ directory: DataDirectory, patience: Duration) async throws -> StoreLock? {
        for _ in 0..<max(1, Int(patience / step)) {
            if let lock = try StoreLock(directory) { return lock }
            guard description(directory)?.hasSuffix(command) ?? false else { return nil }
            try await Task.sleep(for: step)
        }
        return try StoreLock(directory)
    }

    private static let step = Duration.milliseconds(50)

    /// How a command of the operator is described that opens the store for as long as it runs.
    static let command = "a command of its operator"

    /// Says in the file who holds the lock.
    func describe(_ text: String) {
        let bytes = Array(text.utf8)
        ftruncate(file.descriptor, 0)
        _ = bytes.withUnsafeBytes { pwrite(file.descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Why a command cannot open a store that another process has open.
    ///
    /// - Parameter advice: what else one can do than to stop that process.
    static func refusal(_ directory: DataDirectory, advice: String = "or use another --data") -> CommandFailure {
        let holder = description(directory).map { " (\($0))" } ?? ""
        return CommandFailure(
            .tryAgain,
            "another process has the store in \(directory.path) open\(holder); stop it first, \(advice)")
    }

    /// What the holder of the lock says of itself, made fit for a terminal.
    static func description(_ directory: DataDirectory) -> String? {
        guard let file = try? SystemFile(reading: directory.lockPath), let bytes = try? file.read(count: 200),
            !bytes.isEmpty
        else { return nil }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return PrintableText(String(decoding: line, as: UTF8.self), limit: 200).description
    }
}
