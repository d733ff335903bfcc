import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The form of an offer, in the order in which it is thought out: kind, mode, length, price, who; beside it the sentence as it
/// will stand on the sheet.
struct OfferFormPage {
    let visit: ConsoleVisit
    let app: CatalogueApp
    let details: ProductDetails
    /// The one that is changed; nil for a new one.
    let offer: SubscriptionOffer?
    /// What the sheet says by the form as it was sent.
    var preview: Preview?

    /// An offer as the sheet has it.
    struct Preview: Sendable {
        let title: String
        let first: String
        let regular: String
        let sentence: String
    }

    private var product: CatalogueProduct { details.product }
    private var path: String { "/apps/\(app.bundleID)/products/\(product.productID)" }
    private var action: String {
        offer.map { "\(path)/offers/\(PercentEncoding.encode($0.id))" } ?? path + "/new-offer"
    }
    private var period: String { product.period?.words ?? "period" }

    private static let kinds = [
        FormPick(value: "introductory", title: "First time", meaning: "applies by itself to who is new", id: "intro"),
        FormPick(
            value: "promotional", title: "Promotional", meaning: "your server signs it for one person", id: "promo"),
        FormPick(value: "code", title: "Code", meaning: "who types a code", id: "code"),
        FormPick(value: "win_back", title: "Win back", meaning: "who left and may return", id: "win"),
    ]
    private static let modes = [
        FormPick(value: "free", title: "Free", meaning: "nothing until it ends", id: "free"),
        FormPick(
            value: "pay_up_front", title: "Once, at the start", meaning: "one price for its whole length", id: "up"),
        FormPick(value: "pay_as_you_go", title: "Each period", meaning: "a lower price, some times", id: "go"),
    ]

    func response() async throws -> HTTPResponse {
        let title = offer.map { "The offer \($0.id)" } ?? "A new offer"
        var page = ConsolePage(visit: visit, title: title, place: .apps)
        page.crumbs = [
            ("Apps", visit.link("/apps")), (app.name, visit.link("/apps/\(app.bundleID)")),
            (product.referenceName, visit.link(path)), ("Offers", visit.link(path + "/offers")),
        ]
        let usa = StorefrontCode(rawValue: "USA")
        let price = details.prices[usa].map { visit.text($0, in: usa) }
        page.lede =
            (price.map { "\(product.referenceName) costs \($0) for \(period)" }
                ?? "\(product.referenceName) has no price yet")
            + ". Five decisions; the sheet beside them is what a customer will read."
        let name = "\(app.bundleID) \(product.productID)"
        page.alternatives = [
            .init(
                command: "offers set \(name) spring --kind introductory --mode free --period P2W",
                request: "PUT \(path)/offers/spring",
                body: #"{"kind":"introductory","paymentMode":"free","period":"P2W"}"#)
        ]
        let (steps, aside) = (steps, aside)
        let form = visit.edit(action, .class("stepped")) {
            unseenDefault()
            div(.class("two")) {
                div(.class("card")) { steps }
                aside
            }
            formBar("The sandbox gives it at once.", isLive ? "Production gives it once it is published." : "") {
                button(.class("primary")) {
                    isLive ? "Keep as draft" : offer == nil ? "Give the offer" : "Change the offer"
                }
                a(.class("button"), .href(visit.link(path + "/offers"))) { "Cancel" }
            }
        }
        return try await page.response { form }
    }

    private var isLive: Bool { product.review.isLive }

    @HTMLBuilder private var steps: [any HTML] {
        formSection("Kind", "For whom, roughly.", "step") {
            if let offer {
                // Its kind never changes, and the rest of the form still follows it.
                picks(
                    "kind", "Kind", Self.kinds.filter { $0.value == offer.kind.rawValue }, chosen: offer.kind.rawValue)
            } else {
                picks("kind", "Kind", Self.kinds, chosen: "introductory")
            }
        }
        formSection("Mode", "How it is paid.", "step") {
            picks("paymentMode", "Mode", Self.modes, chosen: offer?.paymentMode.rawValue ?? "free")
        }
        formSection("Length", nil, "step") {
            div(.class("form")) {
                div(.class("s3 when free up")) {
                    choice(
                        "period", "How long",
                        BillingPeriod.ofOffers.map { (value: $0.description, text: $0.words.capitalizedFirst) },
                        chosen: (offer?.period ?? .twoWeeks).description, width: "")
                }
                div(.class("s3 when go")) {
                    FormField(
                        name: "periodCount", label: "How many periods", value: "\(offer?.periodCount ?? 1)",
                        type: "number", width: "",
                        hint:
                            "Each as long as the subscription’s, \(period); at most \(SubscriptionOffers.mostPeriods)."
                    ).element
                }
            }
        }
        formSection("Price", nil, "step") {
            p(.class("when free")) { "Free everywhere: there is nothing to enter." }
            div(.class("when up go")) {
                div(.class("form")) {
                    FormField(
                        name: "price", label: "In United States, USD",
                        value: offer?.basePrice.map(\.decimalText) ?? "", hint: "The other storefronts follow.",
                        inputMode: "decimal"
                    ).element
                }
            }
        }
        formSection("Who", nil, "step") { who }
    }

    private var who: Element {
        let audience = offer?.audience
        return div(.class("form")) {
            p(.class("s6 when intro")) {
                "Who never had a subscription of the group \(product.groupID?.text ?? ""), at any price, refunded or not."
            }
            p(.class("s6 when promo")) {
                "Who has or had a subscription of the group, with a signature of your server by a key of the app."
            }
            fieldset(.class("s6 when code")) {
                legend { "Who may redeem a code" }
                for (value, text) in [("new", "new"), ("existing", "subscribes already"), ("expired", "left")] {
                    tick(
                        "eligibility", text, id: "eligibility-\(value)", value: value,
                        isOn: audience.map { $0.eligibility.contains(OfferEligibility(rawValue: value)) }
                            ?? (value == "new"))
                }
            }
            div(.class("s6 when code")) {
                tick(
                    "isStackable", "Keeps the introductory offer as well", isOn: audience?.isStackable ?? false)
            }
            div(.class("s6 when win")) {
                div(.class("form")) {
                    months("paidMonths", "Paid, months", audience?.paidMonths)
                    months("lapsedMonths", "Away, months", audience?.lapsedMonths)
                    months("waitMonths", "Wait between two, months", audience?.waitMonths)
                }
            }
            if offer == nil {
                FormField(
                    name: "offerId", label: "Offer id", width: "", hint: "As your app and your server name it.",
                    limit: SubscriptionOffers.longestID
                ).element
            }
            FormField(
                name: "startsAt", label: "From, UTC",
                value: Self.shown(offer?.startsAt),
                type: "date", width: ""
            ).element
            FormField(
                name: "endsAt", label: "Until, UTC", value: Self.shown(offer?.endsAt),
                type: "date", width: "", hint: "Empty: until you end it."
            ).element
            FormField(
                name: "referenceName", label: "Your name for it", value: offer?.referenceName ?? "", width: "s4"
            ).element
        }
    }

    private func months(_ name: String, _ label: String, _ value: Int?) -> Element {
        FormField(name: name, label: label, value: value.map(String.init) ?? "", type: "number", width: "").element
    }

    private var aside: Element {
        StoreWeb.aside(.class("stick")) {
            h2 { "As it will stand on the sheet" }
            if let preview {
                div(.class("mini")) {
                    div(.class("lines")) {
                        div {
                            span { preview.title }
                            span { preview.first }
                        }
                        div {
                            span { "Then" }
                            span { preview.regular }
                        }
                    }
                    p { preview.sentence }
                }
            } else {
                for (mode, words) in [
                    ("free", "Nothing until it ends, then the price of the subscription."),
                    ("up", "One price at the start, then the price of the subscription."),
                    ("go", "A lower price for each of some periods, then the price of the subscription."),
                ] {
                    p(.class("when \(mode)")) { words }
                }
            }
            p { button(.name("do"), .value("show")) { "Show the sentence" } }
        }
    }
}

extension OfferFormPage {
    /// A day as the form shows it.
    private static func shown(_ instant: Instant?) -> String { instant.map { String($0.rfc3339.prefix(10)) } ?? "" }

