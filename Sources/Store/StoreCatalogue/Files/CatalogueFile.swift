import StoreDatabase
package import StoreFoundation
package import StoreModel
import StoreRules

/// What a file says of apps and what they sell: one of Xcode, or one in the format of our own, which has all of a catalogue.
///
/// ```json
/// {
///   "format": "till-catalogue", "version": 1,
///   "teams": [{"teamId": "monkeysoft", "name": "Monkey Software"}],
///   "apps": [
///     {
///       "bundleId": "com.example.app", "name": "Example", "primaryLanguage": "en-US", "teamId": "monkeysoft",
///       "products": [{"productId": "com.example.app.credits5", "type": "Consumable", "price": {"amount": "0.99", "currency": "USD"}}]
///     }
///   ]
/// }
/// ```
///
/// What a file says nothing of stays as it is.
package struct CatalogueFile: Sendable {
    /// What a file says of one team: its name. What it agreed to with one store it has not agreed to with another.
    package struct Team: Sendable {
        package let id: TeamID
        package let name: String
    }

    /// What a file says of one app.
    package struct App: Sendable {
        /// A file of Xcode does not say it.
        package let bundleID: BundleID?
        package let name: String?
        package let primaryLanguage: String?
        package let teamID: TeamID?
        package let capabilities: Set<AppCapability>?
        package let gracePeriod: GracePeriodDraft?
        /// The number that it brings if it is new.
        let storeID: Int64?
        /// Groups with a blank name keep theirs.
        package let groups: [SubscriptionGroup]
        package let products: [ProductDraft]
        /// What a file of Xcode had of it beside its products.
        package let frame: JSONNode?
        /// Where in the file it is.
        let place: String
    }

    package let teams: [Team]
    package let apps: [App]
    /// Those of the storefront.
    package let items: [Item]
    /// Whether it is one of Xcode's.
    package let isOfXcode: Bool
    /// What the file says and what has no effect here; it is kept for the way back, but for private keys.
    package let omissions: [FileFinding]
    /// What the file has and what says nothing, or not what it seems to.
    package let noise: [FileFinding]
    /// For mistakes that are found later.
    let bytes: [UInt8]

    static let format = "till-catalogue"
    static let version = 1
    /// How many objects and arrays of a file may be within one another.
    static let depth = 64

    /// Reads a file. Throws a ``CatalogueError`` of its mistakes at once, with their lines.
    package init(_ bytes: [UInt8]) throws(CatalogueError) {
        guard bytes.count <= StoreKitFileLimits.bytes else {
            throw CatalogueError(.limitReached, "the file has more than \(StoreKitFileLimits.bytes) bytes")
        }
        let members = try StoreKitFile.members(bytes)
        let findings = FileFindings()
        guard members["format"] != nil else {
            self.init(try StoreKitFile(members, findings: findings, bytes), bytes)
            return
        }
        var reader = CatalogueFileReader(FileObject(members, findings))
        reader.read()
        if let error = findings.error(in: bytes) { throw error }
        self.init(reader.apps, reader.items, of: reader.teams, isOfXcode: false, omissions: [], noise: [], bytes)
    }

    /// - Parameter bytes: of which mistakes are told with their lines.
    package init(_ file: StoreKitFile, _ bytes: [UInt8] = []) {
        let app = App(
            bundleID: nil, name: nil, primaryLanguage: file.language, teamID: nil, capabilities: nil,
            gracePeriod: nil, storeID: nil, groups: file.groups, products: file.products, frame: file.frame, place: "")
        self.init([app], [], of: [], isOfXcode: true, omissions: file.omissions, noise: file.noise, bytes)
    }

    private init(
        _ apps: [App], _ items: [Item], of teams: [Team], isOfXcode: Bool, omissions: [FileFinding],
        noise: [FileFinding],
        _ bytes: [UInt8]
    ) {
        self.teams = teams
        self.apps = apps
        self.items = items
        self.isOfXcode = isOfXcode
        self.omissions = omissions
        self.noise = noise
        self.bytes = bytes
    }
}

