import ChildProcesses
import Dispatch
import Foundation
import StoreKit
import StoreScenario

/// The program `till`, as what runs scenarios.
struct ScenarioProgram: Hashable, Sendable {
    /// A path, or a name that is looked for as a shell does.
    let path: String
    private let environment: [String: String]

    private static let name = "till"
    /// The variable that names the program.
    private static let variable = "TILL"
    /// The folder of the programs that were just built, as the project's own tests are told it.
    private static let folderVariable = "TILL_BIN_DIR"

    /// The program that the variables name, else the one beside this program, else that of the search path.
    ///
    /// - Parameters:
    ///   - program: this program.
    ///   - isProgram: whether there is a program at a path.
    static func find(
        _ environment: [String: String] = ProcessInfo.processInfo.environment,
        beside program: URL? = Bundle.main.executableURL,
        isProgram: (String) -> Bool = { FileManager.default.isExecutableFile(atPath: $0) }
    ) throws -> ScenarioProgram {
        if let named = environment[variable], !named.isEmpty {
            guard isProgram(named) else {
                throw SKTestError(.serviceUnavailable, "\(variable) names \(named), where there is no program.")
            }
            return ScenarioProgram(path: named, environment: environment)
        }
        var folders = [environment[folderVariable]]
        folders += [program, program?.resolvingSymlinksInPath()].map { $0?.deletingLastPathComponent().path }
        folders += environment["PATH"]?.split(separator: ":").map { String($0) } ?? []
        let places = folders.compactMap(\.self).filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
        guard let found = places.first(where: isProgram) else {
            throw SKTestError(
                .serviceUnavailable,
                "The program till, which runs scenarios, is nowhere: not beside the test and not in PATH. Build it with "
                    + "swift build --product till, and name it in \(variable).")
        }
        return ScenarioProgram(path: found, environment: environment)
    }

    /// Runs a scenario at a store.
    ///
    /// - Returns: what did not go as it is written.
    func run(_ scenario: String, at address: String, token: String) async throws -> ScenarioFault? {
        var environment = Self.environment(environment)
        environment["TILL_TOKEN"] = token
        let ended = try await ProgramRun(
            path, ["scenario", "run", scenario, "--store", address, "--json"], environment: environment
        ).end()
        guard ended.status != 0 else { return nil }
        if let fault = Self.fault(in: ended.output) { return fault }
        let reason = String(decoding: ended.errors, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        throw SKTestError(
            .serviceUnavailable, "\(path) could not run \(scenario): \(reason.isEmpty ? "\(ended.status)" : reason)")
    }

    /// The variables that the program gets: none that says which store is meant, and no proxy, as the store is on this machine.
    static func environment(_ all: [String: String]) -> [String: String] {
        all.filter { name, _ in !name.hasPrefix("TILL_") && !name.lowercased().hasSuffix("_proxy") }
    }

    private static func fault(in output: Data) -> ScenarioFault? {
        struct Report: Decodable {
            struct Scenario: Decodable { let fault: ScenarioFault? }
            let scenarios: [Scenario]?
            let faults: [ScenarioFault]?
        }
        guard let report = try? JSONDecoder().decode(Report.self, from: output) else { return nil }
        return (report.faults ?? []).first ?? report.scenarios?.compactMap(\.fault).first
    }
}

/// A program that runs, and what it prints.
private final class ProgramRun: Sendable {
    struct End: Sendable {
        let status: Int32
        let output: Data
        let errors: Data
    }

    private let child: ChildProcess

    init(_ program: String, _ arguments: [String], environment: [String: String]) throws {
        do {
            child = try ChildProcess(
                program, arguments, environment: environment, output: .pipe, errors: .pipe)
        } catch {
            throw SKTestError(.serviceUnavailable, "\(program) cannot be started: \(error.reason)")
        }
    }

    /// Returns when it has ended. It is killed if the task is cancelled.
    func end() async throws -> End {
        let end = await withTaskCancellationHandler {
            async let errors = onOwnThread { [child] in Self.all(of: child.errors) }
            let output = await onOwnThread { [child] in Self.all(of: child.output) }
            let status = await onOwnThread { [child] in child.wait() }
            return End(status: status, output: output, errors: await errors)
        } onCancel: {
            child.kill()
        }
        try Task.checkCancellation()
        return end
    }

    private static func all(of stream: FileHandle?) -> Data { (try? stream?.readToEnd()).flatMap(\.self) ?? Data() }

    /// Waits on a thread that nobody else needs.
    private func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { done in
            DispatchQueue(label: "StoreKitTest.scenario").async { done.resume(returning: body()) }
        }
    }
}
