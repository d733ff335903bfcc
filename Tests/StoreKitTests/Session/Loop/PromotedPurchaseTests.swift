import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// Purchases that are begun outside the app, as `till device promote` begins them.
@Suite("Purchases begun outside the app", .bounded)
struct PromotedPurchaseTests {
    private func folder(_ bench: SessionBench) -> PromotionFolder {
        PromotionFolder(of: bench.profile.bundle, in: bench.settings().folders)
    }

    private func begin(_ product: String, _ bench: SessionBench, after milliseconds: Int64 = 0) throws {
        let time = bench.store.time.current.millisecondsSinceEpoch + milliseconds
        try folder(bench).add(
            PromotedPurchase(try #require(ProductID(product))), at: Instant(millisecondsSinceEpoch: time))
    }

    /// Lets the app decide on the last one it was asked about.
    private func settle(_ app: SessionClient) throws {
        for news in app.told.reversed() {
            if case .promoted(_, let settled) = news { return settled() }
        }
        Issue.record("nothing was promoted")
    }

    @Test("P41: an app that runs is asked at once, with the product, and never again once it has decided")
    func running() async throws {
        try await overBothTransports { bench in
            try await bench.withSession { app in
                app.attach()
                try begin(SessionStore.credits, bench)
                try await app.until("promoted credits5")
                guard case .promoted(let product, _) = try #require(app.told.last) else { return }
                #expect(product.title == "5 Credits")
                #expect(product.price == Decimal(string: "0.99"))
                try settle(app)
                #expect(folder(bench).files == [])
            }
            try await bench.withSession { app in
                app.attach()
                try begin(SessionStore.jungle, bench)
                try await app.until("promoted jungle")
                #expect(app.words == ["attached", "promoted jungle"])
            }
        }
    }

    @Test("P41: what was begun before the app starts is brought at its start, in order, again until it is decided")
    func coldStart() async throws {
        let bench = try await SessionBench(SessionStore())
        try begin(SessionStore.credits, bench)
        try begin(SessionStore.jungle, bench, after: 1)
        for _ in 1...2 {
            try await bench.withSession { app in
                app.attach()
                try await app.until("promoted jungle")
                #expect(app.words == ["attached", "promoted credits5", "promoted jungle"])
                app.forget()
            }
        }
        #expect(folder(bench).files.count == 2)
    }

    @Test("P41: who looks again while the store is asked about the first does not bring the second before it")
    func order() async throws {
        let bench = try await SessionBench(SessionStore())
        try begin(SessionStore.credits, bench)
        try begin(SessionStore.jungle, bench, after: 1)
        let connection = SlowFirstProducts(bench.connection)
        try await bench.withSession(connection: connection) { app in
            app.attach()
            await connection.asked.pass()
            let again = Task { await app.session.offerPromotions() }
            // Were that free to go on, its few requests would be answered before these.
            for _ in 1...20 { _ = try await app.session.device.device() }
            #expect(app.words == ["attached"])
            connection.mayAnswer.open()
            await again.value
            #expect(app.words == ["attached", "promoted credits5", "promoted jungle"])
        }
    }

    @Test("An app that does not observe is not asked")
    func unobserved() async throws {
        let bench = try await SessionBench(SessionStore())
        try begin(SessionStore.credits, bench)
        try await bench.withSession { app in
            await app.session.offerPromotions()
            #expect(app.words == [])
            app.attach()
            try await app.until("promoted credits5")
            app.detach()
            app.attach()
            await app.session.offerPromotions()
            // It is in the hands of the queue, which has not decided.
            #expect(app.words.filter { $0 == "promoted credits5" }.count == 1)
        }
    }

    @Test("Of several processes one is asked; if that ends undecided, another is")
    func severalProcesses() async throws {
        let bench = try await SessionBench(SessionStore())
        let one = SessionClient(try DeviceSession(bench.settings()))
        one.attach()
        try await bench.withSession { other in
            try begin(SessionStore.credits, bench)
            try await one.until("promoted credits5")
            other.attach()
            await other.session.offerPromotions()
            #expect(other.words == ["attached"])
            await one.session.shutDown()
            one.forget()
            try await other.until("promoted credits5")
            try settle(other)
        }
        #expect(folder(bench).files == [])
    }

    @Test("Of processes that look at the same moment exactly one is asked")
    func race() async throws {
        let bench = try await SessionBench(SessionStore())
        let heard = Observed<[SessionNews]>([])
        try await bench.withSession(heard: heard) { one in
            try await bench.withSession(heard: heard) { other in
                one.attach()
                other.attach()
                for number in 1...20 as ClosedRange<Int64> { try begin(SessionStore.credits, bench, after: number) }
                try await heard.wait { Self.promotions($0) >= 20 }
                for app in [one, other] { await app.session.offerPromotions() }
                #expect(Self.promotions(heard.value) == 20)
            }
        }
    }

    private static func promotions(_ told: [SessionNews]) -> Int {
        SessionClient.words(told).count { $0.hasPrefix("promoted") }
    }

    @Test("A product that the store does not sell is explained in one line, and dropped")
    func unknown() async throws {
        let bench = try await SessionBench(SessionStore())
        try begin("com.example.monkeycredits.credits55", bench)
        try begin(SessionStore.jungle, bench, after: 1)
        try await bench.withSession { app in
            app.attach()
            try await app.until("promoted jungle")
            let line = try #require(bench.log.lines.first { $0.contains("credits55") })
            #expect(line.contains("chosen outside the app") && line.contains("cannot be sold"))
            #expect(!app.words.contains { $0.contains("credits55") })
            #expect(folder(bench).files.count == 1)
        }
    }

    @Test("While the store cannot be reached it waits")
    func unreachable() async throws {
        let bench = try await SessionBench(SessionStore())
        try begin(SessionStore.credits, bench)
        let isCut = Shared(true)
        let tried = Transcript()
        let connection = SwitchedConnection(inner: bench.connection) {
            tried.write("tried")
            return isCut.value
        }
        try await bench.withSession(connection: connection) { app in
            app.attach()
            try await tried.until("tried")
            #expect(app.words == ["attached"])
            isCut.set(false)
            try await app.until("promoted credits5")
        }
    }

    @Test("What is no purchase is removed, and the others come all the same")
    func damaged() async throws {
        let bench = try await SessionBench(SessionStore())
        try begin(SessionStore.credits, bench)
        let strange = folder(bench).path + "/000000000000000.json"
        try Data("{}".utf8).write(to: URL(fileURLWithPath: strange))
        try await bench.withSession { app in
            app.attach()
            try await app.until("promoted credits5")
            #expect(!FileManager.default.fileExists(atPath: strange))
            #expect(bench.log.lines.contains { $0.contains("000000000000000.json") })
        }
    }
}

/// A network that is cut while somebody says so.
private struct SwitchedConnection: StoreConnection {
    let inner: any StoreConnection
    let isCut: @Sendable () -> Bool

    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        if isCut() { throw ConnectionError(.unreachable(mayHaveHappened: false), code: "cut", "The network was cut.") }
        return try await inner.send(request)
    }
}

/// Holds the answer to the first question about products back.
private final class SlowFirstProducts: StoreConnection {
    let asked = Gate()
    let mayAnswer = Gate()
    private let inner: any StoreConnection
    private let questions = Atomic(0)

    init(_ inner: any StoreConnection) {
        self.inner = inner
    }

    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        let isFirst =
            request.path.hasPrefix("/products") && questions.add(1, ordering: .relaxed).oldValue == 0
        let answer = try await inner.send(request)
        if isFirst {
            asked.open()
            await mayAnswer.pass()
        }
        return answer
    }
}
