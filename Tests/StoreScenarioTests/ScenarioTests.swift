import StoreFoundation
import TestSupport
import Testing

@testable import StoreScenario

@Suite("Scenarios as files (X8)")
struct ScenarioTests {
    static let sample = """
        # A refund takes the purchase back.
        till testers add ada@example.com --storefront USA

        till buy com.example.weather.themes --customer "ada@example.com" # and that is all
        expect .state == "purchased"
        expect .history[-1].text contains "taken"
        expect .history count 3
        expect within 2s .total["amount"] != "1.00"
        let bought = .transactionId
        till transactions refund ${bought} --because 'it is $5 # too much'
        expect .items[.id == $bought][0].price <= 1.5
        till transactions refund $bought
        expect error refund_exhausted
        expect .error.message exists
        """

    private func scenario(_ text: String) throws -> Scenario {
        try Scenario(Array(text.utf8), named: "a.till")
    }

    private func fault(_ text: String) -> String? {
        do {
            _ = try scenario(text)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("Lines are commands, expectations and captures; comments and empty lines are nothing")
    func lines() throws {
        let steps = try scenario(Self.sample).steps
        #expect(steps.map(\.line) == [2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
        #expect(
            steps.map(\.description).joined(separator: "\n")
                == """
                till testers add ada@example.com --storefront USA
                till buy com.example.weather.themes --customer ada@example.com
                expect .state == "purchased"
                expect .history[-1].text contains "taken"
                expect .history count 3
                expect within 2000ms .total.amount != "1.00"
                let bought = .transactionId
                till transactions refund ${bought} --because "it is \\$5 # too much"
                expect .items[.id == $bought][0].price <= 1.5
                till transactions refund ${bought}
                expect error refund_exhausted
                expect .error.message exists
                """)
    }

    @Test("A command is to fail if an expectation about it says so, and only then")
    func failing() throws {
        let fails = try scenario(Self.sample).steps.compactMap { step -> Bool? in
            if case .command(_, let fails) = step.work { fails } else { nil }
        }
        #expect(fails == [false, false, false, true])
    }

    @Test(
        "What is wrong is told with the file, the line, the column and the word",
        arguments: [
            ("buy a", "a.till:1:1: buy: a line is a command of till, expect or let, or a comment behind #"),
            ("\n  Till version", "a.till:2:3: Till: a line is a command of till, expect or let, or a comment behind #"),
            (
                "till a\nexpect state == 1",
                "a.till:2:8: state: a path is expected, which begins with a period: .items[0].state"
            ),
            (
                "till a\nexpect .a = 1",
                "a.till:2:11: =: one of ==, !=, <=, >=, <, >, count, contains, exists, missing is expected here"
            ),
            (
                "till a\nexpect .a == b",
                "a.till:2:14: b: a value is expected: \"a text\", a number, true, false, null or $name"
            ),
            ("till a\nexpect .a == 1 2", "a.till:2:16: 2: nothing is expected here any more"),
            ("till a\nexpect .a < \"x\"", "a.till:2:11: <: only numbers are compared by <"),
            ("till a\nexpect .a count -1", "a.till:2:17: -1: count is followed by a whole number"),
            (
                "till a\nexpect .a[x]",
                "a.till:2:10: [x]: brackets have a place as [0] or [-1], a condition as [.state == \"active\"], or a [\"name\"]"
            ),
            ("till a\nexpect within 90s .a exists", "a.till:2:15: 90s: within waits 60 s at most"),
            ("till a\nexpect within soon .a exists", "a.till:2:15: soon: a time is expected, such as 5s or 200ms"),
            ("till a 'b", "a.till:1:8: 'b: the quotation has no end"),
            ("till a $", "a.till:1:8: $: a name has to follow $, as $bought or ${bought}; the sign itself is \\$"),
            ("till a $b", "a.till:1:8: $b: nothing above has this name; give it with let b = PATH"),
            ("till a\nlet b = .c\nlet b = .d", "a.till:3:5: b: a line above has given this name already"),
            ("expect .a exists", "a.till:1:1: there is no command above this line whose answer it could be about"),
        ])
    func faults(_ text: String, _ expected: String) {
        #expect(fault(text) == expected)
    }

    @Test("Limits are refused with their number")
    func limits() {
        let long = "till " + String(repeating: "a", count: ScenarioLimits.lineCharacters)
        #expect(fault(long) == "a.till:1:2001: a line has at most 2000 characters")
        let words = "till" + String(repeating: " a", count: ScenarioLimits.words)
        #expect(fault(words)?.hasSuffix("a command has at most 64 words") == true)
        #expect(fault(String(repeating: "\n", count: ScenarioLimits.lines)) == nil, "the last break begins no line")
        let lines = String(repeating: "\n", count: ScenarioLimits.lines + 1)
        #expect(fault(lines)?.hasSuffix("a scenario has at most 2000 lines") == true)
        let path = "till a\nexpect " + String(repeating: ".a", count: ScenarioLimits.pathParts + 1) + " exists"
        #expect(fault(path)?.hasSuffix("a path has at most 16 parts") == true)
        let names = "till a\n" + (0...ScenarioLimits.names).map { "let n\($0) = .a\n" }.joined()
        #expect(fault(names) == "a.till:102:5: n100: a scenario has at most 100 names")
        let big = [UInt8](repeating: UInt8(ascii: "#"), count: ScenarioLimits.fileBytes + 1)
        #expect(throws: ScenarioFault.self) { try Scenario(big, named: "a.till") }
        #expect(throws: ScenarioFault.self) { try Scenario([0xFF], named: "a.till") }
    }

    @Test("Damaged scenarios are read as what they are written as, or refused with a place that is there")
    func mutants() throws {
        for mutant in Mutants("scenarios", of: [Self.sample, Self.other], rounds: 1000) {
            let text = mutant.text
            do {
                let read = try scenario(text)
                let again = try scenario(read.steps.map(\.description).joined(separator: "\n"))
                #expect(again.steps.map(\.description) == read.steps.map(\.description), "\(mutant)")
            } catch let fault as ScenarioFault {
                let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
                let line = try #require(
                    fault.place.line <= lines.count ? lines[fault.place.line - 1] : nil, "\(mutant)")
                #expect(fault.place.column >= 1 && fault.place.column <= line.count + 1, "\(mutant): \(fault)")
                let word = fault.word.drop { $0 == "$" }
                #expect(word.isEmpty || line.contains(word), "\(mutant): \(fault)")
            }
        }
    }

    private static let other = """
        till clock advance 1mo --tester "ada@example.com"
        expect within 200ms .turns[.kind == "subscription"][-1]["count"] >= -1.5e3
        expect . missing
        let end = .[0].endsAt
        expect .a == $end
        till subscriptions show '' \\$x "${end} and $end"
        expect error not_found
        """
}
