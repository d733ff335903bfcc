import StoreDatabase

/// The tables of those who sell: teams, who is in them, what they have agreed to, and the versions of their apps.
///
/// Apps that were entered before there were teams belong to the one of ``Teams/first``.
enum DeveloperTables {
    static let statements: [SQL] = [
        """
        CREATE TABLE team (
            team_id \(.text) NOT NULL PRIMARY KEY, name \(.text) NOT NULL, created_at \(.integer) NOT NULL,
            suspended_at \(.integer), suspension_reason \(.text)
        ) \(.table)
        """,
        """
        CREATE TABLE team_member (
            team_id \(.text) NOT NULL REFERENCES team (team_id), email \(.text) NOT NULL, name \(.text) NOT NULL,
            role \(.text) NOT NULL, added_at \(.integer) NOT NULL,
            PRIMARY KEY (team_id, email)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE team_agreement (
            team_id \(.text) NOT NULL REFERENCES team (team_id), kind \(.text) NOT NULL,
            accepted_at \(.integer) NOT NULL, accepted_by \(.text) NOT NULL, ends_at \(.integer), ended_reason \(.text),
            PRIMARY KEY (team_id, kind)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE team_finance (
            team_id \(.text) NOT NULL PRIMARY KEY REFERENCES team (team_id),
            account_holder \(.text), iban \(.text), bic \(.text),
            legal_name \(.text), tax_country \(.text), tax_id \(.text), address \(.text), changed_at \(.integer) NOT NULL
        ) \(.table)
        """,
        """
        CREATE TABLE app_version (
            app_id \(.integer) NOT NULL REFERENCES app (app_id), version \(.text) NOT NULL, state \(.text) NOT NULL,
            created_at \(.integer) NOT NULL, changed_at \(.integer) NOT NULL,
            rejection_reason \(.text), rejection_message \(.text),
            PRIMARY KEY (app_id, version)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE catalogue_audit (
            number \(.integer) NOT NULL PRIMARY KEY, at \(.integer) NOT NULL, actor \(.text) NOT NULL, team_id \(.text),
            subject \(.text) NOT NULL, action \(.text) NOT NULL, before \(.text), after \(.text), request_id \(.text)
        ) \(.table)
        """,
        "CREATE INDEX catalogue_audit_subject ON catalogue_audit (subject, number)",
        "ALTER TABLE app ADD COLUMN team_id \(.text)",
        "ALTER TABLE app ADD COLUMN capabilities \(.text)",
        "ALTER TABLE operator_token ADD COLUMN team_id \(.text)",
        "ALTER TABLE operator_token ADD COLUMN member \(.text)",
        """
        INSERT INTO team (team_id, name, created_at)
        SELECT 'my-team', 'My team', min(created_at) FROM app HAVING count(*) > 0
        """,
        """
        INSERT INTO team_agreement (team_id, kind, accepted_at, accepted_by)
        SELECT team_id, 'free', created_at, 'migration' FROM team
        """,
        """
        INSERT INTO team_agreement (team_id, kind, accepted_at, accepted_by)
        SELECT team_id, 'paid', created_at, 'migration' FROM team
        """,
        "UPDATE app SET team_id = 'my-team', capabilities = 'in_app_purchase'",
    ]
}
