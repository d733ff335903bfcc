import Foundation
import StoreCatalogue
import StoreDatabase
import StoreFoundation
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("The catalogue as files", .bounded)
struct CatalogueFileTests {
    private static let now = CatalogueSample.now
    private static let bundle = "com.example.filed"

    /// As Xcode writes it: members in alphabetical order whatever their case, and more of them than anybody knows.
    private static let xcode = #"""
        {
          "identifier" : "88130D01",
          "mystery" : [
            1.50
          ],
          "nonRenewingSubscriptions" : [

          ],
          "products" : [
            {
              "displayPrice" : "0.990",
              "familyShareable" : false,
              "internalID" : "1A",
              "localizations" : [
                {
                  "description" : "Five",
                  "displayName" : "5 Credits / a",
                  "locale" : "en_US"
                }
              ],
              "productID" : "credits5",
              "referenceName" : null,
              "type" : "Consumable",
              "unheardOf" : {

              }
            }
          ],
          "settings" : {
            "_failTransactionsEnabled" : true,
            "_lastSynchronizedDate" : 770572630.22088099,
            "_locale" : "en_US",
            "_storefront" : "USA",
            "_storeKitErrors" : [

            ]
          },
          "subscriptionGroups" : [
            {
              "id" : "G1",
              "localizations" : [
                {
                  "description" : "",
                  "displayName" : "The Club",
                  "locale" : "en_US"
                }
              ],
              "name" : "Club",
              "subscriptions" : [
                {
                  "adHocOffers" : [
                    {
                      "displayPrice" : "1.99",
                      "internalID" : "2B",
                      "numberOfPeriods" : 2,
                      "offerID" : "friends",
                      "paymentMode" : "payAsYouGo",
                      "referenceName" : "For friends",
                      "subscriptionPeriod" : "P1M"
                    }
                  ],
                  "codeOffers" : [
                    {
                      "eligibility" : [
                        "new"
                      ],
                      "internalID" : "2C",
                      "isStackable" : true,
                      "paymentMode" : "free",
                      "referenceName" : "Spring",
                      "subscriptionPeriod" : "P1W"
                    }
                  ],
                  "displayPrice" : "4.99",
                  "familyShareable" : true,
                  "groupNumber" : 2,
                  "internalID" : "3C",
                  "introductoryOffer" : {
                    "internalID" : "4D",
                    "paymentMode" : "free",
                    "subscriptionPeriod" : "P3D"
                  },
                  "localizations" : [
                    {
                      "description" : "",
                      "displayName" : "Club",
                      "locale" : "en_US"
                    }
                  ],
                  "productID" : "club",
                  "recurringSubscriptionPeriod" : "P1M",
                  "referenceName" : "Club, monthly",
                  "subscriptionGroupID" : "G1",
                  "type" : "RecurringSubscription"
                }
              ]
            }
          ],
          "version" : {
            "major" : 2,
            "minor" : 0
          }
        }
        """#

    private static func run(
        _ text: String, into app: String? = bundle, _ store: StoreDatabases, approved: Bool = false,
        trial: Bool = false
    ) async throws -> [ImportReport] {
        try await reports(text, into: app, store, approved: approved, trial: trial).apps
    }

    private static func reports(
        _ text: String, into app: String? = nil, _ store: StoreDatabases, approved: Bool, trial: Bool = false
    ) async throws -> ImportReports {
        let order = try CatalogueImport(
            CatalogueFile(Array(text.utf8)), into: app.map { try BundleID(parsing: $0) }, isApproved: approved,
            isTrial: trial)
        return try await order.run(in: store.catalogue, numbers: Numbers(store.catalogue), at: now)
    }

    private static func storeKit(_ store: StoreDatabases, in storefront: StorefrontRecord? = nil) async throws -> (
        text: String, omitted: [FileFinding]
    ) {
        try await store.catalogue.read { transaction in
            let app = try #require(try Catalogue.app(BundleID(parsing: bundle), in: transaction))
            let (file, omitted) = try StoreKitFile.export(app, in: storefront, at: now, transaction)
            return (file.text, omitted)
        }
    }

    private static func own(_ store: StoreDatabases) async throws -> String {
        try await CatalogueEditing(store.catalogue, by: .owner, request: nil) { now }.export().text
    }

    /// Two teams beside the first, and an app of one with all that an app may have beside products.
    private static func enterTeams(_ store: StoreDatabases) async throws {
        let editing = CatalogueEditing(store.catalogue, by: .owner, request: nil) { now }
        let (team, app) = (try TeamID(parsing: "monkeysoft"), try BundleID(parsing: "com.example.monkey"))
        for id in [team, try TeamID(parsing: "without-apps")] { _ = try await editing.addTeam(id, name: "The \(id)") }
        _ = try await editing.addApp(app, name: "Monkey", primaryLanguage: "de", team: team)
        _ = try await editing.setCapabilities([], of: app, in: .sandbox)
        _ = try await editing.put(GracePeriodDraft(days: 16, isInProduction: true), of: app)
    }

    @Test("A file of Xcode comes back byte by byte, with what nobody knows", arguments: StoreEngine.allCases)
    func roundTrip(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            _ = try await Self.run(Self.xcode, store)
            let exported = try await Self.storeKit(store)
            #expect(exported.text == Self.xcode && exported.omitted.isEmpty)
            let offers = try await store.catalogue.read { transaction in
                let app = try #require(try Catalogue.app(BundleID(parsing: Self.bundle), in: transaction))
                let group = try #require(try SubscriptionGroups.list(of: app.id, in: transaction).first)
                #expect(group.referenceName == "Club" && group.texts["en-US"]?.name == "The Club")
                let id = try ProductID(parsing: "club")
                #expect(group.members == [SubscriptionGroup.Member(productId: id, level: 2)])
                let product = try #require(try Catalogue.product(id, of: app.id, in: transaction))
                return try SubscriptionOffers.list(of: product.itemID, in: transaction)
            }
            #expect(Set(offers.map(\.kind)) == [.introductory, .promotional, .code])
        }
    }

    @Test("The private key of a file of Xcode is neither kept nor told, even where it was kept before")
    func privateKey() async throws {
        let pair = #""subscriptionOffersKeyPair" : {"id" : "851B7BE3", "privateKey" : "c2VjcmV0"}, "settings" :"#
        try await StoreEngine.memory.withStore { store in
            let report = try await Self.run(Self.xcode.replacing(#""settings" :"#, with: pair), store)[0]
            #expect(report.omitted.contains { $0.of == ["subscriptionOffersKeyPair"] })
            let kept = try await store.catalogue.read {
                try $0.value("SELECT storekit_members FROM app", as: String?.self)
            }
            let frame = try #require(kept)
            #expect(frame.contains(#""settings" :"#) && !frame.contains("privateKey"))
            try await store.catalogue.write { transaction in
                let former = frame.replacing(#""settings" :"#, with: pair)
                _ = try transaction.execute("UPDATE app SET storekit_members = $1", former)
            }
            #expect(try await !Self.own(store).contains("privateKey"))
            #expect(try await Self.storeKit(store).text == Self.xcode)
        }
    }

    @Test("X2: What a file has twice comes back as it was, in its place")
    func twice() async throws {
        func group(_ id: String, _ name: String, _ product: String) -> String {
            let member =
                #"{"displayPrice":"1","productID":"\#(product)","recurringSubscriptionPeriod":"P1M","type":"RecurringSubscription"}"#
            return #"{"id":"\#(id)","name":"\#(name)","subscriptions":[\#(member)]}"#
        }
        let groups = [group("G1", "One", "a"), group("G2", "Two", "b"), group("G1", "Other", "c")]
        let text = #"{"subscriptionGroups":[\#(groups.joined(separator: ","))],"version":{"major":2,"minor":0}}"#
        try await StoreEngine.memory.withStore { store in
            _ = try await Self.run(text, store)
            #expect(try await Self.storeKit(store).text == JSONNode(Array(text.utf8), depth: 20).text)
        }
    }

    @Test("Only what was changed is other in the file for Xcode")
    func changed() async throws {
        try await StoreEngine.memory.withStore { store in
            _ = try await Self.run(Self.xcode, store)
            let later = Self.xcode.replacing("\"1.99\"", with: "\"2.49\"").replacing("\"Club\"", with: "\"Klub\"")
                .replacing("\"familyShareable\" : false", with: "\"familyShareable\" : true")
            let report = try #require(try await Self.run(later, store).first)
            #expect(Set(report.changed.map(\.text)) == ["club", "credits5"])
            let fields = Set(report.differences.map { "\($0.productId?.text ?? "") \($0.field)" })
            #expect(
                fields.isSuperset(of: [
                    "club offers.friends", "club texts.en-US", "credits5 isFamilyShareable", " groups.G1",
                ]))
            #expect(try await Self.storeKit(store).text == later)
            // By hand, not by a file.
            try await store.catalogue.write { transaction in
                let app = try #require(try Catalogue.app(BundleID(parsing: Self.bundle), in: transaction))
                let id = try ProductID(parsing: "credits5")
                let product = try #require(try Catalogue.product(id, of: app.id, in: transaction))
                try Catalogue.setBasePrice(
                    Money(minorUnits: 199, currency: .usd), of: product,
                    CatalogueChange(.store, at: Self.now, in: transaction))
                let club = try #require(try Catalogue.product(ProductID(parsing: "club"), of: app.id, in: transaction))
                let cause = CatalogueCause(.store, at: Self.now)
                try SubscriptionOffers.remove("friends", of: club, cause.change(in: transaction))
                try Catalogue.setTaxCategory(.books, of: product, cause.change(in: transaction))
            }
            let found = try await Self.storeKit(store)
            let node = try JSONNode(Array(found.text.utf8), depth: 100)
            #expect(node.members["products"]?.nodes.first?.members["displayPrice"] == .text("1.99"))
            #expect(found.text.contains("\"adHocOffers\" : [\n\n"))
            #expect(found.omitted.map(\.what) == ["tax categories"])
            let japan = try await Self.storeKit(store, in: CatalogueSample.storefront("JPN"))
            let yen = try StoreKitFile(Array(japan.text.utf8))
            #expect(yen.storefront.alpha3 == "JPN" && yen.products.map(\.basePrice?.currency) == [.jpy, .jpy])
        }
    }

    @Test("X2: A file of our own carries the whole catalogue into an empty store", arguments: StoreEngine.allCases)
    func own(engine: StoreEngine) async throws {
        let text = try await StoreEngine.memory.withStore { store in
            try await DemoCatalogue.enter(into: store.catalogue, numbers: Numbers(store.catalogue), at: Self.now)
            _ = try await Self.run(Self.xcode, store)
            try await Self.enterTeams(store)
            return try await Self.own(store)
        }
        try await engine.withStore { store in
            let trial = try await Self.reports(text, store, approved: true, trial: true)
            #expect(trial.apps.count == DemoApp.all.count + 2 && trial.apps.allSatisfy { $0.isNewApp && $0.isTrial })
            #expect(trial.teams.map(\.teamId.text) == ["monkeysoft", "my-team", "without-apps"])
            #expect(trial.teams.map(\.maySell) == [false, true, false], "what was agreed to is not in a file")
            #expect(try await store.catalogue.read { try Catalogue.apps(limit: 1, in: $0) }.isEmpty)
            let reports = try await Self.reports(text, store, approved: true)
            #expect(reports.teams == trial.teams && reports.apps.map(\.added) == trial.apps.map(\.added))
            #expect(reports.apps.flatMap(\.unapproved) == [])
            #expect(try await Self.own(store) == text)
            #expect(try await Self.storeKit(store).text == Self.xcode)
            #expect(try await Self.reports(text, store, approved: true).changedNothing)
            let renamed = text.replacing("The monkeysoft", with: "Monkeys")
            let former = try await Self.reports(renamed, store, approved: true).teams.map(\.formerName)
            #expect(former == ["The monkeysoft"])
            #expect(try await Self.own(store) == renamed)
        }
    }

    @Test("What a file calls approved and whose content is not there is entered, and told as not approved")
    func hosted() async throws {
        let product = #"""
            {"productId":"world","type":"Non-Consumable","state":"approved","hostsContent":true,
             "texts":{"en":{"title":"World","description":"Wide"}},"price":{"amount":"0.99","currency":"USD"}}
            """#
        try await StoreEngine.memory.withStore { store in
            let report = try await Self.run(Self.file(product), into: nil, store, approved: true)[0]
            #expect(report.added.count == 1 && report.unapproved == report.added)
        }
    }

    private static func file(_ product: String, _ app: String = "") -> String {
        #"{"format":"till-catalogue","version":1,"apps":[{"bundleId":"com.example.a"\#(app),"products":[\#(product)]}]}"#
    }

    @Test("All that a file of our own says is entered, and what it leaves out stays")
    func members() async throws {
        let product = #"""
            {"productId":"gold","type":"Auto-Renewable Subscription","referenceName":"Gold","period":"P1M","groupId":"g",
             "level":3,"taxCategory":"books","isClearedForSale":false,"category":"subscription","delivers":"Gold",
             "reviewNote":"Press G","texts":{"ja":{"title":"金","description":"とても"}},
             "price":{"amount":"9.99","currency":"USD"},"prices":{"JPN":"1200"},"withdrawnStorefronts":["FRA"],
             "priceChanges":[{"startsAt":"2030-01-01T00:00:00Z","amount":"11.99","currency":"USD"}],
             "offers":[{"offerId":"back","kind":"win_back","paymentMode":"free","period":"P1M","paidMonths":3}]}
            """#
        let groups = #","groups":[{"groupId":"g","referenceName":"Metals","texts":{"de":{"name":"Metalle"}}}]"#
        try await StoreEngine.memory.withStore { store in
            _ = try await Self.run(Self.file(product, groups), into: nil, store)
            let before = try await Self.own(store)
            for word in ["books", "Press G", "金", "1200", "FRA", "2030-01-01T00:00:00Z", "win_back", "Metalle"] {
                #expect(before.contains(word), "\(word)")
            }
            let bare =
                #"{"productId":"gold","type":"Auto-Renewable Subscription","referenceName":"Gold","period":"P1M","groupId":"g"}"#
            let report = try #require(try await Self.run(Self.file(bare), into: nil, store).first)
            #expect(report.differences.isEmpty && report.unchanged.count == 1)
            #expect(try await Self.own(store) == before)
            let fewer = bare.dropLast() + #","offers":[],"prices":{},"withdrawnStorefronts":[],"priceChanges":[]}"#
            let fields = try await Self.run(Self.file(String(fewer)), into: nil, store)[0].differences.map(\.field)
            #expect(fields.count == 4, "\(fields)")
        }
    }

    @Test(
        "A wrong file is refused whole, with the line of each mistake",
        arguments: [
            (#"{"productId":"a b","type":"Consumable"}"#, "line 1, apps[0].products[0].productId"),
            (#"{"productId":"a","type":"Toy"}"#, "apps[0].products[0].type: it is one of"),
            (#"],"gracePeriod":{"days":5},"groups":["#, "apps[0].gracePeriod.days: it is 3, 16 or 28"),
            (#"{"productId":"a","type":"Consumable","colour":1}"#, "colour: there is no such member"),
            (#"{"productId":"a","type":"Consumable","level":0}"#, "level: it is between"),
            (#"{"productId":"a","type":"Consumable","prices":{"XXX":"1"}}"#, "prices.XXX: there is no such storefront"),
            (#"{"productId":"a","type":"Consumable"},{"productId":"a","type":"Consumable"}"#, "it is also that of"),
            (#"{"productId":"a","type":"Consumable","price":{"amount":"0.999","currency":"USD"}}"#, "price.amount"),
            (#"{"productId":"a","type":"Consumable","images":{"promotional":"x"}}"#, "it is the SHA-256"),
        ])
    func wrong(product: String, words: String) async throws {
        let error = #expect(throws: CatalogueError.self) { try CatalogueFile(Array(Self.file(product).utf8)) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test(
        "Of a flood of mistakes a hundred are told, and that there are more",
        arguments: [("1", 1000, 102), ("{}", 1000, 102), (#"{"products":[{}]}"#, 1000, 102), ("1", 100_000, 1)])
    func flood(entry: String, count: Int, lines: Int) {
        let apps = Array(repeating: entry, count: count).joined(separator: ",")
        let text = #"{"format":"till-catalogue","version":1,"apps":[\#(apps)]}"#
        let message = #expect(throws: CatalogueError.self) { try CatalogueFile(Array(text.utf8)) }?.message ?? ""
        #expect(message.split(separator: "\n").count == lines, "\(message)")
        let words = lines == 1 ? "it has more than \(StoreKitFileLimits.entries) entries" : "and more"
        #expect(message.contains(words), "\(message)")
    }

    @Test("What contradicts the catalogue is told at once too, and changes nothing")
    func conflicts() async throws {
        try await StoreEngine.memory.withStore { store in
            let first = [1, 2].map { #"{"productId":"p\#($0)","type":"Consumable"}"# }.joined(separator: ",")
            _ = try await Self.run(Self.file(first), into: nil, store)
            let before = try await Self.own(store)
            let second =
                first.replacing("Consumable", with: "Non-Consumable").replacing("},{", with: "},\n{")
                + #",{"productId":"p3","type":"Consumable"}"#
            let error = await #expect(throws: CatalogueError.self) {
                try await Self.run(Self.file(second), into: nil, store)
            }
            let message = error?.message ?? ""
            #expect(message.contains("2 mistakes") && message.contains("line 2, apps[0].products[1]"), "\(message)")
            #expect(try await Self.own(store) == before)
        }
    }

    @Test("Bytes that are wrong anywhere never crash a reader of files")
    func mutations() async throws {
        let text = try await StoreEngine.memory.withStore { store in
            _ = try await Self.run(Self.xcode, store)
            return try await Self.own(store)
        }
        var refused = 0
        for mutant in Mutants("catalogue file", of: [text], rounds: 2000) {
            do {
                _ = try CatalogueFile(mutant.bytes)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 500)
    }
}