/// Reads files in the format of our own.
struct CatalogueFileReader {
    private let file: FileObject
    private(set) var teams: [CatalogueFile.Team] = []
    private(set) var apps: [CatalogueFile.App] = []
    private(set) var items: [CatalogueFile.Item] = []
    private var products = 0

    init(_ file: FileObject) {
        self.file = file
    }

    mutating func read() {
        file.refuseUnknown(but: ["format", "version", "teams", "apps", "items"])
        guard file.text("format") == CatalogueFile.format else {
            return file.refuse("it is \(CatalogueFile.format)", "format")
        }
        guard file.number("version", isRequired: true) == CatalogueFile.version else {
            return file.refuse("only version \(CatalogueFile.version) is read", "version")
        }
        readTeams()
        var places: [BundleID: String] = [:]
        for object in file.list("apps", isRequired: true) {
            guard !file.findings.isFull else { break }
            products += object.members["products"]?.nodes.count ?? 0
            guard products <= StoreKitFileLimits.products else {
                return file.refuse(
                    "the file has more than \(StoreKitFileLimits.products) products", "apps", .limitReached)
            }
            guard let app = app(object) else { continue }
            if let id = app.bundleID, let other = places.updateValue(object.place, forKey: id) {
                object.refuse("it is also that of \(other)", "bundleId")
            }
            apps.append(app)
        }
        var numbers: [Int64: String] = [:]
        for object in file.list("items") {
            guard !file.findings.isFull else { break }
            guard let item = item(object) else { continue }
            if let id = item.storeID, let other = numbers.updateValue(object.place, forKey: id) {
                object.refuse("it is also that of \(other)", "storeId")
            }
            items.append(item)
        }
    }

    private mutating func readTeams() {
        var places: [TeamID: String] = [:]
        for object in file.list("teams") {
            guard !file.findings.isFull else { break }
            object.refuseUnknown(but: ["teamId", "name"])
            let id = object.value("teamId", isRequired: true) { try TeamID(parsing: $0) }
            let name = object.value("name", isRequired: true) {
                try CatalogueText.line($0, atMost: Teams.longestName, field: "name")
            }
            guard let id, let name else { continue }
            if let other = places.updateValue(object.place, forKey: id) {
                object.refuse("it is also that of \(other)", "teamId")
            }
            teams.append(CatalogueFile.Team(id: id, name: name))
        }
    }

    private func app(_ object: FileObject) -> CatalogueFile.App? {
        object.refuseUnknown(but: [
            "bundleId", "name", "primaryLanguage", "teamId", "capabilities", "gracePeriod", "groups", "products",
            "storekit", "storeId",
        ])
        let id = object.value("bundleId", isRequired: true) { try BundleID(parsing: $0) }
        let team = object.value("teamId") { try TeamID(parsing: $0) }
        let language = object.value("primaryLanguage") { try CatalogueText.language($0, field: "primaryLanguage") }
        let name = object.value("name") {
            try CatalogueText.line($0, atMost: CatalogueLimits.appName, field: "name")
        }
        let groups = object.list("groups").compactMap(group)
        var products: [ProductDraft] = []
        var places: [ProductID: String] = [:]
        for entry in object.list("products") {
            guard !object.findings.isFull else { break }
            guard let draft = product(entry) else { continue }
            if let other = places.updateValue(entry.place, forKey: draft.productID) {
                entry.refuse("it is also that of \(other)", "productId")
            }
            products.append(draft)
        }
        let capabilities =
            object.members["capabilities"] == nil
            ? nil : Set(object.words("capabilities").map(AppCapability.init))
        return CatalogueFile.App(
            bundleID: id, name: name, primaryLanguage: language, teamID: team, capabilities: capabilities,
            gracePeriod: object.object("gracePeriod").flatMap(gracePeriod),
            storeID: object.number("storeId").map(Int64.init), groups: groups, products: products,
            frame: object.members["storekit"], place: object.place)
    }

