/// Where there is no person to ask: says with one line where a purchase can be approved, and waits for that.
package struct SilentPrompt: PurchasePrompt {
    private let report: @Sendable (String) -> Void

    package init(report: @escaping @Sendable (String) -> Void) {
        self.report = report
    }

    package var asksPerson: Bool { false }

    package func ask(_ question: PromptQuestion) async -> PromptReply {
        guard let purchase = question.purchase, let approval = question.approval else { return .cancelled }
        report("\(purchase.title), \(purchase.total), waits for a yes: \(approval)")
        return .elsewhere
    }

    package func tell(_ notice: PromptNotice) async {
        report("\(notice.text)" + (notice.address.map { " " + $0 } ?? ""))
    }
}
