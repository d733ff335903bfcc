import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import StoreSigning
import TestSupport
import Testing

/// Two devices of one customer, over the interface that devices have: nothing is delivered twice, and nothing is forgotten.
@Suite("Which device has a consumable", .bounded)
struct HoldingTests {
    private static let patience = StorePolicy.standard.patience
    /// How exactly the store knows when a device was heard of.
    private static let step = Duration.seconds(60)
    private static let credits = "\(DemoCatalogue.bundleID).credits5"

    /// An app on a device, with the journal that StoreKit would have.
    private final class Phone {
        let device: BenchDevice
        let number: Int
        var cursor: String?
        var waiting: Set<String> = []
        var told: Set<String> = []
        var ownUntil = BenchTime.start
        var heardAt = BenchTime.start
        var leftAt = BenchTime.start
        /// Since when it has a transaction, and when the other one had been heard of last.
        var got: [String: (now: Instant, other: Instant)] = [:]
        weak var other: Phone?

        init(_ device: BenchDevice, _ number: Int) {
            self.device = device
            self.number = number
        }

        private func number(_ signed: Any?) throws -> String {
            let parts = try #require(signed as? String).split(separator: ".")
            let bytes = try #require(Base64.decode(parts[1], .url))
            let payload = try JSONSerialization.jsonObject(with: Data(bytes))
            return try #require((payload as? [String: Any])?["transactionId"] as? String)
        }

        private func take(_ id: String, at now: Instant) {
            // Who signs out and in again finds what was taken before.
            if waiting.insert(id).inserted, got[id] == nil { got[id] = (now, other?.heardAt ?? now) }
        }

        func buy(at now: Instant) async throws {
            heardAt = now
            let answer = try await device.buy(HoldingTests.credits)
            #expect(answer.status == 200, "\(answer.text)")
            take(try number(answer.json["signedTransaction"]), at: now)
        }

        func poll(at now: Instant) async throws {
            heardAt = now
            guard let cursor else { return try await readEverything(at: now) }
            var (after, hasMore) = (cursor, true)
            while hasMore {
                let page = try await device.ask("GET", "/events?after=\(after)")
                #expect(page.status == 200, "\(page.text)")
                for event in page.json["events"] as? [[String: Any]] ?? [] {
                    if let withdrawn = event["withdrawnTransactionId"] as? String {
                        waiting.remove(withdrawn)
                        got[withdrawn] = nil
                    }
                    guard let signed = event["signedTransaction"] else { continue }
                    let id = try number(signed)
                    if event["isFinished"] as? Bool == true { waiting.remove(id) } else { take(id, at: now) }
                }
                after = try #require(page.json["cursor"] as? String)
                hasMore = page.json["hasMore"] as? Bool ?? false
            }
            self.cursor = after
            ownUntil = now + HoldingTests.patience * 8 / 10
        }

        private func readEverything(at now: Instant) async throws {
            (waiting, cursor) = ([], nil)
            var (after, hasMore) = ("", true)
            while hasMore {
                let page = try await device.ask("GET", "/transactions" + after)
                #expect(page.status == 200, "\(page.text)")
                for id in page.json["unfinished"] as? [String] ?? [] { take(id, at: now) }
                // The first place counts: what happened since is told again.
                cursor = try cursor ?? #require(page.json["cursor"] as? String)
                let signed = page.json["signedTransactions"] as? [String] ?? []
                after = try signed.last.map { try "?after=\(number($0))" } ?? ""
                hasMore = page.json["hasMore"] as? Bool ?? false
            }
            got = got.filter { waiting.contains($0.key) }
            ownUntil = now + HoldingTests.patience * 8 / 10
        }

        /// What the app is told now; what may be another's by now waits for the store's word.
        func tell(at now: Instant) -> Set<String> {
            guard now < ownUntil else { return [] }
            let news = waiting.subtracting(told)
            told.formUnion(news)
            return news
        }

        func finish(_ count: Int, at now: Instant) async throws {
            for id in waiting.intersection(told).sorted().prefix(count) {
                heardAt = now
                #expect(try await device.ask("POST", "/transactions/\(id)/finish").status == 204)
                waiting.remove(id)
            }
        }

