import Foundation
import StoreHTTP
import StoreModel
import StoreRules
import TestSupport
import Testing

@testable import TestProcessor

@Suite("The log of the test processor (X10, X11)", .bounded) struct TestProcessorLogTests {
    private let folder: URL
    private var path: String { folder.appendingPathComponent("effects.jsonl").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A processor that went through everything there is, and its log.
    private static func sample() throws -> (processor: TestProcessorState, bytes: [UInt8]) {
        var desk = TestProcessorTranscript()
        _ = desk.authorise("purchase/1/authorise", description: "Monkey \"food\"\n\u{1F412}")
        _ = desk.capture("purchase/1/capture", "authorise-1", 400)
        _ = desk.refund("refund/1", "capture-2", 100)
        _ = desk.authorise("purchase/2/authorise", 120, .jpy, "test_action_needed")
        _ = desk.act("authorise-4", completed: true)
        _ = try desk.processor.delivered(5)
        _ = desk.void("purchase/2/void", "authorise-4")
        _ = desk.authorise("purchase/3/authorise", 1, .usd, "test_expired_card")
        _ = desk.authorise("purchase/4/authorise", 1, .usd, "test_capture_fails")
        _ = desk.capture("purchase/4/capture", "authorise-9", 1)
        var lines = TestProcessorLogLines()
        return (desk.processor, desk.processor.records(after: 0, limit: .max).flatMap { lines.line(of: $0) })
    }

    private func read(_ bytes: [UInt8]) throws -> (processor: TestProcessorState, length: Int) {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        var processor = TestProcessorState()
        let length = try Int(TestProcessorLogFile.replay(path, into: &processor).offset)
        return (processor, length)
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    @Test("What was written is read, word for word")
    func roundTrip() throws {
        defer { remove() }
        let (processor, bytes) = try Self.sample()
        let read = try read(bytes)
        #expect(read.processor.records(after: 0, limit: .max) == processor.records(after: 0, limit: .max))
        #expect(read.processor.totals == processor.totals)
        #expect(read.length == bytes.count)
        #expect(try self.read([]).processor.records(after: 0, limit: .max) == [])
    }

    @Test("Cut anywhere, it has the lines that are whole, and is cut back to them when it is opened")
    func torn() throws {
        defer { remove() }
        let (processor, bytes) = try Self.sample()
        for length in 0...bytes.count {
            let lines = bytes.prefix(length).count { $0 == UInt8(ascii: "\n") }
            let read = try read(Array(bytes.prefix(length)))
            #expect(
                read.processor.records(after: 0, limit: .max)
                    == Array(processor.records(after: 0, limit: .max).prefix(lines)), "\(length)")
        }
        _ = try read(bytes.dropLast(3))
        let file = try TestProcessorLogFile(path: path)
        var reopened = TestProcessorState()
        var lines = try file.replay(into: &reopened, from: .init()).lines
        let record = try #require(processor[processor.count])
        try file.append(lines.line(of: record))
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
    }

    @Test("A changed log is refused with its line and what to do, or is the beginning of the true one")
    func mutants() throws {
        defer { remove() }
        let (processor, bytes) = try Self.sample()
        var refused = 0
        for mutant in Mutants("logs of the test processor", of: [bytes], rounds: 1500) {
            do {
                let read = try read(mutant.bytes).processor.records(after: 0, limit: .max)
                #expect(read == Array(processor.records(after: 0, limit: .max).prefix(read.count)), "\(mutant)")
            } catch let error as TestProcessorLogError {
                refused += 1
                #expect(error.code == .damaged)
                #expect(error.message.contains("damaged at line "))
            }
        }
        #expect(refused > 500)
    }

    @Test("Lines taken out, doubled or put in another order are refused")
    func order() throws {
        defer { remove() }
        let bytes = try Self.sample().bytes
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
        for index in lines.indices {
            var doubled = lines
            doubled.insert(lines[index], at: index)
            #expect(throws: TestProcessorLogError.self) { try read(Array(doubled.joined())) }
            var without = lines
            without.remove(at: index)
            if index < lines.count - 1 {
                #expect(throws: TestProcessorLogError.self) { try read(Array(without.joined())) }
                var swapped = lines
                swapped.swapAt(index, index + 1)
                #expect(throws: TestProcessorLogError.self) { try read(Array(swapped.joined())) }
            }
        }
    }

    @Test("A line of another log is refused, though it would fit")
    func foreignLine() throws {
        defer { remove() }
        var (one, other) = (TestProcessorTranscript(), TestProcessorTranscript())
        _ = one.authorise("a", 100)
        _ = other.authorise("a", 200)
        for key in ["b", "c"] {
            _ = one.authorise(key)
            _ = other.authorise(key)
        }
        let logs = [one, other].map { desk in
            var lines = TestProcessorLogLines()
            return desk.processor.records(after: 0, limit: .max).map { lines.line(of: $0) }
        }
        #expect(logs[0][1].dropLast(25) == logs[1][1].dropLast(25))
        #expect(throws: TestProcessorLogError.self) { try read(logs[1][0] + logs[0][1] + logs[0][2]) }
        #expect(throws: TestProcessorLogError.self) { try read(logs[0][0] + logs[0][1] + logs[1][2]) }
    }

    @Test("A log that tells what cannot have happened is refused, though its sums are right")
    func impossible() throws {
        defer { remove() }
        var capture = TestProcessorRecord(1, .capture, .captured)
        capture.key = "c"
        capture.of = 1
        capture.amount = TestProcessorTranscript.money(5)
        var lines = TestProcessorLogLines()
        let error = #expect(throws: TestProcessorLogError.self) { try read(lines.line(of: capture)) }
        #expect(error?.message.contains("cannot have happened") == true)
    }

    @Test("Many calls at once are all on the disk when they are answered, in one order")
    func durable() async throws {
        defer { remove() }
        let durable = try DurableTestProcessor(TestProcessorLogFile(path: path), actionURL: "")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let key = "k\(number % 100)"
                    let order = AuthorisationRequest(
                        key: key, amount: TestProcessorTranscript.money(5), method: "test_approved", description: "")
                    let reply = try await durable.perform { processor throws(TestProcessorRefusal) in
                        try processor.handle(.authorise(order), actionURL: "")
                    }
                    // A second process would find it now.
                    var read = TestProcessorState()
                    _ = try TestProcessorLogFile.replay(path, into: &read)
                    #expect(read.lookup(key, actionURL: "").number == reply.number)
                }
            }
            try await group.waitForAll()
        }
        durable.close()
        #expect(await durable.failure() == nil)
    }

    @Test("One has the log at a time")
    func exclusion() throws {
        defer { remove() }
        var first: TestProcessorLogFile? = try TestProcessorLogFile(path: path)
        let error = #expect(throws: TestProcessorLogError.self) { try TestProcessorLogFile(path: path) }
        #expect(error?.code == .busy)
        withExtendedLifetime(first) {}
        first = nil
        _ = try TestProcessorLogFile(path: path)
    }

    @Test(
        "X10: A start reads no more of the log than came since the snapshot, and makes the index anew where it is none")
    func snapshot() async throws {
        defer { remove() }
        func act(_ number: Int, _ durable: DurableTestProcessor) async throws {
            let order = AuthorisationRequest(
                key: "k\(number)", amount: TestProcessorTranscript.money(5), method: "test_approved", description: "")
            let reply = try await durable.perform { processor throws(TestProcessorRefusal) in
                try processor.handle(.authorise(order), actionURL: "")
            }
            #expect(reply.number == number)
        }
        func open() throws -> DurableTestProcessor {
            try DurableTestProcessor(TestProcessorLogFile(path: path), actionURL: "")
        }
        var durable: DurableTestProcessor? = try open()
        for number in 1...1200 { try await act(number, #require(durable)) }
        durable?.close()
        _ = await durable?.failure()
        durable = nil
        // What the snapshot has is not read again: here it is no log at all any more.
        let (index, whole) = (
            folder.appendingPathComponent("effects.index").path, try Data(contentsOf: URL(fileURLWithPath: path))
        )
        let place = try TestProcessorIndex(path: index).place()
        #expect(place.count >= 1000)
        var torn = whole
        torn.replaceSubrange(0..<1000, with: Data(repeating: 0x20, count: 1000))
        try torn.write(to: URL(fileURLWithPath: path))
        let reopened = try open()
        #expect(try await reopened.read { $0.count } == 1200)
        #expect(try await reopened.lookup("k7") == .authorise(.approved(reference: "authorise-7")))
        reopened.close()
        _ = await reopened.failure()
    }

    @Test("X10: On a full disk nothing new happens, and what has happened is told, by the next process too")
    func fullDisk() async throws {
        defer { remove() }
        let hasRoom = Observed(true)
        func open() throws -> DurableTestProcessor {
            try DurableTestProcessor(TestProcessorLogFile(path: path), actionURL: "") { hasRoom.value }
        }
        func authorise(_ key: String, by durable: DurableTestProcessor) async throws -> TestProcessorReply {
            let order = AuthorisationRequest(
                key: key, amount: TestProcessorTranscript.money(5), method: "test_approved", description: "")
            return try await durable.perform { processor throws(TestProcessorRefusal) in
                try processor.handle(.authorise(order), actionURL: "")
            }
        }
        func tryWithoutRoom(_ durable: DurableTestProcessor, first: TestProcessorReply) async throws {
            hasRoom.update { $0 = false }
            let refusal = await #expect(throws: TestProcessorRefusal.self) { try await authorise("b", by: durable) }
            // A store does not take it for the end of a charge.
            #expect(refusal.map { APIError($0).status } == .unavailable)
            #expect(try await authorise("a", by: durable).outcome == first.outcome)
            #expect(try await durable.lookup("b") == .nothing)
        }
        var durable: DurableTestProcessor? = try open()
        let first = try await authorise("a", by: #require(durable))
        try await tryWithoutRoom(#require(durable), first: first)
        durable?.close()
        #expect(await durable?.failure() == nil)
        durable = nil
        let reopened = try open()
        try await tryWithoutRoom(reopened, first: first)
        hasRoom.update { $0 = true }
        #expect(try await authorise("b", by: reopened).number == 2)
        reopened.close()
        #expect(await reopened.failure() == nil)
    }

    @Test("X10: An index that is damaged, of another log or ahead of it is made anew")
    func foreignIndex() async throws {
        let folder = folder
        defer { remove() }
        let index = folder.appendingPathComponent("effects.index").path
        func open(_ keys: [String], knows key: String = "a") async throws {
            let durable = try DurableTestProcessor(TestProcessorLogFile(path: path), actionURL: "")
            for key in keys {
                let order = AuthorisationRequest(
                    key: key, amount: TestProcessorTranscript.money(5), method: "test_approved", description: "")
                _ = try await durable.perform { processor throws(TestProcessorRefusal) in
                    try processor.handle(.authorise(order), actionURL: "")
                }
            }
            #expect(try await durable.read { $0.count } == 3)
            #expect(try await durable.lookup(key) == .authorise(.approved(reference: "authorise-1")))
            durable.close()
            _ = await durable.failure()
        }
        try await open(["a", "b", "c"])
        try Data(repeating: 7, count: 8192).write(to: URL(fileURLWithPath: index))
        try await open([])
        let log = try Data(contentsOf: URL(fileURLWithPath: path))
        try await open([])
        // Another log in its place, as long as this one and then shorter.
        try FileManager.default.removeItem(atPath: path)
        try TestProcessorIndex.remove(index)
        try await open(["d", "e", "f"], knows: "d")
        try await open([], knows: "d")
        try log.write(to: URL(fileURLWithPath: path))
        try await open([])
        let lines = log.split(separator: UInt8(ascii: "\n"))
        try Data(lines[0] + [UInt8(ascii: "\n")]).write(to: URL(fileURLWithPath: path))
        try await open(["x", "y"])
    }
}
