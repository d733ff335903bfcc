import CommandOptions
import Foundation
import StoreCatalogue
import StoreModel
import StoreServer
import StoreService

/// `till overview`, `till requests`, `till inspect` and `till steps`
enum ReportCommands {
    // MARK: Overview

    static let overview = Command<TillProgram.Action>(
        "overview", "Say what was sold in 24 hours, and what needs somebody.",
        options: SaleOptions.all + [StandardOptions.json],
        examples: [
            Example("The sandbox", "till overview"), Example("Production", "till overview --environment production"),
        ],
        exitCodes: SaleOptions.access, seeAlso: ["till console"],
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", SaleOptions.path(arguments) + "/overview", as: OverviewReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            for line in lines(found) { context.print(line) }
        })

    private static func lines(_ overview: OverviewReport) -> [String] {
        let sold = overview.sold.map { "\($0.total.amount) \($0.total.currency) (\($0.count))" }
        var lines = [
            "Sold in 24 hours: \(sold.isEmpty ? "nothing" : sold.joined(separator: ", ")); declined: "
                + "\(overview.declinedByHour.reduce(0, +))"
        ]
        if overview.apps == 0 { lines.append("There is no app. To enter one: till products import FILE") }
        if !overview.canSell {
            lines.append(
                "cannot sell: there is no payment processor; to play one: till serve --production-processor test")
        }
        lines += overview.failedRefunds.map { "refund failed: transaction \($0); why: till transactions show \($0)" }
        if overview.refundRequests > 0 {
            let wait = overview.refundRequests == 1 ? "waits" : "wait"
            lines.append("refund requests: \(overview.refundRequests) \(wait) for a decision: till refunds list")
        }
        if overview.unanswered > 0 {
            lines.append(
                "no answer: \(overview.unanswered) charges have none of the processor for more than a minute: till purchases "
                    + "list --waiting")
        }
        lines += overview.damagedBlobs.map { blob in
            let uses = blob.usedBy.map { "\(PrintableText($0, limit: 140))" }.joined(separator: ", ")
            return "\(PrintableText(blob.kind, limit: 40)): \(uses); \(BlobDamage.remedy)"
        }
        lines += overview.unfinished.map { group in
            let version = group.appVersion.map { " \(PrintableText($0, limit: 40))" } ?? ", which no device asked for"
            return "unfinished: \(group.count) of \(group.bundleId)\(version), the oldest since \(group.oldest.rfc3339)"
        }
        lines += overview.endings.map {
            "ends: \(PrintableText($0.name, limit: 140)), on \($0.endsAt.rfc3339.prefix(10)): \($0.remedy)"
        }
        lines += overview.unsold.map { unsold in
            let what = unsold.productId.map { "\(unsold.bundleId) \($0)" } ?? "\(unsold.bundleId)"
            let why = unsold.productId == nil ? "" : "; till why \(what)"
            return "not sold: \(what): \(unsold.explanation)\(why)"
        }
        lines += overview.withdrawn.prefix(20).map {
            "not sold everywhere: \($0.bundleId) \($0.productId), not in \($0.storefronts.map(\.rawValue).joined(separator: ", "))"
        }
        lines += reviews(overview)
        lines += SubscriptionText.lines(overview.subscriptions)
        if overview.open > 0 {
            lines.append(
                "waiting: \(overview.open) purchases\(overview.oldestOpen.map { ", the oldest since \($0.rfc3339)" } ?? "")"
            )
        }
        return lines
    }

    private static func reviews(_ overview: OverviewReport) -> [String] {
        let (count, waits) = (overview.reviews, overview.reviews == 1 ? "product waits" : "products wait")
        let versions = overview.versionsInReview.map {
            "review: version \($0.version) of \($0.bundleId) waits for a decision: till versions list \($0.bundleId)"
        }
        return (count == 0 ? [] : ["review: \(count) \(waits) for a decision: till review list"]) + versions
    }

    // MARK: Requests

    private static let id = Argument<String?>.optional(
        .text("ID"), help: "The id of one request, as the client was told it.")
    private static let refused = Option<Bool>.flag("refused", help: "Only those that were refused.")
    private static let device = Option<DeviceID?>.optional(
        "device", ValueFormat("NUMBER", rule: "the number of a device", explainsRule: false, parse: { DeviceID($0) }),
        help: "Only those of this device.")
    private static let count = Option<Int>.defaulted(
        "count", .integer("COUNT", in: 1...1000), to: 50, help: "How many, at most.")

    static let requests = Command<TillProgram.Action>(
        "requests", "Show what was asked of a running store lately, the newest last, and what it answered.",
        discussion: """
            The store remembers the newest \(RequestHistory.most) requests of devices, servers and tests as long as it runs, \
            without their secrets; with PostgreSQL those of all its servers. What a device asks again and again while it waits \
            is one row. Of one request of the sandbox the bodies are shown too, without their secrets. What came of a purchase \
            is kept for ever: till transactions why ID
            """,
        options: SaleOptions.all + [refused, device, count] + ListOptions.all, arguments: [id],
        examples: [
            Example("What was refused", "till requests --refused"),
            Example("One, by the id that an error names", "till requests 4c2f5e8a9b7d41036e8fa2c5d9b01e73"),
        ],
        exitCodes: [.failure.when("There is no such request any more.")] + SaleOptions.access,
        seeAlso: ["till transactions why"],
        action: { arguments, context in
            var query = ["limit=\(arguments[count])"]
            if arguments[refused] { query.append("refused=true") }
            if let id = arguments[id] { query.append("id=\(SaleOptions.escaped(id))") }
            if let device = arguments[device] { query.append("device=\(device)") }
            let words = query.joined(separator: "&")
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "GET", "\(SaleOptions.path(arguments))/requests?\(words)", as: Page<RequestReport>.self)
            }
            if arguments[StandardOptions.json] {
                try context.printJSON(found)
            } else if !found.items.isEmpty || arguments[id] == nil {
                context.printList(
                    found.items.reversed(), as: SaleTables.requests, arguments,
                    nothing: "Nothing of the kind was asked since the store runs.")
            }
            if arguments[id] != nil, let one = found.items.first, !arguments[StandardOptions.json] {
                for line in bodies(of: one) { context.print(line) }
            }
            if let id = arguments[id], found.items.isEmpty {
                throw CommandFailure(
                    .failure, "no request \(PrintableText(id, limit: 64)) is among those that the store remembers")
            }
        })

    private static func bodies(of request: RequestReport) -> [String] {
        [("sent", request.requestBody), ("answered", request.responseBody)].flatMap { name, body in
            body.map { ["\(name):", "  \(PrintableText($0, limit: 20_000))"] } ?? []
        }
    }

    // MARK: Inspect

    private static let file = Argument<String>.required(
        .file(),
        help:
            "A receipt in Base64, the body of a request to verifyReceipt, a signed text or a profile; - reads standard input."
    )

    static let inspect = Command<TillProgram.Action>(
        "inspect",
        "Say what a receipt, a signed text or a profile is, whether this store has signed it, and where it belongs.",
        options: SaleOptions.all + [StandardOptions.json], arguments: [file],
        examples: [
            Example("A receipt", "till transactions receipt last > receipt.txt && till inspect receipt.txt"),
            Example("A profile", "till inspect Example.tillprofile"),
        ],
        exitCodes: [.badData.when("It is not genuine, or nothing that a store makes.")] + SaleOptions.access,
        seeAlso: ["till receipt lint"],
        action: { arguments, context in
            let bytes = try InputFile.read(arguments[file], limit: Inspection.limit / 2)
            guard bytes.count <= Inspection.limit / 2 else {
                throw CommandFailure(.badData, "it has more than \(Inspection.limit / 2) bytes")
            }
            let wanted = InspectionRequest(text: String(decoding: bytes, as: UTF8.self))
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("POST", SaleOptions.path(arguments) + "/inspection", wanted, as: InspectionReport.self)
            }
            if arguments[StandardOptions.json] {
                try context.printJSON(found)
            } else {
                for line in lines(found) { context.print(line) }
            }
            guard found.isGenuine else { throw CommandFailure(.badData, "it is not genuine") }
        })

    private static func lines(_ found: InspectionReport) -> [String] {
        let signer = found.signedBy.map { ", signed by \($0)" } ?? ""
        var lines = ["\(found.kind.replacing("_", with: " "))\(signer)"]
        if let advice = found.advice { lines.append(advice) }
        if let bundle = found.bundleId { lines.append("  of the app \(bundle)") }
        lines += found.transactionIds.map { "  transaction \($0): till transactions show \($0)" }
        lines += found.contents.map { "  \(PrintableText($0, limit: 400))" }
        return lines
            + found.findings.map { "\($0.isError ? "error" : "note"): \(PrintableText($0.message, limit: 400))" }
    }

    // MARK: Steps

    static let steps = Command<TillProgram.Action>(
        "steps", "Say how far an app is with selling: what it and its server were seen doing, and what not yet.",
        options: SaleOptions.all + [StandardOptions.json], arguments: [CatalogueOptions.bundle],
        examples: [Example("In the sandbox", "till steps com.example.app")],
        exitCodes: SaleOptions.access, seeAlso: ["till why"],
        action: { arguments, context in
            let path = "\(SaleOptions.path(arguments))/apps/\(arguments[CatalogueOptions.bundle])/steps"
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", path, as: Page<AppStepReport>.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            context.printList(found.items, as: SaleTables.steps, arguments, nothing: "There are no steps.")
        })
}
