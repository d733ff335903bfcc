/// What the program `sqlite3` printed with `.dump` for databases that earlier versions had made.
enum GoldenSchemas {
    /// The tables of work and outbox as they were first released, with a renewal, a message and an epoch.
    static let one = #"""
        PRAGMA foreign_keys=OFF;
        BEGIN TRANSACTION;
        CREATE TABLE store_migration (
            number INTEGER NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            schema_name TEXT NOT NULL,
            statements TEXT NOT NULL
        ) STRICT;
        INSERT INTO store_migration VALUES(1,'work and outbox','released',replace('CREATE TABLE work (\n    clock_id INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,\n    due_at INTEGER NOT NULL, attempt INTEGER NOT NULL, last_error TEXT,\n    lease TEXT, leased_until INTEGER,\n    PRIMARY KEY (clock_id, kind, subject)\n) WITHOUT ROWID, STRICT;\nCREATE INDEX work_due ON work (clock_id, due_at, kind, subject);\nCREATE TABLE dead_work (\n    clock_id INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,\n    due_at INTEGER NOT NULL, attempt INTEGER NOT NULL, died_at INTEGER NOT NULL,\n    last_error TEXT NOT NULL,\n    PRIMARY KEY (clock_id, kind, subject)\n) WITHOUT ROWID, STRICT;\nCREATE TABLE outbox_stream (\n    kind TEXT NOT NULL, clock_id INTEGER NOT NULL, stream TEXT NOT NULL,\n    written INTEGER NOT NULL, delivered INTEGER NOT NULL,\n    PRIMARY KEY (kind, clock_id, stream)\n) WITHOUT ROWID, STRICT;\nCREATE TABLE outbox_message (\n    kind TEXT NOT NULL, clock_id INTEGER NOT NULL, stream TEXT NOT NULL,\n    number INTEGER NOT NULL, content BLOB NOT NULL, written_at INTEGER NOT NULL, failure TEXT,\n    PRIMARY KEY (kind, clock_id, stream, number)\n) WITHOUT ROWID, STRICT','\n',char(10)));
        CREATE TABLE store_property (name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL) STRICT;
        INSERT INTO store_property VALUES('epoch','first life');
        CREATE TABLE work (
            clock_id INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
            due_at INTEGER NOT NULL, attempt INTEGER NOT NULL, last_error TEXT,
            lease TEXT, leased_until INTEGER,
            PRIMARY KEY (clock_id, kind, subject)
        ) WITHOUT ROWID, STRICT;
        INSERT INTO work VALUES(0,'notification','s',1000,0,NULL,NULL,NULL);
        INSERT INTO work VALUES(0,'renewal','42',2000,0,NULL,NULL,NULL);
        CREATE TABLE dead_work (
            clock_id INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
            due_at INTEGER NOT NULL, attempt INTEGER NOT NULL, died_at INTEGER NOT NULL,
            last_error TEXT NOT NULL,
            PRIMARY KEY (clock_id, kind, subject)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE outbox_stream (
            kind TEXT NOT NULL, clock_id INTEGER NOT NULL, stream TEXT NOT NULL,
            written INTEGER NOT NULL, delivered INTEGER NOT NULL,
            PRIMARY KEY (kind, clock_id, stream)
        ) WITHOUT ROWID, STRICT;
        INSERT INTO outbox_stream VALUES('notification',0,'s',1,0);
        CREATE TABLE outbox_message (
            kind TEXT NOT NULL, clock_id INTEGER NOT NULL, stream TEXT NOT NULL,
            number INTEGER NOT NULL, content BLOB NOT NULL, written_at INTEGER NOT NULL, failure TEXT,
            PRIMARY KEY (kind, clock_id, stream, number)
        ) WITHOUT ROWID, STRICT;
        INSERT INTO outbox_message VALUES('notification',0,'s',1,X'010203',1000,NULL);
        CREATE INDEX work_due ON work (clock_id, due_at, kind, subject);
        COMMIT;
        """#
}
