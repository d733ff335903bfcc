import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The form of what the page of an item says, with the fields that its kind has.
struct ItemForm {
    let visit: ConsoleVisit
    let kind: ItemKind
    /// Nil of a new one.
    let details: ItemDetails?

    private var facts: ItemFacts? { details?.item.facts }

    var element: Element {
        if let details {
            visit.edit("\(ItemsSection.path)/\(details.storeID)/facts", .class("fields")) { fields }
        } else {
            visit.form(ItemsSection.path, .class("fields")) { fields }
        }
    }

    @HTMLBuilder private var fields: [any HTML] {
        if details == nil {
            hidden("kind", kind.rawValue)
            line("storeId", "Store id, if it brings one", "")
            if kind == .app { line("bundleId", "Bundle id of the app", "") }
        }
        identity
        media
        addresses
        texts
        if details == nil { line("price", "Price in US dollars; none, if it is not sold by itself", "") }
        button(.class("primary")) { details == nil ? "Enter it" : "Change it" }
    }

    @HTMLBuilder private var identity: [any HTML] {
        line("name", kind == .app ? "Name, if it is another than the app’s" : "Name", facts?.name)
        line("artist", "Who made it", details?.artist.name)
        choice(
            "genre", "Genre", Genre.all(of: kind).map { (value: "\($0.id)", text: $0.name) }, "\(facts?.genreID ?? 0)")
        line("released", "Came out on", facts.map { String($0.releasedAt.rfc3339.prefix(10)) }, type: "date")
        if let parent = kind.parent {
            line("parent", "Store id of its \(parent.rawValue)", facts?.parent.map { "\($0)" })
        }
        if kind == .song { line("disc", "Disc", facts?.disc.map { "\($0)" }) }
        if [.song, .episode, .season].contains(kind) {
            line("number", "Number", facts?.number.map { "\($0)" })
        }
    }

    @HTMLBuilder private var media: [any HTML] {
        choice(
            "explicitness", "For children", Explicitness.known.map(\.rawValue).sorted().map { (value: $0, text: $0) },
            facts?.explicitness.rawValue ?? Explicitness.notExplicit.rawValue)
        line("rating", "Rated, such as 12+", facts?.rating)
        line("copyright", "Copyright", facts?.copyright)
    }

    @HTMLBuilder private var addresses: [any HTML] {
        line("support", "Address of help", facts?.supportAddress)
        line("maker", "Address of its maker", facts?.makerAddress)
        line("privacy", "Address about privacy", facts?.privacyAddress)
        if ![.app, .book].contains(kind) {
            line("seconds", "Plays for, in seconds", facts?.milliseconds.map { "\($0 / 1000)" })
        }
        if kind == .book { line("isbn", "ISBN", facts?.isbn) }
        line("upc", "Bar code", facts?.upc)
        if [.app, .book].contains(kind) {
            line("languages", "Languages, such as en-US, de-DE", facts?.languages.joined(separator: ", "))
        }
    }

    @HTMLBuilder private var texts: [any HTML] {
        let known = details?.product.newestTexts["en-US"]
        line("language", "Language of title and description", "en-US")
        line("title", "Title", known?.title)
        div {
            label(.for("description")) { "Description" }
            textarea(.id("description"), .name("description"), .longest(ItemLimits.description), .rows(6)) {
                known?.description ?? ""
            }
        }
    }

    private func line(_ name: String, _ text: String, _ value: String?, type: String = "text") -> Element {
        div {
            label(.for(name)) { text }
            input(.id(name), .name(name), .type(type), .longest(ItemLimits.address), .value(value ?? ""))
        }
    }

    private func choice(
        _ name: String, _ text: String, _ options: [(value: String, text: String)], _ chosen: String
    ) -> Element {
        div {
            label(.for(name)) { text }
            select(.id(name), .name(name)) {
                for entry in options {
                    option(.value(entry.value), entry.value == chosen ? .isSelected : nil) { entry.text }
                }
            }
        }
    }

    // MARK: What was sent

    /// The new item of a form.
    static func item(_ input: FormInput) throws -> NewItem {
        var draft = try change(input)
        draft.basePrice = try input.text("price").map { try money($0, .usd, field: "price") }
        var new = NewItem(ItemKind(rawValue: input["kind"]), draft)
        new.storeID = try number(input, "storeId")
        new.app = try input.text("bundleId").map { text in
            guard let id = BundleID(text) else {
                throw ServiceError(.valueInvalid, "it is a bundle id, such as com.example.app", parameter: "bundleId")
            }
            return id
        }
        return new
    }

    /// What a form changes: all that it has fields for.
    static func change(_ input: FormInput) throws -> ItemDraft {
        var draft = ItemDraft()
        (draft.name, draft.artist) = (input.text("name"), input.text("artist"))
        guard let genre = Int(input["genre"]) else {
            throw ServiceError(.valueInvalid, "choose a genre", parameter: "genre")
        }
        draft.genreID = genre
        draft.releasedAt = try input.text("released").map { try day($0) }
        draft.parent = .some(try number(input, "parent"))
        draft.disc = .some(try number(input, "disc").map { Int($0) })
        draft.number = .some(try number(input, "number").map { Int($0) })
        draft.explicitness = input.text("explicitness").map { Explicitness(rawValue: $0) }
        (draft.rating, draft.copyright) = (.some(input.text("rating")), .some(input.text("copyright")))
        (draft.supportAddress, draft.makerAddress) = (.some(input.text("support")), .some(input.text("maker")))
        draft.privacyAddress = .some(input.text("privacy"))
        if let seconds = try number(input, "seconds") {
            guard seconds <= ItemLimits.milliseconds / 1000 else {
                throw ServiceError(.valueInvalid, "it plays for too long", parameter: "seconds")
            }
            draft.milliseconds = .some(seconds * 1000)
        }
        (draft.isbn, draft.upc) = (.some(input.text("isbn")), .some(input.text("upc")))
        draft.languages = input["languages"].split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init)
        let text = ItemTextDraft(title: input.text("title"), description: input["description"])
        if text != ItemTextDraft(description: "") { draft.texts[input["language"]] = text }
        return draft
    }

    /// An amount that somebody typed.
    static func money(_ text: String, _ currency: Currency, field: String = "amount") throws -> Money {
        do {
            return try Money(decimal: text, currency: currency)
        } catch {
            throw ServiceError(.valueInvalid, "it \(error.rule)", parameter: field)
        }
    }

    private static func number(_ input: FormInput, _ name: String) throws -> Int64? {
        guard let text = input.text(name) else { return nil }
        guard let number = Int64(text), number >= 0, number <= Int64(Int32.max) * 1_000_000 else {
            throw ServiceError(.valueInvalid, "it is a number", parameter: name)
        }
        return number
    }

    private static func day(_ text: String) throws -> Instant {
        guard let day = try? Instant(rfc3339: text + "T00:00:00Z") else {
            throw ServiceError(.valueInvalid, "it is a day, such as 2026-01-31", parameter: "released")
        }
        return day
    }
}
