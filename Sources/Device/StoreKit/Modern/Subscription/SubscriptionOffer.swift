public import Foundation
import StoreModel

extension Product {
    /// A lower price for a time of a subscription.
    public struct SubscriptionOffer: Equatable, Hashable, Sendable {
        /// What names the offer; nil for an introductory one.
        public let id: String?
        /// The kind of the offer.
        public let type: OfferType
        /// The price of a period, or of the whole offer if it is paid up front.
        public let price: Decimal
        /// The price with its currency, as the storefront writes it.
        public let displayPrice: String
        /// How long a period of the offer is.
        public let period: Product.SubscriptionPeriod
        /// How many periods the offer lasts; 1 unless each of them is paid.
        public let periodCount: Int
        /// How it is paid.
        public let paymentMode: PaymentMode
    }
}

extension Product.SubscriptionOffer {
    /// An offer as the store lists it.
    init(_ offer: SubscriptionOfferAnswer) {
        type = OfferType(offer.kind)
        id = type == .introductory ? nil : offer.offerId
        price = ProductRecord.amount(offer.price)
        displayPrice = offer.price.display
        period = Product.SubscriptionPeriod(offer.period)
        periodCount = offer.periodCount
        paymentMode = PaymentMode(offer.paymentMode)
    }

    /// The kinds of offers that a product lists.
    public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store writes it.
        public let rawValue: String

        /// Any kind, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// For those who subscribe for the first time.
        public static let introductory = OfferType(rawValue: "IntroOffer")
        /// For those whom the developer offers it.
        public static let promotional = OfferType(rawValue: "AdhocOffer")
        /// For former subscribers.
        public static let winBack = OfferType(rawValue: "WinBack")

        init(_ kind: WireWord<OfferKind>) {
            switch kind.value {
            case .introductory: self = .introductory
            case .promotional: self = .promotional
            case .winBack: self = .winBack
            case .code, nil: self.init(rawValue: kind.rawValue)
            }
        }
    }

    /// How an offer is paid.
    public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store writes it.
        public let rawValue: String

        /// Any way, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Each period has a lower price.
        public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
        /// All of its time has one price.
        public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
        /// It is free for its time.
        public static let freeTrial = PaymentMode(rawValue: "FreeTrial")

        init(_ mode: WireWord<OfferPaymentMode>) {
            switch mode.value {
            case .free: self = .freeTrial
            case .payAsYouGo: self = .payAsYouGo
            case .payUpFront: self = .payUpFront
            case nil: self.init(rawValue: mode.rawValue)
            }
        }
    }

    /// What a developer's server signs, in the original form, to let a customer have a promotional offer.
    public struct Signature: Equatable, Hashable, Sendable {
        /// What names the key.
        public var keyID: String
        /// What makes the signature one of its own.
        public var nonce: UUID
        /// When it was signed, in milliseconds since 1970.
        public var timestamp: Int
        /// The signature, in DER.
        public var signature: Data

        /// A signature from its parts.
        public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
            self.keyID = keyID
            self.nonce = nonce
            self.timestamp = timestamp
            self.signature = signature
        }
    }
}
