/// Verifies and reads app receipts.
package final class ReceiptVerifier: Sendable {
    private let chains: ChainVerifier
    private let recent = RecentChains<VerifiedChain>()

    /// Trusts these roots only, except revoked certificates.
    package init(roots: [Certificate], revocations: Revocations = Revocations()) throws {
        chains = try ChainVerifier(roots: roots, requirements: .receipt, revocations: revocations)
    }

    /// Verifies the signature of every signer, their chains, and that these were valid when the receipt was made.
    package func verify(_ bytes: [UInt8]) throws -> VerifiedReceipt {
        let container = try SignedContainer(bytes)
        let signed = try container.signers.map { signer in
            let chain = try chain(of: signer, in: container)
            try requireSignature(of: signer, over: container.content, key: chain.chain.leaf.publicKey)
            return chain
        }
        let receipt = try AppReceipt(reading: container.payload)
        for chain in signed { try chain.requireValidity(at: receipt.creationDate) }
        return VerifiedReceipt(receipt: receipt, chain: signed[0])
    }

    private func requireSignature(of signer: SignedContainer.Signer, over content: ArraySlice<UInt8>, key: PublicKey)
        throws
    {
        var signed = content
        if let attributes = signer.signedAttributes {
            let digest = try signer.digest.digest(content)
            try SignedAttributes.require(attributes, nameContentWithDigest: digest)
            signed = attributes[...]
        }
        guard try key.isValidSignature(signer.signature, for: signed, digest: signer.digest) else {
            throw SigningError(.invalidSignature, "the signature of the receipt does not match its content")
        }
    }

    private func chain(of signer: SignedContainer.Signer, in container: SignedContainer) throws -> VerifiedChain {
        let known = signer.identifier.withUnsafeBytes { identifier in
            container.certificates.withUnsafeBytes { recent.value(for: identifier, $0) }
        }
        if let known { return known }
        let certificates = try container.certificateRanges.map {
            try Certificate(derRepresentation: Array(container.certificates[$0]))
        }
        guard let leaf = try certificates.first(where: { try Self.identifier(of: $0) == Array(signer.identifier) })
        else {
            throw SigningError(.untrustedChain, "the receipt does not hold the certificate of its signer")
        }
        let chain = try chains.verify(leaf: leaf, others: certificates)
        recent.remember(chain, for: Array(signer.identifier + container.certificates))
        return chain
    }

    private static func identifier(of certificate: Certificate) throws -> [UInt8] {
        try certificate.issuerBytes + certificate.serialNumberBytes
    }
}

/// An app receipt whose signature, chain and date were verified.
package struct VerifiedReceipt: Sendable {
    package let receipt: AppReceipt
    /// The signer's chain.
    package let chain: VerifiedChain
}

/// The attributes of an app receipt, verified or not.
package struct ReceiptContents: Sendable {
    /// One attribute, with its value as far as it can be read without knowing what it means.
    package struct Attribute: Hashable, Sendable {
        package let type: Int64
        package let version: Int64
        package let value: Value
    }

    /// A value.
    // Closed: receipts have these kinds of values, and everything else is bytes.
    package enum Value: Hashable, Sendable {
        case integer(Int64)
        case text(String)
        case bytes([UInt8])
        /// The attributes of a purchase.
        case purchase([Attribute])
    }

    /// In the order of the receipt.
    package let attributes: [Attribute]
    package let certificates: [Certificate]

    /// Reads a receipt without verifying its signature. Any bytes give contents or an error.
    package init(_ bytes: [UInt8]) throws {
        let container = try SignedContainer(bytes)
        var payload = container.payload
        if payload.nextTag == .octetString || payload.nextTag == .constructedOctetString {
            payload = try payload.contents(ofOctets: payload.next(), "the payload")
        }
        let set = try payload.enter(.set, "the set of attributes")
        attributes = try Self.attributes(AttributeReader(set), areOfPurchase: false)
        certificates = try container.certificateRanges.map {
            try Certificate(derRepresentation: Array(container.certificates[$0]))
        }
    }

    private static func attributes(_ reader: AttributeReader, areOfPurchase: Bool) throws -> [Attribute] {
        var reader = reader
        var attributes: [Attribute] = []
        while let found = try reader.next() {
            let value: Value
            if !areOfPurchase, found.type == AppReceiptAttribute.purchase {
                value = .purchase(try self.attributes(reader.attributes(of: found), areOfPurchase: true))
            } else {
                value = try self.value(of: found, in: reader)
            }
            attributes.append(Attribute(type: found.type, version: found.version, value: value))
        }
        return attributes
    }

    private static func value(of found: FoundAttribute, in reader: AttributeReader) throws -> Value {
        let isOpaque = found.type == AppReceiptAttribute.opaqueValue || found.type == AppReceiptAttribute.deviceHash
        if !isOpaque {
            if let text = try? reader.text(of: found) { return .text(text) }
            if let number = try? reader.integer(of: found) { return .integer(number) }
        }
        return .bytes(try reader.octets(of: found))
    }

    /// What an attribute is called; nil for numbers without a name here.
    package static func name(ofAttribute type: Int64) -> String? {
        names[type] ?? (AppReceiptAttribute.isReserved(type) || PurchaseAttribute.isReserved(type) ? "reserved" : nil)
    }

    private static let names: [Int64: String] = [
        AppReceiptAttribute.receiptType: "receipt type", AppReceiptAttribute.appID: "app id",
        AppReceiptAttribute.bundleID: "bundle id", AppReceiptAttribute.applicationVersion: "application version",
        AppReceiptAttribute.opaqueValue: "opaque value", AppReceiptAttribute.deviceHash: "device hash",
        AppReceiptAttribute.ageRating: "age rating", AppReceiptAttribute.creationDate: "creation date",
        AppReceiptAttribute.downloadID: "download id",
        AppReceiptAttribute.versionExternalIdentifier: "version external identifier",
        AppReceiptAttribute.purchase: "purchase", AppReceiptAttribute.originalPurchaseDate: "original purchase date",
        AppReceiptAttribute.originalApplicationVersion: "original application version",
        AppReceiptAttribute.expirationDate: "expiration date", AppReceiptAttribute.preorderDate: "preorder date",
        PurchaseAttribute.quantity: "quantity", PurchaseAttribute.productID: "product id",
        PurchaseAttribute.transactionID: "transaction id", PurchaseAttribute.purchaseDate: "purchase date",
        PurchaseAttribute.originalTransactionID: "original transaction id",
        PurchaseAttribute.originalPurchaseDate: "original purchase date",
        PurchaseAttribute.productKind: "product kind", PurchaseAttribute.expirationDate: "expiration date",
        PurchaseAttribute.webOrderLineItemID: "web order line item id",
        PurchaseAttribute.cancellationDate: "cancellation date", PurchaseAttribute.isTrialPeriod: "is trial period",
        PurchaseAttribute.isInIntroductoryPeriod: "is in introductory period",
        PurchaseAttribute.cancellationReason: "cancellation reason",
        PurchaseAttribute.promotionalOfferID: "promotional offer id",
    ]
}