    /// A moment that is not touched stays to the second, though the form shows its day alone.
    private static func day(
        _ name: String, _ input: FormInput, showing instant: Instant?
    ) throws -> SubscriptionOfferDraft.Member<Instant?> {
        if instant != nil, input.trimmed(name) == shown(instant) { return .kept }
        return .set(try input.day(name))
    }

    /// What the form says; what its kind and mode do not have is left out.
    static func draft(
        _ input: FormInput, of product: CatalogueProduct, changing offer: SubscriptionOffer?
    ) throws -> SubscriptionOfferDraft {
        let kind = try OfferKind.named(offer?.kind.rawValue ?? input["kind"])
        let mode = try OfferPaymentMode.named(input["paymentMode"])
        let typed = input.trimmed("offerId")
        let id = offer?.id ?? (typed.isEmpty && kind == .introductory ? SubscriptionOffers.introductoryID : typed)
        let period =
            mode == .payAsYouGo ? product.period ?? .oneMonth : try BillingPeriod(parsing: input["period"])
        var draft = SubscriptionOfferDraft(
            id: id, kind: kind, paymentMode: mode, period: period,
            periodCount: mode == .payAsYouGo ? try input.number("periodCount") ?? 1 : 1,
            basePrice: mode == .free ? nil : try input.money("price", in: .usd))
        draft.referenceName = .set(input.text("referenceName"))
        draft.startsAt = try day("startsAt", input, showing: offer?.startsAt)
        draft.endsAt = try day("endsAt", input, showing: offer?.endsAt)
        let isCode = kind == .code
        draft.eligibility = .set(
            isCode ? Set(input.items.values("eligibility").map { OfferEligibility(rawValue: $0) }) : [])
        draft.isStackable = .set(isCode && input["isStackable"] == "on")
        let isWinBack = kind == .winBack
        draft.paidMonths = .set(isWinBack ? try input.number("paidMonths") : nil)
        draft.lapsedMonths = .set(isWinBack ? try input.number("lapsedMonths") : nil)
        draft.waitMonths = .set(isWinBack ? try input.number("waitMonths") : nil)
        return draft
    }
}
