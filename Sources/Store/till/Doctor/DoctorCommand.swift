import CommandOptions
import Foundation
import StoreModel
import StoreSigning

/// `till doctor`
enum DoctorCommand {
    static let command = Command<TillProgram.Action>(
        "doctor", "Examine a store: what is wrong with it, and how to mend it.",
        discussion: """
            It looks at the data directory, permissions, keys and their ends, clock, time zones, databases, disk, \
            addresses and certificate, and changes nothing. It works whether the store runs or not, and takes the same \
            settings as till serve.
            """,
        options: [
            DataOptions.data, ServeOptions.listen, ServeOptions.sandboxListen, DatabaseOptions.database,
            ServeOptions.certificate, ServeOptions.key, KeysOptions.passphraseFile, SettingsOptions.file,
            StandardOptions.json,
        ],
        rules: ServeOptions.rules,
        examples: [
            Example("Examine the store in ./till_data", "till doctor"),
            Example(
                "What needs attention, for a script",
                "till doctor --json | jq -r '.findings[] | select(.level != \"ok\") | .message'"),
        ],
        exitCodes: [
            .success.when("Nothing is wrong; there may be warnings."),
            .failure.when("Something is wrong; the findings say what."),
        ],
        seeAlso: ["till serve", "till database check"],
        action: run)

    private struct Report: Encodable {
        let running: Bool
        let findings: [Finding]
    }

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let examination = try Examination(arguments, context)
        let (isRunning, findings) = await examination.findings()
        if arguments[StandardOptions.json] {
            try context.printJSON(Report(running: isRunning, findings: findings))
        } else {
            show(findings, in: context)
        }
        let problems = findings.filter { $0.level == .problem }.count
        if problems > 0 {
            throw CommandFailure(.failure, "\(problems) \(problems == 1 ? "problem" : "problems") found")
        }
    }

    private static func show(_ findings: [Finding], in context: CommandContext) {
        let width = findings.map(\.part.count).max() ?? 0
        for finding in findings {
            let mark =
                switch finding.level {
                case .ok: "ok      "
                case .warning: "WARNING "
                case .problem: "PROBLEM "
                }
            let part = finding.part + String(repeating: " ", count: width - finding.part.count)
            context.print("\(mark) \(part)  \(PrintableText(finding.message, limit: 400))")
            if let remedy = finding.remedy {
                context.print(String(repeating: " ", count: width + 11) + "-> \(PrintableText(remedy, limit: 400))")
            }
        }
    }
}
