import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// The clock of the sandbox: what it shows, how fast it runs, and what was done with it.
extension ConsoleRoutes {
    private static let path = "/clock"

    var clockRoutes: [Route] {
        [
            page(Self.path, for: .customers, .here) { try await Self.clock($0) },
            form("\(Self.path)/{act}", for: .customers, .here) { visit, input in
                try await Self.control(visit.act(), nil, visit, input["value"])
                return visit.link(Self.path, done: .clock)
            } else: {
                try await Self.clock($0)
            },
        ]
    }

    /// Does something with the clock of the environment, or of a tester.
    static func control(_ act: ClockAct, _ tester: String?, _ visit: ConsoleVisit, _ value: String) async throws {
        let clocks = Clocks(visit.store)
        switch act {
        case .freeze: _ = try await clocks.freeze(tester, visit.cause)
        case .rate:
            guard let rate = Int64(value) else {
                throw ServiceError(.valueInvalid, "the rate is a whole number", parameter: "rate")
            }
            _ = try await clocks.run(tester, at: rate, visit.cause)
        case .set:
            guard let time = try? Instant(rfc3339: value) else {
                throw ServiceError(
                    .valueInvalid, "the time is a date and time such as 2027-01-31T12:00:00Z", parameter: "time")
            }
            _ = try await clocks.set(tester, to: time, visit.cause)
        case .advance:
            guard let step = ClockStep(text: value) else {
                throw ServiceError(.valueInvalid, "the step is \(ClockStep.rule)", parameter: "by")
            }
            _ = try await clocks.advance(tester, by: step, visit.cause)
        }
    }

    private static func clock(_ visit: ConsoleVisit) async throws -> HTTPResponse {
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
            .init(command: "clock freeze", request: "PATCH /clock", body: #"{"rate":0}"#),
        ]
        return try await page.response {
            div(.class("two")) {
                div(.class("stack")) {
                    section {
                        h2 { "What was done with it" }
                        history(shown)
                    }
                }
                div(.class("stack")) {
                    card("Now") { clockFacts(shown) }
                    if visit.may(.customers, change: true) {
                        card("Control") {
                            clockButtons(visit, path: path)
                            valueForm(visit, "\(path)/advance", "step", "Advance by", "1mo", "Advance")
                            valueForm(visit, "\(path)/set", "time", "Set to", shown.time.rfc3339, "Set")
                            valueForm(
                                visit, "\(path)/rate", "rate", "Milliseconds a second", "\(shown.state.clock.rate)",
                                "Let it run")
                        }
                    }
                }
            }
        }
    }

    private static func history(_ shown: Clocks.Shown) -> [any HTML] {
        DataTable(
            title: "What was done with it",
            columns: [.text("When"), .text("What"), .text("From"), .text("To"), .optional("By")],
            rows: shown.history.map { entry in
                [
                    [entry.at.rfc3339], [entry.act], [entry.before.rfc3339], [entry.after.rfc3339], [entry.actor],
                ]
            }, empty: [p { "Nobody has changed it: it is the clock on the wall." }], next: nil
        ).element
    }

    static func clockFacts(_ shown: Clocks.Shown) -> Element {
        let rate = shown.state.clock.rate
        let speed = rate == 0 ? "stands still" : rate == 1000 ? "real time" : "\(rate) ms a second"
        return facts(
            [("Shows", [shown.time.rfc3339]), ("Runs", [speed])]
                + (shown.state.advance.map { [("Is being advanced to", [$0.goal.rfc3339])] } ?? []))
    }

    /// What is wanted most, a button each.
    static func clockButtons(_ visit: ConsoleVisit, path: String) -> Element {
        div(.class("buttons")) {
            for (act, value, title) in [
                (ClockAct.advance, "1d", "clock +1 day"), (.advance, "1mo", "clock +1 month"),
                (.advance, "1y", "clock +1 year"), (.freeze, "", "freeze"), (.rate, "1000", "real time"),
            ] {
                StoreWeb.form(.isPost, .action(visit.link("\(path)/\(act.rawValue)"))) {
                    input(.type("hidden"), .name(ConsoleVisit.proof), .value(visit.proof))
                    input(.type("hidden"), .name("value"), .value(value))
                    StoreWeb.button { title }
                }
            }
        }
    }

    private static func valueForm(
        _ visit: ConsoleVisit, _ path: String, _ id: String, _ text: String, _ value: String, _ title: String
    ) -> Element {
        StoreWeb.form(.isPost, .class("fields"), .action(visit.link(path))) {
            input(.type("hidden"), .name(ConsoleVisit.proof), .value(visit.proof))
            div {
                label(.for(id)) { text }
                input(.id(id), .name("value"), .value(value), .longest(40), .isRequired)
            }
            StoreWeb.button { title }
        }
    }
}
