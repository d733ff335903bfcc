import StoreCatalogue
import StoreModel
import StoreService

/// A clock of the sandbox and what can be done with it: that of all, or that of a tester.
struct ClockControls {
    let visit: ConsoleVisit
    /// The page of the clock, below the environment.
    let path: String

    static func facts(_ shown: Clocks.Shown) -> Element {
        let rate = shown.state.clock.rate
        let speed = rate == 0 ? "stands still" : rate == 1000 ? "real time" : "\(rate) ms a second"
        return StoreWeb.facts(
            [("Shows", [shown.time.writtenExactly]), ("Runs", [speed])]
                + (shown.state.advance.map { [("Is being advanced to", [$0.goal.writtenExactly])] } ?? []))
    }

    /// What is wanted most, a button each.
    var buttons: Element {
        div(.class("buttons")) {
            for (act, value, title) in [
                (ClockAct.advance, "1d", "clock +1 day"), (.advance, "1mo", "clock +1 month"),
                (.advance, "1y", "clock +1 year"), (.freeze, "", "freeze"), (.rate, "1000", "real time"),
            ] {
                visit.form("\(path)/\(act.rawValue)") {
                    hidden("value", value)
                    button { title }
                }
            }
        }
    }

    /// One for any other value.
    func form(_ act: ClockAct, _ id: String, _ text: String, _ value: String, _ title: String) -> Element {
        visit.form("\(path)/\(act.rawValue)", .class("fields")) {
            div {
                label(.for(id)) { text }
                input(.id(id), .name("value"), .value(value), .longest(40), .isRequired)
            }
            if act == .advance || act == .set {
                label {
                    input(.type("checkbox"), .name(Self.confirmation(of: act)), .value("yes"))
                    " \(Self.farAhead); it never goes back"
                }
            }
            button { title }
        }
    }

    /// The name of what is ticked: those of two forms are no group.
    private static func confirmation(of act: ClockAct) -> String { "\(act.rawValue)Confirmed" }

    /// What is to be ticked where a clock goes far ahead.
    private static let farAhead = "Also more than \(Clocks.unaskedYears) years ahead"

    /// Does something with the clock of the environment, or of a tester.
    static func control(_ act: ClockAct, _ tester: String?, _ visit: ConsoleVisit, _ input: FormInput) async throws {
        do {
            try await change(act, tester, visit, input)
        } catch let refusal as ServiceError where refusal.code == .confirmationMissing {
            throw ServiceError(
                refusal.code, "\(refusal.message). If it is meant, tick “\(farAhead)”", parameter: refusal.parameter)
        }
    }

    private static func change(_ act: ClockAct, _ tester: String?, _ visit: ConsoleVisit, _ input: FormInput)
        async throws
    {
        let (clocks, value, isConfirmed) = (Clocks(visit.store), input["value"], input[confirmation(of: act)] == "yes")
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
            _ = try await clocks.set(tester, to: time, isConfirmed: isConfirmed, visit.cause)
        case .advance:
            guard let step = ClockStep(text: value) else {
                throw ServiceError(.valueInvalid, "the step is \(ClockStep.rule)", parameter: "by")
            }
            _ = try await clocks.advance(tester, by: step, isConfirmed: isConfirmed, visit.cause)
        }
    }
}
