import CPostgres
import ChildProcesses
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
        let process: ChildProcess
        do {
            process = try ChildProcess(name, arguments, environment: environment, errors: .pipe)
        } catch  where error.isNoSuchProgram {
            throw UpkeepError(.program, "\(name) is not installed; it comes with PostgreSQL's client programs")
        } catch {
            throw UpkeepError(.program, "\(name) cannot be started: \(error.reason)")
        }
        let said = (try? process.errors?.readToEnd()) ?? Data()
        guard process.wait() == 0 else {
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

    private static let longestComplaint = 500
}
