import TestSupport
import Testing

@testable import StoreRules

@Suite struct ChargeTests {
    static let events: [Charge.Event] = [
        .authorised(reference: "a1"), .authorisedInVain(reference: "a1", .accountGone), .declined(code: "poor"),
        .actionNeeded(reference: "a1", url: "u"), .authorisationRefused(code: "refused", mayArriveLate: true),
        .captured(reference: "c1"), .captureRefused(code: "refused"), .voided, .cancelled, .expired, .triedAgain,
        .givenUp,
    ]

    /// Where each state goes if the customer is there; what is not named has no place there.
    private static let attended: [Charge.State: [String: Charge.State]] = [
        .authorising: [
            "authorised": .capturing, "authorised-in-vain": .voiding, "declined": .released, "action-needed": .action,
            "authorisation-refused": .released, "cancelled": .released,
        ],
        .action: [
            "authorised": .capturing, "authorised-in-vain": .voiding, "declined": .released, "cancelled": .voiding,
            "expired": .voiding,
        ],
        .capturing: ["captured": .captured, "capture-refused": .voiding],
        // It waits because capturing was refused.
        .voiding: ["voided": .released, "captured": .captured],
        .declined: ["tried-again": .authorising, "given-up": .released],
        .captured: [:], .released: [:],
    ]
    /// What is otherwise where nobody is there.
    private static let unattended: [Charge.State: [String: Charge.State]] = [
        .authorising: ["declined": .declined, "action-needed": .voiding], .action: ["declined": .declined],
    ]
    /// What is otherwise where the customer is before the page of the purchase.
    private static let onPage: [Charge.State: [String: Charge.State]] = [
        .authorising: ["declined": .declined], .action: ["declined": .declined], .declined: ["cancelled": .released],
    ]

    /// Who is there.
    enum Presence: CaseIterable { case nobody, customer, page }

    private static func charge(_ state: Charge.State, _ presence: Presence) -> Charge {
        let holds: Set<Charge.State> = [.action, .capturing, .voiding, .captured]
        return Charge(
            state: state, failure: state == .voiding ? .processor("refused") : nil, attempt: 1,
            authorisation: holds.contains(state) ? "a1" : nil, capture: state == .captured ? "c1" : nil,
            actionURL: state == .action ? "u" : nil, isAttended: presence != .nobody, isOnPage: presence == .page)
    }

    @Test(
        "Each event has one place to go from each state, or is refused and changes nothing",
        arguments: Charge.State.allCases, Presence.allCases)
    func everyPair(_ state: Charge.State, _ presence: Presence) throws {
        var places = try #require(Self.attended[state])
        if presence == .nobody { places.merge(Self.unattended[state] ?? [:]) { $1 } }
        if presence == .page { places.merge(Self.onPage[state] ?? [:]) { $1 } }
        for event in Self.events {
            var charge = Self.charge(state, presence)
            let before = charge
            if let next = places[event.word.rawValue] {
                _ = try charge.handle(event)
                #expect(charge.state == next, "\(event.word.rawValue) in \(state)")
            } else {
                #expect(throws: ChargeError(event, in: state)) { try charge.handle(event) }
                #expect(charge == before)
            }
        }
        #expect(Set(places.keys).isSubset(of: Self.events.map(\.word.rawValue)))
    }

    @Test("Money that was captured for what the customer cancelled is no way to sell it")
    func noSaleAfterCancelling() {
        var charge = Charge(
            state: .voiding, failure: .cancelled, attempt: 1, authorisation: "a1", capture: nil, actionURL: nil,
            isAttended: true)
        #expect(throws: ChargeError.self) { try charge.handle(.captured(reference: "c1")) }
    }

    // MARK: Transcripts

    private func transcript(_ charge: inout Charge, _ events: Charge.Event...) throws -> [String] {
        try events.map { event in
            let actions = try charge.handle(event).map(Self.name).joined(separator: ", ")
            return "\(event.word.rawValue) → \(charge.state.rawValue) \(charge.attempt): \(actions)"
        }
    }

    private static func name(_ action: Charge.Action) -> String {
        switch action {
        case .settle(.captured): "settle captured"
        case .settle(.declined(let reason)): "settle \(reason.rawValue)"
        case .settle(.released(let reason)): "settle released \(reason.rawValue)"
        case .capture(let reference): "capture \(reference)"
        case .void(let reference): "void \(reference)"
        default: "\(action)"
        }
    }

