import Foundation
import StoreKit

/// Every declaration of what the store signs with its type: what is missing or different does not compile.
enum ModernSignedSurface {
    static func transactions(_ transaction: Transaction) {
        let _: any Identifiable & Hashable & Sendable & CustomDebugStringConvertible = transaction
        let _: Transaction.ID = 1 as UInt64
        let _: KeyPath<Transaction, Data> = \.jsonRepresentation
        let _: KeyPath<Transaction, UInt64> = \.id
        let _: KeyPath<Transaction, UInt64> = \.originalID
        let _: KeyPath<Transaction, String?> = \.webOrderLineItemID
        let _: KeyPath<Transaction, String> = \.productID
        let _: KeyPath<Transaction, String?> = \.subscriptionGroupID
        let _: KeyPath<Transaction, String> = \.appBundleID
        let _: KeyPath<Transaction, Date> = \.purchaseDate
        let _: KeyPath<Transaction, Date> = \.originalPurchaseDate
        let _: KeyPath<Transaction, Date?> = \.expirationDate
        let _: KeyPath<Transaction, Int> = \.purchasedQuantity
        let _: KeyPath<Transaction, Bool> = \.isUpgraded
        let _: KeyPath<Transaction, Transaction.Offer?> = \.offer
        let _: KeyPath<Transaction, Transaction.OfferType?> = \.offerType
        let _: KeyPath<Transaction, String?> = \.offerID
        let _: KeyPath<Transaction, String?> = \.offerPaymentModeStringRepresentation
        let _: KeyPath<Transaction, String?> = \.offerPeriodStringRepresentation
        let _: KeyPath<Transaction, Date?> = \.revocationDate
        let _: KeyPath<Transaction, Transaction.RevocationReason?> = \.revocationReason
        let _: KeyPath<Transaction, Transaction.RevocationType?> = \.revocationType
        let _: KeyPath<Transaction, String?> = \.revocationTypeStringRepresentation
        let _: KeyPath<Transaction, Decimal?> = \.revocationPercentage
        let _: KeyPath<Transaction, Product.ProductType> = \.productType
        let _: KeyPath<Transaction, UUID?> = \.appAccountToken
        let _: KeyPath<Transaction, AppStore.Environment> = \.environment
        let _: KeyPath<Transaction, String> = \.environmentStringRepresentation
        let _: KeyPath<Transaction, Transaction.Reason> = \.reason
        let _: KeyPath<Transaction, String> = \.reasonStringRepresentation
        let _: KeyPath<Transaction, Storefront> = \.storefront
        let _: KeyPath<Transaction, String> = \.storefrontCountryCode
        let _: KeyPath<Transaction, Decimal?> = \.price
        let _: KeyPath<Transaction, Locale.Currency?> = \.currency
        let _: KeyPath<Transaction, String?> = \.currencyCode
        let _: KeyPath<Transaction, String> = \.appTransactionID
        let _: KeyPath<Transaction, Transaction.AdvancedCommerceInfo?> = \.advancedCommerceInfo
        let _: KeyPath<Transaction, Product.SubscriptionInfo.BillingPlanType?> = \.billingPlanType
        let _: KeyPath<Transaction, Transaction.CommitmentInfo?> = \.commitmentInfo
        let _: KeyPath<Transaction, Data> = \.deviceVerification
        let _: KeyPath<Transaction, UUID> = \.deviceVerificationNonce
        let _: KeyPath<Transaction, Transaction.OwnershipType> = \.ownershipType
        let _: KeyPath<Transaction, Date> = \.signedDate
    }

    static func transactionValues(_ offer: Transaction.Offer, _ commitment: Transaction.CommitmentInfo) {
        let _: [Transaction.Reason] = [.purchase, .renewal]
        let _: [Transaction.RevocationReason] = [.developerIssue, .other, .upgradedToBundle]
        let _: [Transaction.RevocationType] = [
            .fullRefund, .proratedRefund, .familyRevocation, .assignmentRevocation,
        ]
        let _: [Transaction.OfferType] = [.introductory, .promotional, .code, .winBack]
        let _: [Transaction.OwnershipType] = [.purchased, .familyShared, .assigned]
        let _: [Transaction.Offer.PaymentMode] = [.freeTrial, .payAsYouGo, .payUpFront, .oneTime]
        let _: [String] = [
            Transaction.RevocationReason.other.localizedDescription, Transaction.OfferType.code.localizedDescription,
            Transaction.OwnershipType.purchased.localizedDescription,
        ]
        let _: [Transaction.RefundRequestStatus] = [.success, .userCancelled]
        let _: [Transaction.RefundRequestError] = [.duplicateRequest, .failed]
        let _: any LocalizedError & Hashable & Sendable = Transaction.RefundRequestError.failed
        let _: (String?, Transaction.OfferType) = (offer.id, offer.type)
        let _: (Transaction.Offer.PaymentMode?, Product.SubscriptionPeriod?) = (offer.paymentMode, offer.period)
        let _: (UInt64, UInt64) = (commitment.billingPeriodNumber, commitment.totalBillingPeriods)
        let _: (Date, Decimal) = (commitment.expirationDate, commitment.price)
    }

