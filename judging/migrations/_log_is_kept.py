"""The triggers that keep the audit log: nothing changes or deletes its entries."""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

SENTENCE = "the audit log is only ever added to"
TRIGGERS = {
    "sqlite": [
        "CREATE TRIGGER judging_audit_no_update BEFORE UPDATE ON judging_auditentry"
        f" BEGIN SELECT RAISE(ABORT, '{SENTENCE}'); END",
        "CREATE TRIGGER judging_audit_no_delete BEFORE DELETE ON judging_auditentry"
        f" BEGIN SELECT RAISE(ABORT, '{SENTENCE}'); END",
    ],
    "postgresql": [
        "CREATE FUNCTION judging_audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        f" RAISE EXCEPTION '{SENTENCE}' USING ERRCODE = 'restrict_violation'; END $$",
        "CREATE TRIGGER judging_audit_is_kept BEFORE UPDATE OR DELETE ON judging_auditentry"
        " FOR EACH ROW EXECUTE FUNCTION judging_audit_is_kept()",
    ],
}
AWAY = {
    "sqlite": ["DROP TRIGGER judging_audit_no_update", "DROP TRIGGER judging_audit_no_delete"],
    "postgresql": [
        "DROP TRIGGER judging_audit_is_kept ON judging_auditentry",
        "DROP FUNCTION judging_audit_is_kept()",
    ],
}


def keep(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """On SQLite a later migration that makes this table anew must make its triggers anew."""
    for statement in TRIGGERS[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def let_go(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in AWAY[schema_editor.connection.vendor]:
        schema_editor.execute(statement)
