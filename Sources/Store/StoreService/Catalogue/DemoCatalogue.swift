package import StoreDatabase
package import StoreModel

/// The app of the demo, MonkeyCredits, with a product of each kind: what a new store has to sell if it is asked to.
package enum DemoCatalogue {
    package static let bundleID = "com.example.monkeycredits"

    /// Enters what is missing of the app and its products; what is there stays as it is. Production sells them too.
    ///
    /// Gives the products that were entered.
    @discardableResult
    package static func enter(
        into database: any Database, numbers: Numbers, at now: Instant
    ) async throws -> [ProductID] {
        let bundleID = try BundleID(parsing: bundleID)
        let drafts = try products.map { try $0.draft() }
        // Numbers are drawn before; a second start of the demo draws none.
        let missing = try await database.read { transaction in
            try self.missing(drafts, of: bundleID, in: transaction).count
        }
        guard missing > 0 else { return [] }
        let drawn = try await numbers.next(drafts.count + 1, of: .items)
        return try await database.write { transaction in
            let app =
                try Catalogue.app(bundleID, in: transaction)
                ?? Catalogue.addApp(
                    AppID(number: drawn[0]), bundleID, name: "MonkeyCredits", primaryLanguage: "en-US", at: now,
                    in: transaction)
            let missing = try self.missing(drafts, of: bundleID, in: transaction)
            for (draft, number) in zip(missing, drawn.dropFirst()) {
                _ = try Catalogue.put(
                    draft, of: app.id, number: { try ItemID(number: number) }, isApproved: true, at: now,
                    in: transaction)
            }
            return missing.map(\.productID)
        }
    }

    private static func missing(
        _ drafts: [ProductDraft], of bundleID: BundleID, in transaction: any ReadTransaction
    ) throws -> [ProductDraft] {
        guard let app = try Catalogue.app(bundleID, in: transaction) else { return drafts }
        return try drafts.filter { try Catalogue.product($0.productID, of: app.id, in: transaction) == nil }
    }
}

extension DemoCatalogue {
    static let products: [DemoProduct] = [
        DemoProduct(
            name: "credits5", kind: .consumable, referenceName: "5 credits",
            texts: [
                ("5 Credits", "Five credits for the monkey."), ("クレジット5", "サルのためのクレジット5つ。"),
                ("5 Kredi", "Maymun için beş kredi."), ("5 个点数", "给猴子的五个点数。"),
                ("5 Guthaben", "Fünf Guthaben für den Affen."), ("5 crédits", "Cinq crédits pour le singe."),
            ],
            price: "0.99"),
        DemoProduct(
            name: "credits10", kind: .consumable, referenceName: "10 credits",
            texts: [
                ("10 Credits", "Ten credits for the monkey."), ("クレジット10", "サルのためのクレジット10こ。"),
                ("10 Kredi", "Maymun için on kredi."), ("10 个点数", "给猴子的十个点数。"),
                ("10 Guthaben", "Zehn Guthaben für den Affen."), ("10 crédits", "Dix crédits pour le singe."),
            ],
            price: "1.99"),
        DemoProduct(
            name: "jungle", kind: .nonConsumable, referenceName: "Jungle",
            texts: [
                ("Jungle", "Scenery to keep."), ("ジャングル", "ずっと使える背景。"), ("Orman", "Kalıcı bir manzara."),
                ("丛林", "永久拥有的场景。"), ("Dschungel", "Eine Kulisse für immer."), ("Jungle", "Un décor à garder."),
            ],
            price: "2.99"),
        DemoProduct(
            name: "season", kind: .nonRenewing, referenceName: "Season pass",
            texts: [
                ("Season Pass", "One season of games."), ("シーズンパス", "1シーズン遊べます。"),
                ("Sezon Bileti", "Bir sezon oyun."), ("赛季通行证", "畅玩一个赛季。"),
                ("Saisonpass", "Eine Saison voller Spiele."), ("Pass saison", "Une saison de jeux."),
            ],
            price: "4.99"),
        DemoProduct(
            name: "club", kind: .autoRenewable, referenceName: "Banana club, monthly", period: .oneMonth,
            group: "monkeyclub",
            texts: [
                ("Banana Club", "Ten credits every month."), ("バナナクラブ", "毎月クレジット10こ。"),
                ("Muz Kulübü", "Her ay on kredi."), ("香蕉俱乐部", "每月十个点数。"),
                ("Bananenclub", "Jeden Monat zehn Guthaben."), ("Club Banane", "Dix crédits chaque mois."),
            ],
            price: "1.49"),
    ]
}

/// A product of the demo, as it is written down in ``DemoCatalogue``.
struct DemoProduct {
    /// What follows the bundle id and a period.
    let name: String
    let kind: ProductKind
    let referenceName: String
    var period: BillingPeriod?
    var group: String?
    /// In the order of ``languages``: title and description.
    let texts: [(String, String)]
    /// In dollars; everywhere else what this comes to.
    let price: String

    static let languages = ["en-US", "ja", "tr", "zh-Hans", "de-DE", "fr-FR"]

    func draft() throws -> ProductDraft {
        let translations = zip(Self.languages, texts).map { language, text in
            (language, ProductText(title: text.0, description: text.1))
        }
        return try ProductDraft(
            ProductID(parsing: "\(DemoCatalogue.bundleID).\(name)"), kind, referenceName: referenceName, period: period,
            groupID: group.map { try SubscriptionGroupID(parsing: $0) },
            texts: Dictionary(uniqueKeysWithValues: translations), basePrice: Money(decimal: price, currency: .usd))
    }
}
