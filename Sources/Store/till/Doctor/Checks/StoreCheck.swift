import CommandOptions
import StoreService

/// Are the databases there, whole, and of this version? Where the store runs, it is asked; else they are looked at here.
struct StoreCheck {
    let directory: DataDirectory
    let upkeep: UpkeepSettings

    func findings() async -> (isRunning: Bool, findings: [Finding]) {
        do {
            let connection = try await AdminConnection.open(directory, upkeep)
            do {
                let reports = try await connection.ask(
                    "POST", "/admin/v1/database/check", as: [StoreUpkeep.Report].self)
                await connection.close()
                let running: [Finding] = connection.isRunning ? [.ok("store", "it runs and answers")] : []
                return (connection.isRunning, running + reports.map(finding))
            } catch {
                await connection.close()
                let remedy = "look at its log; if it hangs, end the process and start it again"
                return (
                    connection.isRunning, [.problem("store", CommandFailure(error).message, remedy: remedy)]
                )
            }
        } catch {
            let failure = CommandFailure(error)
            let isHeld = failure.exitCode == .unavailable
            let remedy = isHeld ? "if it hangs, end it and start it again" : "mend the data directory first"
            // Its addresses are then in use by that process, whatever it does.
            return (isHeld, [.problem(isHeld ? "store" : "databases", failure.message, remedy: remedy)])
        }
    }

    private func finding(_ report: StoreUpkeep.Report) -> Finding {
        let part = "\(report.name) database"
        if !report.exists {
            return .warning(part, "it has not been made yet", remedy: "start the store with: till serve")
        }
        if !report.problems.isEmpty {
            return .problem(
                part, DatabaseCheck.sentence(report), remedy: "put a backup back with: till database restore")
        }
        if !report.isInOrder {
            return .warning(
                part, "it has \(report.migrations) of \(report.knownMigrations) migrations",
                remedy: "make a backup, then: till database migrate")
        }
        return .ok(part, "it is whole, with all its migrations")
    }
}
