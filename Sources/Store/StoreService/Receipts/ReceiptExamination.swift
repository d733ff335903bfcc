package import StoreModel
package import StoreSigning

/// Everything that there is to say of a receipt without asking the books: what is in it, whether it is genuine, whom it is
/// for, and what is unusual.
package struct ReceiptExamination: Sendable {
    /// Something that the reader of the receipt should know.
    package struct Finding: Hashable, Sendable {
        /// Whether a receipt with it is no good; else it is only unusual.
        package let isError: Bool
        package let message: String

        static func error(_ message: String) -> Finding { Finding(isError: true, message: message) }
        static func note(_ message: String) -> Finding { Finding(isError: false, message: message) }
    }

    /// Who signs the receipts that are genuine.
    package struct Authority: Sendable {
        /// The environment of this store, or nil for a root from elsewhere.
        package let environment: StoreEnvironment?
        let app: ReceiptVerifier
        let transaction: TransactionReceiptVerifier

        package init(
            _ environment: StoreEnvironment?, roots: [Certificate], intermediates: [Certificate],
            revocations: Revocations
        ) throws {
            self.environment = environment
            app = try ReceiptVerifier(roots: roots, revocations: revocations)
            transaction = try TransactionReceiptVerifier(
                roots: roots, intermediates: intermediates, revocations: revocations)
        }

        init(_ keys: EnvironmentKeys) throws {
            environment = keys.environment
            app = try keys.receiptVerifier()
            transaction = try keys.transactionReceiptVerifier()
        }
    }

    package let isAppReceipt: Bool
    /// Of an app receipt; empty for the form of iOS 6, which has ``entries`` instead.
    package internal(set) var attributes: [ReceiptContents.Attribute] = []
    package internal(set) var entries: [(key: String, value: String)] = []
    package internal(set) var certificates: [Certificate] = []
    /// Who signed it; nil if nobody who is trusted did.
    package internal(set) var authority: Authority?
    /// Whether it was made for the device; nil if none was named.
    package internal(set) var fitsDevice: Bool?
    package internal(set) var findings: [Finding] = []

    package var isGood: Bool { !findings.contains(where: \.isError) }

    /// Examines a receipt. Throws if it cannot be read at all.
    ///
    /// - Parameters:
    ///   - device: the identifier of the device that it should be for.
    package init(
        _ bytes: [UInt8], trusting authorities: [Authority], device: [UInt8]?, at now: Instant
    ) throws {
        switch try ReceiptForm(of: bytes) {
        case .signedData:
            isAppReceipt = true
            let contents = try ReceiptContents(bytes)
            (attributes, certificates) = (contents.attributes, contents.certificates)
            noteIrregularities(attributes, in: "the receipt")
            judge(authorities) { (try $0.app.verify(bytes).receipt, nil) }
            try examine(AppReceipt(unverified: bytes), device: device, at: now)
        case .propertyList:
            isAppReceipt = false
            entries = try TransactionReceiptVerifier.claimedEntries(of: bytes)
            let claimed = try TransactionReceiptVerifier.claimedEnvironment(of: bytes)
            judge(authorities) {
                _ = try $0.transaction.verify(bytes)
                return (nil, claimed)
            }
            if device != nil {
                findings.append(.note("a receipt in the form of iOS 6 has no device hash; nothing was compared"))
            }
        }
    }

    /// Finds who signed it, and whether that agrees with what it says of itself.
    private mutating func judge(
        _ authorities: [Authority], _ verify: (Authority) throws -> (AppReceipt?, StoreEnvironment?)
    ) {
        guard !authorities.isEmpty else { return }
        var reason = ""
        for authority in authorities {
            do {
                let (receipt, claimed) = try verify(authority)
                self.authority = authority
                let said = receipt?.type.environment ?? claimed
                if let environment = authority.environment, said != environment {
                    findings.append(
                        .error(
                            "it says that it is of \(said?.rawValue ?? "neither environment"), and was signed by "
                                + environment.rawValue))
                }
                return
            } catch {
                reason = (error as? SigningError)?.message ?? "\(error)"
            }
        }
        findings.append(.error("it is not genuine: \(reason)"))
    }
}

extension ReceiptExamination {
    /// What an app receipt says that a developer should know.
    mutating func examine(_ receipt: AppReceipt, device: [UInt8]?, at now: Instant) throws {
        if let device {
            let fits = try receipt.belongs(toDevice: device)
            fitsDevice = fits
            if !fits { findings.append(.error("it was made for another device, or for another app on this one")) }
        }
        if let end = receipt.expirationDate, end <= now {
            findings.append(.error("it was good until \(end.rfc3339)"))
        }
        if receipt.type.environment == nil {
            findings.append(.note("it is of the kind \"\(receipt.type.rawValue)\", which no store answers for"))
        }
        if receipt.creationDate > now {
            findings.append(.note("it was made at \(receipt.creationDate.rfc3339), which is still to come"))
        }
        for purchase in receipt.purchases { examine(purchase, at: now) }
        let ids = receipt.purchases.map(\.transactionID)
        for id in Set(ids).sorted() where ids.count(where: { $0 == id }) > 1 {
            findings.append(.note("it lists transaction \(id) more than once"))
        }
    }

    private mutating func examine(_ purchase: PurchaseReceipt, at now: Instant) {
        let name = "transaction \(purchase.transactionID) of \(purchase.productID)"
        if let end = purchase.expirationDate, end <= now {
            findings.append(.note("\(name): the period was over at \(end.rfc3339)"))
        }
        if let date = purchase.cancellationDate {
            findings.append(.note("\(name): revoked at \(date.rfc3339)"))
        }
        if purchase.quantity < 1 { findings.append(.note("\(name): a quantity of \(purchase.quantity)")) }
        if purchase.originalPurchaseDate > purchase.purchaseDate {
            findings.append(.note("\(name): bought before its original"))
        }
        if purchase.kind == nil { findings.append(.note("\(name): the kind of product is not told")) }
    }

    /// What genuine receipts do not have.
    mutating func noteIrregularities(_ attributes: [ReceiptContents.Attribute], in place: String) {
        var seen: [Int64: Int] = [:]
        for attribute in attributes {
            seen[attribute.type, default: 0] += 1
            if case .purchase(let parts) = attribute.value {
                let id = parts.lazy.compactMap { part -> String? in
                    guard ReceiptContents.name(ofAttribute: part.type) == "transaction id",
                        case .text(let text) = part.value
                    else { return nil }
                    return text
                }.first
                noteIrregularities(parts, in: id.map { "transaction \($0)" } ?? "a purchase")
            } else if seen[attribute.type] == 2 {
                findings.append(.note("\(place) has attribute \(attribute.type) more than once"))
            }
            if ReceiptContents.name(ofAttribute: attribute.type) == nil {
                findings.append(.note("\(place) has attribute \(attribute.type), which has no name here"))
            }
            if !(1...2).contains(attribute.version) {
                findings.append(.note("\(place) has version \(attribute.version) of attribute \(attribute.type)"))
            }
        }
    }
}