        func leaveAndReturn(at now: Instant) async throws {
            (heardAt, leftAt) = (now, now)
            #expect(try await device.ask("POST", "/sign-out").status == 200)
            (waiting, cursor) = ([], nil)
            let account = ["email": "ada@example.com", "password": ListenerBench.password]
            #expect(try await device.ask("POST", "/sign-in", account).status == 200)
        }
    }

    private func work(_ bench: ListenerBench) async throws {
        let scheduler = WorkScheduler(
            bench.store.database, handlers: Recovery(bench.store).handlers, name: UUID().uuidString,
            wallTime: bench.time.reading)
        while try await !scheduler.runRound(clock: .wall, at: bench.time.current).isEmpty {}
    }

    @Test("Two devices racing deliver everything, and nothing twice but what the other had let lie")
    func racing() async throws {
        var random = RandomizedRun.generator(named: "two devices")
        let bench = try await ListenerBench()
        let phones = [Phone(try await bench.device(), 0), Phone(try await bench.device(), 1)]
        (phones[0].other, phones[1].other) = (phones[1], phones[0])
        for phone in phones { try await phone.poll(at: bench.time.current) }
        var round = 0
        var deliveries: [String: [Int]] = [:]
        var doubles = 0
        func deliver(_ phone: Phone) {
            let now = bench.time.current
            for id in phone.tell(at: now) {
                for former in deliveries[id, default: []] where former != phone.number {
                    let (other, got) = (phones[former], phone.got[id] ?? (now, now))
                    let wasSilent = (got.now - got.other) >= Self.patience - Self.step
                    let hadLeft = other.leftAt >= (other.got[id]?.now ?? now)
                    doubles += 1
                    #expect(
                        wasSilent || hadLeft,
                        "\(id) was delivered on both: \(got.now - got.other) of silence, in round \(round)")
                }
                deliveries[id, default: []].append(phone.number)
            }
        }
        while round < RandomizedRun.cases(300) {
            round += 1
            let (phone, choice) = (phones[Int(random.next() % 2)], random.next() % 100)
            let now = bench.time.current
            switch choice {
            case 0..<15: try await phone.buy(at: now)
            case 15..<45: try await phone.poll(at: now)
            case 45..<60: deliver(phone)
            case 60..<80: try await phone.finish(Int(random.next() % 3) + 1, at: now)
            case 80..<84:
                let sale = try await bench.control(
                    "POST", "/purchases",
                    ["customer": "ada@example.com", "bundleId": "\(DemoCatalogue.bundleID)", "productId": Self.credits])
                #expect(sale.status == 201, "\(sale.text)")
            case 84..<86: try await phone.leaveAndReturn(at: now)
            case 86..<98:
                bench.time.pass(.seconds(Int64(random.next() % 40)))
                try await work(bench)
            default:
                bench.time.pass(Self.patience + .seconds(Int64(random.next() % 100)))
                try await work(bench)
            }
            // Both at once, which is what a race is.
            if round % 7 == 0 {
                let now = bench.time.current
                let devices = phones.map(\.device)
                async let first: Void = bench.poll(devices[0])
                async let second: Void = bench.poll(devices[1])
                _ = try await (first, second)
                // Either may have been the first.
                let former = phones[0].heardAt
                try await phones[0].poll(at: now)
                phones[0].heardAt = former
                try await phones[1].poll(at: now)
                phones[0].heardAt = now
            }
        }
        for phone in phones {
            bench.time.pass(Self.patience + Self.step)
            try await work(bench)
            try await phone.poll(at: bench.time.current)
            deliver(phone)
            try await phone.finish(.max, at: bench.time.current)
        }
        let all = try await bench.store.database.read {
            try $0.query("SELECT id FROM store_transaction") { try "\($0.value(0, as: Int64.self))" }
        }
        #expect(all.count > 30)
        #expect(Set(all).subtracting(deliveries.keys).isEmpty, "something was never delivered")
        print("two devices: \(all.count) transactions, \(doubles) delivered again after a silence or a sign-out")
    }
}

extension ListenerBench {
    /// Asks for the events without keeping what comes.
    fileprivate func poll(_ device: BenchDevice) async throws {
        #expect(try await device.ask("GET", "/events").status == 200)
    }
}
