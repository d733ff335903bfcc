public import Foundation
import StoreKit
import StoreScenario

/// Scenario files in tests of apps, which Apple's platforms have not.
extension SKTestSession {
    /// What did not go as a scenario says: where in its file, and what.
    public struct ScenarioFailure: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
        /// The path of the file.
        public let file: String
        /// The line, counted from 1.
        public let line: Int
        /// The column, counted from 1.
        public let column: Int
        /// The word that it is about; empty if it is about the line.
        public let word: String
        /// What is wrong with it.
        public let message: String

        init(_ fault: ScenarioFault) {
            file = fault.scenario
            (line, column) = (fault.place.line, fault.place.column)
            (word, message) = (fault.word, fault.message)
        }

        /// As `till scenario run` and compilers print it: file, line, column, word and message.
        public var description: String {
            "\(file):\(line):\(column): \(word.isEmpty ? "" : "\(word): ")\(message)"
        }

        /// The same as the description.
        public var errorDescription: String? { description }
    }

    /// Runs a scenario file against the store of this session, and returns when StoreKit has what came of it. Not known on Apple's
    /// platforms.
    ///
    /// ```swift
    /// try await session.run(scenario: URL(filePath: "Scenarios/refund.till"))
    /// ```
    ///
    /// Its lines are commands of `till` and what is expected of their answers. They act on what the session sells, for the customer
    /// of the session, and by its clock: a line without `--customer` means that customer while there is no other. The store answers
    /// them on a port of this machine, to a token that is good until the call returns.
    ///
    /// The program `till` runs the lines. It is the one that the variable `TILL` names; else one in the folder `TILL_BIN_DIR` or
    /// beside the program of the test; else that of the search path.
    ///
    /// - Throws: ``ScenarioFailure`` for the first line that does not go as it is written; what was done before it stays done.
    ///   ``SKTestError`` if the file or the program is not there, or cannot be used.
    public func run(scenario url: URL) async throws {
        guard url.isFileURL else { throw SKTestError(.invalidURL, "\(url) is not the address of a file.") }
        let path = url.standardizedFileURL.path
        guard FileManager.default.fileExists(atPath: path) else {
            throw SKTestError(.fileNotFound, "There is no file \(path).")
        }
        let program = try ScenarioProgram.find()
        let failure = try await settleAsync { scene in
            let control = try await SessionControl(scene.store)
            do {
                let fault = try await program.run(path, at: control.address, token: control.token)
                await control.end()
                return fault.map(ScenarioFailure.init)
            } catch {
                await control.end()
                throw error
            }
        }
        if let failure { throw failure }
    }
}
