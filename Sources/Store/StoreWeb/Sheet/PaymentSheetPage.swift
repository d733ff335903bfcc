import StoreFoundation
import StoreModel
import StoreRules
import StoreService

/// The page of a purchase: what it costs, whom it is from, one button with the amount in it, and a way out.
struct PaymentSheetPage {
    let content: PaymentSheet.Content
    let token: String
    let environment: StoreEnvironment
    let prices: PriceText
    /// What cannot be done, and why: shown above the form, which keeps what was typed.
    var problem: String?
    var email = ""
    /// Whether the account has signed in on this page a moment ago.
    var isProven = false
    /// The cards that were declined before the last one, as the form names them.
    var declined: [String] = []
    /// The number of the window, whose closing is a no; nil where nothing is asked.
    var view: Int?
    /// Of a page that is only looked at: where its picture is.
    var preview: Link?
    /// What stands below a page that is only looked at: the way back.
    var below: [any HTML] = []

    var texts: Texts { Texts.best(for: [content.language]) }
    private var language: String { texts.language }
    var status: SaleStatus { content.status }

    func text(_ name: String, _ arguments: [String: String] = [:]) -> String { texts.page(name, arguments) }

    func price(_ money: Money) -> String {
        prices.text(of: money, language: content.textLanguage, storefront: content.storefront)
    }

    func link(_ part: String) -> Link {
        if let preview { return part == "/image" ? preview : Link("/") }
        return Link(path: "/pay/\(token)\(part)") ?? Link("/")
    }

    var page: Page {
        let isOver = status.purchase?.state.isFinal ?? true
        return Page(
            text("sheet.title", ["product": content.title]), in: language, kind: "sheet",
            refresh: isMoving ? 2 : nil
        ) {
            main(.class("pay"), .labelledBy("product"), view.map { .view($0) }) {
                band
                what
                if !isOver { lines }
                if let problem { p(.class("problem"), .role("alert")) { problem } }
                step
                footer {
                    if !content.seller.isEmpty { span { text("sheet.sold_by", ["seller": content.seller]) } }
                    if content.page == nil { span { content.app } }
                }
                below
            }
        }
    }

    /// Whether it goes on without anybody on this page.
    private var isMoving: Bool {
        status.purchase?.state == .approval || status.purchase?.state == .interrupted
            || status.purchase?.state == .charging && !awaitsChoice
    }

    /// Whether a card was declined, and another one may be chosen.
    private var awaitsChoice: Bool { status.charge?.rules.awaitsChoice == true }

    @HTMLBuilder private var band: [any HTML] {
        if preview != nil {
            div(.class("band")) { "Preview" }
        } else if environment == .sandbox {
            div(.class("band")) { text("sheet.sandbox") }
        } else if content.form.isTest {
            div(.class("band")) { text("sheet.test") }
        }
    }

    @HTMLBuilder private var what: [any HTML] {
        div(.class("what")) {
            if content.image != nil {
                img(.src(link("/image")), .alt(""), .width(64), .height(64))
            } else {
                span(.class("art"), .isHidden) { String(content.title.prefix(1)) }
            }
            div {
                h1(.id("product"), .lang(content.textLanguage)) { content.title }
                if !content.description.isEmpty {
                    p(.class("muted"), .lang(content.textLanguage)) { content.description }
                }
            }
        }
    }

    @HTMLBuilder private var lines: [any HTML] {
        if let terms = try? status.terms {
            div(.class("lines")) {
                if terms.quantity > 1 {
                    div {
                        span {
                            text(
                                "sheet.quantity",
                                ["quantity": "\(terms.quantity)", "price": price(terms.item.unitPrice)])
                        }
                        span { price(terms.total) }
                    }
                }
                div {
                    span { text("sheet.total") }
                    span { isFree || content.newcomerOffer?.mode == .free ? text("sheet.free") : price(terms.total) }
                }
            }
        }
        if content.isOwned { p(.class("terms")) { text("sheet.owned") } }
        if let renewal { p(.class("terms")) { renewal } }
    }

    /// What a subscription comes to, and when.
    private var renewal: String? {
        guard let terms = try? status.terms else { return nil }
        return RenewalText(language: content.language, price: price).text(
            of: terms.item, isOwned: content.isOwned, scale: content.scale, at: content.now,
            paidWith: content.method?.label, newcomers: content.newcomerOffer)
    }

    // MARK: What is to be done

    @HTMLBuilder private var step: [any HTML] {
        if let obstacle = content.obstacle, status.purchase?.state == .confirmation {
            outcome("bad", error(obstacle))
            cancellation
        } else if content.hasWhole {
            outcome("calm", text("sheet.has_whole"))
            cancellation
        } else if isUnpayable {
            outcome("bad", text("sheet.no_processor"))
            cancellation
        } else {
            switch status.purchase?.state {
            case .signIn: signIn
            case .confirmation: question
            case .interrupted:
                outcome("warn", "\(texts("error.interrupted")) \(settlement)")
                cancellation
            case .approval:
                outcome("calm", text("sheet.deferred"))
                cancellation
            case .charging where awaitsChoice: choice
            case .charging: charging
            case .purchased:
                let sentence = content.page == nil ? "sheet.bought" : "sheet.item_bought"
                outcome("good", text(sentence, ["product": content.title, "app": content.app]))
                if let order = status.bought?.order {
                    p(.class("muted")) { text("sheet.order", ["order": order.text]) }
                }
            case .cancelled: outcome("calm", text("sheet.cancelled"))
            case .declined, .failed: outcome("bad", status.failure.map(error) ?? text("sheet.failed"))
            case nil: outcome("calm", text("sheet.over"))
            }
        }
    }

