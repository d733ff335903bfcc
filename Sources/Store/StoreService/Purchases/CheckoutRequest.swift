import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules
package import StoreSigning

extension Checkout {
    /// What is to be bought.
    package struct Selection: Sendable {
        package let product: String
        package let quantity: Int
        package let accountToken: AppAccountToken?
        /// Whether somebody else has to say yes too, which the sandbox simulates and production does not.
        package let asksToBuy: Bool
        /// The offer that is asked for; introductory ones apply by themselves.
        package let offer: RequestedOffer?
        /// What the developer's server signed of the introductory offer, a JWS.
        package let introductoryEligibility: String?

        /// - Parameter quantity: 1 if it is nil.
        package init(
            product: String, quantity: Int?, accountToken: AppAccountToken?, asksToBuy: Bool = false,
            offer: RequestedOffer? = nil, introductoryEligibility: String? = nil
        ) throws {
            let quantity = quantity ?? 1
            guard Sale.quantities.contains(quantity) else {
                throw ServiceError(
                    .quantityOutOfRange,
                    "a purchase is of \(Sale.quantities.lowerBound) to \(Sale.quantities.upperBound)",
                    parameter: "quantity")
            }
            self.product = product
            self.quantity = quantity
            self.accountToken = accountToken
            self.asksToBuy = asksToBuy
            self.offer = offer
            self.introductoryEligibility = introductoryEligibility
        }
    }
}

/// What a device wants to buy, at the price it was told.
package struct CheckoutRequest: Sendable {
    package let key: PurchaseKey
    package internal(set) var item: SoldItem
    package let quantity: Int
    package let accountToken: AppAccountToken?
    /// Whether somebody else has to say yes too.
    package let asksToBuy: Bool
    /// The hash of the secret that confirms it, and the code for people.
    package let confirmation: Confirmation
    /// The lower prices that it may come to.
    package let offers: OfferChoice
    /// The album or season by which one has the item too.
    package let whole: ItemID?
    /// What was asked for with it, as the request said it.
    package let requestedOffer: RequestedOffer?

    package init(
        key: PurchaseKey, item: SoldItem, quantity: Int, accountToken: AppAccountToken?, asksToBuy: Bool = false,
        confirmation: Confirmation, offers: OfferChoice = .none, requestedOffer: RequestedOffer? = nil,
        partOf whole: ItemID? = nil
    ) {
        self.key = key
        self.item = item
        self.quantity = quantity
        self.accountToken = accountToken
        self.asksToBuy = asksToBuy
        self.confirmation = confirmation
        self.offers = offers
        self.requestedOffer = requestedOffer
        self.whole = whole
    }

    /// What a repeated request has to be the same in.
    func fingerprint() throws -> [UInt8] {
        let asking = asksToBuy ? "\nask-to-buy" : ""
        let offer = requestedOffer.map { "\n\($0.fingerprint)" } ?? ""
        return try DigestAlgorithm.sha256.digest(
            "\(item.product)\n\(quantity)\n\(accountToken?.description ?? "-")\(asking)\(offer)".utf8)
    }

    /// What all of it costs. The commission is judged when the order is written; here only the sum counts.
    func total() throws -> Money {
        try Sale(unitPrice: item.unitPrice, quantity: quantity, commission: Proportion(0, outOf: 1)).total
    }
}

/// The two ways to name a purchase that waits for a yes: a secret for programs, a code for people.
package struct Confirmation: Hashable, Sendable {
    /// The secret of one answer; only its hash is kept.
    package let token: String
    /// Eight letters without those that are mistaken for each other, with a hyphen: `BDFG-HJKM`.
    package let code: String
    let tokenHash: [UInt8]

    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    private static let tokenBytes = 24

    private static let attempts = 4

    /// Opens a purchase with a new one. Codes have twenty letters in eight places; where one is in use already, another is
    /// drawn.
    package static func drawn<Opened>(
        _ random: RandomBytes, _ open: (Confirmation) async throws -> Opened
    ) async throws -> Opened {
        try await drawn(1, random) { try await open($0[0]) }
    }

    /// The same with several at once.
    static func drawn<Opened>(
        _ count: Int, _ random: RandomBytes, _ open: ([Confirmation]) async throws -> Opened
    ) async throws -> Opened {
        func draw() throws -> [Confirmation] { try (0..<count).map { _ in try Confirmation(random: random) } }
        for _ in 1..<attempts {
            do {
                return try await open(draw())
            } catch let error as DatabaseError where error.code == .uniqueViolation {
                continue
            }
        }
        return try await open(draw())
    }

    /// A new one.
    package init(random: RandomBytes) throws {
        token = Base64.encode(try random(Self.tokenBytes), .url)
        tokenHash = try Self.hash(of: token)
        var letters: [Character] = []
        while letters.count < 8 {
            for byte in try random(16) where byte < 240 && letters.count < 8 {
                letters.append(Self.letters[Int(byte) % Self.letters.count])
            }
        }
        code = String(letters[..<4]) + "-" + String(letters[4...])
    }

    private static let digest = DigestAlgorithm.sha256
    static let hashBytes = digest.byteCount

    static func hash(of token: String) throws -> [UInt8] { try digest.digest(token.utf8) }

    /// A code as it is kept, from what a person typed: case, spaces and hyphens do not matter. Nil if it is none.
    package static func code(typed text: String) -> String? {
        let typed = text.uppercased().filter { $0 != "-" && $0 != " " }
        guard typed.count == 8, typed.allSatisfy({ letters.contains($0) }) else { return nil }
        return typed.prefix(4) + "-" + typed.suffix(4)
    }
}

/// How long things may take, by the wall clock, and how many there may be.
package enum PurchaseLimits {
    /// To sign in and say yes. What is not confirmed by then is over.
    package static let confirmation = Duration.seconds(30 * 60)
    /// To settle what interrupted a purchase.
    package static let interruption = Duration.seconds(24 * 60 * 60)
    /// For the approver to decide.
    package static let approval = Duration.seconds(24 * 60 * 60)
    /// The most secrets that confirm a purchase at one time, each given to one request that opened it.
    package static let secrets = 4
    /// The most purchases of one device that wait for something.
    package static let openPurchases = 100
}
