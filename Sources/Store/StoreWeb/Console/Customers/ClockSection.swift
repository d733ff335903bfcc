import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// The clock of the sandbox: what it shows, how fast it runs, and what was done with it.
struct ClockSection: ConsoleSection {
    let services: ConsoleServices

    private static let path = "/clock"

    var routes: [Route] {
        [
            page(Self.path, for: .customers, .here, show),
            page("\(Self.path)/forecast", for: .customers, .here) { visit in
                // Production has no clock of its own, which the page of the clock says.
                guard visit.environment == .sandbox else { return try await show(visit) }
                return try await ClockForecastPage(visit: visit, tester: visit.query["tester"]).response()
            },
            form("\(Self.path)/{act}", for: .customers, .here) { visit, input in
                try await ClockControls.control(visit.act(), nil, visit, input)
                return visit.link(Self.path, done: .clock)
            } else: {
                try await show($0)
            },
        ]
    }

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: "Clock", place: .clock)
        guard visit.environment == .sandbox else {
            page.lede = "The time of production is that of the wall. Only the clocks of the sandbox can be controlled."
            page.alternatives = [.init(command: "clock show")]
            return try await page.response {}
        }
        let shown = try await Clocks(visit.store).show(nil)
        page.lede =
            "What is bought, renewed and expires in the sandbox is dated by this clock. Testers live by it until their own is "
            + "changed, on their pages."
        page.alternatives = [
            .init(command: "clock show", request: "/clock"),
            .init(command: "clock advance 1mo", request: "POST /clock/advances", body: #"{"by":"1mo"}"#),
            .init(command: "clock advance 1mo --dry-run", request: "/clock/forecast?by=1mo"),
            .init(command: "clock freeze", request: "PATCH /clock", body: #"{"rate":0}"#),
        ]
        return try await page.response {
            let controls = visit.may(.customers, change: true) ? ClockControls(visit: visit, path: Self.path) : nil
            div(.class("two even")) {
                card("Now") {
                    ClockControls.facts(shown)
                    if let controls { controls.buttons }
                    ClockForecastPage.form(visit, tester: nil, id: "ahead")
                }
                if let controls {
                    card("Any other time") {
                        controls.form(.advance, "step", "Advance by", "1mo", "Advance")
                        controls.form(.set, "time", "Set to", shown.time.rfc3339, "Set")
                        controls.form(
                            .rate, "rate", "Milliseconds a second", "\(shown.state.clock.rate)", "Let it run")
                    }
                }
            }
            section {
                h2 { "What was done with it" }
                history(shown)
            }
        }
    }

    private func history(_ shown: Clocks.Shown) -> [any HTML] {
        DataTable(
            title: "What was done with it",
            columns: [.text("When"), .text("What"), .text("From"), .text("To"), .optional("By")],
            rows: shown.history.map { entry in
                [
                    [entry.at.written], [entry.act], [entry.before.writtenExactly], [entry.after.writtenExactly],
                    [entry.actor],
                ]
            }, empty: [p { "Nobody has changed it: it is the clock on the wall." }], next: nil
        ).element
    }
}
