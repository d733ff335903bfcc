import Testing

@testable import StoreRules

/// The ways of a purchase, told from the first word to the last.
@Suite struct PurchaseTranscriptTests {
    /// A machine that writes down what it is told, where it goes, and what is to be done.
    private struct Transcript {
        var purchase: Purchase
        var lines: [String]

        init(isSignedIn: Bool = true) {
            purchase = Purchase(isSignedIn: isSignedIn)
            lines = [purchase.state.rawValue]
        }

        @discardableResult
        mutating func tell(_ events: Purchase.Event...) throws -> Purchase {
            for event in events {
                let actions = try purchase.handle(event)
                lines.append(
                    "\(event.name) → \(purchase.state.rawValue): \(actions.map(Self.name).joined(separator: ", "))")
            }
            return purchase
        }

        static func name(_ action: Purchase.Action) -> String {
            switch action {
            case .askForConfirmation: "ask for confirmation"
            case .authorise: "authorise"
            case .capture(let authorisation): "capture \(authorisation)"
            case .void(let authorisation): "void \(authorisation)"
            case .deliver(let isPaid): isPaid ? "deliver paid" : "deliver"
            case .tell: "tell"
            }
        }
    }

    @Test("R2.3 A purchase of somebody who has to sign in first is confirmed, paid and delivered")
    func signIn() throws {
        var transcript = Transcript(isSignedIn: false)
        try transcript.tell(
            .signedIn, .confirmed(.toBePaid), .authorised(reference: "a1"), .captured(reference: "c1"))
        #expect(
            transcript.lines == [
                "sign-in", "signed-in → confirmation: ask for confirmation, tell", "confirmed → authorising: authorise",
                "authorised → capturing: capture a1", "captured → purchased: deliver paid, tell",
            ])
        #expect(transcript.purchase.failure == nil)
        #expect(transcript.purchase.capture == "c1")
    }

    @Test("A purchase that is interrupted is paid once that is settled")
    func interrupted() throws {
        var transcript = Transcript()
        try transcript.tell(
            .confirmedButInterrupted, .interruptionSettled(.toBePaid), .authorised(reference: "a1"),
            .captured(reference: "c1"))
        #expect(
            transcript.lines == [
                "confirmation", "interrupted → interrupted: tell", "interruption-settled → authorising: authorise",
                "authorised → capturing: capture a1", "captured → purchased: deliver paid, tell",
            ])
    }

    @Test("A purchase waits while the customer is at the bank, and is paid afterwards, however late")
    func action() throws {
        var transcript = Transcript()
        try transcript.tell(.confirmed(.toBePaid), .actionNeeded(reference: "a1", url: "https://bank.example/1"))
        #expect(transcript.purchase.actionURL == "https://bank.example/1")
        try transcript.tell(.authorised(reference: "a1"), .captured(reference: "c1"))
        #expect(
            transcript.lines == [
                "confirmation", "confirmed → authorising: authorise", "action-needed → action: tell",
                "authorised → capturing: capture a1", "captured → purchased: deliver paid, tell",
            ])
    }

    @Test("Whoever fails at the bank is declined, and nothing is held")
    func actionFails() throws {
        var transcript = Transcript()
        try transcript.tell(
            .confirmed(.toBePaid), .actionNeeded(reference: "a1", url: "u"), .declined(code: "action_failed"))
        #expect(transcript.lines.last == "declined → declined: tell")
    }

    @Test(
        "An action that is cancelled, or that nobody does in time, is called off at the processor first",
        arguments: [
            (
                Purchase.Event.cancelled, "cancelled → voiding: void a1", "voided → cancelled: tell",
                PurchaseFailure.cancelled
            ),
            (.expired, "expired → voiding: void a1", "voided → failed: tell", .expired),
        ])
    func actionEnds(_ event: Purchase.Event, _ first: String, _ second: String, _ reason: PurchaseFailure) throws {
        var transcript = Transcript()
        try transcript.tell(.confirmed(.toBePaid), .actionNeeded(reference: "a1", url: "u"), event, .voided)
        #expect(Array(transcript.lines.suffix(2)) == [first, second])
        #expect(transcript.purchase.failure == reason)
    }

    @Test("A payment that is declined ends the purchase, with what the processor said")
    func declined() throws {
        var transcript = Transcript()
        let purchase = try transcript.tell(.confirmed(.toBePaid), .declined(code: "expired_card"))
        #expect(transcript.lines.last == "declined → declined: tell")
        #expect(purchase.failure?.rawValue == "declined:expired_card")
        #expect(purchase.failure?.code == "declined")
    }

    @Test(
        "R2.3 A customer can say no until the processor is asked",
        arguments: [[], [Purchase.Event.confirmedButInterrupted]])
    func cancelled(_ before: [Purchase.Event]) throws {
        var transcript = Transcript()
        for event in before { try transcript.tell(event) }
        #expect(try transcript.tell(.cancelled).failure == .cancelled)
        #expect(transcript.lines.last == "cancelled → cancelled: tell")
    }

    @Test(
        "R2.8 What is owned or costs nothing is delivered without a charge",
        arguments: [Purchase.Standing.owned, .free])
    func free(_ standing: Purchase.Standing) throws {
        var transcript = Transcript()
        try transcript.tell(.confirmed(standing))
        #expect(transcript.lines.last == "confirmed → purchased: deliver, tell")
    }

    @Test("What is being paid already is not paid again")
    func beingPaid() throws {
        var transcript = Transcript()
        #expect(try transcript.tell(.confirmed(.beingPaid)).failure == .beingPaid)
        #expect(transcript.lines.last == "confirmed → failed: tell")
    }

    @Test("What nobody confirms in time fails, and an approval after that changes nothing")
    func expired() throws {
        var transcript = Transcript()
        try transcript.tell(.expired)
        let purchase = transcript.purchase
        #expect(throws: PurchaseError(.confirmed(.toBePaid), in: .failed)) {
            try transcript.tell(.confirmed(.toBePaid))
        }
        #expect(transcript.purchase == purchase)
    }

    @Test("Money that cannot be taken is let go of, and the purchase fails with what the processor said")
    func captureRefused() throws {
        var transcript = Transcript()
        try transcript.tell(
            .confirmed(.toBePaid), .authorised(reference: "a1"), .captureRefused(code: "capture_failed"), .voided)
        #expect(
            Array(transcript.lines.suffix(2)) == ["capture-refused → voiding: void a1", "voided → failed: tell"])
        #expect(transcript.purchase.failure?.rawValue == "processor:capture_failed")
    }

    @Test("Money that was taken although that seemed to be refused is delivered for")
    func takenAfterAll() throws {
        var transcript = Transcript()
        try transcript.tell(
            .confirmed(.toBePaid), .authorised(reference: "a1"), .captureRefused(code: "refused"),
            .captured(reference: "c1"))
        #expect(transcript.lines.last == "captured → purchased: deliver paid, tell")
        #expect(transcript.purchase.failure == nil)
    }

    @Test("A processor that certainly does nothing ends the purchase")
    func refused() throws {
        var transcript = Transcript()
        #expect(
            try transcript.tell(.confirmed(.toBePaid), .authorisationRefused(code: "no_processor")).failure
                == .processor("no_processor"))
        #expect(transcript.lines.last == "authorisation-refused → failed: tell")
    }

    @Test("Whatever prevents a purchase before it is paid ends it with its reason", arguments: [true, false])
    func prevented(_ isSignedIn: Bool) throws {
        var transcript = Transcript(isSignedIn: isSignedIn)
        #expect(try transcript.tell(.prevented(.notAllowed)).failure == .notAllowed)
        #expect(transcript.lines.last == "prevented → failed: tell")
    }
}
