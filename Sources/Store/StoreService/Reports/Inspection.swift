import Foundation
import StoreDatabase
package import StoreModel
import StoreSigning

/// What a text is that a store has made: a receipt, something signed, a profile, or a number; whether it is genuine, whose it
/// is, and where it belongs.
package struct Inspection: Sendable {
    /// The largest text that is looked at, in bytes.
    package static let limit = 4 * 1024 * 1024
    /// Transactions that are named.
    private static let most = 100

    /// What it is.
    // Closed: each has its words.
    package enum Kind: String, Sendable {
        case appReceipt = "app_receipt"
        case transactionReceipt = "transaction_receipt"
        case transaction = "signed_transaction"
        case profile = "provisioning_profile"
        case signed = "signed_text"
        case unknown
    }

    package let kind: Kind
    /// The environment of this store that signed it; nil if none did.
    package let signedBy: StoreEnvironment?
    package let bundle: BundleID?
    package private(set) var transactions: [TransactionID] = []
    /// What is in it, a line each.
    package let contents: [String]
    /// What is wrong with it, or unusual.
    package let findings: [ReceiptExamination.Finding]
    /// What to do with it where it was not sent to the right place.
    package private(set) var advice: String?

    package var isGenuine: Bool { signedBy != nil && !findings.contains(where: \.isError) }

    /// Looks at a text as somebody has pasted it: receipts in Base64, with or without line ends, or the body of a request to
    /// `verifyReceipt`.
    ///
    /// - Parameters:
    ///   - asked: the environment in which it is asked; one of the other is told where to go.
    ///   - signers: those of each environment.
    package init(
        of text: String, askedIn asked: StoreEnvironment, signers: [StoreEnvironment: EnvironmentSigners],
        at now: Instant
    ) {
        let authorities = signers.values.map(\.authority)
        let plain = text.filter { !$0.isWhitespace }
        if plain.hasPrefix("{"), let body = try? JSONDecoder().decode(Body.self, from: Data(text.utf8)) {
            self.init(of: body.receipt, askedIn: asked, signers: signers, at: now)
        } else if plain.split(separator: ".", omittingEmptySubsequences: false).count == 3 {
            self.init(signed: plain, signers, asked)
        } else if let bytes = Base64.decode(plain), !bytes.isEmpty,
            let examination = try? ReceiptExamination(bytes, trusting: authorities, device: nil, at: now)
        {
            self.init(examination, asked)
        } else if let examination = try? ReceiptExamination(
            Array(text.utf8), trusting: authorities, device: nil, at: now)
        {
            self.init(examination, asked)
        } else {
            self.init()
        }
    }

    /// Of what no store makes.
    private init() {
        kind = .unknown
        (signedBy, bundle, contents) = (nil, nil, [])
        findings = [.init(isError: true, message: "it is neither a receipt in Base64 nor a signed text")]
    }

    private struct Body: Decodable {
        let receipt: String

        private enum CodingKeys: String, CodingKey {
            case receipt = "receipt-data"
        }
    }

    private init(_ examination: ReceiptExamination, _ asked: StoreEnvironment) {
        kind = examination.isAppReceipt ? .appReceipt : .transactionReceipt
        signedBy = examination.authority?.environment
        contents = examination.lines
        findings = examination.findings
        let entries = Dictionary(examination.entries.map { ($0.key, $0.value) }) { first, _ in first }
        bundle = (examination.text(of: "bundle id") ?? entries["bid"]).flatMap { BundleID($0) }
        let ids = examination.isAppReceipt ? examination.transactionIDs : [entries["transaction-id"] ?? ""]
        transactions = ids.prefix(Self.most).compactMap { TransactionID($0) }
        advise(asked)
    }

    private init(signed text: String, _ signers: [StoreEnvironment: EnvironmentSigners], _ asked: StoreEnvironment) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let payload = Base64.decode(parts[1], .url) ?? []
        let members = (try? JSONSerialization.jsonObject(with: Data(payload))) as? [String: Any] ?? [:]
        contents = JSONLines.text(of: payload)?.split(separator: "\n").map(String.init) ?? []
        kind =
            members["storeUrl"] != nil ? .profile : members["transactionId"] != nil ? .transaction : .signed
        var reason = "no root of this store has signed it"
        var found: StoreEnvironment?
        for environment in StoreEnvironment.allCases {
            do {
                guard let verifier = signers[environment]?.jwsVerifier else { continue }
                _ = try verifier.verify(text)
                found = environment
            } catch {
                if environment == asked { reason = (error as? SigningError)?.message ?? "\(error)" }
            }
        }
        signedBy = found
        findings = found == nil ? [.init(isError: true, message: "it is not genuine: \(reason)")] : []
        bundle = (members["bundleId"] as? String).flatMap { BundleID($0) }
        transactions = ((members["transactionId"] as? String).flatMap { TransactionID($0) }).map { [$0] } ?? []
        if contents.isEmpty { return }
        advise(asked)
    }

    private mutating func advise(_ asked: StoreEnvironment) {
        guard let signedBy, signedBy != asked else { return }
        let isReceipt = kind == .appReceipt || kind == .transactionReceipt
        advice =
            "It is of \(signedBy)."
            + (isReceipt
                ? " verifyReceipt answers \(signedBy == .sandbox ? 21007 : 21008) to it in \(asked): a server sends it to "
                    + "the address of \(signedBy) then." : "")
    }
}

/// JSON in lines, its members in order.
package enum JSONLines {
    package static func text(of bytes: [UInt8]) -> String? {
        guard let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed),
            let data = try? JSONSerialization.data(
                withJSONObject: value,
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed])
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}

extension ReceiptExamination {
    /// What is in it, a line each, in the order of the types; the attributes of a purchase stand behind it. What means nothing
    /// comes last.
    package var lines: [String] {
        attributes.sorted { Self.rank($0) < Self.rank($1) }.flatMap { Self.lines($0, "") }
            + entries.map { "\($0.key): \($0.value)" }
    }

    private static func rank(_ attribute: ReceiptContents.Attribute) -> (Int, Int64) {
        let name = ReceiptContents.name(ofAttribute: attribute.type)
        return (name == nil || name == "reserved" ? 1 : 0, attribute.type)
    }

    private static func lines(_ attribute: ReceiptContents.Attribute, _ indent: String) -> [String] {
        let head = "\(indent)\(attribute.type)  \(ReceiptContents.name(ofAttribute: attribute.type) ?? "unknown")"
        return switch attribute.value {
        case .integer(let number): ["\(head): \(number)"]
        case .text(let text): ["\(head): \(text)"]
        case .bytes(let bytes): ["\(head): \(Hexadecimal.encode(bytes))"]
        case .purchase(let parts): [head] + parts.flatMap { lines($0, indent + "    ") }
        }
    }

    fileprivate func text(of name: String) -> String? {
        attributes.lazy.compactMap { Self.text($0, name) }.first
    }

    fileprivate var transactionIDs: [String] {
        attributes.compactMap { attribute in
            guard case .purchase(let parts) = attribute.value else { return nil }
            return parts.lazy.compactMap { Self.text($0, "transaction id") }.first
        }
    }

    private static func text(_ attribute: ReceiptContents.Attribute, _ name: String) -> String? {
        guard ReceiptContents.name(ofAttribute: attribute.type) == name, case .text(let text) = attribute.value else {
            return nil
        }
        return text
    }
}
