import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The page on which a developer changes a product: texts side by side, what reviewers are told, pictures, and what is missing.
struct ProductEditPage {
    let visit: ConsoleVisit
    let overview: ProductOverview
    let checklist: ProductChecklist
    /// A language that was added on the form, and has no text yet.
    var added: String?

    @Sendable static func response(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        try await response(visit, adding: nil)
    }

    /// - Parameter language: that is to have a text as well. Those that the form has sent already stay on it.
    static func response(_ visit: ConsoleVisit, adding language: String?) async throws -> HTTPResponse {
        let path = try visit.product
        var page = ProductEditPage(
            visit: visit, overview: try await visit.editing.overview(of: path),
            checklist: try await visit.editing.checklist(of: path))
        page.added = language
        return try await page.response()
    }

    private var app: CatalogueApp { overview.app }
    private var details: ProductDetails { overview.details }
    private var product: CatalogueProduct { details.product }
    private var path: String { "/apps/\(app.bundleID)/products/\(product.productID)" }
    private var mayChange: Bool { visit.may(.catalogue, change: true, .both) }
    private var isLive: Bool { product.review.isLive }

    private func response() async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: "Edit \(product.referenceName)", place: .apps)
        page.crumbs = [
            ("Apps", visit.link("/apps")), (app.name, visit.link("/apps/\(app.bundleID)")),
            (product.referenceName, visit.link(path)),
        ]
        page.tag = tag(checklist.missing.isEmpty ? .good : .warn, checklist.words)
        page.lede = lede
        page.alternatives = alternatives
        page.actions = [a(.class("button"), .href(visit.link(path + "/prices"))) { "Prices" }]
        if details.prices[StorefrontCode(rawValue: "USA")] != nil {
            page.actions.append(a(.class("button"), .href(visit.link(path + "/sheet"))) { "Preview the sheet" })
        }
        let (form, aside) = (form, aside)
        return try await page.response {
            div(.class("two first")) {
                div(.class("stack")) {
                    form
                    if mayChange { pictures }
                    if mayChange { removal }
                }
                aside
            }
        }
    }

    private var lede: String {
        let missing = checklist.missing.count
        let words =
            missing == 0
            ? "Nothing is missing."
            : "\(missing) \(missing == 1 ? "thing is" : "things are") missing before it can be submitted."
        return isLive ? "Production sells it as approved; what customers read is reviewed again. \(words)" : words
    }

    private var alternatives: [ConsolePage.Alternative] {
        let name = "\(app.bundleID) \(product.productID)"
        let text = details.newestTexts[app.primaryLanguage]
        // As they stand now, so that a copied line changes nothing by itself.
        let (title, description) = (text?.title ?? product.referenceName, text?.description ?? "")
        let delivers = product.delivers ?? ""
        let words = delivers.isEmpty ? title : delivers
        return [
            .init(command: "review check \(name)", request: path + "/readiness"),
            .init(
                command: "products put \(app.bundleID) \(product.productID) --title \(ShellWord.quoted(title)) "
                    + (description.isEmpty ? "" : "--description \(ShellWord.quoted(description)) ")
                    + "--language \(app.primaryLanguage)",
                request: "PUT \(path)",
                body: Self.json([
                    "type": .string(product.kind.rawValue), "referenceName": .string(product.referenceName),
                    "texts": .members([
                        app.primaryLanguage: .members(["title": .string(title), "description": .string(description)])
                    ]),
                ])),
            .init(
                command: "review prepare \(app.bundleID) \(product.productID) --delivers \(ShellWord.quoted(words))",
                request: "PUT \(path)/submission", body: Self.json(["delivers": .string(words)])),
            .init(command: "products remove \(name)", request: "DELETE \(path)"),
        ]
    }

    private static func json(_ members: KeyValuePairs<String, JSONValue?>) -> String {
        String(decoding: JSONValue.members(members).bytes, as: UTF8.self)
    }

    // MARK: The form

    private var form: Element {
        let sections: [any HTML] = [what, texts, review]
        return visit.edit(path + "/edit") {
            unseenDefault()
            div(.class("card")) { sections }
            if mayChange { bar }
        }
    }

    private var bar: Element {
        let missing = checklist.missing.count
        return formBar(
            "Keeps what stands here.",
            isLive ? "Production goes on with what was approved." : "The sandbox sells it as soon as it is complete."
        ) {
            button(.class("primary")) { isLive ? "Keep as draft" : "Keep it" }
            if [.readyToSubmit, .missingMetadata, .rejected, .developerActionNeeded].contains(product.state) {
                button(.name("do"), .value("submit")) {
                    missing == 0 ? "Keep it, and submit it" : "Keep it, and submit it, \(missing) missing"
                }
            }
        }
    }

    private var what: Element {
        formSection("What it is", "Kind, period and group never change: another kind is another product.") {
            div(.class("form")) {
                shown("Kind", product.kind.rawValue)
                if let period = product.period { shown("Period", period.words) }
                if let group = product.groupID {
                    div(.class("f")) {
                        span(.class("l")) { "Group" }
                        a(.href(visit.link("/apps/\(app.bundleID)/groups"))) { group.text }
                        product.level.map { ", level \($0)" } ?? ""
                    }
                }
                FormField(
                    name: "referenceName", label: "Your name for it",
                    value: visit.typed("referenceName", else: product.referenceName), width: "s4",
                    hint: "Customers never see it.", limit: CatalogueLimits.referenceName, isCounted: true
                ).element
                choice(
                    "taxCategory", "For the tax office it is",
                    TaxCategory.known.map { (value: $0.rawValue, text: $0.rawValue) }.sorted { $0.text < $1.text },
                    chosen: (product.taxCategory ?? .standard).rawValue, width: "")
                tick("isFamilyShareable", "Families share it", isOn: product.isFamilyShareable)
            }
        }
    }

    private func shown(_ name: String, _ value: String) -> Element {
        div(.class("f")) {
            span(.class("l")) { name }
            value
        }
    }

    /// The languages of the page: those of the product, those that the form has sent, and the one that was added.
    private var languages: [String] {
        let sent = (visit.sent?.items.all ?? []).compactMap { item -> String? in
            guard item.name.hasPrefix("texts."), item.name.hasSuffix(".title") else { return nil }
            return String(item.name.dropFirst("texts.".count).dropLast(".title".count))
        }
        let all = Set(details.newestTexts.keys).union(sent).union(added.map { [$0] } ?? [])
        let empty = all.isEmpty ? [app.primaryLanguage] : Array(all)
        return empty.sorted { ($0 == app.primaryLanguage ? "" : $0) < ($1 == app.primaryLanguage ? "" : $1) }
    }

    private var texts: Element {
        let languages = languages
        return formSection(
            "Texts",
            "What customers read. Title \(CatalogueLimits.title), description \(CatalogueLimits.description) characters.",
            "wide"
        ) {
            div(.class("langs")) { for language in languages { text(in: language) } }
            if mayChange {
                div(.class("row")) {
                    label(.class("unit")) {
                        span { "Also in" }
                        select(.name("newLanguage"), .class("short")) {
                            for one in LanguageNames.choices(without: languages) {
                                option(.value(one.value)) { one.text }
                            }
                        }
                    }
                    button(.name("do"), .value("language"), .isUnchecked) { "Add a language" }
                }
            }
        }
    }

    private func text(in language: String) -> Element {
        let (known, name) = (details.newestTexts[language], LanguageNames.name(of: language))
        return section(.label(name)) {
            h3 {
                name
                small {
                    language == app.primaryLanguage ? "default" : ""
                    if isLive, details.textChanges[language] != nil { "draft" }
                }
            }
            FormField(
                name: "texts.\(language).title", label: "Title", id: "title-\(language)",
                value: visit.typed("texts.\(language).title", else: known?.title ?? ""),
                width: "", limit: CatalogueLimits.title, isCounted: true, language: language
            ).element
            FormField(
                name: "texts.\(language).description", label: "Description", id: "description-\(language)",
                value: visit.typed("texts.\(language).description", else: known?.description ?? ""), width: "",
                limit: CatalogueLimits.description, isCounted: true,
                lines: 2, language: language
            ).element
            if mayChange, known != nil {
                asking("Take it away…", "Who reads \(name) reads \(LanguageNames.name(of: app.primaryLanguage)) then.")
                {
                    button(.class("danger"), .name("do"), .value("remove:\(language)"), .isUnchecked) {
                        "Take \(name) away"
                    }
                }
            }
        }
    }

    private var review: Element {
        let isSubscription = [.autoRenewable, .nonRenewing, .freeSubscription].contains(product.kind)
        return formSection("For the review", "What is sold has to be digital. Customers see none of this.") {
            div(.class("form")) {
                if isSubscription {
                    shown("Category", "subscription")
                } else {
                    div(.class("s6")) {
                        picks(
                            "category", "Category", ProductEntryForm.categories, chosen: product.category?.rawValue)
                    }
                }
                FormField(
                    name: "delivers", label: "What is delivered",
                    value: visit.typed("delivers", else: product.delivers ?? ""), width: "s6",
                    limit: ProductReviews.longestDelivers, isCounted: true, lines: 2
                ).element
                FormField(
                    name: "note", label: "Note for the reviewer",
                    value: visit.typed("note", else: product.reviewNote ?? ""),
                    limit: ProductReviews.longestNote, isCounted: true, lines: 3
                ).element
                VersionField(checklist: checklist, settings: visit.link("/apps/\(app.bundleID)/settings")).element
            }
        }
    }
}

