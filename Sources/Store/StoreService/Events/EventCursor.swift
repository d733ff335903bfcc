package import StoreModel

/// A place in the events of a customer: everything up to a number was seen, in one life of the database.
package struct EventCursor: Hashable, Sendable {
    package let epoch: String
    package let customer: CustomerID
    package let number: Int64

    package init(epoch: String, customer: CustomerID, number: Int64) {
        self.epoch = epoch
        self.customer = customer
        self.number = number
    }

    /// As a device keeps it. Its form is ours alone.
    package var text: String { "\(epoch).\(customer).\(number)" }

    package init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 128, parts.count == 3, let customer = CustomerID(String(parts[1])),
            let number = Int64(parts[2]), number >= 0
        else { return nil }
        self.init(epoch: String(parts[0]), customer: customer, number: number)
    }
}
