import CommandOptions
import Foundation

/// The command line of `till-bench`.
enum BenchCommand {
    typealias Action = @Sendable (ParsedArguments) throws -> ExitCode

    static let program = Program(
        Command<Action>(
            "till-bench", "Measure Till against its peers.",
            discussion: """
                Every row runs our code and a reference in turn, in several rounds of one run, and compares the two: a \
                ratio of 0.8 means that ours does 0.8 operations in the time in which the reference does one. The \
                table shows the median of the rounds and how far they lie apart.
                """,
            options: [filter, list, rounds, seconds, json, soak, year],
            examples: [
                Example("Only the rows about receipts", "till-bench --filter receipt"),
                Example("Figures for a program", "till-bench --json bench.json"),
                Example("What grows with a million purchases, which is nothing", "till-bench --soak 1000000"),
                Example("A year of renewals", "till-bench --year 10000"),
            ],
            exitCodes: [.failure.when("A row fell below its threshold or could not be measured.")],
            action: run))

    private static let filter = Option.repeated(
        "filter", short: "f", .text("TEXT"),
        help: "Run only the rows whose name has this in it, or after an equals sign, is this.")
    private static let list = Option.flag(
        "list", short: "l", help: "Name the rows and what they measure, and run none.")
    private static let rounds = Option.defaulted(
        "rounds", short: "r", .integer(in: 1...1000), to: 5, help: "How often both sides of a row run.")
    private static let seconds = Option.defaulted(
        "seconds", short: "s", .integer(in: 1...60), to: 1, help: "How long each side runs in each round.")
    private static let json = Option.optional(
        "json", .file(), help: "Write the results to a file as JSON; `-` prints JSON in place of the table.")

    private static let soak = Option.optional(
        "soak", .integer("PURCHASES", in: 1...100_000_000),
        help: "Instead of the rows: sell so often at one store, and fail if memory, logs or the time of a start grow.")

    private static let year = Option.optional(
        "year", .integer("SUBSCRIPTIONS", in: 64...1_000_000),
        help: "Instead of the rows: let so many monthly subscriptions live for a year, and print how long that takes.")

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        if let subscribers = arguments[year] {
            try requireRelease()
            try SubscribedStore.printYear(of: subscribers)
            return .success
        }
        if let purchases = arguments[soak] {
            try requireRelease()
            let problems = try PurchaseSoak(purchases: purchases).run()
            for problem in problems { StandardError.print("till-bench: \(problem)") }
            return problems.isEmpty ? .success : .failure
        }
        let words = arguments[filter]
        let rows = BenchmarkRows.all.filter { row in
            words.isEmpty || words.contains { $0.hasPrefix("=") ? row.name == $0.dropFirst() : row.name.contains($0) }
        }
        if rows.isEmpty { throw BenchmarkError("no row has such a name; --list shows them all") }
        if arguments[list] {
            for row in rows { print("\(row.name)\n    \(row.summary)\n    Reference: \(row.reference).") }
            return .success
        }
        try requireRelease()
        let runner = BenchmarkRun(rounds: arguments[rounds], seconds: arguments[seconds])
        let report = Report(try runner.measure(rows), rounds: runner.rounds, secondsPerRound: runner.seconds)
        try write(report, to: arguments[json])
        return report.passed ? .success : .failure
    }

    private static func write(_ report: Report, to path: String?) throws {
        if path == "-" {
            try FileHandle.standardOutput.write(contentsOf: report.json)
            return
        }
        print(Table(results: report.rows).text)
        if let path { try report.json.write(to: URL(fileURLWithPath: path)) }
    }

    /// Figures of a debug build mean nothing and look as if they did.
    private static func requireRelease() throws {
        #if DEBUG
            throw BenchmarkError("this is a debug build; `make bench` makes and runs a release build")
        #endif
    }
}
