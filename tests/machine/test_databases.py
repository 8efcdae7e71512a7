"""A machine judge on each database, with real transactions."""

from random import Random

from django.db import connection

from judging.core.selectors.machine_summary import summarise
from judging.machine.sittings import judge_all
from tests.machine.conftest import Written, begun, client_of, study_on, teach, worth
from tests.machine.stand_in import StandIn
from tests.support.databases import ON_SQLITE
from tests.support.integrity import broken_invariants


@ON_SQLITE
def test_a_judge_on_each_database(database: str, written: Written) -> None:
    study = study_on("preference", documents=12)
    server = StandIn(worth, {})
    teach(server, study)
    server.fail_next(["", "unparsable", "", "429"])
    judge, file = begun(study, written(prompt="preference"))
    try:
        assert judge_all(judge, file, client_of(server), rng=Random(2)) == ""
    finally:
        server.stop()
    assert connection.vendor == database
    assert summarise(judge).units == 4
    assert broken_invariants(study) == []