extension ProductEditPage {
    // MARK: Beside it

    private var aside: Element {
        StoreWeb.aside(.class("stick")) {
            card("Until it can be submitted") {
                ul(.class("steps")) {
                    for entry in checklist.entries {
                        li(.class(entry.isDone ? "done" : entry.isOptional ? "todo" : "wrong")) {
                            span(.class("mark"), .isHidden) { entry.isDone ? "✓" : entry.isOptional ? "○" : "!" }
                            span {
                                entry.sentence
                                span(.class("unseen")) {
                                    entry.isDone ? " (done)" : entry.isOptional ? " (may be left out)" : " (missing)"
                                }
                            }
                        }
                    }
                }
                if product.hostsContent {
                    p { a(.href(visit.link(path + "/content"))) { "Versions and uploads of its content" } }
                }
                if checklist.needsVersion {
                    p { a(.href(visit.link("/apps/\(app.bundleID)/settings"))) { "Versions of the app" } }
                }
            }
            card("Facts") {
                facts([
                    ("Product id", StoreWeb.name(product.productID)), ("Store id", StoreWeb.name(product.itemID)),
                    ("Store page", storeLink(StoreItem.link(to: product, at: nil), visit)),
                ])
            }
        }
    }

    private var pictures: Element {
        let images = details.newestImages
        return card("Pictures") {
            div(.class("form")) {
                picture(
                    .promotional, "For customers", images.first { $0.kind == .promotional }, path + "/image",
                    "picture-promotional")
                picture(
                    .reviewScreenshot, "For the reviewer: where it is bought",
                    images.first { $0.kind == .reviewScreenshot }, path + "/screenshot", "picture-review")
            }
            if isLive {
                p(.class("muted")) { "Production goes on showing the approved one until another one is approved." }
            }
        }
    }

