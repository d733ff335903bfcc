/// Payloads made by Apple's `app-store-server-library` 3.1.2 for Python: every field of its models filled but those of
/// Advanced Commerce, written by its own converter, with sorted keys.
enum GoldenPayloads {
    /// A transaction with everything it can have.
    static let transaction = #"""
        {"appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","appTransactionId":"2000000000000007","bil\#
        lingPlanType":"MONTHLY","bundleId":"com.example.app","commitmentInfo":{"billingPeriodNumber":2,"comm\#
        itmentExpiresDate":1766774398123,"commitmentPrice":1136,"totalBillingPeriods":12},"currency":"USD","\#
        environment":"LocalTesting","expiresDate":1766774390123,"inAppOwnershipType":"PURCHASED","isUpgraded\#
        ":true,"offerDiscountType":"ONE_TIME","offerIdentifier":"spring.offer","offerPeriod":"P1M","offerTyp\#
        e":4,"originalPurchaseDate":1766774389123,"originalTransactionId":"2000000000000001","price":9990,"p\#
        roductId":"com.example.monthly_1","purchaseDate":1766774388123,"quantity":1,"revocationDate":1766774\#
        392123,"revocationPercentage":50000,"revocationReason":0,"revocationType":"FAMILY_REVOKE","signedDat\#
        e":1766774391123,"storefront":"USA","storefrontId":"143441","subscriptionGroupIdentifier":"21412345"\#
        ,"transactionId":"2000000000000042","transactionReason":"RENEWAL","type":"Non-Renewing Subscription"\#
        ,"webOrderLineItemId":"2000000000000107"}
        """#

    /// What comes after a period, with everything it can have.
    static let renewalInfo = #"""
        {"appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","appTransactionId":"2000000000000007","aut\#
        oRenewProductId":"com.example.yearly","autoRenewStatus":1,"commitmentInfo":{"commitmentAutoRenewProd\#
        uctId":"com.example.yearly","commitmentAutoRenewStatus":1,"commitmentRenewalBillingPlanType":"MONTHL\#
        Y","commitmentRenewalDate":1766774404123,"commitmentRenewalPrice":1154},"currency":"USD","eligibleWi\#
        nBackOfferIds":["winback.a","winback.b"],"environment":"LocalTesting","expirationIntent":5,"gracePer\#
        iodExpiresDate":1766774400123,"isInBillingRetryPeriod":true,"offerDiscountType":"ONE_TIME","offerIde\#
        ntifier":"spring.offer","offerPeriod":"P1M","offerType":4,"originalTransactionId":"2000000000000001"\#
        ,"priceIncreaseStatus":1,"productId":"com.example.monthly_1","recentSubscriptionStartDate":176677440\#
        2123,"renewalBillingPlanType":"MONTHLY","renewalDate":1766774403123,"renewalPrice":9990,"signedDate"\#
        :1766774401123}
        """#

    /// A download of an app, with everything it can have.
    static let appTransaction = #"""
        {"appAppleId":1234567890,"appTransactionId":"2000000000000007","applicationVersion":"1.2.3","bundleI\#
        d":"com.example.app","deviceVerification":"YTtc6oNPRLvzO2A+eXfzmZdOWLVoRXPX/TwXnHGRC0TGVdcJPS5T7Cr+r\#
        PNH8e7x","deviceVerificationNonce":"48c8b92d-ce0d-4229-bedf-e61b4f9cfc92","originalApplicationVersio\#
        n":"1.0","originalPlatform":"visionOS","originalPurchaseDate":1766774407123,"preorderDate":176677440\#
        8123,"receiptCreationDate":1766774406123,"receiptType":"LocalTesting","versionExternalIdentifier":51\#
        2}
        """#

    /// Notifications: about a purchase, about many subscriptions, and about a download.
    static let notifications = [
        #"""
        {"data":{"appAppleId":41234,"bundleId":"com.example","bundleVersion":"1.2.3","consumptionRequest\#
        Reason":"UNINTENDED_PURCHASE","environment":"Production","signedRenewalInfo":"d.e.f","signedTran\#
        sactionInfo":"a.b.c","status":1},"notificationType":"CONSUMPTION_REQUEST","notificationUUID":"00\#
        2e14d5-51f5-4503-b5a8-c3a1af68eb20","signedDate":1698148900000,"version":"2.0"}
        """#,
        #"""
        {"notificationType":"RENEWAL_EXTENSION","notificationUUID":"002e14d5-51f5-4503-b5a8-c3a1af68eb20\#
        ","signedDate":1698148900000,"subtype":"SUMMARY","summary":{"bundleId":"com.example","environmen\#
        t":"Sandbox","failedCount":2,"productId":"com.example.product","requestIdentifier":"efb27071-45a\#
        4-4aca-9854-2a1e9146f265","storefrontCountryCodes":["CAN","USA"],"succeededCount":5},"version":"\#
        2.0"}
        """#,
        #"""
        {"appData":{"appAppleId":41234,"bundleId":"com.example","environment":"Production","signedAppTra\#
        nsactionInfo":"g.h.i"},"notificationType":"RESCIND_CONSENT","notificationUUID":"002e14d5-51f5-45\#
        03-b5a8-c3a1af68eb20","signedDate":1698148900000,"version":"2.0"}
        """#,
    ]
}
