import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// What goes wrong on purpose in the sandbox: all of it, and a form for one thing more.
struct FaultsSection: ConsoleSection {
    let services: ConsoleServices

    private static let path = "/faults"

    var routes: [Route] {
        [
            page(Self.path, for: .customers, .here, show),
            form(Self.path, for: .customers, .here) { visit, input in
                _ = try await FaultEditing(visit.store).add(FaultForm.terms(input), visit.cause)
                return visit.link(Self.path, done: .made)
            } else: {
                try await show($0)
            },
            form("\(Self.path)/clearance", for: .customers, .here) { visit, input in
                let faults = FaultEditing(visit.store)
                if let id = input.text("fault").flatMap({ FaultID($0) }) {
                    try await faults.remove(id, visit.cause)
                } else {
                    _ = try await faults.clear(visit.cause)
                }
                return visit.link(Self.path, done: .changed)
            } else: {
                try await show($0)
            },
        ]
    }

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: "Faults", place: .faults)
        guard visit.environment == .sandbox else {
            page.lede = "Nothing goes wrong on purpose in production. The sandbox has faults."
            return try await page.response {}
        }
        let faults = try await FaultEditing(visit.store).list()
        let active = faults.count { !$0.isOver }
        page.lede =
            faults.isEmpty
            ? "Nothing goes wrong on purpose. Let it, and see what your app and your server make of it."
            : active == 0
                ? "Every fault here is over: nothing goes wrong on purpose any more."
                : "\(active) \(active == 1 ? "fault is" : "faults are") at work: what they are about goes wrong on purpose."
        page.alternatives = [
            .init(command: "faults list", request: "/faults"),
            .init(
                command: "faults add --path '/inApps/*' --status 5000001 --times 2", request: "POST /faults",
                body: #"{"path":"/inApps/*","status":5000001,"times":2}"#),
            .init(command: "faults clear", request: "DELETE /faults"),
        ]
        let mayChange = visit.may(.customers, change: true)
        return try await page.response {
            table(faults, visit, mayChange)
            if mayChange, !faults.isEmpty {
                visit.form("\(Self.path)/clearance", .class("buttons")) { button { "Clear all \(faults.count)" } }
            }
            if mayChange { FaultForm(visit: visit, path: Self.path).element }
        }
    }

    private func table(_ faults: [Fault], _ visit: ConsoleVisit, _ mayChange: Bool) -> [any HTML] {
        DataTable(
            title: "Faults",
            columns: [
                .text("Fault"), .text("Does"), .amount("Counted"), .amount("Struck"), .text("State"),
                .optional("Added"), .text(""),
            ],
            rows: faults.map { fault in
                [
                    ["\(fault.id)"], ["\(fault.rule)"], ["\(fault.counted)"], ["\(fault.struck)"],
                    [fault.isOver ? tag(.calm, "over") : tag(.warn, "at work")],
                    [ago(fault.addedAt, visit.now), " by \(fault.actor)"],
                    [
                        mayChange
                            ? visit.form("\(Self.path)/clearance") {
                                hidden("fault", "\(fault.id)")
                                button { "Clear" }
                            } : ""
                    ],
                ]
            },
            empty: [p { "What is here happens to requests of the sandbox, or to the notifications it sends." }],
            next: nil
        ).element
    }
}

/// The form for a fault.
private struct FaultForm {
    let visit: ConsoleVisit
    let path: String

    /// What may become of a call, with the word that the form sends.
    private static let effects = [
        ("status", "It is answered with this status, and not acted on"), ("delay", "It only waits"),
        ("before", "It is dropped before it is acted on"), ("after", "It is dropped after it was acted on"),
        ("duplicate", "It is done twice"), ("reorder", "The next notification goes out first"),
    ]

    /// Which calls are struck.
    private static let choices = [
        ("each", "Each"), ("call", "The one with this number"), ("every", "One in so many"),
        ("percent", "So many of a hundred"),
    ]

    /// What a request has to be asked with.
    private static let methods = [("", "Any")] + FaultLimits.methods.map { ($0, $0) }

    var element: Element {
        details(.class("card make")) {
            summary { "Let something go wrong" }
            visit.form(path, .class("fields")) {
                choice("target", "What", [("requests", "Requests"), ("notifications", "Notifications")])
                text("path", "Path of requests, or type of notifications", "/inApps/*")
                choice("method", "Method of requests", Self.methods)
                choice("effect", "What happens", Self.effects)
                text("status", "Status, such as 500, 21005 or 5000001", "500")
                text("retry", "Seconds of Retry-After, with a status", "")
                text("delay", "Milliseconds that it waits first", "")
                choice("choice", "Which of them", Self.choices)
                text("number", "The number to choose by", "")
                text("seed", "Seed by which so many of a hundred are drawn", "")
                text("times", "How many at most", "")
                text("app", "App, by its bundle id", "")
                text("customer", "Account, by its e-mail address or number", "")
                button(.class("primary")) { "Let it go wrong" }
            }
        }
    }

    private func choice(_ name: String, _ title: String, _ options: [(value: String, words: String)]) -> Element {
        div {
            label(.for("fault-\(name)")) { title }
            select(.id("fault-\(name)"), .name(name)) {
                for one in options { option(.value(one.value)) { one.words } }
            }
        }
    }

    private func text(_ name: String, _ title: String, _ value: String) -> Element {
        div {
            label(.for("fault-\(name)")) { title }
            input(.id("fault-\(name)"), .name(name), .value(value), .longest(254), .isUnspelled)
        }
    }

    /// What a form has asked for.
    static func terms(_ input: FormInput) throws -> FaultTerms {
        var terms = FaultTerms()
        if input["target"] == "notifications" {
            terms.notifications = true
            // The path that the form begins with is none of theirs.
            terms.notificationType = input.text("path").flatMap { $0.hasPrefix("/") ? nil : $0 }
        } else {
            terms.path = input.text("path")
        }
        terms.method = input.text("method")
        switch input["effect"] {
        case "before", "after": terms.drop = input["effect"]
        case "duplicate": terms.duplicate = true
        case "reorder": terms.reorder = true
        case "status": terms.status = try number("status", input) ?? 500
        default: break
        }
        terms.retryAfterSeconds = try number("retry", input)
        terms.delayMilliseconds = try number("delay", input)
        switch input["choice"] {
        case "call": terms.call = try number("number", input) ?? 1
        case "every": terms.every = try number("number", input) ?? 2
        case "percent": terms.percent = try number("number", input) ?? 10
        default:
            guard input.text("number") == nil else {
                throw ServiceError(.valueInvalid, "each call is struck, and no number chooses", parameter: "number")
            }
        }
        terms.seed = try number("seed", input)
        terms.times = try number("times", input)
        terms.bundleId = try input.text("app").map { try BundleID(parsing: $0) }
        terms.customer = input.text("customer")
        return terms
    }

    private static func number(_ name: String, _ input: FormInput) throws -> Int? {
        guard let text = input.text(name) else { return nil }
        guard let number = Int(text) else {
            throw ServiceError(.valueInvalid, "\(name) is a whole number", parameter: name)
        }
        return number
    }
}
