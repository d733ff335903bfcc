import StoreModel
import StoreService

/// A list of devices, on a page of its own or on that of a customer.
struct DeviceTable {
    let visit: ConsoleVisit
    let devices: [DeviceRecord]
    /// What there is to say where there are none.
    let empty: String
    /// How the list is sorted, where it can be, and what leads to it in another order.
    var order: (order: TableOrder<DeviceRecord.Order>, link: (TableOrder<DeviceRecord.Order>) -> Link)?
    var next: Link?

    var element: [any HTML] {
        func heading(_ column: DeviceRecord.Order) -> DataTable.Sorting? {
            order.map { $0.order.heading(column, descendingFirst: true, $0.link) }
        }
        return DataTable(
            title: "Devices",
            columns: [
                .text("Device", heading(.device)), .text("App"), .optional("Storefront"), .text("Signed in"),
                .text("Heard of", heading(.seen)),
            ],
            rows: devices.map { device in
                [
                    [a(.href(visit.link("/devices/\(device.id)"))) { "\(device.id)" }],
                    [
                        a(.href(visit.link("/apps/\(device.bundle)"))) { "\(device.bundle)" },
                        span(.class("faint")) { " \(device.appVersion)" },
                    ], ["\(device.storefront.name), \(device.language)"],
                    [
                        device.customer.map { customer -> any HTML in
                            a(.href(visit.link("/customers/\(customer)"))) { "\(customer)" }
                        } ?? span(.class("faint")) { "nobody" }
                    ], [ago(device.seenAt, visit.now)],
                ]
            }, empty: [p { empty }], next: next
        ).element
    }
}
