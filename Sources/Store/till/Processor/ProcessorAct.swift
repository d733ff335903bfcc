import CommandOptions
import Foundation
import StoreHTTPClient
import StoreService

/// `till processor act`
enum ProcessorAct {
    private static let reference = Argument<String>.required(
        .text("REFERENCE"), help: "What the authorisation was answered: authorise-12.")

    private static let result = Argument<String>.defaulted(
        .choice("RESULT", ["completed", "failed"]), to: "completed", help: "How it went.")

    static let command = Command<TillProgram.Action>(
        "act", "Do what the processor asked of a customer, or fail at it.",
        options: [ProcessorOptions.socket], arguments: [reference, result],
        examples: [Example("The customer proves who they are", "till processor act authorise-12")],
        exitCodes: [.unavailable.when("The processor does not run.")],
        seeAlso: ["till processor log"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let folder = ProcessorFolder(
            DataDirectory(arguments[DataOptions.data]), arguments[ProcessorOptions.environment])
        let sockets = try SocketFolder(folder.directory)
        let path = arguments[ProcessorOptions.socket] ?? sockets.path(of: ProcessorFolder.socketName)
        let client = try TestProcessorClient(socketPath: path, patience: .zero, secret: "")
        do throws(ProcessorError) {
            try await client.act(on: arguments[reference], completed: arguments[result] == "completed")
            await client.shutDown()
        } catch {
            await client.shutDown()
            throw CommandFailure(error.code == .notSent ? .unavailable : .failure, "\(error)")
        }
        withExtendedLifetime(sockets) {}
    }
}
