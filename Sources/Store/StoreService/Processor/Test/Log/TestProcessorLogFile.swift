import Foundation
import StoreFoundation

/// The file in which the test processor keeps what it did. One process at a time has it.
package final class TestProcessorLogFile: Sendable {
    private let path: String
    private let file: SystemFile
    private var descriptor: Int32 { file.descriptor }

    /// Opens the file, made if it is not there, and takes it for this process; throws `busy` if another one has it.
    package init(path: String) throws(TestProcessorLogError) {
        self.path = path
        file = try Self.failing { () throws(FileFailure) in
            try SystemFile(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, for: "opening")
        }
        guard try Self.failing({ [file] () throws(FileFailure) in try file.lock() }) else {
            throw TestProcessorLogError(.busy, "another process has \(path) open; stop it first")
        }
    }

    /// Does again everything that the log tells, and cuts off a line at its end that was never finished: nobody was told
    /// of it. Anything else that is wrong is refused.
    package func replay(into processor: inout TestProcessor) throws(TestProcessorLogError) -> TestProcessorLogLines {
        let (lines, length) = try Self.replay(path, into: &processor)
        guard ftruncate(descriptor, off_t(length)) == 0 else {
            throw TestProcessorLogError(FileFailure("cutting", path))
        }
        // The name of a new file has to be on the disk before anything in it counts; so has what was read, which another
        // process may have written without coming to synchronise it.
        try synchronize()
        try Self.failing { () throws(FileFailure) in try SystemFile.synchronizeFolder(of: path) }
        return lines
    }

    /// Reads the log without a right to it; answers how long its finished lines are.
    package static func replay(
        _ path: String, into processor: inout TestProcessor
    ) throws(TestProcessorLogError) -> (lines: TestProcessorLogLines, length: Int) {
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw TestProcessorLogError(.inputOutput, "\(path) cannot be read: \(error.localizedDescription)")
        }
        var lines = TestProcessorLogLines()
        var start = 0
        var number = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            number += 1
            do throws(TestProcessorLogError) {
                try add(try lines.record(of: bytes[start..<end]), to: &processor)
            } catch {
                throw TestProcessorLogError(
                    .damaged,
                    "\(path) is damaged at line \(number), byte \(start): \(error.message). It is the only record of what "
                        + "was paid; put back a copy, or move it away to begin anew")
            }
            start = end + 1
        }
        return (lines, start)
    }

    private static func add(
        _ record: TestProcessorRecord, to processor: inout TestProcessor
    ) throws(TestProcessorLogError) {
        do {
            try processor.add(record)
        } catch {
            throw TestProcessorLogError(.damaged, "it tells what cannot have happened: \(error.message)")
        }
    }

    /// Writes lines and returns when they are on the disk. If that fails they are taken back as far as possible.
    func append(_ bytes: [UInt8]) throws(TestProcessorLogError) {
        let length = lseek(descriptor, 0, SEEK_END)
        do throws(TestProcessorLogError) {
            try Self.failing { () throws(FileFailure) in try file.write(bytes) }
            try synchronize()
        } catch {
            ftruncate(descriptor, length)
            fdatasync(descriptor)
            throw error
        }
    }

    private func synchronize() throws(TestProcessorLogError) {
        guard fdatasync(descriptor) == 0 else { throw TestProcessorLogError(FileFailure("synchronising", path)) }
    }

    private static func failing<Result>(
        _ body: () throws(FileFailure) -> Result
    ) throws(TestProcessorLogError) -> Result {
        do throws(FileFailure) {
            return try body()
        } catch {
            throw TestProcessorLogError(error)
        }
    }
}

extension TestProcessorLogError {
    fileprivate init(_ failure: FileFailure) {
        self.init(.inputOutput, "\(failure.action) \(failure.path) failed: \(failure.reason)")
    }
}
