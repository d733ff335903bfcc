import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// What an advance of a clock would do, with the button that does it.
struct ClockForecastPage {
    let visit: ConsoleVisit
    /// The tester by number or address; nil for the clock of the environment.
    let tester: String?

    /// The page of the clock, below the environment.
    private var path: String { tester.map { "/customers/\(PercentEncoding.encode($0))/clock" } ?? "/clock" }

    /// How far it is looked ahead where nobody has said it.
    static let usualStep = "1mo"

    /// The field and the button that lead here.
    static func form(_ visit: ConsoleVisit, tester: String?, step: String = usualStep, id: String) -> Element {
        StoreWeb.form(.class("fields"), .action(visit.link("/clock/forecast"))) {
            if let tester { hidden("tester", tester) }
            div {
                label(.for(id)) { "If it were advanced by" }
                input(.id(id), .name("by"), .value(step), .longest(40), .isRequired)
            }
            button { "What will happen" }
        }
    }

    func response() async throws -> HTTPResponse {
        let text = visit.query["by"] ?? Self.usualStep
        var page = ConsolePage(visit: visit, title: "What an advance will do", place: .clock)
        page.crumbs = [("Clock", visit.link("/clock"))]
        if let tester { page.crumbs.append((tester, visit.link("/customers/\(PercentEncoding.encode(tester))"))) }
        page.alternatives = [alternative(Self.usualStep)]
        guard let step = ClockStep(text: text) else {
            var visit = visit
            visit.problem = APIError.sentence("the step is \(ClockStep.rule)")
            page = ConsolePage(visit: visit, title: page.title, place: .clock, crumbs: page.crumbs)
            return try await page.response { Self.form(visit, tester: tester, step: text, id: "by") }
        }
        page.alternatives = [alternative(text)]
        let forecast = try await Clocks(visit.store).forecast(tester, by: step)
        page.lede = forecast.sentence
        return try await page.response {
            Self.form(visit, tester: tester, step: text, id: "by")
            p(.class("muted")) {
                "From \(forecast.from.writtenExactly) to \(forecast.goal.writtenExactly). Nothing was changed. "
                    + "Payments are taken to come out as the test cards say."
            }
            if visit.may(.customers, change: true) {
                visit.form("\(path)/advance", .class("fields")) {
                    hidden("value", text)
                    if forecast.goal > forecast.from.adding(.oneYear, times: Clocks.unaskedYears) {
                        hidden("advanceConfirmed", "yes")
                        p { "This is more than \(Clocks.unaskedYears) years ahead, and the clock never goes back." }
                    }
                    button(.class("primary")) { Self.act(forecast) }
                }
            }
            steps(forecast)
            if !forecast.prices.isEmpty || !forecast.closedOffers.isEmpty {
                section {
                    h2 { "In the catalogue" }
                    catalogue(forecast)
                }
            }
        }
    }

    /// The same by command and by request.
    private func alternative(_ step: String) -> ConsolePage.Alternative {
        guard let tester else {
            return .init(command: "clock advance \(step) --dry-run", request: "/clock/forecast?by=\(step)")
        }
        return .init(
            command: "clock advance \(step) --dry-run --tester \(tester)",
            request: "/customers/\(tester)/clock/forecast?by=\(step)")
    }

    /// The consequence in few words.
    private static func act(_ forecast: ClockForecast) -> String {
        let until = forecast.goal.rfc3339.prefix(10)
        return switch forecast.renewals {
        case 0: "Advance to \(until)"
        case 1: "Advance to \(until): 1 renewal"
        default: "Advance to \(until): \(forecast.renewals) renewals"
        }
    }

    @HTMLBuilder private func steps(_ forecast: ClockForecast) -> [any HTML] {
        section {
            h2 { "Subscriptions" }
            DataTable(
                title: "Subscriptions", columns: [.text("When"), .text("What"), .text("Of"), .optional("Product")],
                rows: forecast.steps.map { step in
                    return [
                        [minute(step.at)],
                        [a(.href(visit.link("/subscriptions/\(step.original)"))) { Self.words(step.event) }],
                        [a(.href(visit.link("/customers/\(step.customer)"))) { "\(step.customer)" }],
                        dotted(step.product.text),
                    ]
                }, empty: [p { "Nothing happens to a subscription." }]
            ).element
            if forecast.stepCount > forecast.steps.count {
                p(.class("muted")) { "The first \(forecast.steps.count) of \(forecast.stepCount)." }
            }
        }
    }

    private static func words(_ event: SubscriptionForecast.Event) -> String {
        guard case .renewed(let price, _) = event else { return event.word.capitalizedFirst }
        return "\(event.word.capitalizedFirst) (\(price))"
    }

    private func catalogue(_ forecast: ClockForecast) -> [any HTML] {
        let prices = forecast.prices.map { price -> [[any HTML]] in
            let place = price.change.storefront.map { " in \($0.nameInSentence)" } ?? ""
            let amount = visit.text(price.change.price, in: price.change.storefront)
            return [
                [minute(price.change.startsAt)], dotted(price.product.text),
                ["Costs \(amount)\(place)"],
            ]
        }
        let offers = forecast.closedOffers.map { offer -> [[any HTML]] in
            [[minute(offer.endsAt)], dotted(offer.product.text), ["The offer \(offer.offer) is over"]]
        }
        return DataTable(
            title: "In the catalogue", columns: [.text("When"), .text("Product"), .text("What")],
            rows: prices + offers, empty: []
        ).element
    }
}
