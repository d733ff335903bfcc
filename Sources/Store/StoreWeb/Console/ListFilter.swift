import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// What narrows a list: a text, a choice, days and amounts. All of it stands in the address, so that it works without a script, can
/// be kept as a bookmark, and goes on with the order, the next page and the export.
struct ListFilter: Sendable {
    /// What a list can be narrowed by, beside its text.
    struct Parts: OptionSet, Sendable {
        let rawValue: Int

        /// `from` and `until`.
        static let days = Parts(rawValue: 1)
        /// `amountFrom`, `amountTo` and `currency`.
        static let amounts = Parts(rawValue: 2)
    }

    private let visit: ConsoleVisit
    private let path: String
    private let parts: Parts
    /// The names of what else narrows the list, and what was chosen.
    private let choices: [(name: String, value: String?)]
    /// What is looked for; empty for everything.
    let text: String
    private(set) var period = ReportPeriod.always
    private(set) var amount = AmountRange.any
    /// What cannot be read; the list then shows nothing.
    private(set) var problem: ServiceError?

    /// - Parameters:
    ///   - path: the list, below the environment.
    ///   - choices: the names of what else narrows it.
    init(_ visit: ConsoleVisit, _ path: String, _ parts: Parts = .days, choices: [String] = []) {
        (self.visit, self.path, self.parts) = (visit, path, parts)
        let query = visit.query
        text = query["q"] ?? ""
        self.choices = choices.map { name in (name, query[name].flatMap { $0.isEmpty ? nil : $0 }) }
        do throws(ServiceError) {
            if parts.contains(.days) { period = try ReportPeriod(from: query["from"], until: query["until"]) }
            if parts.contains(.amounts) {
                amount = try AmountRange(from: query["amountFrom"], to: query["amountTo"], in: query["currency"])
            }
        } catch {
            problem = error
        }
    }

    /// How many rows are wanted: none where something cannot be read, more for an export than for a page.
    var rows: Int { problem == nil ? visit.rows : 0 }

    /// Whether anything is left out.
    var isNarrow: Bool {
        !text.isEmpty || period != .always || amount != .any || problem != nil || choices.contains { $0.value != nil }
    }

    /// Its part of addresses.
    private var items: [(String, String?)] {
        let names = (parts.contains(.days) ? Self.days : []) + (parts.contains(.amounts) ? Self.amounts : [])
        return [("q", text.isEmpty ? nil : text)] + choices.map { ($0.name, $0.value) }
            + names.map { name in (name, visit.query[name].flatMap { $0.isEmpty ? nil : $0 }) }
    }

    private static let days = ["from", "until"]
    private static let amounts = ["amountFrom", "amountTo", "currency"]

    /// The list as it is narrowed, in an order.
    func link<Column>(_ order: TableOrder<Column>, _ more: (String, String?)...) -> Link {
        visit.link(path, all: items + more + order.items.map { ($0.name, $0.value) })
    }

    /// The list as it is narrowed.
    func link(_ more: (String, String?)...) -> Link { visit.link(path, all: items + more) }

    /// The days and amounts as options of a command, each with a space before it.
    var options: String {
        numbers.map { name, value in " --\(Self.optionNames[name] ?? name) \(value)" }.joined()
    }

    /// The days and amounts as items of a program's address.
    var requestItems: [String] { numbers.map { name, value in "\(name)=\(PercentEncoding.encode(value))" } }

    private static let optionNames = ["amountFrom": "amount-from", "amountTo": "amount-to"]

    /// What of them can be read.
    private var numbers: [(String, String)] {
        guard problem == nil else { return [] }
        return items.compactMap { name, value in
            (Self.days + Self.amounts).contains(name) ? value.map { (name, $0) } : nil
        }
    }

    // MARK: The form

    /// The form that narrows the list, with what could not be read of it.
    ///
    /// - Parameters:
    ///   - what: what the text is; nil for a list without one.
    ///   - days: what the days are of, where that is not plain: `Asked`.
    ///   - order: hidden fields that keep the order.
    ///   - more: what else narrows the list.
    @HTMLBuilder func form(
        by what: String?, days: String? = nil, order: [any HTML] = [], @HTMLBuilder more: () -> [any HTML] = { [] }
    ) -> [any HTML] {
        let more = more()
        StoreWeb.form(.class("filter"), .action(visit.link(path))) {
            if let what {
                div(.class("f wide")) {
                    label(.for("list-q")) { "Who or what" }
                    input(
                        .id("list-q"), .name("q"), .value(text), .placeholder(what), .isUnspelled, .longest(254))
                }
            }
            more
            if parts.contains(.days) {
                field("from", days.map { "\($0) from, UTC" } ?? "From, UTC", type: "date")
                field("until", "Until, with that day", type: "date")
            }
            if parts.contains(.amounts) {
                field("amountFrom", "Amount from")
                field("amountTo", "Amount to")
                field("currency", "Currency")
            }
            order
            div { button { "Show" } }
        }
        if isNarrow {
            p(.class("chips")) {
                a(.class("chip"), .href(visit.link(path))) { "Show all" }
            }
        }
    }

    private func field(_ name: String, _ title: String, type: String = "text") -> Element {
        let (id, isWrong) = ("list-\(name)", problem?.parameter == name)
        return div(.class(isWrong ? "f wrong" : "f")) {
            label(.for(id)) { title }
            input(
                .id(id), .name(name), .type(type), .value(visit.query[name] ?? ""), .longest(20), .isUnspelled,
                isWrong ? .isInvalid : nil, isWrong ? .describedBy("\(id)-wrong") : nil)
            if isWrong, let problem {
                p(.class("e"), .id("\(id)-wrong")) { APIError.sentence(problem.message) }
            }
        }
    }

    /// A choice among words, all by default.
    ///
    /// - Parameter none: what the first option is called, which chooses nothing.
    func choice(
        _ name: String, _ title: String, _ options: [(value: String, text: String)], none: String = "All"
    ) -> Element {
        let chosen = choices.first { $0.name == name }?.value
        return div(.class("f")) {
            label(.for("list-\(name)")) { title }
            select(.id("list-\(name)"), .name(name)) {
                option(.value("")) { none }
                for one in options {
                    option(.value(one.value), one.value == chosen ? .isSelected : nil) { one.text }
                }
            }
        }
    }
}

extension ConsoleVisit {
    /// In which form the list of the page is wanted; nil for a page.
    var export: TableExport.Form? { query["format"].flatMap(TableExport.Form.init) }

    /// How many rows of a list are wanted.
    var rows: Int { export == nil ? ListLimits.rows : ListLimits.exported }

    /// A list as an export; that of the page from the first row on, if none is given.
    func link(to form: TableExport.Form, of list: Link? = nil) -> Link {
        if let list {
            let text = list.text + (list.text.contains("?") ? "&" : "?") + "format=\(form.rawValue)"
            return Link(path: text) ?? list
        }
        let raw = request.target.raw
        let path = raw.prefix { $0 != "?" }
        let kept = query.all.filter { !["format", "after", "done"].contains($0.name) && !$0.value.isEmpty }.map {
            "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))"
        }
        return Link(path: path + "?" + (kept + ["format=\(form.rawValue)"]).joined(separator: "&"))
            ?? Link("/console")
    }

    /// An amount as people read it, and exactly for an export.
    func money(_ amount: Money, in storefront: StorefrontCode? = nil) -> Element {
        data(.value(amount.description)) { text(amount, in: storefront) }
    }
}
