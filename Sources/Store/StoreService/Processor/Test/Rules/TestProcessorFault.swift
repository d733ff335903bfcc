/// What goes wrong with a call.
package enum TestProcessorFault: String, Codable, CaseIterable, Sendable {
    /// It is carried out, and the connection breaks before the answer.
    case lost
    case lostWithoutEffect = "lost_without_effect"
    /// It is carried out, and the answer comes too late.
    case late
    case lateWithoutEffect = "late_without_effect"
    /// It is carried out, and the processor is killed before the answer.
    case crash
    case crashWithoutEffect = "crash_without_effect"
    /// It is answered with 503 and not carried out.
    case unavailable
    /// It is declined, or fails, for a reason.
    case refuse

    /// Whether the call has its effect all the same.
    var hasEffect: Bool {
        switch self {
        case .lost, .late, .crash, .refuse: true
        case .lostWithoutEffect, .lateWithoutEffect, .crashWithoutEffect, .unavailable: false
        }
    }
}
