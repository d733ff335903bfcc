import Foundation
import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreSigning

/// The whole life of one sale: from the question on a device to the last refund.
struct SalePage {
    let visit: ConsoleVisit
    let shown: OperatorTransactions.Shown
    let asking: SaleAct?
    /// Where an approver decides, if it waits for that.
    var approval: Link?

    // MARK: Its pages

    static func transaction(
        _ visit: ConsoleVisit, _ id: TransactionID, asking act: SaleAct? = nil
    ) async throws -> HTTPResponse {
        try await SalePage(visit: visit, shown: OperatorTransactions(visit.store).show(id), asking: act).response()
    }

    static func purchase(_ visit: ConsoleVisit, named name: String) async throws -> HTTPResponse {
        var page = SalePage(
            visit: visit, shown: try await OperatorTransactions(visit.store).show(named: name), asking: nil)
        if page.details == nil, let status = page.status, status.purchase?.state == .approval {
            let token = try await AskToBuy(visit.store).token(of: status.id.purchase)
            let address = visit.services.address(visit.environment)?.description ?? ""
            page.approval = Link(web: "\(address)/approve/\(token)")
        }
        return try await page.response()
    }

    // MARK: What it shows

    var name: String { shown.title }
    var status: SaleStatus? { shown.status }
    var details: OperatorTransactions.Details? { shown.details }
    var sold: StoreTransaction? { details?.transaction }
    private var history: [SaleHistoryEntry] { shown.history }
    private var customer: Customer? { shown.customer }

    private func response() async throws -> HTTPResponse {
        let quantity = sold?.quantity ?? (try? status?.terms.quantity) ?? 1
        var page = ConsolePage(
            visit: visit, title: (quantity > 1 ? "\(quantity) × " : "") + name + (price.map { ", \($0)" } ?? ""),
            place: sold == nil ? .purchases : .transactions)
        page.tag = tag
        page.lede = lede
        page.crumbs =
            sold == nil
            ? [("Open purchases", visit.link("/purchases"))] : [("Transactions", visit.link("/transactions"))]
        page.actions = actions
        page.alternatives = alternatives
        if status?.purchase?.state.isFinal == false { page.pulse = shown.pulse }
        return try await page.response {
            question
            div(.class("two")) {
                card("Its life") { life }
                div(.class("stack")) {
                    card("Facts") { factList }
                    if let details, !details.ledger.isEmpty { card("Postings") { postings(details) } }
                }
            }
            if let details { proof(details) }
        }
    }

    private var price: String? {
        if let sold { return sold.price.isZero ? "free" : visit.text(sold.price, in: sold.storefront) }
        guard let terms = try? status?.terms else { return nil }
        return visit.text(terms.total, in: terms.item.storefront)
    }

    private var tag: Element? {
        if let status {
            return SaleText.standing(status, isFinished: details?.finishedAt != nil, at: visit.now)
        }
        return sold?.restoredID == nil ? nil : StoreWeb.tag(.calm, "restored")
    }

    /// The answer in one sentence.
    private var lede: String {
        let who = customer.map { $0.email.isEmpty ? "a deleted account" : $0.email } ?? "nobody who is signed in"
        if let details { return SaleSummary(details, customer: who).sentence }
        return status.map { SaleSummary($0, customer: who).sentence } ?? ""
    }

    // MARK: Its life