    private func gracePeriod(_ object: FileObject) -> GracePeriodDraft? {
        object.refuseUnknown(but: ["days", "isOnlyPaid", "isInProduction"])
        let draft = GracePeriodDraft(
            days: object.number("days", isRequired: true), isOnlyPaid: object.flag("isOnlyPaid"),
            isInProduction: object.flag("isInProduction"))
        return object.check("days") {
            _ = try draft.setting(after: nil)
            return draft
        }
    }

    private func group(_ object: FileObject) -> SubscriptionGroup? {
        object.refuseUnknown(but: ["groupId", "referenceName", "texts"])
        let id = object.value("groupId", isRequired: true) { try SubscriptionGroupID(parsing: $0) }
        var texts: [String: SubscriptionGroupText] = [:]
        for (language, text) in object.objects("texts") ?? [] {
            text.refuseUnknown(but: ["name", "appName"])
            if let name = text.text("name", isRequired: true) {
                texts[language] = SubscriptionGroupText(name: name, appName: text.text("appName"))
            }
        }
        return id.map { SubscriptionGroup(id: $0, referenceName: object.text("referenceName") ?? "", texts: texts) }
    }
}

// MARK: Products

extension CatalogueFileReader {
    private static let members: Set<String> = [
        "productId", "type", "referenceName", "state", "isClearedForSale", "isFamilyShareable", "period", "groupId",
        "level",
        "taxCategory", "hostsContent", "category", "delivers", "reviewNote", "texts", "price", "prices",
        "withdrawnStorefronts", "priceChanges", "offers", "images", "storekit",
    ]

    func product(
        _ object: FileObject, longestDescription: Int = CatalogueLimits.description,
        longestTitle: Int = CatalogueLimits.title
    ) -> ProductDraft? {
        object.refuseUnknown(but: Self.members)
        let id = object.value("productId", isRequired: true) { try ProductID(parsing: $0) }
        let kind = object.value("type", isRequired: true) { text in
            let kind = ProductKind(rawValue: text)
            guard kind.isKnown else {
                let known = ProductKind.known.map(\.rawValue).sorted().joined(separator: ", ")
                throw CatalogueError(.valueInvalid, "it is one of \(known)")
            }
            return kind
        }
        let period = object.value("period") { try BillingPeriod(parsing: $0) }
        let group = object.value("groupId") { try SubscriptionGroupID(parsing: $0) }
        let price = object.object("price").flatMap(money)
        var texts: [String: ProductText] = [:]
        for (language, text) in object.objects("texts") ?? [] {
            text.refuseUnknown(but: ["title", "description"])
            texts[language] = ProductText(
                title: text.text("title") ?? "", description: text.text("description") ?? "")
        }
        let prices = prices(object)
        guard let id, let kind else { return nil }
        let draft = object.check("productId", Self.fields) {
            try ProductDraft(
                id, kind, referenceName: object.text("referenceName") ?? id.text,
                isFamilyShareable: object.flag("isFamilyShareable") ?? false, period: period,
                // What was imported of one is in the file of a whole catalogue with what it said.
                isOfTestFile: object.members["storekit"]?.isBlank == false, groupID: group, texts: texts,
                longestDescription: longestDescription, longestTitle: longestTitle, basePrice: price,
                prices: prices ?? [:])
        }
        guard var draft else { return nil }
        draft.rest = rest(object, period)
        draft.rest.hasAllPrices = prices != nil
        return draft
    }

    /// The members that fields of errors are about.
    private static let fields = Dictionary(
        uniqueKeysWithValues: ["price", "period", "groupId", "referenceName", "type"].map { ($0, $0) }
    )
    .merging(["localizations": "texts", "localizations.displayName": "texts"]) { $1 }

    func money(_ object: FileObject) -> Money? {
        let currency = object.value("currency", isRequired: true) { try Currency(code: $0) }
        return object.value("amount", isRequired: true) { text in
            try currency.map { try Money(decimal: text, currency: $0) }
        } ?? nil
    }