    static func advancedCommerce() {
        let _: KeyPath<Transaction.AdvancedCommerceInfo, String?> = \.description
        let _: KeyPath<Transaction.AdvancedCommerceInfo, String?> = \.displayName
        let _: KeyPath<Transaction.AdvancedCommerceInfo, Decimal?> = \.estimatedTax
        let _: KeyPath<Transaction.AdvancedCommerceInfo, [Transaction.AdvancedCommerceInfo.Item]> = \.items
        let _: KeyPath<Transaction.AdvancedCommerceInfo, Product.SubscriptionPeriod?> = \.period
        let _: KeyPath<Transaction.AdvancedCommerceInfo, String> = \.requestReferenceID
        let _: KeyPath<Transaction.AdvancedCommerceInfo, String?> = \.taxCode
        let _: KeyPath<Transaction.AdvancedCommerceInfo, Decimal?> = \.taxExclusivePrice
        let _: KeyPath<Transaction.AdvancedCommerceInfo, Decimal?> = \.taxRate
        let _: KeyPath<Transaction.AdvancedCommerceInfo.Item, Transaction.AdvancedCommerceInfo.Item.Details> = \.details
        let _: KeyPath<Transaction.AdvancedCommerceInfo.Item, [Transaction.AdvancedCommerceInfo.Refund]?> = \.refunds
        let _: KeyPath<Transaction.AdvancedCommerceInfo.Item, Date?> = \.revocationDate
        let _: KeyPath<Transaction.AdvancedCommerceInfo.Item.Details, String> = \.description
        let _: KeyPath<Transaction.AdvancedCommerceInfo.Item.Details, String> = \.displayName
        let _:
            KeyPath<Transaction.AdvancedCommerceInfo.Item.Details, Transaction.AdvancedCommerceInfo.Item.Details.Offer?> =
                \.offer
        let _: KeyPath<Transaction.AdvancedCommerceInfo.Item.Details, Decimal> = \.price
        let _: KeyPath<Transaction.AdvancedCommerceInfo.Item.Details, String> = \.sku
        let _: KeyPath<Transaction.AdvancedCommerceInfo.Refund, Decimal> = \.amount
        let _: KeyPath<Transaction.AdvancedCommerceInfo.Refund, Date> = \.date
        let _: KeyPath<Transaction.AdvancedCommerceInfo.Refund, String> = \.reason
        let _: KeyPath<Transaction.AdvancedCommerceInfo.Refund, String> = \.type
    }

