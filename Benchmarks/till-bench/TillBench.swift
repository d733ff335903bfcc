import CommandOptions
import Foundation

@main
struct TillBench {
    static func main() {
        if CommandLine.arguments.dropFirst().first == BenchServer.word {
            BenchServer.run(CommandLine.arguments.dropFirst(2))
        }
        if CommandLine.arguments.dropFirst().first == StoreProgram.word {
            StoreProgram.run(CommandLine.arguments.dropFirst(2))
        }
        if CommandLine.arguments.dropFirst().first == ProcessorProgram.word {
            ProcessorProgram.run(CommandLine.arguments.dropFirst(2))
        }
        if CommandLine.arguments.dropFirst().first == BackendProgram.word {
            BackendProgram.run(CommandLine.arguments.dropFirst(2))
        }
        if CommandLine.arguments.dropFirst().first == AppProgram.word {
            AppProgram.run(CommandLine.arguments.dropFirst(2))
        }
        if CommandLine.arguments.dropFirst().first == FeedProgram.word {
            FeedProgram.run(CommandLine.arguments.dropFirst(2))
        }
        if CommandLine.arguments.dropFirst().first == TestSessionProgram.word {
            TestSessionProgram.run(CommandLine.arguments.dropFirst(2))
        }
        let environment = ProcessInfo.processInfo.environment
        switch BenchCommand.program.parse(CommandLine.arguments.dropFirst(), environment: environment) {
        case .run(let invocation): exit(run(invocation).rawValue)
        case .text(let text): print(text)
        case .failure(let error):
            StandardError.print(error.description)
            exit(error.exitCode.rawValue)
        }
    }

    private static func run(_ invocation: Invocation<BenchCommand.Action>) -> ExitCode {
        do {
            return try invocation.action(invocation.arguments)
        } catch {
            StandardError.print("till-bench: \(error)")
            return .failure
        }
    }
}
