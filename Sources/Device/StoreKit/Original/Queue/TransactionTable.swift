/// The objects of the unfinished transactions: one for each, as long as it is unfinished.
struct TransactionTable {
    private var objects: [PaymentKey: SKPaymentTransaction] = [:]
    private var keys: [PaymentKey] = []

    /// In the order of their purchases.
    var all: [SKPaymentTransaction] { keys.compactMap { objects[$0] } }

    subscript(key: PaymentKey) -> SKPaymentTransaction? { objects[key] }

    /// The object of a transaction, made if it is new.
    mutating func object(for record: PaymentRecord) -> SKPaymentTransaction {
        if let object = objects[record.key] { return object }
        let object = SKPaymentTransaction(record: record)
        objects[record.key] = object
        keys.append(record.key)
        return object
    }

    mutating func remove(_ key: PaymentKey) -> SKPaymentTransaction? {
        keys.removeAll { $0 == key }
        return objects.removeValue(forKey: key)
    }

    /// Keeps exactly these transactions, in this order, and the objects that they have.
    mutating func replace(with records: [PaymentRecord]) -> [SKPaymentTransaction] {
        let former = objects
        objects = [:]
        keys = []
        return records.map { record in
            if let object = former[record.key] {
                objects[record.key] = object
                keys.append(record.key)
            }
            return object(for: record)
        }
    }
}
