/// Cases of the rules that look at what code does.
enum CodeRuleCases {
    static let list = arrows + clocks + traps + enums + extensions + tests

    private static let arrows = [
        RuleCase(ImportArrows(), "import Foundation\nimport StoreModel\ninternal import COpenSSL\n"),
        RuleCase(
            ImportArrows(), "import StoreDatabase\n@testable import StoreHTTP\npublic import struct StoreKit.Product\n",
            breaksAt: 1, 2, 3),
        RuleCase(ImportArrows(), "// import StoreDatabase\nlet text = \"import StoreDatabase\"\n"),
        RuleCase(ImportArrows(), "import StoreSigning\n", breaksAt: 1, path: "Sources/Shared/CommandOptions/A.swift"),
        RuleCase(ImportArrows(), "import StoreSigning\n", breaksAt: 1, path: "Sources/Store/StoreRules/A.swift"),
        // What a named target reaches may be imported too: StoreServer names StoreService, which names StoreRules.
        RuleCase(ImportArrows(), "import StoreRules\nimport CSQLite\n", path: "Sources/Store/StoreServer/A.swift"),
        RuleCase(ImportArrows(), "import StoreWeb\n", breaksAt: 1, path: "Sources/Store/StoreServer/A.swift"),
        RuleCase(
            ImportArrows(), "import StoreKit\nimport StoreBackend\n", breaksAt: 1, 2, path: "Sources/Store/till/A.swift"
        ),
        RuleCase(ImportArrows(), "@testable import StoreRules\n", path: "Tests/StoreRulesTests/A.swift"),
        RuleCase(ImportArrows(), "import StoreSigning\n", breaksAt: 1, path: "Tests/StoreRulesTests/A.swift"),
    ]

    private static let clocks = [
        RuleCase(
            ClockReads(), "let a = Date()\nlet b = Date.now\nlet c = Date(timeIntervalSinceNow: 3)\n",
            breaksAt: 1, 2, 3),
        RuleCase(ClockReads(), "let a = time(nil)\ngettimeofday(&a, nil)\n", breaksAt: 1, 2),
        RuleCase(ClockReads(), "let a = ContinuousClock().now\nlet b = DispatchTime.now()\n", breaksAt: 1, 2),
        RuleCase(ClockReads(), "let a = Date(\n)\n", breaksAt: 1),
        RuleCase(ClockReads(), "let a = \"\\(Date())\"\n", breaksAt: 1),
        RuleCase(
            ClockReads(), "let sql = \"SELECT CURRENT_TIMESTAMP\"\nlet other = \"\"\"\n    SELECT now()\n    \"\"\"\n",
            breaksAt: 1, 3),
        RuleCase(
            ClockReads(), "SELECT 1;\nSELECT unixepoch('now');\n", breaksAt: 2, path: "Sources/Store/a/b.sql"),
        RuleCase(ClockReads(), "// Date()\nlet a = clock.now()\nlet b = lifetime(nil)\nlet c = Date(a)\n"),
        RuleCase(ClockReads(), "let a = Date()\n", path: "Sources/Store/till/SystemClock.swift"),
        RuleCase(ClockReads(), "let a = Date()\n", path: "Sources/Device/StoreKit/Session/SystemClock.swift"),
        RuleCase(ClockReads(), "let a = Date()\n", breaksAt: 1, path: "Sources/Store/StoreRules/SystemClock.swift"),
        RuleCase(ClockReads(), "let a = Date()\n", breaksAt: 1, path: "Tests/TillTests/SystemClock.swift"),
        RuleCase(
            ClockReads(), "let a = ContinuousClock().now\nlet b = Date()\n", breaksAt: 2,
            path: "Tests/StoreModelTests/A.swift"),
        RuleCase(ClockReads(), "int a = time(NULL);\n", breaksAt: 1, path: "Sources/System/CThing/a.c"),
    ]

