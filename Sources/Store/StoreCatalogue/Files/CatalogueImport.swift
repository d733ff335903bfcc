package import StoreDatabase
import StoreFoundation
package import StoreModel
import StoreRules

/// Brings teams, apps and their products up to a file: all of it or nothing, and once however often.
package struct CatalogueImport: Sendable {
    private let file: CatalogueFile
    private let bundleID: BundleID?
    private let name: String?
    private let isApproved: Bool
    private let isTrial: Bool
    private let actor: Actor
    private let request: String?

    /// The app whose products these are; nil if the file is of several.
    package var app: BundleID? { bundleID ?? (file.apps.count == 1 ? file.apps[0].bundleID : nil) }

    /// - Parameters:
    ///   - bundleID: the app of a file that does not name it. A file that names its apps has this one only.
    ///   - name: of an app that is made; else its bundle id is its name.
    ///   - isApproved: whether production sells the products from now on; of a file of our own, those that it calls approved.
    ///   - isTrial: whether to tell only what an import would do.
    package init(
        _ file: CatalogueFile, into bundleID: BundleID? = nil, name: String? = nil, isApproved: Bool = false,
        isTrial: Bool = false, by actor: Actor = .store, request: String? = nil
    ) throws(CatalogueError) {
        if let bundleID, !file.isOfXcode, file.apps.map(\.bundleID) != [bundleID] {
            throw CatalogueError(.valueInvalid, "the file is not of the app \(bundleID) alone", field: "bundleId")
        }
        guard bundleID != nil || !file.isOfXcode else {
            throw CatalogueError(.valueMissing, "a file of Xcode does not name its app", field: "bundleId")
        }
        self.file = file
        self.bundleID = bundleID
        self.name = name
        self.isApproved = isApproved
        self.isTrial = isTrial
        self.actor = actor
        self.request = request
    }

    /// The apps of the file.
    package var bundleIDs: [BundleID] { file.apps.compactMap { $0.bundleID ?? bundleID } }

    /// What was found out in a transaction that is undone.
    private struct Trial: Error {
        let reports: ImportReports
    }

    /// Stand for the numbers of what a trial would enter; nothing has them.
    private static let trialNumbers: Int64 = 1 << 52

    /// Imports the file; gives what came of it for each of its teams and apps. Throws a ``CatalogueError`` of all that
    /// contradicts what is there.
    package func run(in database: any Database, numbers: Numbers, at now: Instant) async throws -> ImportReports {
        if isApproved { try actor.require(.review, in: .production) }
        while true {
            // Numbers are drawn before, as many as are needed by what is there now.
            let needed = try await database.read { try self.neededNumbers(in: $0) }
            let drawn =
                isTrial
                ? (0..<Int64(needed)).map { Self.trialNumbers + $0 }
                : try await StoreNumbers.next(needed, except: brought, numbers, in: database)
            do {
                let reports = try await database.write { transaction -> ImportReports? in
                    // Somebody else removed an app or a product meanwhile; with fresh numbers it is tried again.
                    guard try self.neededNumbers(in: transaction) <= drawn.count else { return nil }
                    let reports = try self.run(drawn[...], at: now, in: transaction)
                    if isTrial { throw Trial(reports: reports) }
                    return reports
                }
                if let reports { return reports }
            } catch let trial as Trial {
                return trial.reports
            }
        }
    }

    private func neededNumbers(in transaction: any ReadTransaction) throws -> Int {
        try file.apps.reduce(0) { sum, app in
            guard let id = app.bundleID ?? bundleID, let known = try Catalogue.app(id, in: transaction) else {
                return sum + app.products.count + 1
            }
            return try sum
                + app.products.count { try Catalogue.product($0.productID, of: known.id, in: transaction) == nil }
        }
    }

    /// The store ids that the file brings.
    private var brought: Set<Int64> { Set(file.apps.compactMap(\.storeID) + file.items.compactMap(\.storeID)) }

    private func run(
        _ numbers: ArraySlice<Int64>, at now: Instant, in transaction: any WriteTransaction
    ) throws -> ImportReports {
        var numbers = numbers
        let findings = FileFindings()
        // What is approved with the file is published with it.
        let change = CatalogueChange(
            actor, request: request, publishes: isApproved ? true : nil, at: now, in: transaction)
        try StoreNumbers.pass(brought, in: transaction)
        let teams = try file.teams.compactMap { try ImportReports.Team($0, change) }
        var reports: [ImportReport] = []
        for app in file.apps {
            guard let id = app.bundleID ?? bundleID else { continue }
            let place = FileObject([:], findings, at: app.place)
            // What contradicts the catalogue is told at once, too; it all is undone then.
            let report = try place.collect("bundleId") {
                try self.run(app, id, &numbers, findings, change)
            }
            if let report { reports.append(report) }
        }
        var items = ItemImport(isApproved: isApproved, findings, change)
        try items.run(file.items)
        if let error = findings.error(in: file.bytes) { throw error }
        return ImportReports(teams: teams, apps: reports, items: file.items.isEmpty ? nil : items.report)
    }

    private func run(
        _ app: CatalogueFile.App, _ bundleID: BundleID, _ numbers: inout ArraySlice<Int64>, _ findings: FileFindings,
        _ change: CatalogueChange
    ) throws -> ImportReport {
        func take() throws -> Int64 {
            guard let next = numbers.popFirst() else {
                throw CatalogueError(.limitReached, "there are no numbers left for what is new")
            }
            return next
        }
        let former = try Catalogue.app(bundleID, in: change.transaction)
        guard former?.isShelf != true else {
            throw CatalogueError(.valueInvalid, "items of the storefront are in items", field: "bundleId")
        }
        if former == nil, let number = app.storeID { try StoreNumbers.requireBrought(number, in: change.transaction) }
        let known =
            try former
            ?? Catalogue.addApp(
                AppID(number: app.storeID ?? take()), bundleID, name: app.name ?? name ?? bundleID.text,
                primaryLanguage: app.primaryLanguage ?? "en-US", team: app.teamID, change)
        if let team = app.teamID, team != known.teamID {
            throw CatalogueError(.valueInvalid, "the app belongs to the team \(known.teamID)", field: "teamId")
        }
        let new = try app.products.count {
            try Catalogue.product($0.productID, of: known.id, in: change.transaction) == nil
        }
        try Catalogue.requirePlaces(for: new, in: known.id, change.transaction)
        var report = ImportReport(bundleID, known.id, isNew: former == nil, file, isTrial: isTrial)
        for draft in app.products {
            let isApproved =
                try isApproved && (draft.rest.isApproved ?? true)
                && !awaitsContent(draft, of: known.id, in: change.transaction)
            let made = try FileObject([:], findings, at: draft.rest.place).collect("productId") {
                try Catalogue.put(
                    draft, of: known.id, number: { try ItemID(number: take()) }, isApproved: isApproved,
                    isCounted: true, change)
            }
            guard let made else { continue }
            report.note(made, of: draft.productID)
            try report.note(draft, of: known.id, in: change.transaction)
        }
        let noted = try CatalogueAudit.note(.app(known.id), "imported", change) {
            try settle(app, known, change.part)
        }
        report.note(before: former == nil ? nil : noted.before, after: noted.after)
        let inFile = Set(app.products.map(\.productID))
        let all = try Catalogue.products(of: known.id, limit: CatalogueLimits.products, in: change.transaction)
        report.kept = all.map(\.productID).filter { !inFile.contains($0) }
        report.drafted = all.filter { $0.draftedAt != nil && inFile.contains($0.productID) }.map(\.productID)
        return report
    }

    /// Whether the store is to host what a product is made of, and has nothing of it: nobody can approve it before.
    private func awaitsContent(
        _ draft: ProductDraft, of app: AppID, in transaction: any ReadTransaction
    ) throws -> Bool {
        guard draft.rest.hostsContent == true else { return false }
        guard let product = try Catalogue.product(draft.productID, of: app, in: transaction), product.hostsContent
        else { return true }
        return !product.review.isLive && [.waitingForUpload, .processingContent].contains(product.state)
    }

    /// What belongs to the app beside its products.
    private func settle(
        _ app: CatalogueFile.App, _ known: CatalogueApp, _ change: CatalogueChange
    ) throws {
        if let capabilities = app.capabilities {
            _ = try Catalogue.setCapabilities(capabilities, of: known, change)
        }
        if let grace = app.gracePeriod { try GracePeriods.put(grace, of: known.id, change) }
        if !file.isOfXcode {
            try change.transaction.update(
                "app",
                [
                    "name": app.name ?? known.name,
                    "primary_language": app.primaryLanguage ?? known.primaryLanguage,
                ], where: ["app_id": known.id])
        }
        let groups = try SubscriptionGroups.list(of: known.id, in: change.transaction)
        for group in app.groups {
            let former = groups.first { $0.id == group.id }
            let name = group.referenceName.isEmpty ? former?.referenceName ?? group.id.text : group.referenceName
            try SubscriptionGroups.put(
                SubscriptionGroup(id: group.id, referenceName: name, texts: group.texts), of: known.id, change)
        }
        if let frame = app.frame { try StoreKitOriginals.keep(frame, of: known.id, in: change.transaction) }
    }
}