    static func renewals(_ info: SubscriptionRenewalInfo) {
        let _: any Hashable & Sendable & CustomDebugStringConvertible = info
        let _: KeyPath<SubscriptionRenewalInfo, Data> = \.jsonRepresentation
        let _: KeyPath<SubscriptionRenewalInfo, UInt64> = \.originalTransactionID
        let _: KeyPath<SubscriptionRenewalInfo, String> = \.currentProductID
        let _: KeyPath<SubscriptionRenewalInfo, Bool> = \.willAutoRenew
        let _: KeyPath<SubscriptionRenewalInfo, String?> = \.autoRenewPreference
        let _: KeyPath<SubscriptionRenewalInfo, SubscriptionRenewalInfo.ExpirationReason?> = \.expirationReason
        let _: KeyPath<SubscriptionRenewalInfo, SubscriptionRenewalInfo.PriceIncreaseStatus> = \.priceIncreaseStatus
        let _: KeyPath<SubscriptionRenewalInfo, Bool> = \.isInBillingRetry
        let _: KeyPath<SubscriptionRenewalInfo, Date?> = \.gracePeriodExpirationDate
        let _: KeyPath<SubscriptionRenewalInfo, Transaction.Offer?> = \.offer
        let _: KeyPath<SubscriptionRenewalInfo, String?> = \.offerID
        let _: KeyPath<SubscriptionRenewalInfo, Transaction.OfferType?> = \.offerType
        let _: KeyPath<SubscriptionRenewalInfo, String?> = \.offerPaymentModeStringRepresentation
        let _: KeyPath<SubscriptionRenewalInfo, String?> = \.offerPeriodStringRepresentation
        let _: KeyPath<SubscriptionRenewalInfo, AppStore.Environment> = \.environment
        let _: KeyPath<SubscriptionRenewalInfo, String> = \.environmentStringRepresentation
        let _: KeyPath<SubscriptionRenewalInfo, Date> = \.recentSubscriptionStartDate
        let _: KeyPath<SubscriptionRenewalInfo, Date?> = \.renewalDate
        let _: KeyPath<SubscriptionRenewalInfo, Decimal?> = \.renewalPrice
        let _: KeyPath<SubscriptionRenewalInfo, Locale.Currency?> = \.currency
        let _: KeyPath<SubscriptionRenewalInfo, String?> = \.currencyCode
        let _: KeyPath<SubscriptionRenewalInfo, [String]> = \.eligibleWinBackOfferIDs
        let _: KeyPath<SubscriptionRenewalInfo, UUID?> = \.appAccountToken
        let _: KeyPath<SubscriptionRenewalInfo, String> = \.appTransactionID
        let _: KeyPath<SubscriptionRenewalInfo, Product.SubscriptionInfo.BillingPlanType?> = \.renewalBillingPlanType
        let _: KeyPath<SubscriptionRenewalInfo, SubscriptionRenewalInfo.CommitmentInfo?> = \.commitmentInfo
        let _: KeyPath<SubscriptionRenewalInfo, SubscriptionRenewalInfo.AdvancedCommerceInfo?> = \.advancedCommerceInfo
        let _: KeyPath<SubscriptionRenewalInfo, Data> = \.deviceVerification
        let _: KeyPath<SubscriptionRenewalInfo, UUID> = \.deviceVerificationNonce
        let _: KeyPath<SubscriptionRenewalInfo, Date> = \.signedDate
        let _: [SubscriptionRenewalInfo.ExpirationReason] = [
            .autoRenewDisabled, .billingError, .didNotConsentToPriceIncrease, .productUnavailable, .unknown,
        ]
        let _: KeyPath<SubscriptionRenewalInfo.ExpirationReason, String> = \.localizedDescription
        switch info.priceIncreaseStatus {
        case .noIncreasePending, .pending, .agreed: break
        }
        let _: KeyPath<SubscriptionRenewalInfo.PriceIncreaseStatus, String> = \.localizedDescription
    }

    static func statuses(_ status: Product.SubscriptionInfo.Status) {
        let _: any Hashable & Sendable = status
        let _: KeyPath<SubscriptionStatus, SubscriptionRenewalState> = \.state
        let _: KeyPath<SubscriptionStatus, VerificationResult<Transaction>> = \.transaction
        let _: KeyPath<SubscriptionStatus, VerificationResult<SubscriptionRenewalInfo>> = \.renewalInfo
        let _: [Product.SubscriptionInfo.RenewalState] = [
            .subscribed, .expired, .inBillingRetryPeriod, .inGracePeriod, .revoked,
        ]
        let _: KeyPath<SubscriptionRenewalState, String> = \.localizedDescription
    }

    static func downloads(_ download: AppTransaction) {
        let _: any Hashable & Sendable & CustomDebugStringConvertible = download
        let _: KeyPath<AppTransaction, Data> = \.jsonRepresentation
        let _: KeyPath<AppTransaction, UInt64?> = \.appID
        let _: KeyPath<AppTransaction, String> = \.appVersion
        let _: KeyPath<AppTransaction, UInt64?> = \.appVersionID
        let _: KeyPath<AppTransaction, String> = \.bundleID
        let _: KeyPath<AppTransaction, AppStore.Environment> = \.environment
        let _: KeyPath<AppTransaction, String> = \.originalAppVersion
        let _: KeyPath<AppTransaction, Date> = \.originalPurchaseDate
        let _: KeyPath<AppTransaction, Date?> = \.preorderDate
        let _: KeyPath<AppTransaction, Data> = \.deviceVerification
        let _: KeyPath<AppTransaction, UUID> = \.deviceVerificationNonce
        let _: KeyPath<AppTransaction, Date> = \.signedDate
        let _: KeyPath<AppTransaction, String> = \.appTransactionID
        let _: KeyPath<AppTransaction, AppStore.Platform> = \.originalPlatform
        let _: KeyPath<AppTransaction, String> = \.originalPlatformStringRepresentation
        let _: KeyPath<AppTransaction, Date?> = \.revocationDate
    }