    private func picture(
        _ kind: ProductImage.Kind, _ text: String, _ image: ProductImage?, _ place: String, _ id: String
    ) -> Element {
        div(.class("s3")) {
            if let image {
                div(.class("thumb")) {
                    img(.src(visit.link(place)), .alt(text), .width(64), .height(64))
                    span {
                        text
                        br()
                        span(.class("muted")) { "\(image.width) × \(image.height)" }
                    }
                }
                visit.form(path + "/image-removal") {
                    hidden("kind", kind.rawValue)
                    button(.class("quiet")) { "Take it away" }
                }
            }
            visit.form(place, .sendsFiles, .isUpload, .class("upload")) {
                label(.for(id)) { image == nil ? text : "Another one" }
                input(.id(id), .name("file"), .type("file"), .accepts("image/png,image/jpeg"), .isRequired)
                p(.class("muted")) {
                    "PNG or JPEG, \(ProductImages.sides.lowerBound) to \(ProductImages.sides.upperBound) pixels a side, at most "
                        + "\(ProductImages.mostBytes >> 20) MB."
                }
                button { "Send it" }
            }
        }
    }

    private var removal: Element {
        card("Remove it for good") {
            asking(
                "Remove \(product.referenceName)…",
                "Nobody can buy it any more; customers keep what they bought. Its id, \(product.productID), is never used "
                    + "again, and it does not come back."
                    + (isLive ? " Production sells it until somebody of production publishes that." : "")
            ) {
                visit.form(path + "/removal") {
                    button(.class("danger")) { "Remove it for good" }
                }
            }
        }
    }
}
