package import StoreHTTP

/// The console: both environments in a browser, for those who look after the store.
///
/// ```
/// /console                               the overview
/// /console/sandbox/transactions          a page of one environment
/// ```
package struct ConsoleRoutes: Sendable {
    private let services: ConsoleServices

    package init(_ services: ConsoleServices) {
        self.services = services
    }

    private var sections: [any ConsoleSection] {
        [
            EntranceSection(services: services), InvitationSection(services: services),
            AccountSection(services: services), TeamsSection(services: services), TeamSection(services: services),
            StorePeopleSection(services: services), FamiliesSection(services: services),
            OverviewSection(services: services), SearchSection(services: services),
            KeysSection(services: services), SalesSection(services: services),
            SubscriptionsSection(services: services), CustomersSection(services: services),
            DevicesSection(services: services), AppsSection(services: services), EntrySection(services: services),
            AppSettingsSection(services: services), FilesSection(services: services),
            GroupsSection(services: services), ProductEditSection(services: services),
            ProductOffersSection(services: services), ContentSection(services: services),
            OffersSection(services: services), PricesSection(services: services), ReviewSection(services: services),
            DraftsSection(services: services),
            RequestsSection(services: services),
            RefundsSection(services: services), TokensSection(services: services),
            APIKeysSection(services: services), ClockSection(services: services),
            NotificationsSection(services: services), FinanceSection(services: services),
            LedgerSection(services: services),
            FaultsSection(services: services), PartnersSection(services: services),
            SystemSection(services: services), ItemsSection(services: services), RatingsSection(services: services),
            AuditSection(services: services),
        ]
    }

    package var routes: [Route] {
        sections.flatMap(\.routes).map { route in
            var route = route
            route.errors = ConsoleErrorForm()
            route.middleware.append(SecurityHeaders.pages())
            return route
        }
    }

    /// What no log may show of paths.
    package static let secrets = PathSecrets(
        ["link"], after: ["/console/enter", "/console/invitation", "/console/apply"])
}

/// Errors as pages, with the way back.
private struct ConsoleErrorForm: ErrorForm {
    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        let heading = error.status == .notFound ? "There is nothing here" : "That did not work"
        return Page(heading, in: "en", kind: "sheet") {
            main(.class("pay")) {
                div(.class("outcome \(error.status == .notFound ? "calm" : "bad")"), .role("status")) {
                    h1 { heading }
                    p { error.message }
                    p(.class("muted")) {
                        "Request "
                        code { request.id }
                    }
                }
                p(.class("next")) { a(.class("button"), .href(Link("/console"))) { "To the overview" } }
            }
        }.response(error.status)
    }
}