    /// The prices of an object by storefront, in its currency; nil if it has no such member.
    func prices(_ object: FileObject) -> [StorefrontCode: Money]? {
        guard let texts = object.texts("prices") else { return nil }
        var prices: [StorefrontCode: Money] = [:]
        for (code, text) in texts {
            guard let storefront = StorefrontRecord.storefront(alpha3: code) else {
                object.refuse("there is no such storefront", "prices.\(code)")
                continue
            }
            let price = object.check("prices.\(code)") { try Money(decimal: text, currency: storefront.currency) }
            if let price { prices[StorefrontCode(storefront)] = price }
        }
        return prices
    }

    private func rest(_ object: FileObject, _ period: BillingPeriod?) -> ProductDraft.Rest {
        var rest = ProductDraft.Rest()
        rest.place = object.place
        rest.level = object.number("level")
        if let level = rest.level, !(1...SubscriptionGroups.lowestLevel).contains(level) {
            object.refuse("it is between 1 and \(SubscriptionGroups.lowestLevel)", "level")
        }
        rest.taxCategory = object.value("taxCategory") { TaxCategory(rawValue: $0) }
        rest.hostsContent = object.flag("hostsContent")
        rest.isClearedForSale = object.flag("isClearedForSale")
        rest.category = object.value("category") { text in
            let category = ProductCategory(rawValue: text)
            guard category.isKnown else {
                throw CatalogueError(.valueInvalid, "it is one of \(ProductCategory.words)")
            }
            return category
        }
        rest.delivers = object.value("delivers") {
            try CatalogueText.lines($0, atMost: ProductReviews.longestDelivers, field: "delivers")
        }
        rest.reviewNote = object.value("reviewNote") {
            try CatalogueText.lines($0, atMost: ProductReviews.longestNote, field: "reviewNote")
        }
        rest.isApproved = object.text("state").map { $0 == ProductState.approved.rawValue }
        if object.members["withdrawnStorefronts"] != nil {
            rest.withdrawn = Set(
                object.words("withdrawnStorefronts").compactMap { storefront($0, object, "withdrawnStorefronts") })
        }
        if object.members["priceChanges"] != nil {
            rest.priceChanges = object.list("priceChanges").compactMap(priceChange)
        }
        if object.members["offers"] != nil { rest.offers = offers(object, period) }
        for (kind, digest) in object.texts("images") ?? [:] {
            let kind = ProductImage.Kind(rawValue: kind)
            guard kind.isKnown, BlobID(digest) != nil else {
                object.refuse("it is the SHA-256 of a picture that is \(ProductImage.Kind.words)", "images.\(kind)")
                continue
            }
            rest.images[kind] = digest
        }
        rest.original = object.members["storekit"]
        return rest
    }

    private func storefront(_ code: String, _ object: FileObject, _ name: String) -> StorefrontCode? {
        if let storefront = StorefrontRecord.storefront(alpha3: code) { return StorefrontCode(storefront) }
        object.refuse("there is no storefront \(code.prefix(10))", name)
        return nil
    }

    private func priceChange(_ object: FileObject) -> PriceChange? {
        object.refuseUnknown(but: ["startsAt", "amount", "currency", "storefront"])
        let start = object.value("startsAt", isRequired: true) { try Instant(rfc3339: $0) }
        let place = object.text("storefront").flatMap { storefront($0, object, "storefront") }
        guard let price = money(object), let start else { return nil }
        _ = object.check("amount") {
            if let place = place?.storefront {
                try ProductDraft.check(price, in: place, field: "amount")
            } else {
                try ProductDraft.check(price, field: "amount")
            }
        }
        return PriceChange(storefront: place, startsAt: start, price: price)
    }

    func instant(_ name: String, _ object: FileObject) -> Instant? {
        object.value(name) { try Instant(rfc3339: $0) }
    }
}
