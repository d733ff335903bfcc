package import StoreHTTP
package import StoreModel

extension HTTPResponse {
    /// The single sales and refunds of a partner as a table, row by row. No value has a comma or a quotation mark, and none
    /// begins a formula: campaigns have letters, digits and `_` only.
    package static func partnerLines(
        of partner: Partner, from start: Instant?, until end: Instant?, _ partners: Partners
    ) -> HTTPResponse {
        let stream = BodyStream()
        Task {
            do {
                try await stream.write(
                    Array("at,kind,campaign,item,storefront,paid,commission,currency\r\n".utf8))
                var last: LedgerEntryID?
                while true {
                    let lines = try await partners.lines(
                        of: partner, from: start, until: end, after: last, limit: PartnerReport.linesPerPage)
                    if !lines.isEmpty { try await stream.write(Array(lines.map(row).joined().utf8)) }
                    guard lines.count == PartnerReport.linesPerPage, let end = lines.last else { break }
                    last = end.entry
                }
                stream.finish()
            } catch {
                stream.fail(error)
            }
        }
        var response = HTTPResponse(.ok, body: .stream(length: nil, stream))
        response.fields["Content-Type"] = "text/csv"
        response.fields["Cache-Control"] = "private, no-store"
        response.fields["Content-Disposition"] = "attachment; filename=\"partner-\(partner.token).csv\""
        return response
    }

    private static func row(_ line: PartnerReport.Line) -> String {
        [
            line.at.rfc3339, line.kind.rawValue, line.campaign ?? "", line.storeID, line.storefront.rawValue,
            line.paid.decimalText, line.commission.decimalText, line.paid.currency.code,
        ].joined(separator: ",") + "\r\n"
    }
}
