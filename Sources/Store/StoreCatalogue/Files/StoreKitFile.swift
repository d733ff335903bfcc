package import StoreFoundation
package import StoreModel
import StoreSigning

/// The products of a `.storekit` file, as Xcode writes it for tests on a Mac.
///
/// Such a file has one price for each product, in the currency of its storefront; everywhere else products cost what that comes
/// to.
package struct StoreKitFile: Hashable, Sendable {
    /// The products in the order of the file.
    package let products: [ProductDraft]
    /// The groups of subscriptions, with no name where the file has none.
    let groups: [SubscriptionGroup]
    /// The currency of the prices, which is not always that of the storefront.
    let currency: Currency
    /// The file without its products, of which only the ids are left.
    let frame: JSONNode
    /// The storefront of the file's settings, else that of the United States.
    package let storefront: StorefrontRecord
    /// The language of the file's settings, else American English.
    package let language: String
    /// The key by which tests sign promotional offers; nil if the file has none that can be read.
    package let offerKey: OfferKey?
    /// What the file says and what has no effect here; it is kept for the way back, but for private keys.
    package let omissions: [FileFinding]
    /// What the file has and what says nothing, or not what it seems to.
    package let noise: [FileFinding]

    /// Reads a file. Throws a ``CatalogueError`` of its mistakes at once, with the paths of the fields that are wrong:
    /// `products[3].displayPrice`.
    ///
    /// - Parameter other: the storefront whose prices these are, in the place of that of the file's settings.
    package init(_ bytes: [UInt8], in other: StorefrontRecord? = nil) throws(CatalogueError) {
        guard bytes.count <= StoreKitFileLimits.bytes else {
            throw CatalogueError(.limitReached, "the file has more than \(StoreKitFileLimits.bytes) bytes")
        }
        try self.init(Self.members(bytes), findings: FileFindings(), in: other, bytes)
    }

    /// - Parameter bytes: of which mistakes are told with their lines.
    init(
        _ members: [String: JSONNode], findings: FileFindings = FileFindings(), in other: StorefrontRecord? = nil,
        _ bytes: [UInt8] = []
    ) throws(CatalogueError) {
        var reader = StoreKitFileReader(FileObject(members, findings), storefront: other)
        reader.read()
        if let error = findings.error(in: bytes) { throw error }
        products = reader.products
        groups = reader.groups
        currency = reader.currency
        frame = Self.frame(members)
        storefront = reader.storefront
        language = reader.language
        offerKey = reader.offerKey
        omissions = findings.omissions
        noise = findings.noise
    }

    /// The settings of a file that was found to be one, by their names.
    package static func settings(_ bytes: [UInt8]) -> [String: JSONNode] {
        guard case .object(let settings) = (try? members(bytes))?["settings"] else { return [:] }
        return settings
    }

    static func members(_ bytes: [UInt8]) throws(CatalogueError) -> [String: JSONNode] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        do {
            guard case .object(let members) = try JSONNode(text, depth: CatalogueFile.depth) else {
                throw CatalogueError(.valueInvalid, "the file is not an object of JSON")
            }
            return members
        } catch let error as JSONReader.Fault {
            throw CatalogueError(.valueInvalid, fault(error, in: text))
        } catch let error as CatalogueError {
            throw error
        } catch {
            throw CatalogueError(.valueInvalid, "the file is not JSON in UTF-8")
        }
    }

    private static func fault(_ fault: JSONReader.Fault, in text: [UInt8]) -> String {
        let line = text.prefix(fault.position - 1).count { $0 == UInt8(ascii: "\n") } + 1
        return switch fault.kind {
        case .malformed: "the file is not JSON in UTF-8: \(fault.reason), in line \(line)"
        case .tooDeep: "the file has more than \(CatalogueFile.depth) objects and arrays within one another"
        case .repeated: "an object in the file has two members of one name, in line \(line)"
        }
    }
}

extension StoreKitFile {
    /// A key by which tests sign promotional offers. Xcode keeps both halves in the file; the public one verifies.
    package struct OfferKey: Hashable, Sendable {
        package let id: String
        /// In PEM.
        package let publicKey: String

        /// Nil if it cannot be read.
        init?(_ pair: JSONNode) {
            guard let id = pair.members["id"]?.string, (1...Self.longestID).contains(id.utf8.count),
                let bytes = pair.members["privateKey"]?.string.flatMap({ Base64.decode($0) }),
                let key = try? PrivateKey(pemRepresentation: Self.pem(bytes)), key.algorithm == .p256,
                let text = try? key.publicKey.pemRepresentation
            else { return nil }
            (self.id, publicKey) = (id, text)
        }

        private static let longestID = 100

        private static func pem(_ bytes: [UInt8]) -> String {
            var rest = Base64.encode(bytes)[...]
            var lines: [Substring] = []
            while !rest.isEmpty {
                lines.append(rest.prefix(64))
                rest = rest.dropFirst(64)
            }
            return "-----BEGIN PRIVATE KEY-----\n\(lines.joined(separator: "\n"))\n-----END PRIVATE KEY-----\n"
        }
    }

    /// The findings of what a store has no place for and a test session has.
    static let ownSettings = "settings"
    static let offerKeys = "private keys for promotional offers, which are not kept"
    /// The member that has both halves of a key.
    static let offerKeyMember = "subscriptionOffersKeyPair"

    /// What the file says and what has no effect in a test session, which follows its settings and its key.
    package var omissionsInTests: [FileFinding] {
        omissions.filter { ![Self.ownSettings, Self.offerKeys].contains($0.what) }
    }
}

/// The limits of files that products are imported from. The largest public ones have 30 kilobytes and 25 products.
package enum StoreKitFileLimits {
    /// The whole file, in bytes.
    package static let bytes = 16 << 20
    /// Products of all kinds in one file.
    package static let products = CatalogueLimits.products
    /// Groups of subscriptions.
    package static let groups = 500
    /// The versions of the format that are read, by their first number.
    package static let versions = 1...6
    /// Entries of any list in a file: apps, products, groups, offers.
    package static let entries = products
    /// Mistakes that are told at once. With one more the reading ends.
    package static let mistakes = 100
    /// Names of those that have one and the same thing.
    package static let names = 2000
}