/// What an import did, or would do.
package struct ImportReports: Codable, Hashable, Sendable {
    /// What an import did, or would do, with one team.
    package struct Team: Codable, Hashable, Sendable {
        package let teamId: TeamID
        package let name: String
        /// What it was called before; missing if it is new.
        package let formerName: String?
        /// Whether it has agreed to what selling wants: a team that is new has not.
        package let maySell: Bool

        /// Brings a team up to a file; nil if it is there under this name.
        fileprivate init?(_ team: CatalogueFile.Team, _ change: CatalogueChange) throws {
            let former = try Teams.put(team.id, name: team.name, change)
            guard former?.name != team.name else { return nil }
            (teamId, name, formerName) = (team.id, team.name, former?.name)
            maySell = try Agreements.list(of: team.id, in: change.transaction).contains {
                $0.kind == .paid && $0.isValid(at: change.at)
            }
        }
    }

    /// Those that are new, or were called otherwise.
    package let teams: [Team]
    /// Each app of the file.
    package let apps: [ImportReport]
    /// The items of the storefront; missing if the file has none.
    package let items: ItemImportReport?

    /// Whether everything was as the file has it.
    package var changedNothing: Bool {
        teams.isEmpty && apps.allSatisfy(\.changedNothing) && items?.changedNothing ?? true
    }
}

