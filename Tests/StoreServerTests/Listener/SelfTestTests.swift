import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreServer

/// The self-test: the whole way of a sale, of which nothing is left.
@Suite(.bounded) struct SelfTestTests {
    private static let tables: [SQL] = [
        "SELECT count(*) FROM customer", "SELECT count(*) FROM store_transaction", "SELECT count(*) FROM sale_order",
        "SELECT count(*) FROM charge", "SELECT count(*) FROM notification", "SELECT count(*) FROM store_property",
        "SELECT count(*) FROM sequence",
    ]

    private static func counts(_ bench: ListenerBench) async throws -> [Int] {
        try await bench.store.database.read { transaction in
            try tables.map { try transaction.value($0, as: Int.self) }
        }
            + bench.databases.catalogue.read { transaction in
                [try transaction.value("SELECT count(*) FROM app", as: Int.self)]
            }
    }

    @Test(
        "X6: It buys, verifies by the root of the environment and refunds; nothing of it is in the books, in production either",
        arguments: StoreEnvironment.allCases)
    func passes(_ environment: StoreEnvironment) async throws {
        let bench = try await ListenerBench(environment)
        let before = try await Self.counts(bench)
        let answer = try await bench.control("POST", "/system/self-test")
        #expect(answer.json["isPassed"] as? Bool == true, "\(answer.text)")
        let steps = try #require(answer.json["steps"] as? [[String: Any]])
        #expect(steps.count == 11 && steps.allSatisfy { $0["problem"] == nil })
        #expect(steps[6]["detail"] as? String == "signed under the root of \(environment)")
        #expect(try await Self.counts(bench) == before)
    }

    @Test("X6: Production without a processor is tested with that of the self-test, which is said")
    func withoutProcessor() async throws {
        let bench = try await ListenerBench(.production, processor: NoProcessor())
        let answer = try await bench.control("POST", "/system/self-test")
        #expect(answer.json["isPassed"] as? Bool == true, "\(answer.text)")
        #expect(answer.text.contains("there is none here"))
    }

    @Test("X6: A processor that does not answer, and a database that takes nothing, fail it in words")
    func fails() async throws {
        let deaf = try await ListenerBench(processor: DeafProcessor())
        let answer = try await deaf.control("POST", "/system/self-test")
        #expect(answer.status == 200 && answer.json["isPassed"] as? Bool == false)
        #expect(
            (answer.json["summary"] as? String)?.contains("Asking the payment processor failed: nobody is there")
                == true)
        let steps = try #require(answer.json["steps"] as? [[String: Any]])
        #expect(steps.count == 2, "none follows the first that failed")
        let page = try await ConsoleVisitor.owner(deaf).send("/system/self-test")
        #expect(page.text.contains("nobody is there") && page.status == 200)
    }

    @Test("The self-test of production is for those who look after production")
    func rights() async throws {
        let bench = try await ListenerBench()
        let tester = try await ConsoleVisitor.visitor(bench, .operator)
        let page = try await tester.send("/system/self-test")
        #expect(page.status == 200 && page.text.contains("Bought, verified and refunded"))
        for role in [OperatorTokens.Role.support, .finance, .reviewer] {
            let visitor = try await ConsoleVisitor.visitor(bench, role, member: role == .finance)
            #expect(try await visitor.send("/system/self-test").status == 403)
        }
        let foreign = try await bench.browse(
            "/console/production/system/self-test",
            ["proof": OperatorSessions.proof(of: String(tester.cookie.dropFirst("till_console=".count)))],
            ["Cookie": tester.cookie])
        #expect(foreign.status == 403)
    }

    /// A processor that nobody reaches.
    private struct DeafProcessor: PaymentProcessor {
        private static let silence = ProcessorError(.notSent, "nobody is there")

        func authorise(_ order: AuthorisationRequest) async throws(ProcessorError) -> AuthoriseOutcome {
            throw Self.silence
        }
        func capture(
            key: String, reference: String, amount: Money
        ) async throws(ProcessorError) -> CaptureOutcome { throw Self.silence }
        func void(key: String, reference: String) async throws(ProcessorError) { throw Self.silence }
        func refund(key: String, reference: String, amount: Money) async throws(ProcessorError) -> RefundOutcome {
            throw Self.silence
        }
        func lookup(key: String) async throws(ProcessorError) -> LookupOutcome { throw Self.silence }
        func news(
            field: (String) -> String?, body: [UInt8], at time: Instant
        ) throws(ProcessorError) -> ProcessorNews { throw Self.silence }
    }
}
