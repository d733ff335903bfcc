import CommandOptions
import Foundation
import StoreHTTP
import StoreModel
import StoreService

/// `till processor log`
enum ProcessorLog {
    private static let after = Option<Int>.defaulted(
        "after", .integer("N", in: 0...Int.max), to: 0, help: "Only what came after this number.")

    static let command = Command<TillProgram.Action>(
        "log", "Show what the test processor did.",
        discussion: """
            Every line is checked before anything is shown. It works whether the processor runs or not, and shows what is \
            on the disk. With --json each record is a line of JSON.
            """,
        options: [after, StandardOptions.json],
        examples: [
            Example("Everything, for a program", "till processor log --json"),
            Example("What is new since record 100", "till processor log --after 100"),
        ],
        exitCodes: [
            .inputMissing.when("There is no log."), .configuration.when("The log is damaged."),
        ],
        seeAlso: ["till processor serve"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let folder = ProcessorFolder(
            DataDirectory(arguments[DataOptions.data]), arguments[ProcessorOptions.environment])
        guard FileManager.default.fileExists(atPath: folder.logPath) else {
            throw CommandFailure(
                .inputMissing,
                "there is no log of a processor at \(folder.logPath); name the store's folder with --data")
        }
        var processor = TestProcessor()
        _ = try TestProcessorLogFile.replay(folder.logPath, into: &processor)
        for record in processor.records.dropFirst(arguments[after]) {
            if arguments[StandardOptions.json] {
                context.write(record.json.bytes + [UInt8(ascii: "\n")])
            } else {
                context.print(line(of: record))
            }
        }
        if !arguments[StandardOptions.json] {
            for (currency, sums) in processor.totals.sums.sorted(by: { $0.key.code < $1.key.code }) {
                context.print("\(currency): captured \(sums.captured), refunded \(sums.refunded) minor units")
            }
        }
    }

    private static func line(of record: TestProcessorRecord) -> String {
        let parts: [String?] = [
            record.reference, record.result.rawValue, record.refusal?.rawValue, record.amount?.description,
            record.of.map { "of \($0)" }, record.method, record.key,
        ]
        return PrintableText(parts.compactMap(\.self).joined(separator: "  "), limit: 1000).description
    }
}