    private static let traps = [
        RuleCase(
            ProvenTraps(), "let a = try! b()\nlet c = d as! E\nfatalError()\npreconditionFailure(\"x\")\n",
            breaksAt: 1, 2, 3, 4),
        RuleCase(
            ProvenTraps(), "final class A: @unchecked Sendable {}\nnonisolated(unsafe) var b = 1\n", breaksAt: 1, 2),
        RuleCase(ProvenTraps(), "let a = b!\nlet c = d[0]!.e\nlet f = g()!\nvar h: Int!\n", breaksAt: 1, 2, 3, 4),
        RuleCase(
            ProvenTraps(), "let a = URL(string: \"x\")!\nlet b = unsafeBitCast(a, to: Int.self)\n", breaksAt: 1, 2),
        RuleCase(
            ProvenTraps(), "let a = !b && c != d\nlet e = try !f()\nif !g { h(!i) }\nlet j = k!==l\n#if !os(Linux)\n"),
        RuleCase(ProvenTraps(), "// try! and b! and fatalError\nlet a = \"b!\"\n"),
        RuleCase(ProvenTraps(), "let a = b!  // Safe: the line above made it.\n"),
        RuleCase(
            ProvenTraps(), "/// A thing.\n///\n// Safe: nothing changes it\n// after init.\n@frozen\nlet a = b!\n"),
        RuleCase(ProvenTraps(), "// Safe: no.\nlet a = b!\n", breaksAt: 2),
        RuleCase(ProvenTraps(), "// Safe: for the next line alone.\nlet a = b!\nlet c = d!\n", breaksAt: 3),
        RuleCase(ProvenTraps(), "let url = base! as URL\n", breaksAt: 1, path: "Tests/StoreModelTests/A.swift"),
    ]

    private static let enums = [
        RuleCase(PublicEnums(), "public enum A { case b }\n", breaksAt: 1),
        RuleCase(
            PublicEnums(), "public struct A {\n    public indirect enum B {\n        case c\n    }\n}\n", breaksAt: 2),
        RuleCase(PublicEnums(), "// Closed: the day has two halves.\npublic enum A { case b }\n"),
        RuleCase(PublicEnums(), "// Closed: no.\npublic enum A { case b }\n", breaksAt: 2),
        RuleCase(PublicEnums(), "package enum A { case b }\nenum B { case c }\n"),
        RuleCase(
            PublicEnums(),
            "public enum A {\n    static func b(_ c: Int) {\n        switch c {\n        case 1: break\n        }\n    }\n}\n"
        ),
        RuleCase(PublicEnums(), "public enum A { case b }\n", path: "Sources/Device/StoreKit/A.swift"),
    ]

    private static let extensions = [
        RuleCase(PublicExtensions(), "public extension Array {}\n", breaksAt: 1),
        RuleCase(
            PublicExtensions(), "extension String {\n    var a: Int { 1 }\n    public var b: Int { 1 }\n}\n",
            breaksAt: 3),
        RuleCase(PublicExtensions(), "extension String: @retroactive Error {}\n", breaksAt: 1),
        RuleCase(PublicExtensions(), "extension String { package var a: Int { 1 } }\n"),
        RuleCase(PublicExtensions(), "struct A {}\nextension A { public var b: Int { 1 } }\n"),
        RuleCase(
            PublicExtensions(),
            [
                "Sources/Shared/StoreModel/A.swift": "public struct A {}\n",
                "Sources/Shared/StoreModel/B.swift": "public extension A {}\n",
            ], breaksAt: []),
        RuleCase(PublicExtensions(), "public extension Bundle {}\n", path: "Sources/Device/StoreKit/A.swift"),
    ]

    private static let tests = [
        RuleCase(AssertingTests(), "@Test func a() { b() }\n", breaksAt: 1, path: "Tests/XTests/A.swift"),
        RuleCase(AssertingTests(), "@Test func a() { #expect(b) }\n", path: "Tests/XTests/A.swift"),
        RuleCase(AssertingTests(), "let a = 1\n", path: "Tests/XTests/A.swift"),
        RuleCase(AssertingTests(), "// #expect(b)\n@Test func a() {}\n", breaksAt: 2, path: "Tests/XTests/A.swift"),
        RuleCase(AssertingTests(), "def test_a():\n    b()\n", breaksAt: 1, path: "Tests/Conformance/test_a.py"),
        RuleCase(AssertingTests(), "def test_a():\n    assert b()\n", path: "Tests/Conformance/test_a.py"),
        RuleCase(OneTestFramework(), "import XCTest\n", breaksAt: 1, path: "Tests/XTests/A.swift"),
        RuleCase(OneTestFramework(), "import Testing\n", path: "Tests/XTests/A.swift"),
    ]
}