    @Test("P40: A charge that nobody attends is tried three times, with two declines between")
    func threeAttempts() throws {
        var charge = Charge(isAttended: false)
        #expect(
            try transcript(
                &charge, .declined(code: "poor"), .triedAgain, .actionNeeded(reference: "a2", url: "u"), .voided,
                .triedAgain, .authorised(reference: "a3"), .captured(reference: "c3"))
                == [
                    "declined → declined 1: settle declined:poor", "tried-again → authorising 2: authorise",
                    "action-needed → voiding 2: void a2, tell", "voided → declined 2: settle declined:action_needed",
                    "tried-again → authorising 3: authorise", "authorised → capturing 3: capture a3",
                    "captured → captured 3: settle captured",
                ])
        #expect(charge.capture == "c3")
        #expect(charge.failure == nil)
    }

    @Test("A card that is declined on a page is followed by others, and what made the order hears of the end alone")
    func anotherCard() throws {
        var charge = Charge(isAttended: true, isOnPage: true)
        #expect(
            try transcript(
                &charge, .declined(code: "poor"), .triedAgain, .actionNeeded(reference: "a2", url: "u"),
                .declined(code: "refused"), .triedAgain, .authorised(reference: "a3"), .captured(reference: "c3"))
                == [
                    "declined → declined 1: tell", "tried-again → authorising 2: authorise",
                    "action-needed → action 2: tell", "declined → declined 2: tell",
                    "tried-again → authorising 3: authorise", "authorised → capturing 3: capture a3",
                    "captured → captured 3: settle captured",
                ])
        for (event, reason) in [(Charge.Event.cancelled, PurchaseFailure.cancelled), (.givenUp, .declined("poor"))] {
            var left = Charge(isAttended: true, isOnPage: true)
            _ = try transcript(&left, .declined(code: "poor"))
            // Who finds it after a crash asks nobody, and may still go on.
            #expect(left.pendingAction == nil && left.awaitsChoice)
            #expect(try left.handle(event) == [.settle(.released(reason))])
        }
    }

    @Test("A declined charge that is given up is released with what the processor said last")
    func givenUp() throws {
        var charge = Charge(isAttended: false)
        _ = try transcript(&charge, .declined(code: "poor"))
        #expect(charge.pendingAction == nil)
        #expect(try charge.handle(.givenUp) == [.settle(.released(.declined("poor")))])
    }

    @Test("An authorisation that may arrive late is watched for; one that cannot is not", arguments: [true, false])
    func late(_ mayArriveLate: Bool) throws {
        var charge = Charge(isAttended: true)
        let actions = try charge.handle(.authorisationRefused(code: "no_answer", mayArriveLate: mayArriveLate))
        #expect(actions.contains(.watchForLateAuthorisation) == mayArriveLate)
    }

    // MARK: Random sequences

    @Test("Whatever happens in whatever order, money that is held is known, and a charge is captured or let go once")
    func randomSequences() {
        var random = RandomizedRun.generator(named: "charge sequences")
        for _ in 0..<RandomizedRun.cases(3000) {
            let presence = Presence.allCases.randomElement(using: &random) ?? .page
            var charge = Charge(isAttended: presence != .nobody, isOnPage: presence == .page)
            var settled: [Charge.Outcome] = []
            for _ in 0..<40 {
                let before = charge
                guard let event = Self.events.randomElement(using: &random) else { continue }
                guard let actions = try? charge.handle(event) else {
                    #expect(charge == before)
                    continue
                }
                let isOver = [.captured, .released].contains(before.state)
                #expect(!isOver, "\(event.word.rawValue) changed a charge that was \(before.state)")
                for action in actions {
                    switch action {
                    case .settle(let outcome): settled.append(outcome)
                    case .capture(let reference), .void(let reference): #expect(reference == charge.authorisation)
                    case .authorise: #expect(charge.authorisation == nil && charge.attempt == before.attempt + 1)
                    case .inquire, .tell, .watchForLateAuthorisation: break
                    }
                }
                // The driver and recovery do the same next.
                let next = actions.first {
                    switch $0 {
                    case .authorise, .capture, .void: true
                    default: false
                    }
                }
                #expect(charge.pendingAction == (charge.state == .action ? .inquire : next))
                #expect(charge.state.isUnderWay == (charge.pendingAction != nil))
                // A new attempt starts only when nothing is held or may be taken.
                if charge.attempt > before.attempt { #expect(before.state == .declined) }
                if [.action, .capturing, .voiding].contains(charge.state) { #expect(charge.authorisation != nil) }
                #expect((charge.capture != nil) == (charge.state == .captured))
            }
            let ends = settled.filter { if case .declined = $0 { !charge.isAttended ? false : true } else { true } }
            #expect(ends.count <= 1)
            #expect((ends.count == 1) == [.captured, .released].contains(charge.state))
            #expect(settled.contains(.captured) == (charge.state == .captured))
        }
    }
}
