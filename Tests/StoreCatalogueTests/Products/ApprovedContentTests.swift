import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

/// R1.3: nothing that nobody approved reaches customers, whatever is done to a product and in which order.
@Suite("Production shows what was approved last", .bounded)
struct ApprovedContentTests {
    /// What people do to a product.
    private enum Act: CaseIterable {
        case edit, remove, putBack, withhold, clear, submit, withdraw, begin, approve, reject, approveAtOnce
        case importApproved
    }

    @Test("Editing, removing and putting back, and withholding and clearing, publish nothing in any order")
    func everyOrder() async throws {
        try await StoreEngine.memory.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            for (number, acts) in Self.orders(of: [.edit, .remove, .putBack, .withhold, .clear]).enumerated() {
                var life = try await Life(number, sample, store.catalogue)
                for (step, act) in acts.enumerated() {
                    try await life.take(act)
                    try await life.check("\(acts[...step])")
                }
                #expect(life.approved == 0)
            }
        }
    }

    @Test("R1.3: In any sequence of edits, reviews and removals, production shows the newest that was approved")
    func anySequence() async throws {
        var random = RandomizedRun.generator(named: "approved content")
        let walks = RandomizedRun.cases(10, inSoak: 400)
        try await StoreEngine.memory.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            for number in 0..<walks {
                var life = try await Life(number, sample, store.catalogue)
                var acts: [Act] = []
                for _ in 0..<40 {
                    acts.append(Act.allCases[Int(random.next() % UInt64(Act.allCases.count))])
                    try await life.take(acts[acts.count - 1])
                    try await life.check("\(acts)")
                }
            }
        }
    }

    @Test("A product that is put back goes on where its review was, and is approved there")
    func rejectedThenPutBack() async throws {
        try await StoreEngine.memory.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            var life = try await Life(1, sample, store.catalogue)
            for act in [Act.edit, .submit, .begin, .reject, .remove, .putBack] { try await life.take(act) }
            #expect(try await life.product.state == .developerActionNeeded)
            try await life.check("rejected")
            for act in [Act.edit, .submit, .begin, .remove, .putBack, .approve] { try await life.take(act) }
            #expect(try await life.product.state == .approved && life.approved == 2)
            try await life.check("approved")
        }
    }

    private static func orders(of acts: [Act]) -> [[Act]] {
        guard acts.count > 1 else { return [acts] }
        return acts.indices.flatMap { index in
            var rest = acts
            let first = rest.remove(at: index)
            return orders(of: rest).map { [first] + $0 }
        }
    }

    /// A product that was approved, with a number for every text and picture that its developer gave it.
    private struct Life {
        private let sample: CatalogueSample
        private let catalogue: any Database
        private let id: String
        private let item: Int64
        private(set) var newest: UInt8 = 0
        private(set) var submitted: UInt8 = 0
        private(set) var approved: UInt8 = 0

        init(_ number: Int, _ sample: CatalogueSample, _ catalogue: any Database) async throws {
            (self.sample, self.catalogue) = (sample, catalogue)
            (id, item) = ("product\(number)", Int64(100 + number))
            try await put(isApproved: true)
        }

        var product: CatalogueProduct {
            get async throws { try #require(try await sample.product(id, in: catalogue)) }
        }

        /// Does something, and notes what it should come to; what is refused changes nothing.
        mutating func take(_ act: Act) async throws {
            let former = newest
            if act == .edit || act == .importApproved { newest += 1 }
            do {
                try await perform(act)
            } catch is CatalogueError {
                newest = former
                return
            }
            switch act {
            case .submit: submitted = newest
            case .approve: approved = submitted
            case .approveAtOnce, .importApproved: approved = newest
            default: break
            }
        }

        /// Compares what both environments show with what they should.
        func check(_ acts: String) async throws {
            let product = try await product
            let details = try await catalogue.read { try Catalogue.details(of: product, in: $0) }
            for (environment, number) in [(StoreEnvironment.production, approved), (.sandbox, newest)] {
                let offers = try await sample.listings([id], environment, of: catalogue).listings
                for offer in offers { #expect(offer.title == "Title \(number)", "\(environment): \(acts)") }
                #expect(details.texts(in: environment)["en-US"]?.title == "Title \(number)", "\(environment): \(acts)")
                #expect(details.picture(in: environment)?.blob == (try Self.blob(number)), "\(environment): \(acts)")
                let isOffShelves = !product.isClearedForSale || product.state == .removedFromSale
                #expect(offers.isEmpty == isOffShelves, "\(environment): \(acts)")
            }
            #expect(product.review.stage != .approved || approved == newest, "\(acts)")
        }

        private func perform(_ act: Act) async throws {
            let cause = CatalogueCause(.store, at: CatalogueSample.now)
            switch act {
            case .edit: return try await put(isApproved: false)
            case .importApproved: return try await put(isApproved: true)
            default: break
            }
            let product = try await product
            try await catalogue.write { transaction in
                switch act {
                case .remove:
                    try ProductReviews.setRemovedFromSale(because: "complaints", product, cause.change(in: transaction))
                case .putBack:
                    try ProductReviews.setRemovedFromSale(because: nil, product, cause.change(in: transaction))
                case .withhold: try Catalogue.setClearedForSale(false, product, cause.change(in: transaction))
                case .clear: try Catalogue.setClearedForSale(true, product, cause.change(in: transaction))
                case .submit:
                    let submission = ProductReviews.Submission(category: .service, delivers: "Credits")
                    try ProductReviews.submit(product, submission, cause.change(in: transaction))
                case .withdraw: try ProductReviews.withdraw(product, cause.change(in: transaction))
                case .begin: try ProductReviews.begin(product, cause.change(in: transaction))
                case .approve: try ProductReviews.decide(.approve, about: product, cause.change(in: transaction))
                case .reject:
                    try ProductReviews.decide(
                        .reject(.metadata, message: "No."), about: product, cause.change(in: transaction))
                case .approveAtOnce: try Catalogue.approve(product, cause.change(in: transaction))
                case .edit, .importApproved: break
                }
            }
        }

        /// Gives the product its newest text and picture, in one transaction as a file does.
        private func put(isApproved: Bool) async throws {
            let (app, item, number) = (sample.app.id, item, newest)
            let cause = CatalogueCause(.store, at: CatalogueSample.now)
            let text = ProductText(title: "Title \(number)", description: "")
            let draft = try CatalogueSample.draft(id, texts: ["en-US": text])
            try await catalogue.write { transaction in
                try Catalogue.put(
                    draft, of: app, number: { try ItemID(number: item) }, isApproved: isApproved,
                    cause.change(in: transaction))
                let product = try #require(try Catalogue.product(draft.productID, of: app, in: transaction))
                try ProductImages.put(
                    Self.blob(number), ProductImage.Head(of: Self.picture), bytes: 100, as: .promotional, of: product,
                    isApproved: isApproved, cause.change(in: transaction))
            }
        }

        private static func blob(_ number: UInt8) throws -> BlobID {
            let digits = String(number, radix: 16)
            return try #require(BlobID(String(repeating: "0", count: 64 - digits.count) + digits))
        }

        /// The beginning of a PNG of 256 × 256 pixels.
        private static let picture: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 1, 0, 0, 0, 1, 0] + Array(repeating: 0, count: 9)
    }
}
