import Foundation
import StoreFoundation
package import StoreHTTP
import StoreModel
import StoreRules

/// The file in which the test processor keeps what it did. One process at a time has it.
package final class TestProcessorLogFile: Sendable {
    let path: String
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

    /// Whether the disk has room for what the next calls have to leave in the log and in its index.
    var hasRoom: Bool { file.freeBytes.map { $0 >= TestProcessorLimits.reserveBytes } ?? true }

    /// What tells this log from every other, for as long as it is there.
    func identity() throws -> String {
        let path = (path as NSString).deletingPathExtension + ".id"
        if access(path, F_OK) != 0 {
            try Self.failing { () throws(FileFailure) in
                try SystemFile.create(path, with: Array(UUID().uuidString.lowercased().utf8), draft: path + ".new")
            }
        }
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Does again what the log tells after a place, and cuts off a line at its end that was never finished: nobody was told
    /// of it. Anything else that is wrong is refused. Returns the end.
    func replay(
        into processor: inout TestProcessorState, from place: TestProcessorIndex.Place
    ) throws(TestProcessorLogError) -> TestProcessorIndex.Place {
        let end = try Self.replay(path, into: &processor, from: place)
        guard ftruncate(descriptor, off_t(end.offset)) == 0 else {
            throw TestProcessorLogError(FileFailure("cutting", path))
        }
        // The name of a new file has to be on the disk before anything in it counts; so has what was read, which another
        // process may have written without coming to synchronise it.
        try synchronize()
        try Self.failing { () throws(FileFailure) in try SystemFile.synchronizeFolder(of: path) }
        return end
    }

    /// Does again what a log tells, without a right to it.
    @discardableResult
    static func replay(
        _ path: String, into processor: inout TestProcessorState, from place: TestProcessorIndex.Place = .init()
    ) throws(TestProcessorLogError) -> TestProcessorIndex.Place {
        try read(path, from: place) { record throws(TestProcessorLogError) in try add(record, to: &processor) }
    }

    /// Checks a log and gives its records, one after the other; needs no more memory for a long one.
    package static func read(
        _ path: String, _ body: (TestProcessorRecord) throws(TestProcessorLogError) -> Void
    ) throws(TestProcessorLogError) {
        try read(path, from: .init(), body)
    }

    private static let readBytes = 1024 * 1024

    @discardableResult
    private static func read(
        _ path: String, from start: TestProcessorIndex.Place,
        _ body: (TestProcessorRecord) throws(TestProcessorLogError) -> Void
    ) throws(TestProcessorLogError) -> TestProcessorIndex.Place {
        let file = try failing { () throws(FileFailure) in try SystemFile(reading: path) }
        let length = try failing { () throws(FileFailure) in Int64(try file.status().st_size) }
        var place = start
        let end = start.lines.end
        let found = try failing { () throws(FileFailure) in
            start.count == 0 ? end : try file.read(at: start.offset - Int64(end.count), count: end.count)
        }
        guard place.offset <= length, found == end else {
            throw TestProcessorLogError(.damaged, "\(path) is not the log that it was")
        }
        var rest: [UInt8] = []
        while true {
            let (offset, had) = (place.offset, rest.count)
            rest += try failing { () throws(FileFailure) in
                try file.read(at: offset + Int64(had), count: readBytes)
            }
            var position = 0
            while let end = rest[position...].firstIndex(of: UInt8(ascii: "\n")) {
                do throws(TestProcessorLogError) {
                    try body(try place.lines.record(of: rest[position..<end]))
                } catch {
                    throw TestProcessorLogError(
                        .damaged,
                        "\(path) is damaged at line \(place.count + 1), byte \(place.offset): \(error.message). It is the "
                            + "only record of what was paid; put back a copy, or move it away to begin anew")
                }
                place.count += 1
                place.offset += Int64(end + 1 - position)
                position = end + 1
            }
            guard rest.count == had + readBytes else { return place }
            rest.removeFirst(position)
            guard rest.count <= TestProcessorLimits.lineBytes else {
                throw TestProcessorLogError(
                    .damaged, "\(path) is damaged at line \(place.count + 1), byte \(place.offset): it has no end")
            }
        }
    }

    private static func add(
        _ record: TestProcessorRecord, to processor: inout TestProcessorState
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

/// The lines of the log of the test processor, in which no change to the past goes unnoticed.
///
/// Each line is a record in JSON whose last member is a sum over everything before it, from the first line of the log on.
package struct TestProcessorLogLines: Hashable, Sendable {
    private static let open = Array(#","sum":""#.utf8)
    private static let close = Array(#""}"#.utf8)
    private static let digits = Array("0123456789abcdef".utf8)
    private static let sumBytes = 16

    /// FNV-1a over all lines so far: any changed byte changes it, and it costs next to nothing.
    private(set) var sum: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// After lines that were read before.
    init(sum: UInt64) {
        self.sum = sum
    }

    /// The next line, with its end.
    package mutating func line(of record: TestProcessorRecord) -> [UInt8] {
        var bytes = record.json.bytes
        bytes.removeLast()
        add(bytes[...])
        return bytes + end
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

    /// How the last line ends.
    var end: [UInt8] { ending + [UInt8(ascii: "\n")] }

    private var ending: [UInt8] {
        Self.open + stride(from: 60, through: 0, by: -4).map { Self.digits[Int(sum >> UInt64($0) & 15)] } + Self.close
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}

/// Lines on their way to the disk, and who waits for them: many calls share one synchronisation.
// Safe: the state is read and written only while the condition's lock is held.
final class PendingLines: @unchecked Sendable {
    private let condition = NSCondition()
    private var bytes: [UInt8] = []
    /// The number of the last record handed in, and of the last one on the disk.
    private var last: Int
    private var durable: Int
    private var waiting: [(number: Int, continuation: CheckedContinuation<TestProcessorLogError?, Never>)] = []
    private var end: TestProcessorLogError?
    /// Whether the disk refused something: nothing may follow the gap.
    private var isBroken: Bool { end.map { $0.code != .closed } ?? false }

    init(durable: Int) {
        last = durable
        self.durable = durable
    }

    /// Hands in the line of the next record.
    func append(_ line: [UInt8]) {
        condition.lock()
        defer { condition.unlock() }
        last += 1
        if isBroken { return }
        bytes += line
        condition.signal()
    }

    /// Waits until a record is on the disk.
    func settled(_ number: Int) async throws(TestProcessorLogError) {
        let failure = await withCheckedContinuation { continuation in
            condition.lock()
            let isOver = number <= durable || end != nil
            let end = number <= durable ? nil : end
            if !isOver { waiting.append((number, continuation)) }
            condition.unlock()
            if isOver { continuation.resume(returning: end) }
        }
        if let failure { throw failure }
    }

    /// All lines that wait, for the thread that writes; nil once it is over.
    func next() -> (bytes: [UInt8], last: Int)? {
        condition.lock()
        defer { condition.unlock() }
        while bytes.isEmpty {
            if end != nil { return nil }
            condition.wait()
        }
        defer { bytes = [] }
        return (bytes, last)
    }

    /// What waits at this moment, which may be nothing.
    func rest() -> (bytes: [UInt8], last: Int) {
        condition.lock()
        defer { condition.unlock() }
        defer { bytes = [] }
        return (bytes, last)
    }

    /// Whether everything that was handed in is on the disk.
    var isSettled: Bool {
        condition.lock()
        defer { condition.unlock() }
        return durable == last
    }

    /// Everything up to a record is on the disk.
    func settle(_ number: Int) {
        condition.lock()
        durable = number
        let settled = waiting.filter { $0.number <= number }
        waiting.removeAll { $0.number <= number }
        condition.unlock()
        for one in settled { one.continuation.resume(returning: nil) }
    }

    /// Nothing more gets to the disk. What was handed in before a close still does; what a disk has refused does not.
    func close(_ error: TestProcessorLogError) {
        condition.lock()
        if !isBroken { end = error }
        var refused: [CheckedContinuation<TestProcessorLogError?, Never>] = []
        if isBroken {
            bytes = []
            refused = waiting.map(\.continuation)
            waiting = []
        }
        condition.broadcast()
        condition.unlock()
        for continuation in refused { continuation.resume(returning: error) }
    }
}

/// The form in the log and in answers: one flat object, with what there is.
extension TestProcessorRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case number = "n"
        case kind, key, of, amount, currency, method, description, result, refusal
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(Int.self, forKey: .number), try values.decode(Kind.self, forKey: .kind),
            try values.decode(Result.self, forKey: .result))
        key = try values.decodeIfPresent(String.self, forKey: .key)
        of = try values.decodeIfPresent(Int.self, forKey: .of)
        if let minorUnits = try values.decodeIfPresent(Int64.self, forKey: .amount) {
            amount = Money(minorUnits: minorUnits, currency: try values.decode(Currency.self, forKey: .currency))
        }
        method = try values.decodeIfPresent(String.self, forKey: .method)
        description = try values.decodeIfPresent(String.self, forKey: .description)
        refusal = try values.decodeIfPresent(PaymentRefusal.self, forKey: .refusal)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(number, forKey: .number)
        try values.encode(kind, forKey: .kind)
        try values.encodeIfPresent(key, forKey: .key)
        try values.encodeIfPresent(of, forKey: .of)
        try values.encodeIfPresent(amount?.minorUnits, forKey: .amount)
        try values.encodeIfPresent(amount?.currency, forKey: .currency)
        try values.encodeIfPresent(method, forKey: .method)
        try values.encodeIfPresent(description, forKey: .description)
        try values.encode(result, forKey: .result)
        try values.encodeIfPresent(refusal, forKey: .refusal)
    }

    /// The same, made by hand: an encoder would take most of the time of a call.
    package var json: JSONValue {
        .members([
            "n": .integer(number), "kind": .string(kind.rawValue), "key": key.map { .string($0) },
            "of": of.map { .integer($0) }, "amount": amount.map { .integer(Int($0.minorUnits)) },
            "currency": amount.map { .string($0.currency.code) }, "method": method.map { .string($0) },
            "description": description.map { .string($0) }, "result": .string(result.rawValue),
            "refusal": refusal.map { .string($0.rawValue) },
        ])
    }
}

/// Why the log of the test processor cannot be used. Its description is safe to log.
package struct TestProcessorLogError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A line is not what was written.
        package static let damaged = Code(rawValue: "damaged")
        /// The disk does not do what it is asked.
        package static let inputOutput = Code(rawValue: "input_output")
        /// Another process has the log.
        package static let busy = Code(rawValue: "busy")
        /// The log has been closed.
        package static let closed = Code(rawValue: "closed")
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
