import TestSupport
import Testing

@testable import StoreRules

/// Every pair of state and event, and whatever can follow from any of them.
@Suite struct PurchaseTableTests {
    static let events: [Purchase.Event] =
        [
            .signedIn, .confirmedButInterrupted, .refused, .foundUnfinished, .cancelled, .expired,
            .prevented(.notAllowed),
            .charged(.captured), .charged(.declined(.declined("expired_card"))), .charged(.released(.cancelled)),
            .charged(.released(.processor("refused"))),
        ]
        + [Purchase.Terms.toBePaid, .free, .running, .planned, .beingPaid, .toBeApproved].flatMap {
            [Purchase.Event.confirmed($0), .interruptionSettled($0), .approved($0)]
        }

    /// Where each state goes, and what is to be done; what is not named has no place there.
    private static let table: [Purchase.State: [String: (Purchase.State, [Purchase.Action])]] = [
        .signIn: [
            "signedIn": (.confirmation, [.tell]), "cancelled": (.cancelled, [.tell]), "expired": (.failed, [.tell]),
            "prevented(not_allowed)": (.failed, [.tell]),
        ],
        .confirmation: [
            "confirmed(toBePaid)": (.charging, [.order, .openCharge]),
            "confirmed(free)": (.purchased, [.order, .deliver, .tell]),
            "confirmed(running)": (.purchased, [.keepOn, .redeliver, .tell]),
            "confirmed(planned)": (.purchased, [.keepOn, .redeliver, .tell]),
            "confirmed(beingPaid)": (.failed, [.tell]),
            "confirmed(toBeApproved)": (.approval, [.askApprover, .tell]),
            "foundUnfinished": (.purchased, [.redeliver, .tell]),
            "confirmedButInterrupted": (.interrupted, [.tell]), "cancelled": (.cancelled, [.tell]),
            "expired": (.failed, [.tell]), "prevented(not_allowed)": (.failed, [.tell]),
        ],
        .interrupted: [
            "interruptionSettled(toBePaid)": (.charging, [.order, .openCharge]),
            "interruptionSettled(free)": (.purchased, [.order, .deliver, .tell]),
            "interruptionSettled(running)": (.purchased, [.keepOn, .redeliver, .tell]),
            "interruptionSettled(planned)": (.purchased, [.keepOn, .redeliver, .tell]),
            "interruptionSettled(toBeApproved)": (.approval, [.askApprover, .tell]),
            "interruptionSettled(beingPaid)": (.failed, [.tell]), "cancelled": (.cancelled, [.tell]),
            "expired": (.failed, [.tell]), "prevented(not_allowed)": (.failed, [.tell]),
        ],
        .approval: [
            "approved(toBePaid)": (.charging, [.order, .openCharge]),
            "approved(free)": (.purchased, [.order, .deliver, .tell]),
            "approved(running)": (.purchased, [.keepOn, .redeliver, .tell]),
            "approved(planned)": (.purchased, [.keepOn, .redeliver, .tell]), "approved(beingPaid)": (.failed, [.tell]),
            "refused": (.failed, [.tell]), "cancelled": (.cancelled, [.tell]), "expired": (.failed, [.tell]),
            "prevented(not_allowed)": (.failed, [.tell]),
        ],
        .charging: [
            "charged(captured)": (.purchased, [.deliver, .tell]),
            "charged(declined(declined:expired_card))": (.declined, [.tell]),
            "charged(released(cancelled))": (.cancelled, [.tell]),
            "charged(released(processor:refused))": (.failed, [.tell]),
        ],
        .purchased: [:], .declined: [:], .cancelled: [:], .failed: [:],
    ]

    private static func name(_ event: Purchase.Event) -> String {
        switch event {
        case .prevented(let failure): "prevented(\(failure.rawValue))"
        case .charged(.declined(let failure)): "charged(declined(\(failure.rawValue)))"
        case .charged(.released(let failure)): "charged(released(\(failure.rawValue)))"
        case .confirmed(let terms): "confirmed(\(terms))"
        case .interruptionSettled(let terms): "interruptionSettled(\(terms))"
        case .approved(let terms): "approved(\(terms))"
        case .charged(.captured): "charged(captured)"
        default: "\(event)"
        }
    }

    @Test(
        "Each event has one place to go from each state, or is refused and changes nothing",
        arguments: Purchase.State.allCases)
    func everyPair(_ state: Purchase.State) throws {
        let places = try #require(Self.table[state])
        for event in Self.events {
            var purchase = Purchase(state: state, failure: nil)
            let before = purchase
            if let (next, actions) = places[Self.name(event)] {
                #expect(try purchase.handle(event) == actions, "\(Self.name(event)) in \(state)")
                #expect(purchase.state == next, "\(Self.name(event)) in \(state)")
                #expect((purchase.failure != nil) == [.declined, .cancelled, .failed].contains(next))
            } else {
                #expect(throws: PurchaseError(event, in: state)) { try purchase.handle(event) }
                #expect(purchase == before)
            }
        }
        #expect(Set(places.keys).isSubset(of: Self.events.map(Self.name)))
    }

    @Test("A refusal is one sentence with the names of event and state")
    func sentence() {
        var purchase = Purchase(isSignedIn: true)
        let error = #expect(throws: PurchaseError.self) { try purchase.handle(.charged(.captured)) }
        #expect(error?.description == "captured has no place in a purchase that is confirmation")
    }

    @Test("R8.2: Ask to Buy, told as a transcript: nothing is ordered before the approver has said yes")
    func askToBuy() throws {
        var purchase = Purchase(isSignedIn: true)
        #expect(try purchase.handle(.confirmed(.toBeApproved)) == [.askApprover, .tell])
        #expect(throws: PurchaseError.self) { try purchase.handle(.confirmed(.toBePaid)) }
        #expect(try purchase.handle(.approved(.toBePaid)) == [.order, .openCharge])
        #expect(throws: PurchaseError.self) { try purchase.handle(.refused) }
        #expect(try purchase.handle(.charged(.captured)) == [.deliver, .tell])
        #expect(purchase.state == .purchased)

        var refused = Purchase(isSignedIn: true)
        _ = try refused.handle(.confirmedButInterrupted)
        _ = try refused.handle(.interruptionSettled(.toBeApproved))
        #expect(try refused.handle(.refused) == [.tell])
        #expect(refused.state == .failed && refused.failure == .refused)
    }

    @Test("Whatever happens in whatever order, a purchase is ordered once, delivered once and ends once")
    func randomSequences() {
        var random = RandomizedRun.generator(named: "purchase sequences")
        for _ in 0..<RandomizedRun.cases(3000) {
            var purchase = Purchase(isSignedIn: random.next() % 3 > 0)
            var done: [Purchase.Action] = []
            for _ in 0..<20 {
                let before = purchase
                guard let event = Self.events.randomElement(using: &random) else { continue }
                guard let actions = try? purchase.handle(event) else {
                    #expect(purchase == before)
                    continue
                }
                #expect(!before.state.isFinal, "\(Self.name(event)) changed a purchase that was \(before.state)")
                if purchase.state.isFinal { #expect(actions.contains(.tell)) }
                done += actions
            }
            for action in [Purchase.Action.order, .askApprover, .openCharge, .deliver, .redeliver] {
                #expect(done.count { $0 == action } <= 1)
            }
            #expect((purchase.state == .purchased) == done.contains { $0 == .deliver || $0 == .redeliver })
            if done.contains(.deliver) || done.contains(.openCharge) { #expect(done.contains(.order)) }
        }
    }
}
