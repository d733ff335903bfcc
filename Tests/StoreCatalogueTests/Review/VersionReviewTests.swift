import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("Products and the version of the app that they are submitted with (R1.3)", .bounded)
struct VersionReviewTests {
    private let editing: CatalogueEditing
    private let path: ProductPath
    private let submission = ProductReviews.Submission(category: .service, delivers: "Credits", version: "1.0")

    /// An app with a version, and a product that is the first of its kind.
    init() async throws {
        let catalogue = try await StoreDatabases.inMemory(.current()).catalogue
        let sample = try await CatalogueSample.make(in: catalogue)
        try await sample.put(CatalogueSample.draft("coins"), item: 10, in: catalogue)
        path = ProductPath(sample.app.bundleID, try ProductID(parsing: "coins"))
        editing = CatalogueEditing(catalogue, by: .owner, request: nil) { CatalogueSample.now }
        _ = try await editing.addVersion("1.0", of: path.app)
    }

    private func refusal(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "none"
        } catch {
            return (error as? CatalogueError)?.message ?? "\(error)"
        }
    }

    /// Fails if the reviewer has a product that nobody can approve.
    @Test("The version that a product goes with is submitted with it, and once however often that is said")
    func together() async throws {
        _ = try await editing.submit(path, submission)
        let (product, version) = (ReviewTarget.product(path), ReviewTarget.version("1.0", path.app))
        #expect(try await editing.reviewCases(limit: 10).map(\.target) == [product, version])
        #expect(try await editing.reviewCase(product).version?.review.state == .waitingForReview)
        let again = try await editing.advance("1.0", of: path.app, by: .submitted)
        #expect(again.review.state == .waitingForReview)
        try await editing.decide([ReviewDecision(product, .approve)])
        #expect(try await editing.review(of: path).product.state == .pendingBinaryApproval)
        try await editing.decide([ReviewDecision(version, .approve)])
        #expect(try await editing.review(of: path).product.state == .approved)
    }

    @Test("Advice about versions does not go round in a circle")
    func advice() async throws {
        let alone = ProductReviews.Submission(category: .service, delivers: "Credits")
        #expect(await refusal { _ = try await editing.submit(path, alone) }.contains("name one, such as 1.0"))
        for event in [AppVersionReview.Event.submitted, .approved] {
            _ = try await editing.advance("1.0", of: path.app, by: event)
        }
        let refused = await refusal { _ = try await editing.submit(path, submission) }
        #expect(refused.contains("enter another one") && !refused.contains("without it"), "\(refused)")
        // What it says helps.
        _ = try await editing.addVersion("1.1", of: path.app)
        let next = ProductReviews.Submission(category: .service, delivers: "Credits", version: "1.1")
        #expect(try await editing.submit(path, next).product.state == .waitingForReview)
    }

    @Test("A version that is rejected says why, until it is submitted again, and sends its products back")
    func rejection() async throws {
        _ = try await editing.submit(path, submission)
        _ = try await editing.advance("1.0", of: path.app, by: .submitted)
        let unknown = RejectionReason(rawValue: "mood")
        func reject(_ reason: RejectionReason) async throws -> AppVersion {
            try await editing.decide(.reject(reason, message: "It is another app."), aboutVersion: "1.0", of: path.app)
        }
        #expect(await refusal { _ = try await reject(unknown) }.contains("it is one of "))
        let rejected = try await reject(.metadata)
        #expect(rejected.review.state == .rejected)
        #expect(rejected.rejection?.reason == .metadata && rejected.rejection?.message == "It is another app.")
        #expect(try await editing.review(of: path).product.state == .readyToSubmit)
        #expect(try await editing.versions(of: path.app).map(\.rejection?.reason) == [.metadata])
        // It has to be mended first, and is not submitted with a product.
        let refused = await refusal { _ = try await editing.submit(path, submission) }
        #expect(refused.contains("submit the version again"), "\(refused)")
        #expect(try await editing.versions(of: path.app).map(\.review.state) == [.rejected])
        #expect(try await editing.advance("1.0", of: path.app, by: .submitted).rejection == nil)
    }
}
