import StoreModel
import TestSupport
import Testing

@Suite("Answers about products that are remembered", .bounded)
struct ProductAnswerTests {
    private static let app = "/apps/\(ListenerBench.bundle)"
    private static let club = "\(ListenerBench.bundle).club"
    private static let jungle = "\(ListenerBench.bundle).jungle"

    @Test("One that was given before takes one look at who asks, and one at whether the catalogue has changed")
    func reads() async throws {
        let (sales, catalogue) = (Observed(0), Observed(0))
        let bench = try await ListenerBench(
            wrapping: { CountingDatabase($0, sales) }, wrappingCatalogue: { CountingDatabase($0, catalogue) })
        let device = try await bench.device()
        var counts: [[Int]] = []
        for _ in 1...3 {
            let before = (sales.value, catalogue.value)
            #expect(try await device.ask("POST", "/products", ["productIds": [Self.jungle]]).status == 200)
            counts.append([sales.value - before.0, catalogue.value - before.1])
        }
        #expect(counts.dropFirst() == [[1, 1], [1, 1]], "\(counts)")
    }

    private enum Step {
        case request(String, String, [String: Any])
        case pass(Duration)

        func take(_ bench: ListenerBench) async throws {
            switch self {
            case .pass(let time): bench.time.pass(time)
            case .request(let method, let path, let body):
                let words: [String: Any]? = body.isEmpty ? nil : body
                let answer = try await bench.control(method, path, words)
                #expect(answer.status < 300 || answer.status == 404, "\(answer.text)")
            }
        }
    }

    private static func steps(from now: Instant) -> [Step] {
        let (product, offers) = (app + "/products/\(jungle)", app + "/products/\(club)/offers")
        let soon = (now + .seconds(30)).millisecondsSinceEpoch
        let offer: [String: Any] = [
            "kind": "introductory", "paymentMode": "free", "period": "P1W", "endsAt": soon,
        ]
        return [
            .request("PUT", product + "/prices/USA", ["amount": "4.99"]),
            .request("PUT", product + "/prices/USA", ["amount": "5.99"]),
            .request(
                "PUT", product + "/price-changes", ["startsAt": soon, "amount": "8.99", "currency": "USD"]),
            .request("DELETE", product + "/clearance", [:]), .request("POST", product + "/clearance", [:]),
            .request("PUT", offers + "/welcome", offer), .request("DELETE", offers + "/welcome", [:]),
            .request(
                "PUT", app + "/groups/monkeyclub", ["texts": ["en-US": ["name": "Apes"]]]),
            .request("PUT", "/teams/my-team/suspension", ["reason": "unpaid"]),
            .request("DELETE", "/teams/my-team/suspension", [:]), .pass(.seconds(20)), .pass(.seconds(20)),
            .request("PATCH", "/clock", ["rate": 0]), .request("PATCH", "/clock", ["rate": 1000]),
            .request("POST", "/clock/advances", ["by": "20s"]),
        ]
    }

    @Test(
        "Whatever changes, the remembered answer is the one that a fresh look gives", arguments: [1, 2, 3] as [UInt64])
    func fresh(seed: UInt64) async throws {
        let bench = try await ListenerBench(propagation: .seconds(15))
        let device = try await bench.device()
        var random = SplitMix64(seed: seed)
        var (round, answers) = (0, Set<String>())
        func compare() async throws {
            round += 1
            let ids = [Self.jungle, Self.club]
            let remembered = try await device.ask("POST", "/products", ["productIds": ids])
            // Other words for the same question.
            let fresh = try await device.ask("POST", "/products", ["productIds": ids, "round": round])
            #expect(remembered.status == 200 && remembered.text == fresh.text, "round \(round)")
            answers.insert(fresh.text)
        }
        try await compare()
        for _ in 0..<40 {
            let steps = Self.steps(from: bench.time.current)
            // What keeps everything from being shown does not last.
            try await Step.request("DELETE", "/teams/my-team/suspension", [:]).take(bench)
            try await steps[Int(random.next() % UInt64(steps.count))].take(bench)
            try await compare()
            try await compare()
        }
        #expect(answers.count > 5)
    }
}
