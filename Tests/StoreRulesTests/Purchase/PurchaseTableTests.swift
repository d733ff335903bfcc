import TestSupport
import Testing

@testable import StoreRules

/// Every pair of state and event, and whatever can follow from any of them.
@Suite struct PurchaseTableTests {
    static let events: [Purchase.Event] =
        [
            .signedIn, .confirmedButInterrupted, .cancelled, .expired, .prevented(.notAllowed),
            .authorised(reference: "a1"), .authorisedInVain(reference: "a1", .accountGone),
            .declined(code: "card_declined"), .actionNeeded(reference: "a1", url: "u"),
            .authorisationRefused(code: "refused"), .captured(reference: "c1"), .captureRefused(code: "refused"),
            .voided,
        ]
        + [Purchase.Standing.toBePaid, .free, .owned, .beingPaid].flatMap {
            [Purchase.Event.confirmed($0), .interruptionSettled($0)]
        }

    /// Where each state goes; what is not named has no place there.
    private static let table: [Purchase.State: [String: Purchase.State]] = [
        .signIn: ["signed-in": .confirmation, "cancelled": .cancelled, "expired": .failed, "prevented": .failed],
        .confirmation: [
            "confirmed toBePaid": .authorising, "confirmed free": .purchased, "confirmed owned": .purchased,
            "confirmed beingPaid": .failed, "interrupted": .interrupted, "cancelled": .cancelled, "expired": .failed,
            "prevented": .failed,
        ],
        .interrupted: [
            "interruption-settled toBePaid": .authorising, "interruption-settled free": .purchased,
            "interruption-settled owned": .purchased, "interruption-settled beingPaid": .failed,
            "cancelled": .cancelled, "expired": .failed, "prevented": .failed,
        ],
        .authorising: [
            "authorised": .capturing, "authorised-in-vain": .voiding, "declined": .declined, "action-needed": .action,
            "authorisation-refused": .failed,
        ],
        .action: [
            "authorised": .capturing, "authorised-in-vain": .voiding, "declined": .declined, "cancelled": .voiding,
            "expired": .voiding,
        ],
        .capturing: ["captured": .purchased, "capture-refused": .voiding],
        // It waits because taking the money was refused.
        .voiding: ["voided": .failed, "captured": .purchased],
        .purchased: [:], .declined: [:], .cancelled: [:], .failed: [:],
    ]

    private static func name(_ event: Purchase.Event) -> String {
        switch event {
        case .confirmed(let standing), .interruptionSettled(let standing): "\(event.name) \(standing)"
        default: event.name
        }
    }

    private static func purchase(_ state: Purchase.State) -> Purchase {
        let holds: Set<Purchase.State> = [.action, .capturing, .voiding, .purchased]
        return Purchase(
            state: state, failure: state == .voiding ? .processor("refused") : nil,
            authorisation: holds.contains(state) ? "a1" : nil, capture: state == .purchased ? "c1" : nil,
            actionURL: state == .action ? "u" : nil)
    }

    @Test(
        "Each event has one place to go from each state, or is refused and changes nothing",
        arguments: Purchase.State.allCases)
    func everyPair(_ state: Purchase.State) throws {
        let places = try #require(Self.table[state])
        for event in Self.events {
            var purchase = Self.purchase(state)
            let before = purchase
            if let next = places[Self.name(event)] {
                _ = try purchase.handle(event)
                #expect(purchase.state == next, "\(Self.name(event)) in \(state)")
            } else {
                #expect(throws: PurchaseError(event, in: state)) { try purchase.handle(event) }
                #expect(purchase == before)
            }
        }
        #expect(Set(places.keys).isSubset(of: Self.events.map(Self.name)))
    }

    @Test("Money that was taken for a purchase that the customer called off is no way to deliver it")
    func noDeliveryAfterCancelling() {
        var purchase = Purchase(state: .voiding, failure: .cancelled, authorisation: "a1", capture: nil, actionURL: nil)
        #expect(throws: PurchaseError.self) { try purchase.handle(.captured(reference: "c1")) }
    }

    @Test("A refusal is told in one sentence with the names of event and state")
    func sentence() {
        var purchase = Purchase(isSignedIn: true)
        let error = #expect(throws: PurchaseError.self) { try purchase.handle(.voided) }
        #expect(error?.description == "voided has no place in a purchase that is confirmation")
    }

    @Test("Whatever happens in whatever order, money and goods belong together")
    func randomSequences() {
        var random = RandomizedRun.generator(named: "purchase sequences")
        for _ in 0..<RandomizedRun.cases(3000) {
            var judge = PurchaseJudge(Purchase(isSignedIn: random.next() % 3 > 0))
            for _ in 0..<40 {
                judge.handle(Self.events.randomElement(using: &random) ?? .voided)
            }
        }
    }
}

/// Drives a purchase and looks at each step whether it may be like that.
struct PurchaseJudge {
    private(set) var purchase: Purchase
    private var deliveries = 0
    private var isHeld = false
    private var isTaken = false

    init(_ purchase: Purchase) { self.purchase = purchase }

    mutating func handle(_ event: Purchase.Event) {
        let before = purchase
        guard let actions = try? purchase.handle(event) else {
            #expect(purchase == before)
            return
        }
        #expect(!before.state.isFinal, "\(event.name) changed a purchase that was \(before.state)")
        switch event {
        case .authorised, .authorisedInVain: isHeld = true
        default: break
        }
        if case .captured = event { isTaken = true }
        for action in actions { judge(action, after: event) }
        // What the processor holds is known by its name until it was taken or let go of.
        if isHeld, !purchase.state.isFinal { #expect(purchase.authorisation != nil) }
        #expect((purchase.state == .purchased) == (deliveries == 1))
        #expect((purchase.capture != nil) == isTaken)
        if isTaken { #expect(purchase.state == .purchased) }
        #expect((purchase.failure != nil) == [.declined, .cancelled, .failed, .voiding].contains(purchase.state))
        if purchase.state.isFinal { #expect(actions.contains(.tell)) }
    }

    private mutating func judge(_ action: Purchase.Action, after event: Purchase.Event) {
        switch action {
        case .deliver(let isPaid):
            deliveries += 1
            #expect(deliveries == 1)
            #expect(isPaid == isTaken)
            if !isPaid { #expect(purchase.authorisation == nil) }
        case .capture(let reference), .void(let reference): #expect(reference == purchase.authorisation)
        case .authorise: #expect(purchase.authorisation == nil && purchase.state == .authorising)
        case .askForConfirmation: #expect(purchase.state == .confirmation)
        case .tell: break
        }
    }
}
