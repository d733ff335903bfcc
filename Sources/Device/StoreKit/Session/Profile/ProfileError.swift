/// Why nothing can be sold: there is no provisioning profile, or none that will do.
package struct ProfileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The exact reason; more may be added.
    package struct Code: Hashable, Sendable {
        package let name: String

        package static let missing = Code(name: "no_provisioning_profile")
        package static let unreadable = Code(name: "profile_unreadable")
        package static let malformed = Code(name: "profile_malformed")
        package static let untrusted = Code(name: "profile_untrusted")
        package static let wildcard = Code(name: "profile_wildcard")
        package static let otherApp = Code(name: "profile_of_another_app")
        package static let notPrivate = Code(name: "profile_not_private")
    }

    package let code: Code
    /// A clause for people, safe to log.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}

extension ProfileError {
    /// There is none.
    package static let missing = ProfileError(
        .missing,
        "there is no provisioning profile; name the file in \(ProfileSearch.variable), or put it beside the executable")
}
