import Foundation

/// What the server of an app does with the notifications of the store: here it only remembers their types.
actor ClubBackend {
    private(set) var types: [String] = []

    func receive(_ signedPayload: String) throws {
        // A real one verifies the signature first, with a library and the rootCertificates of the session.
        let parts = signedPayload.split(separator: ".")
        var payload = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        payload += String(repeating: "=", count: (4 - payload.count % 4) % 4)
        let notification = try JSONDecoder().decode(Notification.self, from: Data(base64Encoded: payload) ?? Data())
        types.append(notification.notificationType)
    }

    private struct Notification: Decodable {
        let notificationType: String
    }
}
