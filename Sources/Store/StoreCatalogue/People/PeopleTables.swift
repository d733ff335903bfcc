import StoreDatabase

/// The tables of people: who looks after the store, how they come in, and teams that would like to sell.
///
/// Passwords, links and recovery codes are kept as hashes, secrets of authenticator apps sealed.
enum PeopleTables {
    static let statements: [SQL] = [
        // Whoever has a password, whatever teams they are in.
        """
        CREATE TABLE person (
            person_key \(.text) NOT NULL PRIMARY KEY, password_hash \(.text) NOT NULL, password_at \(.integer) NOT NULL
        ) \(.table)
        """,
        """
        CREATE TABLE store_member (
            person_key \(.text) NOT NULL PRIMARY KEY, email \(.text) NOT NULL, name \(.text) NOT NULL,
            role \(.text) NOT NULL, added_at \(.integer) NOT NULL
        ) \(.table)
        """,
        // Without a team it leads to the store's own people.
        """
        CREATE TABLE invitation (
            invitation_id \(.text) NOT NULL PRIMARY KEY, link_hash \(.bytes) NOT NULL UNIQUE, purpose \(.text) NOT NULL,
            team_id \(.text), person_key \(.text) NOT NULL, email \(.text) NOT NULL, name \(.text) NOT NULL,
            role \(.text) NOT NULL, made_by \(.text) NOT NULL, created_at \(.integer) NOT NULL,
            expires_at \(.integer) NOT NULL, used_at \(.integer), revoked_at \(.integer)
        ) \(.table)
        """,
        "CREATE INDEX invitation_of_person ON invitation (person_key)",
        "CREATE INDEX invitation_of_team ON invitation (team_id, created_at)",
        "ALTER TABLE operator_session ADD COLUMN person_key \(.text)",
        "ALTER TABLE operator_session ADD COLUMN team_id \(.text)",
        "ALTER TABLE operator_session ADD COLUMN client \(.text)",
        "ALTER TABLE operator_session ADD COLUMN used_at \(.integer)",
        "CREATE INDEX operator_session_of_person ON operator_session (person_key)",
        // Of a person, or of whoever has the machine of the store.
        """
        CREATE TABLE second_factor (
            subject \(.text) NOT NULL PRIMARY KEY, sealed_secret \(.bytes) NOT NULL, created_at \(.integer) NOT NULL,
            confirmed_at \(.integer), last_step \(.integer)
        ) \(.table)
        """,
        """
        CREATE TABLE recovery_code (
            subject \(.text) NOT NULL, code_hash \(.bytes) NOT NULL, used_at \(.integer),
            PRIMARY KEY (subject, code_hash)
        ) \(.keyedTable)
        """,
        "CREATE TABLE second_factor_rule (role \(.text) NOT NULL PRIMARY KEY, since \(.integer) NOT NULL) \(.table)",
        // Somebody who has given a password or a link, and not yet a code.
        """
        CREATE TABLE pending_sign_in (
            name_hash \(.bytes) NOT NULL PRIMARY KEY, subject \(.text) NOT NULL, person_key \(.text), token_name \(.text),
            team_id \(.text), created_at \(.integer) NOT NULL, expires_at \(.integer) NOT NULL,
            failures \(.integer) NOT NULL, ended_at \(.integer)
        ) \(.table)
        """,
        """
        CREATE TABLE team_application (
            application_id \(.text) NOT NULL PRIMARY KEY, link_hash \(.bytes) NOT NULL UNIQUE, team_id \(.text) NOT NULL,
            team_name \(.text) NOT NULL, person_key \(.text) NOT NULL, email \(.text) NOT NULL, name \(.text) NOT NULL,
            plans \(.text) NOT NULL, agreed_version \(.integer) NOT NULL, created_at \(.integer) NOT NULL,
            approved_at \(.integer), refused_at \(.integer), reason \(.text), decided_by \(.text)
        ) \(.table)
        """,
        "CREATE INDEX team_application_new ON team_application (created_at)",
        """
        CREATE TABLE agreement_text (
            kind \(.text) NOT NULL, version \(.integer) NOT NULL, body \(.text) NOT NULL, published_at \(.integer) NOT NULL,
            PRIMARY KEY (kind, version)
        ) \(.keyedTable)
        """,
        "ALTER TABLE team_agreement ADD COLUMN text_version \(.integer)",
        "ALTER TABLE team_finance ADD COLUMN revision \(.integer)",
        "ALTER TABLE operator_token ADD COLUMN made_by \(.text)",
    ]

    /// When somebody has come in by an invitation of the team, or of the store. A password counts only where it was shown.
    static let acceptance: [SQL] = [
        "ALTER TABLE team_member ADD COLUMN accepted_at \(.integer)",
        "ALTER TABLE store_member ADD COLUMN accepted_at \(.integer)",
    ]
}
