import StoreDatabase
package import StoreModel

/// Devices as lists and pages show them.
extension OperatorDevices {
    /// Devices that were looked for.
    package struct Listed: Sendable {
        package let found: [DeviceRecord]
        /// What distinguishes the books of now from those of before.
        package let pulse: String
    }

    /// Those that a text names: one by its number, or those of a customer or an app; with an empty text all.
    ///
    /// - Parameter id: only those that follow this one.
    package func search(
        _ text: String, by order: DeviceRecord.Order, isDescending: Bool, seenIn period: ReportPeriod = .always,
        after id: DeviceID?, limit: Int
    ) async throws -> Listed {
        try await store.database.read { transaction in
            func search(_ owner: DeviceRecord.Owner?) throws -> [DeviceRecord] {
                try DeviceRecord.search(
                    owner, by: order, isDescending: isDescending, seenIn: period, after: id, limit: limit,
                    in: transaction)
            }
            var found: [DeviceRecord] = []
            if text.isEmpty {
                found = try search(nil)
            } else if let device = DeviceID(text), let record = try? DeviceRecord.find(device, in: transaction) {
                found = period.contains(record.seenAt) ? [record] : []
            } else if let customer = try? Customers.named(text, in: transaction) {
                found = try search(.customer(customer.id))
            } else if let bundle = BundleID(text) {
                found = try search(.app(bundle))
            }
            return Listed(found: found, pulse: try SaleStatus.pulse(in: transaction))
        }
    }

    /// A device, and the hash of the token that it shows.
    package struct Details: Sendable {
        package let device: DeviceRecord
        package let bearer: [UInt8]?
    }

    package func details(of id: DeviceID) async throws -> Details {
        try await store.database.read { transaction in
            Details(
                device: try DeviceRecord.find(id, in: transaction),
                bearer: try DeviceRecord.bearer(of: id, in: transaction))
        }
    }
}