    /// How an interruption is settled.
    private var settlement: String {
        environment == .sandbox
            ? texts("prompt.settle", ["command": .text("till purchases settle \(status.id)")])
            : text("sheet.settle", ["id": "\(status.id)"])
    }

    private func error(_ failure: PurchaseFailure) -> String {
        if failure == .passwordForgotten { return text("sheet.forgotten") }
        if failure.isDecline {
            return text(content.page == nil ? "sheet.declined" : "sheet.item_declined", ["app": content.app])
        }
        return failure.code.flatMap { texts.find($0) } ?? text("sheet.failed")
    }

    func outcome(_ kind: String, _ sentence: String) -> Element {
        div(.class("outcome \(kind)"), .role("status")) {
            p { sentence }
            if status.purchase?.state.isFinal ?? true { leaving }
        }
    }

    /// Where it goes on once nothing is asked any more.
    private var leaving: Element {
        let view = content.view.flatMap { Link(path: "/view/\($0)") }
        guard let page = view ?? content.page.flatMap({ Link(path: $0.path) }) else {
            return p(.class("muted")) { text("sheet.close") }
        }
        return div(.class("next")) {
            a(.class("button primary"), .href(page)) { text("sheet.to_item", ["product": content.title]) }
        }
    }

    private var signIn: Element {
        form(.isPost, .action(link("/sign-in"))) {
            p { text("sheet.sign_in_lede", ["app": content.app]) }
            label(.for("email")) { text("sheet.email") }
            input(
                .id("email"), .name("email"), .type("email"), .value(email), .autocomplete("email"), .isRequired,
                email.isEmpty ? .hasAutofocus : nil)
            label(.for("password")) { text("sheet.password") }
            input(
                .id("password"), .name("password"), .type("password"), .autocomplete("current-password"), .isRequired,
                email.isEmpty ? nil : .hasAutofocus)
            button(.class("primary"), preview == nil ? nil : .isDisabled) { text("sheet.sign_in") }
            cancelButton
            div(.class("aside")) {
                button(.class("link"), .isUnchecked, .formAction(link("/recovery"))) { text("sheet.forgot") }
                if environment == .production { a(.href(link("/sign-up"))) { text("sheet.no_account") } }
            }
        }
    }

    /// Where somebody makes an account, with what was typed already.
    func signUp(_ typed: FormInput?) -> Page {
        Page(text("sheet.sign_up"), in: language, kind: "sheet") {
            main(.class("pay"), .labelledBy("product"), view.map { .view($0) }) {
                band
                what
                lines
                if let problem { p(.class("problem"), .role("alert")) { problem } }
                form(.isPost, .action(link("/sign-up"))) {
                    p { text("sheet.sign_up_lede", ["app": content.app]) }
                    field("firstName", "sheet.first_name", "given-name", typed)
                    field("lastName", "sheet.last_name", "family-name", typed)
                    field("email", "sheet.email", "email", typed)
                    field("password", "sheet.password", "new-password", typed)
                    button(.class("primary")) { text("sheet.sign_up") }
                    div(.class("aside")) { a(.href(link(""))) { text("sheet.back") } }
                }
            }
        }
    }

    /// A field that keeps what was typed, but for a password.
    @HTMLBuilder private func field(
        _ name: String, _ title: String, _ completion: String, _ typed: FormInput?
    ) -> [any HTML] {
        let isSecret = completion == "new-password"
        label(.for(name)) { text(title) }
        input(
            .id(name), .name(name), .type(isSecret ? "password" : name == "email" ? "email" : "text"),
            .value(isSecret ? "" : typed?[name] ?? ""), .autocomplete(completion), .longest(254),
            name == "email" || isSecret ? .isRequired : nil)
    }

    var isFree: Bool { content.isOwned || ((try? status.terms.total.isZero) ?? false) }

    /// Whether the store has nothing to take money with: then nobody is asked for a password, or for anything else.
    var isUnpayable: Bool {
        let isAsking = status.purchase?.state == .signIn || status.purchase?.state == .confirmation
        return isAsking && content.form.isMissing && !isFree
    }

    @HTMLBuilder private var charging: [any HTML] {
        if let charge = status.charge, charge.state == .action {
            outcome("warn", text("sheet.action"))
            if content.form.isTest {
                form(.class("next"), .isPost, .action(link("/action"))) {
                    button(.class("primary"), .name("answer"), .value("yes")) { text("sheet.action_go") }
                    button(.name("answer"), .value("no")) { text("sheet.action_refuse") }
                }
            } else if let address = charge.rules.actionURL, let link = Link(web: address) {
                div(.class("next")) {
                    a(.class("button primary"), .href(link), .rel("noreferrer")) { text("sheet.action_go") }
                }
            }
            cancellation
        } else {
            outcome("calm", text("sheet.charging"))
        }
    }

    private var cancellation: Element {
        form(.isPost, .action(link("/cancellation"))) {
            button(.class("plain"), preview == nil ? nil : .isDisabled) { text("sheet.cancel") }
        }
    }

    /// In a form of something else: one press, no question, nothing that has to be filled in.
    var cancelButton: Element {
        button(.class("plain"), preview == nil ? nil : .isDisabled, .isUnchecked, .formAction(link("/cancellation"))) {
            text("sheet.cancel")
        }
    }
}
