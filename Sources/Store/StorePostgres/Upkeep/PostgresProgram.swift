import CPostgres
import Foundation
import StoreDatabase

/// One of PostgreSQL's own programs, told where the server is by its environment: arguments are seen by everybody on the
/// machine, and the address may hold a password.
struct PostgresProgram: Sendable {
    let name: String
    private let environment: [String: String]

    init(_ name: String, at address: PostgresAddress) {
        self.name = name
        environment = ProcessInfo.processInfo.environment.merging(Self.variables(of: address)) { _, own in own }
    }

    /// Runs the program to its end; it blocks. Throws what the program complained of.
    func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let complaints = Pipe()
        process.standardError = complaints
        do {
            try process.run()
        } catch {
            throw UpkeepError(.program, "\(name) cannot be started: \(error.localizedDescription)")
        }
        let said = complaints.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus != Self.notFound else {
            throw UpkeepError(.program, "\(name) is not installed; it comes with PostgreSQL's client programs")
        }
        guard process.terminationStatus == 0 else {
            let first = String(decoding: said.prefix(Self.longestComplaint), as: UTF8.self)
            throw UpkeepError(.program, "\(name) failed: \(first.trimmingCharacters(in: .whitespacesAndNewlines))")
        }
    }

    /// The variables that mean what the parameters of an address mean.
    private static func variables(of address: PostgresAddress) -> [String: String] {
        let options = PQconndefaults()
        defer { PQconninfoFree(options) }
        var variables: [String: String] = [:]
        guard var option = options else { return variables }
        while let keyword = option.pointee.keyword {
            if let variable = option.pointee.envvar, let value = address.parameters[String(cString: keyword)] {
                variables[String(cString: variable)] = value
            }
            option += 1
        }
        return variables
    }

    /// What `env` ends with when there is no such program.
    private static let notFound: Int32 = 127
    private static let longestComplaint = 500
}