    private var life: Element {
        // What was given back is told with its refund.
        let told = details == nil ? history : history.filter { $0.event != .refunded }
        var entries = told.map { entry in
            (
                at: entry.at, mood: SaleText.mood(entry), text: [SaleSummary.sentence(entry)] as [any HTML],
                more: [entry.detail, entry.request.map { "request \($0)" }].compactMap(\.self).joined(separator: " · "),
                request: entry.request
            )
        }
        if let details {
            let sold = details.transaction
            entries.append(
                (
                    at: sold.purchaseDate, mood: "done",
                    text: [
                        sold.restoredID == nil ? "Transaction " : "Restored as transaction ",
                        span(.class("id")) { "\(sold.id)" }, " signed",
                    ], more: "", request: nil
                ))
            for event in details.events {
                let device: (any HTML)? = event.device.map { device in
                    a(.href(visit.link("/devices/\(device)"))) { "device \(device)" }
                }
                entries.append(
                    (
                        at: event.at, mood: "done", text: ["Told to ", device ?? "every device", " of the customer"],
                        more: "\(event.kind.rawValue), event \(event.number)", request: nil
                    ))
            }
            if let finished = details.finishedAt {
                entries.append((at: finished, mood: "done", text: ["Finished"], more: "", request: nil))
            }
            for request in details.refundRequests {
                entries.append(
                    (
                        at: request.askedAt, mood: "back",
                        text: [
                            "The customer asked for a refund: ",
                            a(.href(visit.link("/refunds/\(request.id)"))) { "request \(request.id)" },
                            ", \(request.state.rawValue)",
                        ], more: RefundSummary.reason(request.reason), request: nil
                    ))
            }
            for refund in details.refunds {
                let amount = visit.text(refund.amount, in: sold.storefront)
                let text =
                    switch refund.state {
                    case .refunded: "\(amount) were given back"
                    case .failed: "Giving \(amount) back failed"
                    case .reversed: "\(amount) were given back, and came back to the store after a dispute"
                    default: "\(amount) are being given back"
                    }
                entries.append(
                    (
                        at: refund.requestedAt, mood: "back", text: [text + Actor.phrase(of: refund.actor ?? "")],
                        more: refund.rules.failure ?? (refund.reason == .appIssue ? "an issue with the app" : ""),
                        request: nil
                    ))
            }
            if let revocation = sold.revocation {
                entries.append(
                    (
                        at: revocation.revokedAt, mood: "back",
                        text: ["Taken back" + Actor.phrase(of: details.revokedBy ?? "")], more: "",
                        request: nil
                    ))
            }
        }
        // Equal moments keep the order in which they were written.
        let sorted = entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
            \.element)
        // The day is told where it is another than that of the entry before.
        let days = sorted.map { String($0.at.rfc3339.prefix(10)) }
        return ol(.class("life")) {
            for (index, entry) in sorted.enumerated() {
                li(.class(entry.mood)) {
                    time(.dateTime(entry.at.rfc3339), .title(entry.at.rfc3339Milliseconds)) {
                        (index == 0 || days[index] != days[index - 1] ? days[index] + " " : "")
                            + String(entry.at.rfc3339Milliseconds.dropFirst(11).dropLast())
                    }
                    p { entry.text }
                    if !entry.more.isEmpty {
                        p(.class("more")) {
                            if let request = entry.request {
                                a(.href(visit.link("/requests/\(PercentEncoding.encode(request))"))) { entry.more }
                            } else {
                                entry.more
                            }
                        }
                    }
                }
            }
        }
    }

    // MARK: Facts

    private var factList: Element {
        var entries: [(name: String, value: [any HTML])] = []
        if let sold {
            entries.append(("Transaction", StoreWeb.name(sold.id)))
            if sold.originalID != sold.id {
                entries.append(
                    ("Original", [a(.href(visit.link("/transactions/\(sold.originalID)"))) { "\(sold.originalID)" }]))
            }
            if sold.kind == .autoRenewable, sold.sharedFrom == nil {
                entries.append(
                    (
                        "Subscription",
                        [
                            a(.href(visit.link("/subscriptions/\(sold.originalID)"))) {
                                "how it lives, and when it renews"
                            }
                        ]
                    ))
            }
            if let restored = sold.restoredID {
                entries.append(("Restores", [a(.href(visit.link("/transactions/\(restored)"))) { "\(restored)" }]))
            }
            if let source = sold.sharedFrom {
                entries.append(("Shared from", [a(.href(visit.link("/transactions/\(source)"))) { "\(source)" }]))
            }
        }
        if let status {
            entries.append(("Purchase", StoreWeb.name(status.id)))
            if let order = status.bought?.order { entries.append(("Order", StoreWeb.name(order))) }
            if let code = status.purchase?.code { entries.append(("Code", StoreWeb.name(code))) }
            if let played = playedAtBank {
                entries.append(("At the bank", StoreWeb.name(played)))
            } else if let url = status.charge?.rules.actionURL, let link = Link(web: url) {
                entries.append(("At the bank", [a(.href(link), .rel("noreferrer")) { "the page of the processor" }]))
            }
        }
        let product = sold?.productID ?? (try? status?.terms.item.product)
        let bundle = sold?.bundleID ?? (try? status?.terms.bundle)
        if let product, let bundle {
            entries.append(
                ("Product", [a(.href(visit.link("/apps/\(bundle)/products/\(product)"))) { dotted("\(product)") }]))
            entries.append(("App", [a(.href(visit.link("/apps/\(bundle)"))) { dotted("\(bundle)") }]))
        }
        if let kind = sold?.kind ?? (try? status?.terms.item.kind) { entries.append(("Kind", [kind.rawValue])) }
        if let customer {
            entries.append(
                (
                    "Customer",
                    [
                        a(.href(visit.link("/customers/\(customer.id)"))) {
                            customer.email.isEmpty ? "\(customer.id)" : customer.email
                        }
                    ]
                ))
        }
        if let device = sold?.deviceID ?? (try? status?.terms.device) {
            entries.append(("Device", [a(.href(visit.link("/devices/\(device)"))) { "\(device)" }]))
        }
        if let storefront = sold?.storefront ?? (try? status?.terms.item.storefront) {
            entries.append(("Storefront", [storefront.name]))
        }
        if let token = sold?.accountToken { entries.append(("Account token", StoreWeb.name("\(token)"))) }
        if let charge = status?.charge {
            entries.append(("Charge", ["\(charge.state.rawValue), attempt \(charge.rules.attempt)"]))
            if let capture = charge.rules.capture { entries.append(("Taken as", StoreWeb.name(capture))) }
        }
        return facts(entries)
    }

    private func postings(_ details: OperatorTransactions.Details) -> Element {
        table(.class("postings")) {
            caption(.class("unseen")) { "Postings" }
            tbody {
                for entry in details.ledger {
                    for posting in entry.postings {
                        tr {
                            td { posting.account.name }
                            td(.class("num")) { "\(posting.amount)" }
                        }
                    }
                }
            }
        }
    }

    /// What a device or a developer's server gets, decoded and judged.
    private func proof(_ details: OperatorTransactions.Details) -> Element {
        let payload = SignedText(details.signed)
        let isGood = (try? visit.store.signers.jwsVerifier.verify(details.signed)) != nil
        return card("What devices and servers get") {
            p {
                StoreWeb.tag(isGood ? .good : .bad, isGood ? "signature good" : "signature not good")
                " under the roots of \(visit.environment). "
                a(.href(visit.link("/inspect", ("transaction", "\(details.transaction.id)")))) {
                    "Its receipt, decoded"
                }
            }
            signed(payload)
        }
    }

    @HTMLBuilder private func signed(_ payload: SignedText) -> [any HTML] {
        StoreWeb.details {
            summary { "The payload" }
            pre(.isFocusable, .label("Payload")) { payload.body }
        }
        StoreWeb.details {
            summary { "As it is signed" }
            pre(.isFocusable, .label("Signed payload")) { payload.whole }
            copyButton(payload.whole)
        }
    }

    /// What a purchase waits for at the bank, where the bank is only played; then the processor's page of it may not exist.
    private var playedAtBank: String? { visit.store.processor.bank == nil ? nil : status?.waitingAtBank }

    private var alternatives: [ConsolePage.Alternative] {
        guard let sold else {
            let id = status?.id.description ?? "last"
            return (playedAtBank.map { [.init(command: "processor act \($0)")] } ?? [])
                + [.init(command: "transactions why \(id)", request: "/purchases/\(id)")]
        }
        return switch asking {
        case .refund:
            [
                .init(
                    command: "transactions refund \(sold.id)", request: "POST /transactions/\(sold.id)/refund",
                    body: #"{"reason": 0}"#)
            ]
        case .revocation:
            [
                .init(
                    command: "transactions revoke \(sold.id)", request: "POST /transactions/\(sold.id)/revocation",
                    body: #"{"reason": 0}"#)
            ]
        default: [.init(command: "transactions show \(sold.id)", request: "/transactions/\(sold.id)")]
        }
    }
}

/// A signed text, with what is in it in lines.
struct SignedText {
    let whole: String
    let body: String

    init(_ text: String) {
        whole = text
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.count == 3 ? Base64.decode(String(parts[1]), .url) : nil
        body = bytes.flatMap { JSONLines.text(of: $0) } ?? "It cannot be read."
    }
}
