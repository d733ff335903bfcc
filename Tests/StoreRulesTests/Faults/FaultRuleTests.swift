import StoreModel
import TestSupport
import Testing

@testable import StoreRules

@Suite("What goes wrong on purpose (X12)", .bounded)
struct FaultRuleTests {
    private static func terms(_ change: (inout FaultTerms) -> Void) -> FaultTerms {
        var terms = FaultTerms()
        terms.status = 500
        change(&terms)
        return terms
    }

    /// Terms, and which of the first twelve calls they strike.
    static let choices: [(terms: FaultTerms, struck: [Int])] = [
        (terms { _ in }, Array(1...12)),
        (terms { $0.times = 2 }, [1, 2]),
        (terms { $0.call = 3 }, [3]),
        (terms { $0.every = 4 }, [4, 8, 12]),
        (terms { ($0.every, $0.times) = (4, 2) }, [4, 8]),
        (terms { $0.percent = 100 }, Array(1...12)),
        (terms { ($0.percent, $0.seed) = (40, 7) }, [2, 4, 6, 10, 12]),
        (terms { ($0.percent, $0.seed) = (40, 8) }, [1, 2, 3, 5, 6, 8, 9, 11]),
        (terms { ($0.percent, $0.seed, $0.times) = (40, 7, 2) }, [2, 4]),
    ]

    @Test("The calls that a rule strikes follow from its choice and seed alone", arguments: choices.indices)
    func strikes(_ index: Int) throws {
        let (terms, expected) = Self.choices[index]
        let rule = try FaultRule(terms)
        var struck: [Int] = []
        for call in 1...12 where rule.strikes(call: call, after: struck.count) { struck.append(call) }
        #expect(struck == expected, "\(rule)")
    }

    @Test("A rule is over with its last call")
    func over() throws {
        let third = try FaultRule(Self.terms { $0.call = 3 })
        #expect(!third.isOver(counted: 2, struck: 0))
        #expect(third.isOver(counted: 3, struck: 1))
        let twice = try FaultRule(Self.terms { $0.times = 2 })
        #expect(!twice.isOver(counted: 9, struck: 1))
        #expect(twice.isOver(counted: 9, struck: 2))
        #expect(try !FaultRule(Self.terms { $0.every = 2 }).isOver(counted: 900, struck: 450))
    }

    /// Terms that are refused, and the member that is named.
    static let refused: [(subject: String, terms: FaultTerms)] = [
        ("fault", FaultTerms()),
        ("call", terms { ($0.call, $0.every) = (1, 2) }),
        ("call", terms { $0.call = 0 }),
        ("every", terms { $0.every = 1_000_001 }),
        ("times", terms { $0.times = 0 }),
        ("percent", terms { $0.percent = 101 }),
        ("seed", terms { $0.seed = 1 }),
        ("delayMilliseconds", terms { $0.delayMilliseconds = FaultLimits.delay + 1 }),
        ("status", terms { $0.drop = "before" }),
        ("status", terms { $0.status = 199 }),
        ("status", terms { ($0.status, $0.path) = (5_000_001, "/device/*") }),
        ("status", terms { ($0.status, $0.path) = (21_005, "/inApps/*") }),
        ("status", terms { ($0.status, $0.notifications) = (5_000_001, true) }),
        ("retryAfterSeconds", terms { ($0.status, $0.drop, $0.retryAfterSeconds) = (nil, "after", 5) }),
        ("drop", terms { ($0.status, $0.drop) = (nil, "sometimes") }),
        ("path", terms { $0.path = "inApps/*" }),
        ("path", terms { $0.path = "/inApps?x=1" }),
        ("path", terms { ($0.path, $0.notifications) = ("/inApps/*", true) }),
        ("method", terms { ($0.method, $0.notifications) = ("POST", true) }),
        ("reorder", terms { ($0.status, $0.reorder) = (nil, true) }),
        ("notificationType", terms { $0.notificationType = "DID_RENEW" }),
        ("notificationType", terms { ($0.notificationType, $0.notifications) = ("DID_RENW", true) }),
        ("notificationType", terms { ($0.notificationType, $0.notifications) = ("MIGRATION", true) }),
        ("method", terms { $0.method = "G ET\r\n" }),
        ("method", terms { $0.method = "GOT" }),
    ]

    @Test("Terms that mean nothing are refused by the member that is wrong", arguments: refused.indices)
    func refusals(_ index: Int) {
        let (subject, terms) = Self.refused[index]
        #expect {
            try FaultRule(terms)
        } throws: { error in
            (error as? InvalidValue)?.subject == subject
        }
    }

    @Test(
        "A star stands for anything in a path, slashes too",
        arguments: [
            ("*", "/", true), ("/inApps/*", "/inApps/v1/history/1", true), ("/inApps/*", "/inApps", false),
            ("/inApps/*/history/*", "/inApps/v2/history/1", true),
            ("/inApps/*/history/*", "/inApps/v2/refund/1", false),
            ("*/finish", "/device/v1/transactions/1/finish", true), ("*/finish", "/device/v1/finish/1", false),
            ("/a*a", "/a", false), ("/verifyReceipt", "/verifyReceipt", true),
            ("/verifyReceipt", "/verifyReceipts", false),
        ])
    func paths(_ pattern: String, _ path: String, _ matches: Bool) throws {
        #expect(try PathPattern(pattern).matches(path) == matches)
    }

    @Test("A rule says in a line what it does")
    func words() throws {
        let first = try FaultRule(Self.terms { ($0.path, $0.method, $0.times) = ("/inApps/*", "post", 2) })
        #expect(first.description == "answers 500 to the first 2 of POST /inApps/*")
        let late = try FaultRule(
            Self.terms { ($0.status, $0.delayMilliseconds, $0.notifications, $0.every) = (nil, 3000, true, 2) })
        #expect(late.description == "delays by 3000 ms one in 2 of notifications")
    }
}
