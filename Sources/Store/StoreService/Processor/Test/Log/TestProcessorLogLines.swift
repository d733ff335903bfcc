import Foundation
import StoreHTTP

/// The lines of the log of the test processor, in which no change to the past goes unnoticed.
///
/// Each line is a record in JSON whose last member is a sum over everything before it, from the first line of the log on.
package struct TestProcessorLogLines: Sendable {
    private static let open = Array(#","sum":""#.utf8)
    private static let close = Array(#""}"#.utf8)
    private static let digits = Array("0123456789abcdef".utf8)
    private static let sumBytes = 16

    /// FNV-1a over all lines so far: any changed byte changes it, and it costs next to nothing.
    private var sum: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// The next line, with its end.
    package mutating func line(of record: TestProcessorRecord) -> [UInt8] {
        var bytes = record.json.bytes
        bytes.removeLast()
        add(bytes[...])
        bytes += ending
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// The record of the next line, which comes without its end.
    package mutating func record(of line: ArraySlice<UInt8>) throws(TestProcessorLogError) -> TestProcessorRecord {
        let tail = Self.open.count + Self.sumBytes + Self.close.count
        guard line.count > tail, line.count <= TestProcessorLimits.lineBytes else {
            throw TestProcessorLogError(.damaged, "it has not the form of a line of this log")
        }
        var next = self
        next.add(line.dropLast(tail))
        guard line.suffix(tail).elementsEqual(next.ending) else {
            throw TestProcessorLogError(.damaged, "its sum does not fit to it and the lines before it")
        }
        do {
            let record = try JSONDecoder().decode(TestProcessorRecord.self, from: Data(line))
            self = next
            return record
        } catch {
            throw TestProcessorLogError(.damaged, "it is of no kind that this version knows")
        }
    }

    private var ending: [UInt8] {
        Self.open + stride(from: 60, through: 0, by: -4).map { Self.digits[Int(sum >> UInt64($0) & 15)] } + Self.close
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}
