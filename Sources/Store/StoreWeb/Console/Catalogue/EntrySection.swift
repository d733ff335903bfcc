import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// What is entered new: an app, with its first product on the same form, and a product of any kind.
struct EntrySection: ConsoleSection {
    let services: ConsoleServices

    var routes: [Route] {
        [
            page("/new-app", for: .catalogue, .both) { try await NewEntryPages(visit: $0).app() },
            form("/new-app", for: .catalogue, .both, limits: .catalogue, addApp) {
                try await NewEntryPages(visit: $0).app()
            },
            page("/apps/{bundleId}/new-product", for: .catalogue, .both) {
                try await NewEntryPages(visit: $0).product()
            },
            form("/apps/{bundleId}/new-product", for: .catalogue, .both, limits: .catalogue, addProduct) {
                try await NewEntryPages(visit: $0).product()
            },
        ]
    }

    private func addApp(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        var problems = FormProblems()
        let id = try problems.read { try input.id("bundleId", as: BundleID.self) }
        let entered = try problems.read { try ProductEntryForm.entry(input) }
        try problems.finish()
        guard let bundle = id, let read = entered else { throw problems }
        let (name, language) = (input.trimmed("name"), input.text("primaryLanguage"))
        let team = try input["teamId"].isEmpty ? nil : input.id("teamId", as: TeamID.self)
        guard let entry = read else {
            _ = try await visit.editing.addApp(bundle, name: name, primaryLanguage: language, team: team)
            return visit.link("/apps/\(bundle)", done: .entered)
        }
        let details = try await visit.editing.addApp(
            bundle, name: name, primaryLanguage: language, team: team, with: entry)
        return Self.next(visit, details.product, of: bundle, isToSheet: input["do"] != "only")
    }

    private func addProduct(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let bundle = try visit.request[ConsolePath.bundle]
        guard let entry = try ProductEntryForm.entry(input) else {
            throw CatalogueError(.valueMissing, "choose a kind", field: "type")
        }
        // The form begins with it, and something is to follow.
        guard entry.productID.text != "\(bundle)." else {
            throw CatalogueError(.valueInvalid, "it goes on, such as \(bundle).credits5", field: "productId")
        }
        let details = try await visit.editing.enter(entry, of: bundle)
        return Self.next(visit, details.product, of: bundle, isToSheet: input["do"] == "sheet")
    }

    /// The sheet of what the sandbox sells already; else the page that says what is missing.
    private static func next(
        _ visit: ConsoleVisit, _ product: CatalogueProduct, of bundle: BundleID, isToSheet: Bool
    ) -> Link {
        let path = "/apps/\(bundle)/products/\(product.productID)"
        guard product.state == .readyToSubmit else { return visit.link(path + "/edit", done: .entered) }
        return isToSheet ? visit.link(path + "/sheet") : visit.link(path, done: .entered)
    }
}

extension FormInput.Limits {
    /// Of a form of the catalogue: the words of a product in as many languages as it may have.
    static let catalogue = FormInput.Limits(bytes: 1 << 20, fields: 1024)
}

/// The pages of what is entered new.
struct NewEntryPages {
    let visit: ConsoleVisit

    func app() async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: "A new app", place: .apps)
        page.crumbs = [("Apps", visit.link("/apps"))]
        page.lede =
            "One form makes an app and its first product. The sandbox sells it at once; no customer sees any of it before it "
            + "is reviewed."
        page.alternatives = Self.alternatives
        let form = AppEntryForm(visit: visit, isFirst: false)
        return try await page.response { form.element }
    }

    static let alternatives: [ConsolePage.Alternative] = [
        .init(
            command: "apps create com.example.lumen Lumen", request: "POST /apps",
            body: #"{"bundleId":"com.example.lumen","name":"Lumen"}"#),
        .init(
            command: "products put com.example.lumen com.example.lumen.lights10 --type consumable --title '10 Lights' "
                + "--description 'Ten lights for your rooms.' --price 1.99",
            request: "PUT /apps/com.example.lumen/products/com.example.lumen.lights10",
            body: #"{"type":"Consumable","referenceName":"10 Lights","price":{"amount":"1.99","currency":"USD"}}"#),
    ]

    func product() async throws -> HTTPResponse {
        let app = try await visit.editing.app(visit.request[ConsolePath.bundle])
        let groups = try await visit.editing.groups(of: app.bundleID)
        let path = "/apps/\(app.bundleID)"
        var page = ConsolePage(visit: visit, title: "A new product", place: .apps)
        page.crumbs = [("Apps", visit.link("/apps")), (app.name, visit.link(path))]
        page.lede =
            "Only its kind and its id stay for ever. What is missing may follow: the sandbox sells it once it has a title and a "
            + "price, production once a reviewer has approved it."
        page.alternatives = [
            .init(
                command: "products put \(app.bundleID) \(app.bundleID).credits5 --type consumable --title '5 Credits' "
                    + "--price 0.99",
                request: "PUT \(path)/products/\(app.bundleID).credits5",
                body: #"{"type":"Consumable","referenceName":"5 Credits","price":{"amount":"0.99","currency":"USD"}}"#)
        ]
        let entry = ProductEntryForm(visit: visit, prefix: "\(app.bundleID).", groups: groups)
        let form = visit.form(path + "/new-product", .class("stepped")) {
            div(.class("card")) { entry.sections }
            formBar("The sandbox sells it as soon as it is complete.") {
                button(.class("primary")) { "Make it" }
                button(.name("do"), .value("sheet")) { "Make it, and see its sheet" }
            }
        }
        return try await page.response { form }
    }
}

/// The form of an app and its first product.
struct AppEntryForm {
    let visit: ConsoleVisit
    /// Whether there is nothing yet, so that both are wanted.
    let isFirst: Bool

    var element: Element {
        visit.form("/new-app", .class("stepped")) {
            div(.class("card")) {
                formSection("Your app", nil, "step") {
                    div(.class("form")) {
                        FormField(
                            name: "name", label: "Name", value: visit.typed("name", else: ""),
                            limit: CatalogueLimits.appName, isCounted: true,
                            isRequired: true
                        ).element
                        FormField(
                            name: "bundleId", label: "Bundle id", hint: "Such as com.example.lumen. It stays for ever.",
                            isRequired: true
                        ).element
                        choice(
                            "primaryLanguage", "Language", LanguageNames.choices(first: "en-US"), chosen: "en-US",
                            hint: "Of texts where no other fits.")
                        if visit.actor.team == nil, !isFirst {
                            FormField(name: "teamId", label: "Team", hint: "Whose it is; the first team’s if empty.")
                                .element
                        }
                    }
                }
                ProductEntryForm(
                    visit: visit, mayBeNone: true, chosen: isFirst ? ProductKind.consumable.rawValue : ""
                ).sections
            }
            formBar("Nothing here is seen by a customer or costs anything.") {
                button(.class("primary")) {
                    span(.class("says-app")) { "Make the app" }
                    span(.class("says-both")) { "Make both, and see the sheet" }
                }
                button(.name("do"), .value("only"), .class("unless-none")) { "Make both" }
            }
        }
    }
}
