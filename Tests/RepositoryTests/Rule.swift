import Foundation
import Testing

/// A rule that every file of the repository keeps.
struct Rule: Sendable, CustomTestStringConvertible {
    let sentence: String
    /// A file that breaks the rule at its last line and nowhere before.
    let example: SourceFile
    let check: @Sendable (SourceFile, Repository) -> [(line: Int, text: String)]

    init(
        _ sentence: String, breaking text: String, in path: String = "Sources/Shared/StoreSigning/Sample.swift",
        check: @escaping @Sendable (SourceFile, Repository) -> [(line: Int, text: String)]
    ) {
        (self.sentence, self.check) = (sentence, check)
        example = SourceFile(path, text + "\n")
    }

    var testDescription: String { sentence }

    func violations(in repository: Repository) -> [(path: String, line: Int, text: String)] {
        repository.files.filter { !$0.isGolden }.flatMap { file in
            check(file, repository).map { (file.path, $0.line, $0.text) }
        }
    }

    static let all = [
        arrows, transactions, forms, folders, clocks, statements, rows, traps, enums, extensions, words, modules,
        storeKit,
        length,
        tasks,
        workplace,
        links, framework, assertions, scripts,
    ]
}

// MARK: Targets

extension Rule {
    private static let arrows = Rule(
        "Targets import along the arrows of ImportTable.swift",
        breaking: "// import StoreDatabase\nimport COpenSSL\n@testable import struct StoreDatabase.Row"
    ) { file, _ in
        guard file.isSwift, let target = file.target else { return [] }
        let allowed = ImportTable.reach(of: target).union([target])
        return file.code.matches(#"\bimport (?:(?:struct|class|enum|protocol|typealias|func|let|var) )?(\w+)"#)
            .filter { ImportTable.targets[$0.text] != nil && !allowed.contains($0.text) }
    }

    private static let transactions = Rule(
        "Pages open no transaction: they call use cases, and do not import StoreDatabase",
        breaking: "import StoreService\nimport StoreDatabase", in: "Sources/Store/StoreWeb/Sample.swift"
    ) { file, _ in
        guard file.isSwift, let target = file.target, let hidden = ImportTable.onlyThroughOthers[target] else {
            return []
        }
        return file.code.matches(#"\bimport (?:(?:struct|class|enum|protocol|typealias|func|let|var) )?(\w+)"#)
            .filter { hidden.contains($0.text) }
    }

    private static let forms = Rule(
        "A form of the console is made by ConsoleVisit.form, which proves that it is of a page of the session",
        breaking: "visit.form(path) {}\n// .isPost\nform(.isPost, .action(link)) {}",
        in: "Sources/Store/StoreWeb/Console/Sales/Sample.swift"
    ) { file, _ in
        // Whoever is not in yet has no session.
        let makers = ["ConsoleForm.swift", "EntrancePage.swift", "InvitationSection.swift"]
        guard file.target == "StoreWeb", file.folders.contains("Console"), !makers.contains(file.name) else {
            return []
        }
        return file.code.matches(#"\.isPost\b"#)
    }

    private static let folders = Rule(
        "Every Swift file is in the folder of a target that has a line in ImportTable.swift",
        breaking: "let a = 1", in: "Sources/Store/Guess/A.swift"
    ) { file, _ in
        guard file.isSwift, file.path != "Package.swift", ImportTable.targets[file.target ?? ""] == nil else {
            return []
        }
        return [(1, file.path)]
    }

    private static let framework = Rule(
        "Tests are written with Swift Testing: make test does not run XCTest",
        breaking: "import Testing\nimport XCTest", in: "Tests/XTests/A.swift"
    ) { file, _ in file.folders.first == "Tests" ? file.code.matches(#"\bimport XCTest"#) : [] }
}

// MARK: Time

extension Rule {
    private static let clocks = Rule(
        "Time is handed in: only SystemClock.swift reads a clock; tests and benchmarks only measure",
        breaking: "// Date()\nlet a = clock.now()\nlet b = lifetime(nil)\nlet c = \"\\(Date())\""
    ) { file, _ in
        guard isTimeless(file) else { return [] }
        let wall =
            #"\bDate\(\s*\)|\bDate\.(?:now|init\(\))|timeIntervalSinceNow|\bNSDate\(\)|\bCFAbsoluteTimeGetCurrent|"#
            + #"\bDispatchWallTime\.now|\bgettimeofday|\btime\((?:nil|NULL)\)|CLOCK_REALTIME|\btimespec_get|\bUTCClock"#
        let stopwatches =
            #"|\bContinuousClock|\bSuspendingClock|\bDispatchTime\.now|\bclock_gettime|\bsystemUptime|"#
            + #"\bmach_absolute_time|\bclock\(\)"#
        return file.code.matches(file.folders.first == "Sources" ? wall + stopwatches : wall)
    }

    private static let statements = Rule(
        "SQL does not read the clock of the database: an instant is bound instead",
        breaking: "let now = 1\nlet sql = \"SELECT CURRENT_TIMESTAMP\""
    ) { file, _ in
        guard isTimeless(file), file.folders.first == "Sources" else { return [] }
        let reads =
            #"current_timestamp|current_date|current_time|localtimestamp|clock_timestamp\(|unixepoch\(|julianday\(|"#
            + #"\bnow\(\)|'now'"#
        return (file.path.hasSuffix(".sql") ? file.lines : file.literals).matches(reads, caseInsensitive: true)
    }

    private static let rows = Rule(
        "The catalogue and the service write rows by the names of their columns: insert, insertOrUpdate, update",
        breaking: "let sql = \"INSERT INTO a (b)\"\nlet other = \"INSERT INTO a (b, c) VALUES ($1, $2)\"",
        in: "Sources/Store/StoreService/Sample.swift"
    ) { file, _ in
        guard ["StoreCatalogue", "StoreService"].contains(file.target), file.folders.first == "Sources" else {
            return []
        }
        return file.literals.matches(#"(INSERT INTO \w+) \([^)]*\)\s+VALUES \(\$"#)
    }

    private static func isTimeless(_ file: SourceFile) -> Bool {
        let isClock = file.name == "SystemClock.swift" && ["till", "StoreKit"].contains(file.target)
        return ["Sources", "Tests", "Benchmarks"].contains(file.folders.first) && file.target != "RepositoryTests"
            && !(isClock && file.folders.first == "Sources")
    }
}

// MARK: Code

extension Rule {
    private static let traps = Rule(
        "A trap or an unchecked promise needs a comment '// Safe: …' that says why it cannot fail",
        breaking: "// Safe: the line above made it.\nlet a = b!\nif !c || d != e {}\n// Safe: no.\nlet f = try! g()"
    ) { file, _ in
        guard file.isSwift else { return [] }
        let traps =
            #"\b(?:fatalError|preconditionFailure|assertionFailure|unsafeBitCast|unsafeDowncast)\b|@unchecked Sendable|"#
            + #"\b(?:nonisolated|unowned)\(unsafe\)|(?<=[\w)\]"?>}])!(?!=)"#
        return file.code.matches(traps).filter { !gives("Safe:", in: file.comment(at: $0.line)) }
    }

    private static let enums = Rule(
        "A public enum with cases needs a comment '// Closed: …' that says why it can never grow",
        breaking:
            "public enum A {}\n// Closed: a day has two halves.\npublic enum B { case c }\npublic indirect enum D { case e }"
    ) { file, _ in
        // StoreKit's enumerations are exactly Apple's.
        guard file.folders.first == "Sources", !["StoreKit", "StoreKitTest"].contains(file.target) else { return [] }
        return file.code.matches(#"^ *public (?:indirect )?enum .*$"#).filter { line, head in
            let indent = head.prefix { $0 == " " } + "    case "
            let body = file.code.all[line...].prefix { !$0.hasPrefix(head.prefix { $0 == " " } + "}") }
            let hasCases = head.contains("{ case") || head.last == "{" && body.contains { $0.hasPrefix(indent) }
            return hasCases && !gives("Closed:", in: file.comment(at: line))
        }
    }

    private static let extensions = Rule(
        "No type of Foundation or the standard library is extended in public",
        breaking:
            "struct A {}\nextension A {\n    public var b: Int { 1 }\n}\nextension String {\n    public var c: Int { 1 }"
    ) { file, repository in
        // StoreKit has the extensions that Apple's has.
        guard file.folders.first == "Sources", file.isSwift, file.target != "StoreKit" else { return [] }
        return file.code.matches(#"^(?:public |package )?extension .*$"#).flatMap { line, head -> [(Int, String)] in
            let type = Lines(head).matches(#"extension (\w+)"#).first?.text ?? head
            let body = file.code.all[line...].prefix { !$0.hasPrefix("}") }.enumerated()
            var found = body.filter { $0.element.hasPrefix("    public ") }.map { (line + 1 + $0.offset, type) }
            if head.hasPrefix("public ") || head.contains("@retroactive") { found.append((line, type)) }
            return found.isEmpty || repository.types.contains(type) ? [] : found
        }
    }

    /// Whether a comment gives a reason of at least three words.
    private static func gives(_ mark: String, in comment: String) -> Bool {
        comment.components(separatedBy: mark).dropFirst().last.map { $0.split(separator: " ").count >= 3 } ?? false
    }
}

// MARK: Names

extension Rule {
    private static let words = Rule(
        "No type or file is named Manager, Helper or Utils",
        breaking: "struct RequestHandler {}\nstruct Managed {}\nclass PriceHelper {}"
    ) { file, _ in
        guard file.isSwift else { return [] }
        let empty = #"(?:Manager|Helper|Util|Utility|Utilitie)s?(?![a-z])|Handler[0-9]"#
        return (file.types + [(1, file.name)]).filter { !Lines($0.text).matches(empty).isEmpty }
    }

    private static let modules = Rule(
        "No type is named like a module of ours", breaking: "import struct StoreModel.Instant\nenum StoreSigning {}"
    ) { file, _ in
        guard file.isSwift, file.folders.first != "Tests" else { return [] }
        return file.types.filter { ImportTable.targets[$0.text.replacing("_", with: "-")] != nil }
    }

    private static let storeKit = Rule(
        "No public type of StoreModel is named like one of StoreKit, beside which apps import it",
        breaking: "struct Message {}\npublic struct Product {}", in: "Sources/Shared/StoreModel/A.swift"
    ) { file, _ in
        guard file.target == "StoreModel" else { return [] }
        return file.code.matches(#"^public .*\b(?:struct|class|enum|actor|protocol|typealias) (\w+)"#)
            .filter { storeKitNames.contains($0.text) || $0.text.hasPrefix("SK") }
    }

    /// StoreKit's and StoreKitTest's top-level types, but those that begin with SK.
    private static let storeKitNames: Set = [
        "AdvancedCommerceProduct", "AppStore", "AppTransaction", "ExternalLinkAccount", "ExternalPurchase",
        "ExternalPurchaseCustomLink", "ExternalPurchaseLink", "InvalidRequestError", "Message", "PaymentMethodBinding",
        "Product",
        "ProductView",
        "PurchaseAction", "PurchaseIntent", "StoreKitError", "StoreView", "Storefront", "SubscriptionInfo",
        "SubscriptionRenewalInfo", "SubscriptionRenewalState", "SubscriptionStatus", "Transaction",
        "VerificationResult",
    ]
}

// MARK: Texts

extension Rule {
    private static let length = Rule(
        "No source file is longer than 400 lines", breaking: String(repeating: "\n", count: 400) + "let a = 1"
    ) { file, _ in
        let isSource = [".swift", ".c", ".h", ".py", ".sh", ".js", ".css", ".html", ".sql"].contains {
            file.path.hasSuffix($0)
        }
        let count = file.text.utf8.count { $0 == UInt8(ascii: "\n") }
        return isSource && count > 400 ? [(count, "\(count) lines")] : []
    }

    private static let tasks = Rule(
        "No comment puts off work", breaking: "let word = \"TO" + "DO\"\n// TO" + "DO: more"
    ) { file, _ in file.comments.matches(#"\b(?:TO"# + #"DO|FIX"# + #"ME|HA"# + #"CK)\b|\bX"# + #"XX:"#) }

    /// The words are put together from pieces, so that this file does not contain what it forbids.
    private static let workplace = Rule(
        "The repository does not mention how and where it was written",
        breaking: "the User-Agent of a session\nan issue\n/network/x\nsee iss" + "ue 4", in: "A.md"
    ) { file, _ in
        guard file.path != "LICENSE" else { return [] }
        let words = "/wo" + "rk/|DES" + "IGN(?:\\.md| §)|(?:PA" + "INS|REQUIRE" + "MENTS|STY" + "LE)\\.md"
        let names = "\\b(?:clau" + "de|anthro" + "pic|chat" + "gpt|open" + "ai|co" + "pilot|ll" + "m)\\b"
        let others = "\\b(?:session|issue) #?[0-9]|(?<!user[- ])\\bage" + "nts?\\b"
        return file.lines.matches(words) + file.lines.matches("\(names)|\(others)", caseInsensitive: true)
    }

    private static let scripts = Rule(
        "A script for a shell is where make lint looks at it: in Scripts, or .ci/run",
        breaking: "#!/usr/bin/env bash", in: "Tests/start"
    ) { file, _ in
        let isScript = file.folders == ["Scripts"] && file.path.hasSuffix(".sh")
        guard !isScript, file.folders != ["Scripts", "hooks"], file.path != ".ci/run" else { return [] }
        return file.lines.matches(#"\A#!.*\b(?:ba)?sh$"#)
    }

    private static let assertions = Rule(
        "Every file with tests asserts something", breaking: "@Test func a() { b() }", in: "Tests/XTests/A.swift"
    ) { file, _ in
        guard file.folders.first == "Tests" else { return [] }
        if file.name.hasPrefix("test_"), file.name.hasSuffix(".py") {
            return file.lines.matches(#"^\s*assert\b|pytest\.raises\("#).isEmpty ? [(1, file.name)] : []
        }
        let tests = file.code.matches(#"@Test\b"#).prefix(1)
        return file.code.matches(#"#(?:expect|require)\b|\bIssue\.record|\bconfirmation\b"#).isEmpty ? Array(tests) : []
    }
}