    static func results(_ result: VerificationResult<Transaction>) throws {
        let _: any Hashable & Sendable & CustomDebugStringConvertible = result
        switch result {
        case .unverified(let value, let error):
            let _: (Transaction, VerificationResult<Transaction>.VerificationError) = (value, error)
        case .verified(let value): let _: Transaction = value
        }
        let _: Transaction = try result.payloadValue
        let _: Transaction = result.unsafePayloadValue
        let _: [VerificationResult<AppTransaction>.VerificationError] = [
            .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification, .invalidEncoding,
            .invalidSignature, .missingRequiredProperties,
        ]
        let _: any LocalizedError & Hashable = VerificationResult<Transaction>.VerificationError.invalidSignature
        // The type is generic: any type can be verified by an app of its own.
        let _: Int = VerificationResult<Int>.verified(1).unsafePayloadValue
    }

    static func signatures() {
        let _: KeyPath<VerificationResult<Transaction>, String> = \.jwsRepresentation
        let _: KeyPath<VerificationResult<Transaction>, Data> = \.headerData
        let _: KeyPath<VerificationResult<Transaction>, Data> = \.payloadData
        let _: KeyPath<VerificationResult<Transaction>, Data> = \.signatureData
        let _: KeyPath<VerificationResult<Transaction>, Data> = \.signedData
        let _: KeyPath<VerificationResult<Transaction>, P256.Signing.ECDSASignature> = \.signature
        let _: KeyPath<VerificationResult<Transaction>, Date> = \.signedDate
        let _: KeyPath<VerificationResult<Transaction>, Data> = \.deviceVerification
        let _: KeyPath<VerificationResult<Transaction>, UUID> = \.deviceVerificationNonce
        let _: KeyPath<VerificationResult<SubscriptionRenewalInfo>, String> = \.jwsRepresentation
        let _: KeyPath<VerificationResult<SubscriptionRenewalInfo>, Data> = \.headerData
        let _: KeyPath<VerificationResult<SubscriptionRenewalInfo>, Data> = \.payloadData
        let _: KeyPath<VerificationResult<SubscriptionRenewalInfo>, Data> = \.signatureData
        let _: KeyPath<VerificationResult<SubscriptionRenewalInfo>, Data> = \.signedData
        let _: KeyPath<VerificationResult<SubscriptionRenewalInfo>, P256.Signing.ECDSASignature> = \.signature
        let _: KeyPath<VerificationResult<SubscriptionRenewalInfo>, Date> = \.signedDate
        let _: KeyPath<VerificationResult<SubscriptionRenewalInfo>, Data> = \.deviceVerification
        let _: KeyPath<VerificationResult<SubscriptionRenewalInfo>, UUID> = \.deviceVerificationNonce
        let _: KeyPath<VerificationResult<AppTransaction>, String> = \.jwsRepresentation
        let _: KeyPath<VerificationResult<AppTransaction>, Data> = \.headerData
        let _: KeyPath<VerificationResult<AppTransaction>, Data> = \.payloadData
        let _: KeyPath<VerificationResult<AppTransaction>, Data> = \.signatureData
        let _: KeyPath<VerificationResult<AppTransaction>, Data> = \.signedData
        let _: KeyPath<VerificationResult<AppTransaction>, P256.Signing.ECDSASignature> = \.signature
        let _: KeyPath<VerificationResult<AppTransaction>, Date> = \.signedDate
        let _: KeyPath<VerificationResult<AppTransaction>, Data> = \.deviceVerification
        let _: KeyPath<VerificationResult<AppTransaction>, UUID> = \.deviceVerificationNonce
        let _: KeyPath<P256.Signing.ECDSASignature, Data> = \.derRepresentation
        let _: KeyPath<P256.Signing.ECDSASignature, Data> = \.rawRepresentation
    }
}
