import StoreModel
import StoreSigning

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
            findings.append(.note("\(name): taken back at \(date.rfc3339)"))
        }
        if purchase.quantity < 1 { findings.append(.note("\(name): a quantity of \(purchase.quantity)")) }
        if purchase.originalPurchaseDate > purchase.purchaseDate {
            findings.append(.note("\(name): bought before its original"))
        }
        if purchase.kind == nil { findings.append(.note("\(name): the kind of product is not told")) }
    }

    /// What genuine receipts do not have.
    mutating func noteOddities(_ attributes: [ReceiptContents.Attribute], in place: String) {
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
                noteOddities(parts, in: id.map { "transaction \($0)" } ?? "a purchase")
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
