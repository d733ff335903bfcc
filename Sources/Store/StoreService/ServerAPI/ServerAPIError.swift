/// An error of the App Store Server API: what developers' servers are told by number.
///
/// Use cases of that interface throw it; the routes write it as the App Store does. The reason says precisely what is wrong,
/// for the log, the history of requests and, in the sandbox, the header `Till-Reason`.
package struct ServerAPIError: Error, Hashable, CustomStringConvertible {
    package let code: Code
    /// A sentence without its full stop, safe to log.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "\(code.number): \(reason)" }

    /// A code with the message that stands beside it.
    package struct Code: Hashable, Sendable {
        package let number: Int
        package let message: String

        fileprivate init(_ number: Int, _ message: String) {
            self.number = number
            self.message = message
        }

        /// The status of HTTP: the first three digits.
        package var status: Int { number / 10_000 }
    }
}

extension ServerAPIError.Code {
    package static let generalBadRequest = Self(4_000_000, "Bad request.")
    package static let invalidAppIdentifier = Self(4_000_002, "Invalid request app identifier.")
    package static let invalidRequestRevision = Self(4_000_005, "Invalid request revision.")
    package static let invalidTransactionID = Self(4_000_006, "Invalid transaction id.")
    package static let invalidOriginalTransactionID = Self(4_000_008, "Invalid original transaction id.")
    package static let invalidExtendByDays = Self(4_000_009, "Invalid extend by days value.")
    package static let invalidExtendReason = Self(4_000_010, "Invalid extend reason code.")
    package static let invalidRequestIdentifier = Self(4_000_011, "Invalid request identifier.")
    package static let startDateTooFarInPast = Self(4_000_012, "Start date is too far in the past.")
    package static let startDateAfterEndDate = Self(4_000_013, "Start date is after end date.")
    package static let invalidPaginationToken = Self(4_000_014, "Pagination token is invalid.")
    package static let invalidStartDate = Self(4_000_015, "Start date is invalid.")
    package static let invalidEndDate = Self(4_000_016, "End date is invalid.")
    package static let paginationTokenExpired = Self(4_000_017, "Pagination token has expired.")
    package static let invalidNotificationType = Self(4_000_018, "Notification type or subtype is invalid.")
    package static let multipleFiltersSupplied = Self(4_000_019, "Multiple mutually exclusive filters were supplied.")
    package static let invalidTestNotificationToken = Self(4_000_020, "Invalid test notification token.")
    package static let invalidSort = Self(4_000_021, "Invalid sort parameter.")
    package static let invalidProductType = Self(4_000_022, "Invalid product type parameter.")
    package static let invalidProductID = Self(4_000_023, "Invalid product id parameter.")
    package static let invalidSubscriptionGroup = Self(4_000_024, "Invalid subscription group identifier parameter.")
    package static let invalidExcludeRevoked = Self(4_000_025, "Invalid exclude revoked parameter.")
    package static let invalidOwnershipType = Self(4_000_026, "Invalid in app ownership type parameter.")
    package static let emptyStorefronts = Self(4_000_027, "The storefront country code list is empty.")
    package static let invalidStorefront = Self(4_000_028, "A storefront country code is invalid.")
    package static let invalidRevoked = Self(4_000_030, "Invalid revoked parameter.")
    package static let invalidStatus = Self(4_000_031, "Invalid status parameter.")
    package static let invalidAccountTenure = Self(4_000_032, "Invalid account tenure field.")
    package static let invalidAppAccountToken = Self(4_000_033, "Invalid app account token field.")
    package static let invalidConsumptionStatus = Self(4_000_034, "Invalid consumption status field.")
    package static let invalidCustomerConsented = Self(4_000_035, "Invalid customer consented field.")
    package static let invalidDeliveryStatus = Self(4_000_036, "Invalid delivery status field.")
    package static let invalidDollarsPurchased = Self(4_000_037, "Invalid lifetime dollars purchased field.")
    package static let invalidDollarsRefunded = Self(4_000_038, "Invalid lifetime dollars refunded field.")
    package static let invalidPlatform = Self(4_000_039, "Invalid platform field.")
    package static let invalidPlayTime = Self(4_000_040, "Invalid play time field.")
    package static let invalidSampleContent = Self(4_000_041, "Invalid sample content provided field.")
    package static let invalidUserStatus = Self(4_000_042, "Invalid user status field.")
    package static let transactionNotConsumable = Self(
        4_000_043, "Invalid request. The transaction id parameter must represent a consumable in-app purchase.")
    package static let transactionTypeNotSupported = Self(
        4_000_047, "Invalid request. The transaction type isn't supported by this endpoint.")
    package static let appTransactionIDNotSupported = Self(
        4_000_048, "Invalid request. App transactions aren't supported by this endpoint.")
    package static let appAccountTokenNoUUID = Self(
        4_000_183, "Invalid request. The app account token field must be a valid UUID.")
    package static let familyTransactionNotSupported = Self(
        4_000_185, "Invalid request. Family Sharing transactions aren't supported by this endpoint.")
    package static let transactionIDIsNoOriginal = Self(
        4_000_187, "Invalid request. The transaction ID provided is not an original transaction ID.")
    /// The App Store documents no code for apps without retention messaging or Advanced Commerce; this one is ours.
    package static let featureNotEnabled = Self(4_030_000, "Forbidden - the app isn't enabled for this feature.")
    package static let extensionIneligible = Self(
        4_030_004, "Forbidden - subscription state ineligible for extension.")
    package static let maximumExtensions = Self(
        4_030_005, "Forbidden - subscription has reached maximum extension count.")
    package static let familyExtensionIneligible = Self(
        4_030_007, "Subscriptions that users obtain through Family Sharing can't get a renewal date extension directly."
    )
    package static let accountNotFound = Self(4_040_001, "Account not found.")
    package static let accountNotFoundRetryable = Self(4_040_002, "Account not found. Please try again.")
    package static let appNotFound = Self(4_040_003, "App not found.")
    package static let appNotFoundRetryable = Self(4_040_004, "App not found. Please try again.")
    package static let originalNotFound = Self(4_040_005, "Original transaction id not found.")
    package static let originalNotFoundRetryable = Self(
        4_040_006, "Original transaction id not found. Please try again.")
    package static let notificationURLNotFound = Self(
        4_040_007, "No App Store Server Notification URL found for provided app. Check that a URL is configured.")
    package static let testNotificationNotFound = Self(
        4_040_008, "Either the test notification token is expired or the notification and status aren't available yet.")
    package static let statusRequestNotFound = Self(
        4_040_009,
        "The server didn't find a subscription-renewal-date extension request for this requestIdentifier and productId."
    )
    package static let transactionNotFound = Self(4_040_010, "Transaction id not found.")
    package static let noAppTransaction = Self(4_040_019, "No AppTransaction exists for the customer.")
    package static let rateLimitExceeded = Self(4_290_000, "Rate limit exceeded.")
    package static let generalInternal = Self(5_000_000, "An unknown error occurred.")
    package static let generalInternalRetryable = Self(5_000_001, "An unknown error occurred. Please try again.")

