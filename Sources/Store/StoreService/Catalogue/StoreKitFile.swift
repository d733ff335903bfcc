import Foundation
import StoreFoundation
import StoreHTTP
package import StoreModel

/// The products of a `.storekit` file, as Xcode writes it for tests on a Mac.
///
/// Such a file has one price for each product, in the currency of its storefront; it holds wherever that currency does.
package struct StoreKitFile: Hashable, Sendable {
    /// The products in the order of the file.
    package let products: [ProductDraft]
    /// The storefront of the file's settings, else that of the United States.
    package let storefront: StorefrontRecord
    /// The language of the file's settings, else American English.
    package let language: String
    /// What the file has and the catalogue does not take yet, in words, and how much of it.
    package let omissions: [String: Int]

    /// Reads a file. Throws ``CatalogueError`` with the path of the field that is wrong: `products[3].displayPrice`.
    ///
    /// - Parameter other: the storefront whose prices these are, in the place of that of the file's settings.
    package init(_ bytes: [UInt8], in other: StorefrontRecord? = nil) throws(CatalogueError) {
        let document = try Self.document(bytes)
        guard StoreKitFileLimits.versions.contains(document.version.major) else {
            let (first, last) = (StoreKitFileLimits.versions.lowerBound, StoreKitFileLimits.versions.upperBound)
            throw CatalogueError(.valueInvalid, "only versions \(first) to \(last) are read", field: "version.major")
        }
        let code = document.settings?.storefront ?? "USA"
        guard let storefront = other ?? StorefrontRecord.storefront(alpha3: code) else {
            throw CatalogueError(
                .valueInvalid, "it is the code of a storefront, three capital letters", field: "settings._storefront")
        }
        self.storefront = storefront
        language = try CatalogueText.language(document.settings?.locale ?? "en_US", field: "settings._locale")
        var reader = StoreKitFileReader(storefront: storefront, language: language)
        try reader.read(document)
        products = reader.products
        omissions = reader.omissions
    }

    private static func document(_ bytes: [UInt8]) throws(CatalogueError) -> StoreKitFileDocument {
        guard bytes.count <= StoreKitFileLimits.bytes else {
            throw CatalogueError(.limitReached, "the file has more than \(StoreKitFileLimits.bytes) bytes")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        do {
            try JSONReader.check(text, depth: HTTPLimits.jsonDepth)
        } catch {
            throw CatalogueError(.valueInvalid, fault(error.kind))
        }
        do {
            return try JSONDecoder().decode(StoreKitFileDocument.self, from: Data(text))
        } catch let error as DecodingError {
            throw CatalogueError(error)
        } catch {
            throw CatalogueError(.valueInvalid, fault(.malformed))
        }
    }

    private static func fault(_ kind: JSONReader.Fault.Kind) -> String {
        switch kind {
        case .malformed: "the file is not JSON in UTF-8"
        case .tooDeep: "the file has more than \(HTTPLimits.jsonDepth) objects and arrays within one another"
        case .repeated: "an object in the file has two members of one name"
        }
    }
}

extension CatalogueError {
    /// What is wrong with a member of a document, without a word of what it contains.
    fileprivate init(_ error: DecodingError) {
        let (message, path): (String, [any CodingKey]) =
            switch error {
            case .keyNotFound(let key, let context): ("it is missing", context.codingPath + [key])
            case .valueNotFound(let type, let context):
                ("it must not be null but \(Self.name(of: type))", context.codingPath)
            case .typeMismatch(let type, let context): ("it must be \(Self.name(of: type))", context.codingPath)
            case .dataCorrupted(let context): ("it is not a possible value", context.codingPath)
            @unknown default: ("it has not the right form", [])
            }
        let field = path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
        self.init(.valueInvalid, message, field: field.isEmpty ? nil : field)
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}

/// The limits of files that products are imported from. The largest public ones have 30 kilobytes and 25 products.
package enum StoreKitFileLimits {
    /// The whole file, in bytes.
    package static let bytes = 4 << 20
    /// Products of all kinds in one file.
    package static let products = 1000
    /// Groups of subscriptions.
    package static let groups = 500
    /// The versions of the format that are read, by their first number.
    package static let versions = 1...5
}

/// What a file says, as far as it is looked at. Everything else in it is passed over.
struct StoreKitFileDocument: Decodable {
    struct Version: Decodable {
        let major: Int
    }

    struct Localization: Decodable {
        let locale: String
        let displayName: String?
        let description: String?
    }

    /// A product of any kind; what only subscriptions have is missing from others.
    struct Item: Decodable {
        let productID: String
        let type: String
        let referenceName: String?
        let displayPrice: String
        let familyShareable: Bool?
        let localizations: [Localization]?
        let recurringSubscriptionPeriod: String?
        let introductoryOffer: Presence?
        let introductoryOffers: [Presence]?
        let adHocOffers: [Presence]?
        let codeOffers: [Presence]?
        let winbackOffers: [Presence]?
        let billingPlans: [Presence]?
    }

    struct Group: Decodable {
        let id: String
        let localizations: [Presence]?
        let subscriptions: [Item]
    }

    struct Settings: Decodable {
        let storefront: String?
        let locale: String?

        enum CodingKeys: String, CodingKey {
            case storefront = "_storefront"
            case locale = "_locale"
        }
    }

    /// Something of which only counts that it is there.
    struct Presence: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    let version: Version
    let products: [Item]?
    let nonRenewingSubscriptions: [Item]?
    let subscriptionGroups: [Group]?
    let settings: Settings?
    let appPolicies: Presence?
    let subscriptionOffersKeyPair: Presence?
}
