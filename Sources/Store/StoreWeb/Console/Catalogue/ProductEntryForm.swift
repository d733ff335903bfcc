import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The part of a form that enters a product: what its kind needs, and nothing else.
struct ProductEntryForm {
    let visit: ConsoleVisit
    /// What the id begins with, usually.
    var prefix = ""
    /// The groups of the app's subscriptions.
    var groups: [SubscriptionGroup] = []
    /// Whether an app can be entered without a product.
    var mayBeNone = false
    var chosen: String? = ProductKind.consumable.rawValue

    static let kinds = [
        FormPick(
            value: ProductKind.consumable.rawValue, title: "Consumable",
            meaning: "used up, bought again: credits, lives",
            id: "con"),
        FormPick(
            value: ProductKind.nonConsumable.rawValue, title: "Non-consumable",
            meaning: "bought once, kept: a level, a filter", id: "non"),
        FormPick(
            value: ProductKind.autoRenewable.rawValue, title: "Auto-renewable",
            meaning: "goes on until it is cancelled",
            id: "sub"),
        FormPick(
            value: ProductKind.nonRenewing.rawValue, title: "Non-renewing", meaning: "for a time: a season", id: "sea"),
        FormPick(
            value: ProductKind.freeSubscription.rawValue, title: "Free subscription", meaning: "once, for nothing",
            id: "fre"),
    ]
    private static let none = FormPick(value: "", title: "No product yet", meaning: "the app alone", id: "nop")

    static let categories = [
        FormPick(value: "content", title: "Content", meaning: "levels, chapters, credits", id: "category-content"),
        FormPick(value: "function", title: "Function", meaning: "in the app already", id: "category-function"),
        FormPick(value: "service", title: "Service", meaning: "done once, for one", id: "category-service"),
    ]

    @HTMLBuilder var sections: [any HTML] {
        formSection(mayBeNone ? "First product" : "Kind", "The kind stays for ever.", "step") {
            picks("type", "Kind", (mayBeNone ? [Self.none] : []) + Self.kinds, chosen: chosen)
        }
        formSection(
            "Words and price", "In the language of the app; more languages and prices follow.", "step unless-none"
        ) {
            div(.class("form")) {
                FormField(
                    name: "title", label: "Title", value: visit.typed("title", else: ""), hint: "What customers read.",
                    limit: CatalogueLimits.title,
                    isCounted: true
                ).element
                FormField(
                    name: "description", label: "Description", value: visit.typed("description", else: ""),
                    limit: CatalogueLimits.description, isCounted: true,
                    lines: 2
                ).element
                FormField(
                    name: "productId", label: "Product id", value: prefix, width: "s4",
                    hint: "As the app asks for it. Never used again, even after deletion."
                ).element
                div(.class("unless-free")) {
                    FormField(
                        name: "price", label: "Price, USD", width: "", hint: "Other currencies follow it.",
                        inputMode: "decimal"
                    ).element
                }
                FormField(
                    name: "referenceName", label: "Your name for it", width: "s4",
                    hint: "Customers never see it. Its title, if you leave it empty."
                ).element
                renewal
                div(.class("s6 when non")) { tick("hosting", "The store hosts its content", isOn: false) }
                div(.class("s6 when sharable")) {
                    tick("isFamilyShareable", "Families share it", isOn: false)
                }
            }
        }
        formSection("For the review", "What is sold has to be digital. It can follow later.", "step unless-none") {
            div(.class("form")) {
                div(.class("s6 when goods")) { picks("category", "Category", Self.categories, chosen: nil) }
                FormField(
                    name: "delivers", label: "What is delivered", width: "s6", limit: ProductReviews.longestDelivers,
                    lines: 2
                ).element
                FormField(
                    name: "note", label: "Note for the reviewer", width: "s6", limit: ProductReviews.longestNote,
                    lines: 2
                ).element
            }
        }
    }

    private var renewal: Element {
        div(.class("s6 when sub")) {
            div(.class("form")) {
                choice(
                    "period", "Renews every",
                    BillingPeriod.ofSubscriptions.map { (value: $0.description, text: $0.words) }, chosen: "P1M")
                FormField(
                    name: "groupId", label: "Group", value: groups.first?.id.text ?? "",
                    hint: groups.isEmpty
                        ? "A customer has one of a group at a time; a new name makes a group."
                        : "A customer has one of a group at a time. There are: "
                            + groups.prefix(Self.namedGroups).map(\.id.text).joined(separator: ", ")
                ).element
            }
        }
    }

    /// The groups that are named beside the field.
    private static let namedGroups = 8

    /// What was filled in; nil where no product is wanted.
    static func entry(_ input: FormInput) throws -> ProductEntry? {
        let kind = ProductKind(rawValue: input["type"])
        if kind.rawValue.isEmpty { return nil }
        guard kind.isKnown else {
            throw CatalogueError(.valueInvalid, "it is none of the kinds of products", field: "type")
        }
        let text = ProductText(title: input.trimmed("title"), description: input.lines("description"))
        var problems = FormProblems()
        let id = try problems.read { try input.id("productId", as: ProductID.self) }
        let price = try problems.read {
            try kind == .freeSubscription ? nil : input.money("price", in: .usd)
        }
        if !text.title.isEmpty {
            _ = try problems.read {
                try CatalogueText.line(text.title, atMost: CatalogueLimits.title, field: "title")
            }
        }
        let group = try kind == .autoRenewable ? problems.read { try Self.group(input) } : nil
        try problems.finish()
        guard let id else { throw problems }
        var entry = ProductEntry(id, kind, text: text, price: price ?? nil)
        entry.referenceName = input.text("referenceName")
        entry.isFamilyShareable =
            input["isFamilyShareable"] == "on" && [.nonConsumable, .autoRenewable].contains(kind)
        entry.hostsContent = input["hosting"] == "on"
        if kind == .autoRenewable {
            entry.period = try BillingPeriod(parsing: input["period"])
            entry.groupID = group
        }
        entry.facts = facts(input, of: kind)
        return entry
    }

    private static func group(_ input: FormInput) throws(CatalogueError) -> SubscriptionGroupID {
        guard !input.trimmed("groupId").isEmpty else {
            throw CatalogueError(.valueMissing, "name a group, such as pro; a new name makes one", field: "groupId")
        }
        return try input.id("groupId")
    }

    /// What reviewers are told: subscriptions have one category only, and the others are asked for theirs.
    static func facts(_ input: FormInput, of kind: ProductKind) -> ReviewFacts {
        let isSubscription = [.autoRenewable, .nonRenewing, .freeSubscription].contains(kind)
        return ReviewFacts(
            category: isSubscription ? .subscription : input.text("category").map { ProductCategory(rawValue: $0) },
            delivers: input.lines("delivers"), note: input.lines("note"))
    }
}
