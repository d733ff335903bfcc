/// The numbers of the attributes of an app receipt.
enum AppReceiptAttribute {
    static let receiptType: Int64 = 0
    static let appID: Int64 = 1
    static let bundleID: Int64 = 2
    static let applicationVersion: Int64 = 3
    static let opaqueValue: Int64 = 4
    static let deviceHash: Int64 = 5
    static let firstReserved: Int64 = 6
    static let secondReserved: Int64 = 7
    static let reservedDate: Int64 = 8
    static let reservedID: Int64 = 9
    static let ageRating: Int64 = 10
    static let reservedZero: Int64 = 11
    static let creationDate: Int64 = 12
    static let thirdReserved: Int64 = 13
    static let fourthReserved: Int64 = 14
    static let downloadID: Int64 = 15
    static let versionExternalIdentifier: Int64 = 16
    static let purchase: Int64 = 17
    static let originalPurchaseDate: Int64 = 18
    static let originalApplicationVersion: Int64 = 19
    static let reservedText: Int64 = 20
    static let expirationDate: Int64 = 21
    static let reservedThree: Int64 = 25
    static let preorderDate: Int64 = 32

    /// The numbers that are written with their usual content and skipped in reading.
    static func isReserved(_ type: Int64) -> Bool {
        switch type {
        case firstReserved, secondReserved, reservedDate, reservedID, reservedZero, thirdReserved, fourthReserved,
            reservedText, reservedThree:
            true
        default: false
        }
    }
}