/// What an import did, or would do, with one app.
package struct ImportReport: Codable, Hashable, Sendable {
    /// A product without a price in some storefronts.
    package struct Unpriced: Codable, Hashable, Sendable {
        package let productId: ProductID
        /// How many these are.
        package let storefronts: Int

        package init(productId: ProductID, storefronts: Int) {
            self.productId = productId
            self.storefronts = storefronts
        }
    }

    /// A value that is another than it was.
    package struct Difference: Codable, Hashable, Sendable {
        /// Missing if it is one of the app.
        package let productId: ProductID?
        /// Such as `texts.ja`.
        package let field: String
        package let before: String?
        package let after: String?
    }

    package let bundleId: BundleID
    package let appId: AppID
    /// Whether the app was new.
    package let isNewApp: Bool
    /// Whether nothing was changed, since it was only asked what would be.
    package let isTrial: Bool
    package private(set) var added: [ProductID] = []
    package private(set) var changed: [ProductID] = []
    package private(set) var unchanged: [ProductID] = []
    /// What is other than before, of what was there.
    package private(set) var differences: [Difference] = []
    /// Products of the app that the file does not have; they stay as they are.
    package fileprivate(set) var kept: [ProductID] = []
    /// Products of the file that are not sold everywhere for want of a price.
    package private(set) var unpriced: [Unpriced] = []
    /// Products that the file calls approved; here they are not.
    package private(set) var unapproved: [ProductID] = []
    /// Products of the file by which production sells once they are published.
    package fileprivate(set) var drafted: [ProductID] = []
    /// Images of the file that the products do not have here, by their digests.
    package private(set) var images: [String: [ProductID]] = [:]
    /// What the file says and what has no effect here; it is kept for the way back, but for private keys.
    package let omitted: [FileFinding]
    /// What the file has and what says nothing, or not what it seems to.
    package let noise: [FileFinding]

    /// Whether the app and its products were as the file has them.
    package var changedNothing: Bool { !isNewApp && added.isEmpty && differences.isEmpty }

    fileprivate init(_ bundleID: BundleID, _ app: AppID, isNew: Bool, _ file: CatalogueFile, isTrial: Bool) {
        bundleId = bundleID
        appId = app
        isNewApp = isNew
        self.isTrial = isTrial
        omitted = file.omissions
        noise = file.noise
    }

    fileprivate mutating func note(_ change: ProductChange, of product: ProductID) {
        if change.changedNothing {
            unchanged.append(product)
        } else if change.isNew {
            added.append(product)
        } else {
            changed.append(product)
            differences += CatalogueSnapshot.differences(change.before, change.after, of: product)
        }
    }

    fileprivate mutating func note(before: String?, after: String?) {
        guard let before, before != after else { return }
        differences += CatalogueSnapshot.differences(before, after, of: nil)
    }

    fileprivate mutating func note(
        _ draft: ProductDraft, of app: AppID, in transaction: any ReadTransaction
    ) throws {
        let isAsked = draft.basePrice == nil || draft.rest.isApproved == true || !draft.rest.images.isEmpty
        guard isAsked, let product = try Catalogue.product(draft.productID, of: app, in: transaction) else { return }
        let details = try Catalogue.details(of: product, in: transaction)
        let count = details.unpriced.count
        if count > 0 { unpriced.append(Unpriced(productId: draft.productID, storefronts: count)) }
        if draft.rest.isApproved == true, product.state != .approved { unapproved.append(draft.productID) }
        for (kind, digest) in draft.rest.images
        where !details.newestImages.contains(where: { $0.kind == kind && $0.blob.text == digest }) {
            images["\(kind):\(digest)", default: []].append(draft.productID)
        }
    }
}
