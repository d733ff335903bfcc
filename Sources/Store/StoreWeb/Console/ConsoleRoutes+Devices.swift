import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// Devices: the list, and the page of one with what it asked last.
extension ConsoleRoutes {
    private static let device = PathParameter<DeviceID>("device", rule: "the number of a device") { DeviceID($0) }

    var deviceRoutes: [Route] {
        [
            page("/devices", for: .customers, .here) { try await Self.devices($0) },
            page("/devices/{device}", for: .customers, .here) { try await Self.device($0) },
            form("/devices/{device}/{act}", for: .customers, .here) {
                try await Self.changeDevice($0, $1)
            } else: {
                try await Self.device($0)
            },
        ]
    }

    private static func devices(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let text = visit.query["q"] ?? ""
        let after = visit.query["after"].flatMap { DeviceID($0) }
        let order = TableOrder<DeviceRecord.Order>(visit.query, standard: .seen, isDescending: true)
        let looked = try await OperatorDevices(visit.store).search(
            text, by: order.column, isDescending: order.isDescending, after: after, limit: rows + 1)
        let found = looked.found
        var page = ConsolePage(visit: visit, title: "Devices", place: .devices)
        page.lede =
            "A device is an app on a machine." + (order.isStandard ? " Those that were heard of last come first." : "")
        page.pulse = after == nil ? looked.pulse : nil
        page.alternatives = [.init(command: "devices list", request: "/devices")]
        let query = text.isEmpty ? nil : text
        return try await page.response {
            StoreWeb.form(.class("filters"), .action(visit.link("/devices"))) {
                input(
                    .name("q"), .value(text), .label("Device, app or customer"), .isUnspelled, .longest(254),
                    .placeholder("Device, app or customer"))
                order.fields
                button { "Show" }
            }
            deviceTable(
                visit, Array(found.prefix(rows)),
                empty: text.isEmpty
                    ? "No app has registered yet. An app does so at its first request, with its profile."
                    : "There is no such device.", order: (order, { visit.link("/devices", $0, ("q", query)) }),
                next: found.count > rows
                    ? visit.link("/devices", order, ("q", query), ("after", found[rows - 1].id.description)) : nil)
        }
    }

    static func deviceTable(
        _ visit: ConsoleVisit, _ devices: [DeviceRecord], empty: String,
        order: (order: TableOrder<DeviceRecord.Order>, link: (TableOrder<DeviceRecord.Order>) -> Link)? = nil,
        next: Link? = nil
    ) -> [any HTML] {
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
                    ], ["\(device.storefront), \(device.language)"],
                    [
                        device.customer.map { customer -> any HTML in
                            a(.href(visit.link("/customers/\(customer)"))) { "\(customer)" }
                        } ?? span(.class("faint")) { "nobody" }
                    ], [ago(device.seenAt, visit.now)],
                ]
            }, empty: [p { empty }], next: next
        ).element
    }

    private static func device(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let details = try await OperatorDevices(visit.store).details(of: visit.request[device])
        let device = details.device
        let requests =
            visit.services.histories[visit.environment]?.list(limit: 20) { $0.bearer == details.bearer } ?? []
        var page = ConsolePage(visit: visit, title: "Device \(device.id)", place: .devices)
        page.crumbs = [("Devices", visit.link("/devices"))]
        page.tag = device.purchasesAllowed ? nil : tag(.bad, "may not buy")
        page.lede =
            "\(device.bundle) \(device.appVersion), in \(device.storefront), reading \(device.language); "
            + (device.customer.map { "customer \($0) is signed in." } ?? "nobody is signed in.")
        page.alternatives = [.init(command: "devices show \(device.id)", request: "/devices/\(device.id)")]
        return try await page.response {
            div(.class("two")) {
                section {
                    h2 { "What it asked last" }
                    RequestText(visit: visit).table(requests, empty: "Nothing since the store was started.")
                }
                div(.class("stack")) {
                    card("Facts") {
                        StoreWeb.facts([
                            ("App", [a(.href(visit.link("/apps/\(device.bundle)"))) { "\(device.bundle)" }]),
                            ("Registered", [device.registeredAt.rfc3339]),
                            ("Heard of", [ago(device.seenAt, visit.now)]),
                            ("Simulator", [device.isSimulator ? "yes: purchases fail" : "no"]),
                        ])
                    }
                    if visit.may(.customers, change: true) {
                        card("What it may do") {
                            div(.class("buttons")) {
                                if device.purchasesAllowed {
                                    asking("Forbid purchases…", "Everything the app wants to buy is refused there.") {
                                        act(visit, device, .purchases, "Forbid purchases", "off")
                                    }
                                } else {
                                    act(visit, device, .purchases, "Allow purchases", "on")
                                }
                                if let customer = device.customer {
                                    asking(
                                        "Sign out…",
                                        "The app loses what customer \(customer) owns until somebody signs in again."
                                    ) { act(visit, device, .signOut, "Sign out", "on") }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static func act(
        _ visit: ConsoleVisit, _ device: DeviceRecord, _ act: DeviceAct, _ title: String, _ value: String
    ) -> Element {
        StoreWeb.form(.isPost, .action(visit.link("/devices/\(device.id)/\(act.rawValue)"))) {
            input(.type("hidden"), .name(ConsoleVisit.proof), .value(visit.proof))
            input(.type("hidden"), .name("value"), .value(value))
            StoreWeb.button { title }
        }
    }

    private static func changeDevice(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (id, devices) = (try visit.request[device], OperatorDevices(visit.store))
        switch try visit.act(DeviceAct.self) {
        case .purchases:
            _ = try await devices.change(id, purchasesAllowed: input["value"] == "on", isSimulator: nil, visit.cause)
            return visit.link("/devices/\(id)", done: .changed)
        case .signOut:
            _ = try await devices.signOut(id, visit.cause)
            return visit.link("/devices/\(id)", done: .signedOut)
        }
    }
}
