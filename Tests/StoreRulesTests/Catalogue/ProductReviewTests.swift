import StoreModel
import StoreRules
import Testing

/// R1.3: the states of a product, and what leads from one to the other.
@Suite("The review of a product")
struct ProductReviewTests {
    private typealias Event = ProductReview.Event

    private static let whole = ProductReview.Completeness(missing: [])
    private static let events: [(String, Event)] = [
        ("edited", .edited(whole)), ("emptied", .edited(.init(missing: ["a price"]))),
        ("awaits", .edited(.init(missing: [], content: .awaited))),
        ("processing", .edited(.init(missing: [], content: .processing))),
        ("processed", .edited(.init(missing: [], content: .ready))),
        ("submitted", .submitted(version: nil, needsVersion: false, whole)), ("withdrawn", .withdrawn),
        ("begun", .begun(isVersionSubmitted: true)), ("alone", .begun(isVersionSubmitted: false)),
        ("approved", .approved(isBinaryApproved: true)),
        ("accepted", .approved(isBinaryApproved: false)), ("rejected", .rejected), ("binary ok", .binaryApproved),
        ("binary bad", .binaryRejected), ("off", .cleared(false)), ("on", .cleared(true)),
        ("removed", .removedFromSale),
        ("back", .putBack), ("at once", .approvedAtOnce), ("reverted", .reverted),
    ]

    /// What every event makes of a product that was never approved; what is not named is refused.
    private static let anything: [String: ProductState] = ["at once": .approved]
    private static let draft: [String: ProductState] = [
        "edited": .readyToSubmit, "emptied": .missingMetadata, "awaits": .waitingForUpload,
        "processing": .processingContent, "processed": .readyToSubmit,
    ]
    private static let table: [ProductState: [String: ProductState]] = [
        .missingMetadata: draft, .waitingForUpload: draft, .processingContent: draft, .rejected: draft,
        .readyToSubmit: draft.merging(["submitted": .waitingForReview]) { $1 },
        .developerActionNeeded: draft,
        .waitingForReview: [
            "withdrawn": .readyToSubmit, "begun": .inReview, "rejected": .rejected, "binary bad": .readyToSubmit,
        ],
        .inReview: [
            "withdrawn": .readyToSubmit, "approved": .approved, "accepted": .pendingBinaryApproval,
            "rejected": .rejected, "binary bad": .readyToSubmit,
        ],
        .pendingBinaryApproval: ["binary ok": .approved, "binary bad": .readyToSubmit],
        .approved: draft.merging(["off": .developerRemovedFromSale]) { $1 },
        .developerRemovedFromSale: draft.merging(["on": .approved]) { $1 },
        // A review of which nothing is known was not approved.
        .removedFromSale: draft.mapValues { _ in .removedFromSale }.merging(["back": .readyToSubmit]) { $1 },
    ]

    @Test("R1.3: Every event in every state leads where the table says, or is refused and changes nothing")
    func table() {
        #expect(Set(Self.table.keys) == ProductState.known)
        for (state, leads) in Self.table {
            for (name, event) in Self.events {
                var review = ProductReview(state: state)
                let refusesAll = [.removedFromSale, .waitingForUpload, .processingContent].contains(state)
                let expected = leads[name] ?? (refusesAll ? nil : Self.anything[name])
                do throws(ReviewError) {
                    try review.handle(event)
                    let isSwitch = ["off", "on"].contains(name)
                    #expect(review.state == (expected ?? (isSwitch ? state : nil)), "\(state) \(name)")
                } catch {
                    #expect(expected == nil, "\(state) \(name): \(error)")
                    #expect(review == ProductReview(state: state))
                    guard error.reason == nil else { continue }
                    let words = [state, review.stage].map { $0.rawValue.replacing("_", with: " ") }
                    #expect(words.contains { "\(error)".contains($0) })
                }
            }
        }
    }

    /// A product with what its developer wrote last: what is not approved of it, and what no reviewer has before them.
    private struct Life: Hashable {
        var review = ProductReview(state: .missingMetadata)
        /// Whether the newest is something else than what production shows, if that shows anything.
        var hasUnapproved = true
        /// Whether anything was edited since the product was submitted.
        var hasUnseen = true

        /// Takes in an event, and gives what the machine asks for; an event that is refused changes nothing.
        mutating func handle(_ event: Event) -> ProductReview.Action? {
            let action: ProductReview.Action?
            do throws(ReviewError) { action = try review.handle(event) } catch { return nil }
            switch event {
            case .edited: (hasUnapproved, hasUnseen) = (true, true)
            case .submitted: hasUnseen = false
            case .reverted: hasUnapproved = false
            default: break
            }
            if action == .publish { hasUnapproved = false }
            return action
        }
    }

