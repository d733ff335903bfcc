import Foundation
package import StoreModel

/// What the journal knows of higher prices that the customer has to agree to.
///
/// That the store told of one is kept with the place in the events, and an answer before the store is told: neither is lost
/// when the app ends, and nobody is asked again about what was answered or seen.
package struct JournalPriceConsents: Codable, Hashable, Sendable {
    /// How often the store has told of one, and how much of that was dealt with: the questions were shown, or postponed.
    private(set) var told = 0
    private(set) var settled = 0
    /// What was shown to the person, with or without an answer.
    package var shown: Set<Increase> = []
    /// Answers that the store does not know of yet, the oldest first.
    package var answers: [Answer] = []

    /// Whether the store has told of one that was not dealt with.
    package var isDue: Bool { told != settled }

    mutating func tell() { told += 1 }

    mutating func settle(_ known: Int) { settled = known }

    /// One increase of the price of one subscription.
    package struct Increase: Codable, Hashable, Sendable {
        package let subscription: TransactionID
        package let askedAt: Instant

        package init(_ consent: PriceConsentAnswer) {
            (subscription, askedAt) = (consent.subscriptionId, consent.askedAt)
        }
    }

    package struct Answer: Codable, Hashable, Sendable {
        package let increase: Increase
        package let agrees: Bool
    }
}

extension Journal {
    package func priceConsents() throws -> JournalPriceConsents {
        try use { try $0.priceConsents() }
    }

    /// Everything that the store had told of when it was asked what there is was dealt with; what it does not tell of any more
    /// needs no memory.
    ///
    /// - Parameter known: how often it had told by then.
    func settlePriceConsents(_ found: [PriceConsentAnswer], known: Int) throws {
        let increases = Set(found.map(JournalPriceConsents.Increase.init))
        try change(isDurable: false) { database in
            try database.changePriceConsents {
                $0.settle(known)
                $0.shown.formIntersection(increases)
            }
        }
    }

    /// A higher price was shown, and answered if an answer is given.
    func note(_ increase: JournalPriceConsents.Increase, agrees: Bool?) throws {
        try change { database in
            try database.changePriceConsents { consents in
                consents.shown.insert(increase)
                if let agrees { consents.answers.append(.init(increase: increase, agrees: agrees)) }
            }
        }
    }

    /// The store knows of an answer.
    func acknowledge(_ answer: JournalPriceConsents.Answer) throws {
        // Telling the store twice does no harm.
        try change(isDurable: false) { database in
            try database.changePriceConsents { consents in consents.answers.removeAll { $0 == answer } }
        }
    }
}

extension JournalDatabase {
    func priceConsents() throws -> JournalPriceConsents {
        guard let text = try value(.priceConsents) else { return JournalPriceConsents() }
        guard let found = try? JSONDecoder().decode(JournalPriceConsents.self, from: Data(text.utf8)) else {
            throw Journal.damage
        }
        return found
    }

    func changePriceConsents(_ body: (inout JournalPriceConsents) -> Void) throws {
        let former = try priceConsents()
        var consents = former
        body(&consents)
        guard consents != former else { return }
        let isEmpty = consents == JournalPriceConsents()
        let text = isEmpty ? nil : String(decoding: try JSONEncoder().encode(consents), as: UTF8.self)
        try set(.priceConsents, text)
    }
}
