import Foundation
import StoreHTTP
import StoreHTTPClient
import StoreModel
import StoreRules
import StoreService
import TestProcessor
import TestSupport
import Testing

@testable import till

@Suite("The test processor as the store sees it (X10)", .bounded) struct ProcessorClientTests {
    private let transcript: Transcript
    private let amount = Money(minorUnits: 500, currency: .usd)

    init() throws {
        transcript = try Transcript()
    }

    @Test("Every call, its repeat, and what a look at its key tells")
    func calls() async throws {
        let process = try ProcessorProcess(transcript.data)
        let client = process.client
        #expect(try await client.lookup(key: "purchase/1/authorise") == .nothing)
        let order = AuthorisationRequest.sample("purchase/1/authorise")
        for _ in 0..<2 {
            #expect(try await client.authorise(order) == .approved(reference: "authorise-1"))
            let capture = try await client.capture(
                key: "purchase/1/capture", reference: "authorise-1", amount: amount)
            #expect(capture == .captured(reference: "capture-2"))
            let refund = try await client.refund(key: "refund/1", reference: "capture-2", amount: amount)
            #expect(refund == .refunded(reference: "refund-3"))
        }
        #expect(
            try await client.lookup(key: "purchase/1/authorise") == .authorise(.approved(reference: "authorise-1")))
        #expect(try await client.lookup(key: "purchase/1/capture") == .capture(.captured(reference: "capture-2")))
        #expect(try await client.lookup(key: "refund/1") == .refund(.refunded(reference: "refund-3")))
        #expect(try await client.authorise(.sample("b")) == .approved(reference: "authorise-4"))
        try await client.void(key: "v", reference: "authorise-4")
        try await client.void(key: "v", reference: "authorise-4")
        #expect(try await client.lookup(key: "v") == .voided)
        #expect(try await client.authorise(.sample("d", 500, "test_expired_card")) == .declined(.expiredCard))
        #expect(await process.end() == 0)
        #expect(try ProcessorProcess.log(transcript.data).count == 6)
    }

    @Test("What the processor refuses has certainly not happened; a key that is reused is told apart")
    func refusals() async throws {
        let process = try ProcessorProcess(transcript.data)
        let client = process.client
        _ = try await client.authorise(.sample("a"))
        var error = await #expect(throws: ProcessorError.self) { try await client.authorise(.sample("a", 501)) }
        #expect(error?.code == .keyReused)
        #expect(error?.isCertainlyNotCarriedOut == true)
        error = await #expect(throws: ProcessorError.self) {
            _ = try await client.capture(
                key: "c", reference: "authorise-1", amount: Money(minorUnits: 501, currency: .usd))
        }
        #expect(error?.code == .refused)
        error = await #expect(throws: ProcessorError.self) { try await client.void(key: "v", reference: "nothing") }
        #expect(error?.code == .refused)
        #expect(await process.end() == 0)
    }

    @Test("An answer that is late, lost or none is unknown, whether the call was carried out or not")
    func unknown() async throws {
        let process = try ProcessorProcess(transcript.data, options: ["--late-seconds", "55"])
        let client = process.client
        // It waits long enough for a busy machine to carry a call out, and not for an answer that is late.
        let impatient = try TestProcessorClient(
            socketPath: ProcessorProcess.socket(transcript.data), timeout: .seconds(4), secret: "s")
        for method in ["test_late", "test_late_nothing", "test_lost", "test_lost_nothing"] {
            let error = await #expect(throws: ProcessorError.self) {
                _ = try await impatient.authorise(.sample(method, 500, method))
            }
            #expect(error?.code == .unknown, "\(method): \(error?.description ?? "")")
            let isThere = try await client.lookup(key: method) != .nothing
            #expect(isThere == !method.hasSuffix("nothing"), "\(method)")
        }
        #expect(
            try await client.authorise(.sample("test_late", 500, "test_late")) == .approved(reference: "authorise-1"))
        let script = #"{"step":"capture","count":1,"fault":"unavailable"}"#
        #expect(try await process.send(.post, "/v1/scripts", script, transcript.data).status == .noContent)
        let error = await #expect(throws: ProcessorError.self) {
            _ = try await client.capture(key: "c", reference: "authorise-1", amount: amount)
        }
        #expect(error?.code == .unknown)
        #expect(try await client.lookup(key: "c") == .nothing)
        process.kill()
        await impatient.shutDown()
        await client.shutDown()
    }

    @Test("A crash before the answer is unknown, nobody there is not sent, and a new process knows what was done")
    func crash() async throws {
        let first = try ProcessorProcess(transcript.data)
        _ = try await first.client.authorise(.sample("a"))
        for (key, fault) in [("c", "crash"), ("d", "crash_without_effect")] {
            let process = key == "c" ? first : try ProcessorProcess(transcript.data)
            let script = #"{"key":"\#(key)","count":1,"fault":"\#(fault)"}"#
            _ = try await process.send(.post, "/v1/scripts", script, transcript.data)
            let client = process.client
            let error = await #expect(throws: ProcessorError.self) {
                _ = try await client.capture(key: key, reference: "authorise-1", amount: amount)
            }
            #expect(error?.code == .unknown)
            #expect(process.waitUntilExit() == SIGKILL)
            let gone = await #expect(throws: ProcessorError.self) { try await client.lookup(key: key) }
            #expect(gone?.code == .notSent)
            await client.shutDown()
        }
        let again = try ProcessorProcess(transcript.data)
        #expect(try await again.client.lookup(key: "c") == .capture(.captured(reference: "capture-2")))
        #expect(try await again.client.lookup(key: "d") == .nothing)
        #expect(await again.end() == 0)
    }

    @Test("A call waits for a processor that is being started")
    func patience() async throws {
        let data = transcript.data
        _ = try await ProcessorProcess(data).end()
        let client = try TestProcessorClient(
            socketPath: ProcessorProcess.socket(data), patience: .seconds(60), secret: "s")
        async let answer = client.authorise(.sample("a"))
        let process = try ProcessorProcess(data)
        #expect(try await answer == .approved(reference: "authorise-1"))
        await client.shutDown()
        #expect(await process.end() == 0)
    }

    @Test("A second process waits until the first has ended, and does not come between")
    func exclusion() async throws {
        let data = transcript.data
        let first = try ProcessorProcess(data)
        _ = try await first.client.authorise(.sample("a"))
        let impatient = await transcript.till("processor", "serve", "--wait-seconds", "0")
        #expect(impatient.status == 75)
        async let second = Task.detached { try ProcessorProcess(data) }.value
        #expect(await first.end() == 0)
        #expect(try await second.client.authorise(.sample("b")) == .approved(reference: "authorise-2"))
        #expect(await (try second).end() == 0)
    }

    @Test("A damaged log is refused, with its line and what to do")
    func damage() async throws {
        let process = try ProcessorProcess(transcript.data)
        for key in ["a", "b", "c"] { _ = try await process.client.authorise(.sample(key)) }
        #expect(await process.end() == 0)
        let path = ProcessorProcess.folder(transcript.data).logPath
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing(#""amount":500"#, with: #""amount":600"#, maxReplacements: 1)
            .write(toFile: path, atomically: false, encoding: .utf8)
        for words in [["serve"], ["log"]] {
            let run = await transcript.till("processor", words[0])
            #expect(run.status == 78)
            #expect(run.errors.contains("damaged at line 1"))
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains(#""amount":600"#))
    }

    @Test("The log is shown whole or from a number on, for people and for programs")
    func log() async throws {
        #expect(await transcript.till("processor", "log").status == 66)
        let process = try ProcessorProcess(transcript.data)
        _ = try await process.client.authorise(.sample("a"))
        _ = try await process.client.capture(key: "c", reference: "authorise-1", amount: amount)
        let text = await transcript.till("processor", "log").text
        #expect(text.contains("capture-2  captured  5.00 USD  of 1  c\n"))
        #expect(text.contains("USD: captured 500, refunded 0 minor units\n"))
        let lines = await transcript.till("processor", "log", "--json", "--after", "1").text.split(separator: "\n")
        #expect(lines.count == 1)
        let record = try JSONDecoder().decode(TestProcessorRecord.self, from: Data(lines[0].utf8))
        #expect(record == (try ProcessorProcess.log(transcript.data)[2]))
        #expect(await process.end() == 0)
    }

    @Test("News have a good signature of the right secret and the right time, or count for nothing")
    func news() throws {
        let client = try TestProcessorClient(socketPath: "/nowhere", secret: "s")
        let body = Array(
            #"{"id":"news-2","key":"a","result":{"step":"authorise","outcome":"approved","reference":"authorise-1"}}"#
                .utf8)
        let now = Transcript.start
        func error(_ proof: String?, _ body: [UInt8], at time: Instant = now) -> ProcessorError.Code? {
            do throws(ProcessorError) {
                _ = try client.news(field: { $0 == NewsSignature.field ? proof : nil }, body: body, at: time)
                return nil
            } catch {
                return error.code
            }
        }
        let proof = try NewsSignature(secret: "s").value(for: body, at: now)
        let news = try client.news(field: { $0 == NewsSignature.field ? proof : nil }, body: body, at: now)
        #expect(
            news == ProcessorNews(id: "news-2", key: "a", outcome: .authorise(.approved(reference: "authorise-1"))))
        let span = NewsSignature.tolerance
        let stamps = [span, -span].map { Instant(millisecondsSinceEpoch: now.millisecondsSinceEpoch + $0) }
        for time in stamps { #expect(error(proof, body, at: time) == nil) }
        let outside = [span + 1, -span - 1].map { Instant(millisecondsSinceEpoch: now.millisecondsSinceEpoch + $0) }
        for time in outside { #expect(error(proof, body, at: time) == .newsRefused) }
        #expect(error(nil, body) == .newsRefused)
        #expect(error(proof, body + [0x20]) == .newsRefused)
        #expect(error(proof.replacing("t=1", with: "t=2"), body) == .newsRefused)
        #expect(error(try NewsSignature(secret: "t").value(for: body, at: now), body) == .newsRefused)
        #expect(
            error(try NewsSignature(secret: "s").value(for: Array("{}".utf8), at: now), Array("{}".utf8))
                == .newsRefused)
        for damaged in ["", "t=", "v1=", "t=,v1=", "\(proof),", String(proof.dropLast())] {
            #expect(error(damaged, body) == .newsRefused)
        }
    }
}