    @Test("R1.3: In every sequence of events, production shows what was approved last, and nothing else")
    func approvedContent() throws {
        let events = Self.events + [("sent", .submitted(version: "1.0", needsVersion: true, Self.whole))]
        var known: Set<Life> = [Life()]
        var waiting = [Life()]
        while let life = waiting.popLast() {
            for (name, event) in events {
                var next = life
                let action = next.handle(event)
                let what = "\(life) \(name)"
                if action == .publish {
                    let isApproval = event == .approved(isBinaryApproved: true) || event == .binaryApproved
                    #expect(event == .approvedAtOnce || isApproval && !life.hasUnseen, "\(what)")
                }
                #expect(next.review.isLive == (life.review.isLive || action == .publish), "\(what)")
                // What is called approved is, wherever its review was before.
                let stage = next.review.stage
                #expect(![.approved, .developerRemovedFromSale].contains(stage) || !next.hasUnapproved, "\(what)")
                #expect(!next.review.isSold(in: .production) || next.review.isLive, "\(what)")
                if known.insert(next).inserted { waiting.append(next) }
            }
        }
        #expect(known.contains { $0.review.state == .removedFromSale && $0.hasUnapproved })
        for life in known where life.review.isLive && life.review.state != .removedFromSale {
            var review = life.review
            try review.handle(.removedFromSale)
            try review.handle(.putBack)
            #expect(review == life.review, "what comes back is where it was")
        }
    }

    @Test("What happens to the version of a product that is off the shelves is not lost")
    func versionOfRemoved() {
        var review = ProductReview(state: .pendingBinaryApproval, isLive: true, version: "2.0")
        #expect(throws: Never.self) {
            try review.handle(.removedFromSale)
            #expect(try review.handle(.binaryApproved) == .publish)
            #expect(review.state == .removedFromSale && !review.isSold(in: .production))
            try review.handle(.putBack)
        }
        #expect(review == ProductReview(state: .approved, isLive: true, version: "2.0"))
    }

    /// The states of a product with the events that happen to it, and whether production sells it.
    private func transcript(
        _ events: [Event], from state: ProductState = .missingMetadata, isLive: Bool = false
    ) -> [String] {
        var review = ProductReview(state: state, isLive: isLive)
        return events.map { event in
            do throws(ReviewError) { try review.handle(event) } catch { return "refused" }
            return "\(review.state)\(review.isSold(in: .production) ? " sold" : "")"
        }
    }

    @Test("R1.3: A change of what is approved is reviewed again, while production goes on with what it had")
    func changes() {
        #expect(
            transcript([
                .edited(Self.whole), .submitted(version: "1.0", needsVersion: true, Self.whole),
                .begun(isVersionSubmitted: false), .begun(isVersionSubmitted: true), .approved(isBinaryApproved: false),
                .binaryApproved, .edited(Self.whole),
                .submitted(version: nil, needsVersion: true, Self.whole), .begun(isVersionSubmitted: true), .rejected,
                .edited(Self.whole), .submitted(version: nil, needsVersion: false, Self.whole),
                .begun(isVersionSubmitted: true), .approved(isBinaryApproved: true), .removedFromSale, .approvedAtOnce,
                .putBack,
            ]) == [
                "ready_to_submit", "waiting_for_review", "refused", "in_review", "pending_binary_approval",
                "approved sold", "ready_to_submit sold", "waiting_for_review sold", "in_review sold",
                "developer_action_needed sold",
                "ready_to_submit sold", "waiting_for_review sold", "in_review sold", "approved sold",
                "removed_from_sale", "refused", "approved sold",
            ])
    }

    @Test("What was edited of what is approved is taken back before it is submitted, and not after")
    func reverted() {
        #expect(
            transcript(
                [
                    .edited(Self.whole), .reverted, .edited(.init(missing: ["a price"])), .reverted,
                    .edited(Self.whole),
                    .submitted(version: nil, needsVersion: false, Self.whole), .reverted, .rejected, .reverted,
                ], from: .approved, isLive: true)
                == [
                    "ready_to_submit sold", "approved sold", "missing_metadata sold", "approved sold",
                    "ready_to_submit sold", "waiting_for_review sold", "refused", "developer_action_needed sold",
                    "approved sold",
                ])
        for isCleared in [true, false] {
            let review = ProductReview(state: .removedFromSale, isLive: true, held: .approved).cleared(isCleared)
            #expect(review.held == (isCleared ? .approved : .developerRemovedFromSale))
            #expect(ProductReview(state: .inReview, isLive: true).cleared(isCleared).state == .inReview)
        }
    }

    @Test("The first product of a kind wants a version of the app, and an incomplete one is not submitted")
    func submission() {
        var review = ProductReview(state: .readyToSubmit)
        #expect(throws: ReviewError.self) {
            try review.handle(.submitted(version: nil, needsVersion: true, Self.whole))
        }
        #expect(throws: ReviewError.self) {
            try review.handle(.submitted(version: "1.0", needsVersion: true, .init(missing: ["a price"])))
        }
        #expect(review.state == .readyToSubmit)
        review = ProductReview(state: .waitingForReview)
        let early = #expect(throws: ReviewError.self) { try review.handle(.approved(isBinaryApproved: true)) }
        #expect(early?.description.contains("till review begin") == true && review.state == .waitingForReview)
    }

    @Test("A refusal says what is in the way, or which state it is in, but not both where they seem to contradict")
    func refusals() {
        var review = ProductReview(state: .readyToSubmit)
        let lacking = #expect(throws: ReviewError.self) {
            try review.handle(.submitted(version: nil, needsVersion: false, .init(missing: ["a price"])))
        }
        #expect("\(lacking, default: "")" == "it cannot be submitted, because it lacks a price")
        let early = #expect(throws: ReviewError.self) { try review.handle(.rejected) }
        #expect("\(early, default: "")" == "it cannot be rejected, because it is ready to submit")
        // What waits for a version of the app is told which command decides.
        var accepted = ProductReview(state: .pendingBinaryApproval, version: "1.0")
        let binary = #expect(throws: ReviewError.self) { try accepted.handle(.approved(isBinaryApproved: true)) }
        #expect("\(binary, default: "")".contains("version 1.0 of its app; till versions approve"))
        var version = AppVersionReview()
        let idle = #expect(throws: ReviewError.self) { try version.handle(.approved) }
        #expect("\(idle, default: "")".contains("till versions submit"))
    }

    @Test("R1.3: The sandbox sells from ready to submit on, production only what was approved")
    func sold() {
        let sandbox = ProductState.known.filter { ProductReview(state: $0).isSold(in: .sandbox) }
        #expect(
            sandbox == [
                .readyToSubmit, .waitingForReview, .inReview, .pendingBinaryApproval, .approved, .rejected,
                .developerActionNeeded,
            ])
        #expect(ProductState.known.allSatisfy { !ProductReview(state: $0).isSold(in: .production) })
        #expect(!ProductReview(state: ProductState(rawValue: "on_its_way")).isSold(in: .production))
    }
}

