import Foundation
import StoreModel
import StoreServer
import StoreService
import Testing

@testable import till

@Suite("What the commands of notifications tell people") struct NotificationTextTests {
    /// One that was written and tried at the beginning of 2026, by a clock that shows so many seconds more.
    private static func details(ahead seconds: Int64) throws -> NotificationDetails {
        let wall: Int64 = 1_767_225_600_000
        let own = wall + seconds * 1000
        let text = """
            {"notification": {"notificationUUID": "7c1e0d6a-3b52-4d0f-9a6e-51b2f0c4e8aa", "notificationType": "TEST",
            "title": "Test", "state": "delivered", "summary": "Yes.", "version": 2, "signedDate": \(own),
            "writtenAt": \(wall), "attempts": 1}, "meaning": "", "payload": {}, "attempts": [{"receiver": "address",
            "number": 1, "at": \(own), "wallAt": \(wall), "result": "SUCCESS", "status": 200, "milliseconds": 5}]}
            """
        return try JSONDecoder().decode(NotificationDetails.self, from: Data(text.utf8))
    }

    @Test("X7: Times are real ones, and those of a clock that shows another time stand beside them") func times() throws
    {
        let (same, ahead) = (try Self.details(ahead: 0), try Self.details(ahead: 3600))
        #expect(
            NotificationText.lines(same).contains("  2026-01-01T00:00:00Z  SUCCESS  200 after 5 ms"))
        #expect(
            NotificationText.lines(ahead).contains(
                "  2026-01-01T00:00:00Z (2026-01-01T01:00:00Z by its clock)  SUCCESS  200 after 5 ms"))
        let list = NotificationText.notifications.lines([ahead.notification], ListStyle())
        #expect(list.first?.hasPrefix("DATE                  ITS CLOCK             TYPE") == true)
        #expect(list.last?.hasPrefix("2026-01-01T00:00:00Z  2026-01-01T01:00:00Z  TEST") == true)
        let plain = NotificationText.notifications.lines([same.notification], ListStyle())
        #expect(plain.first?.contains("ITS CLOCK") == false)
    }
}