    /// All of them, by number.
    package static let all: [Self] = used + messaging

    private static let used: [Self] = [
        generalBadRequest, invalidAppIdentifier, invalidRequestRevision, invalidTransactionID,
        invalidOriginalTransactionID, invalidExtendByDays, invalidExtendReason, invalidRequestIdentifier,
        startDateTooFarInPast, startDateAfterEndDate, invalidPaginationToken, invalidStartDate, invalidEndDate,
        paginationTokenExpired, invalidNotificationType, multipleFiltersSupplied, invalidTestNotificationToken,
        invalidSort, invalidProductType, invalidProductID, invalidSubscriptionGroup, invalidExcludeRevoked,
        invalidOwnershipType, emptyStorefronts, invalidStorefront, invalidRevoked, invalidStatus,
        invalidAccountTenure, invalidAppAccountToken, invalidConsumptionStatus, invalidCustomerConsented,
        invalidDeliveryStatus, invalidDollarsPurchased, invalidDollarsRefunded, invalidPlatform, invalidPlayTime,
        invalidSampleContent, invalidUserStatus, transactionNotConsumable, transactionTypeNotSupported,
        appTransactionIDNotSupported, appAccountTokenNoUUID, familyTransactionNotSupported,
        transactionIDIsNoOriginal,
        featureNotEnabled, extensionIneligible, maximumExtensions, familyExtensionIneligible, accountNotFound,
        accountNotFoundRetryable,
        appNotFound, appNotFoundRetryable, originalNotFound, originalNotFoundRetryable, notificationURLNotFound,
        testNotificationNotFound, statusRequestNotFound, transactionNotFound, noAppTransaction, rateLimitExceeded,
        generalInternal, generalInternalRetryable,
    ]

    /// Those of retention messaging, which only a fault brings about: this store does not have it.
    private static let messaging: [Self] = [
        Self(4_000_161, "Invalid image."),
        Self(4_000_162, "The header is too long."),
        Self(4_000_163, "The body is too long."),
        Self(4_000_164, "Invalid locale."),
        Self(4_000_175, "The alternative text is too long."),
        Self(4_000_211, "Invalid performance test request."),
        Self(4_000_212, "Invalid request id."),
        Self(4_000_213, "A performance test is running already."),
        Self(4_000_215, "Invalid realtime URL."),
        Self(4_000_216, "Invalid image size."),
        Self(4_000_218, "Too many bullet points."),
        Self(4_000_219, "The text of a bullet point is too long."),
        Self(4_000_224, "A header above the image requires an image."),
        Self(4_030_014, "The maximum number of images is reached."),
        Self(4_030_016, "The maximum number of messages is reached."),
        Self(4_030_017, "The message isn't approved."),
        Self(4_030_018, "The image isn't approved."),
        Self(4_030_019, "The image is in use."),
        Self(4_030_026, "No performance test has passed."),
        Self(4_040_014, "Image not found."),
        Self(4_040_015, "Message not found."),
        Self(4_040_018, "Performance test run not found."),
        Self(4_040_020, "Default message not found."),
        Self(4_040_021, "Realtime URL not found."),
        Self(4_090_000, "The image exists already."),
        Self(4_090_001, "The message exists already."),
    ]

    private static let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })

    /// The code of a number; nil if there is none.
    package init?(number: Int) {
        guard let known = Self.byNumber[number] else { return nil }
        self = known
    }
}