/// R1.5: the versions of an app.
@Suite("The review of a version of an app")
struct AppVersionReviewTests {
    private static let table: [AppVersionState: [AppVersionReview.Event: AppVersionState]] = [
        .prepareForSubmission: [.submitted: .waitingForReview, .developerRejected: .developerRejected],
        .waitingForReview: [
            .submitted: .waitingForReview, .begun: .inReview, .approved: .approved, .rejected: .rejected,
            .developerRejected: .developerRejected,
        ],
        .inReview: [.approved: .approved, .rejected: .rejected, .developerRejected: .developerRejected],
        .approved: [.developerRejected: .developerRejected], .rejected: [.submitted: .waitingForReview],
        .developerRejected: [.submitted: .waitingForReview],
    ]

    @Test("Every event in every state leads where the table says, or is refused and changes nothing")
    func table() {
        #expect(Set(Self.table.keys) == AppVersionState.known)
        for (state, leads) in Self.table {
            for event in AppVersionReview.Event.allCases {
                var review = AppVersionReview(state: state)
                if (try? review.handle(event)) == nil {
                    #expect(leads[event] == nil && review.state == state, "\(state) \(event)")
                } else {
                    #expect(review.state == leads[event], "\(state) \(event)")
                }
            }
        }
    }
}

@Suite("Numbers of banks")
struct BankFormatsTests {
    /// The examples of the registry of IBANs, and of ISO 9362.
    @Test(
        "An IBAN has the length of its country and right check digits",
        arguments: [
            ("DE89370400440532013000", true), ("GB29NWBK60161331926819", true), ("TR330006100519786457841326", true),
            ("FR1420041010050500013M02606", true), ("NO9386011117947", true), ("DE89370400440532013001", false),
            ("DE8937040044053201300", false), ("XX89370400440532013000", false), ("de89370400440532013000", false),
            ("", false), ("DE89", false),
        ])
    func iban(text: String, isValid: Bool) { #expect(BankFormats.isIBAN(text) == isValid) }

    @Test(
        "A BIC has eight or eleven characters",
        arguments: [("DEUTDEFF", true), ("DEUTDEFF500", true), ("DEUTDEF", false), ("12UTDEFF", false)])
    func bic(text: String, isValid: Bool) { #expect(BankFormats.isBIC(text) == isValid) }
}
