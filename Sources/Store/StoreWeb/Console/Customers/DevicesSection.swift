import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// Devices: the list, and the page of one with what it asked last.
struct DevicesSection: ConsoleSection {
    let services: ConsoleServices

    private static let device = PathParameter<DeviceID>("device", rule: "the number of a device") { DeviceID($0) }

    var routes: [Route] {
        [
            page("/devices", for: .customers, .here, list),
            page("/devices/{device}", for: .customers, .here, show),
            form("/devices/{device}/{act}", for: .customers, .here, change, else: show),
        ]
    }

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let filter = ListFilter(visit, "/devices")
        let (text, rows) = (filter.text, filter.rows)
        let after = visit.query["after"].flatMap { DeviceID($0) }
        let order = TableOrder<DeviceRecord.Order>(visit.query, standard: .seen, isDescending: true)
        let looked = try await OperatorDevices(visit.store).search(
            text, by: order.column, isDescending: order.isDescending, seenIn: filter.period, after: after,
            limit: rows == 0 ? 0 : rows + 1)
        let found = looked.found
        var page = ConsolePage(visit: visit, title: "Devices", place: .devices)
        page.lede =
            "A device is an app on a machine." + (order.isStandard ? " Those that were heard of last come first." : "")
        page.pulse = after == nil ? looked.pulse : nil
        page.alternatives = [.init(command: "devices list", request: "/devices")]
        page.exported = "devices"
        page.exportedFrom = filter.link(order)
        if filter.problem != nil { page.status = .badRequest }
        return try await page.response {
            filter.form(by: "Device, app or customer", days: "Heard of", order: order.fields)
            DeviceTable(
                visit: visit, devices: Array(found.prefix(rows)),
                empty: !filter.isNarrow
                    ? "No app has registered yet. An app does so at its first request, with its profile."
                    : "There is no such device.", order: (order, { filter.link($0) }),
                next: found.count > rows && rows > 0
                    ? filter.link(order, ("after", found[rows - 1].id.description)) : nil
            ).element
        }
    }

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let details = try await OperatorDevices(visit.store).details(of: visit.request[Self.device])
        let device = details.device
        let requests =
            await visit.services.histories[visit.environment]?.list(limit: 20) { $0.bearer == details.bearer } ?? []
        var page = ConsolePage(visit: visit, title: "Device \(device.id)", place: .devices)
        page.crumbs = [("Devices", visit.link("/devices"))]
        page.tag = device.purchasesAllowed ? nil : tag(.bad, "may not buy")
        page.lede =
            "\(device.bundle) \(device.appVersion), in \(device.storefront.name), reading \(device.language); "
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
                            ("Registered", [device.registeredAt.written]),
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

    private func act(
        _ visit: ConsoleVisit, _ device: DeviceRecord, _ act: DeviceAct, _ title: String, _ value: String
    ) -> Element {
        visit.form("/devices/\(device.id)/\(act.rawValue)") {
            hidden("value", value)
            StoreWeb.button { title }
        }
    }

    private func change(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (id, devices) = (try visit.request[Self.device], OperatorDevices(visit.store))
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
