import json
from datetime import timedelta
import pytest
from django.utils.timezone import now
from accounts import work
from accounts.isolation import acting_as
from accounts.models import User, Work
from conversations import demo
from tests.accounts.test_isolation_tables import fill_the_notebook_of
from tests.privacy.restored import *
from privacy.models import Restore

for_real = pytest.mark.django_db(transaction=True)

@for_real
def test_x(alice: User, bob: User) -> None:
    import time
    fill_the_notebook_of(alice)
    t=time.time()
    demo.talk_for_two_months(alice)
    print("demo", time.time()-t)
    work.do_waiting_work()
    first = copied(alice)
    r = restored(bob, first)
    print(r.state, r.failure, r.left_out)
    with acting_as(bob):
        print([(w.kind, w.failure) for w in Work.objects.filter(user=bob)])
    one, two = rows_of(first), rows_of(copied(bob))
    keys = {}
    for table in one:
        print(table, len(one[table]), len(two[table]))
        if len(one[table]) == len(two[table]):
            for a, b in zip(one[table], two[table]):
                keys[a["id"]] = b["id"]
    def renamed(rows):
        text = json.dumps(rows)
        for k, v in keys.items(): text = text.replace(k, v)
        return json.loads(text)
    for table in one:
        if len(one[table]) != len(two[table]): continue
        diffs = {}
        for a, b in zip(renamed(one[table]), two[table]):
            for k in a:
                if a[k] != b[k]: diffs.setdefault(k, []).append((a[k], b[k], a.get("value") or a.get("content")))
        for k, v in diffs.items(): print(table, k, len(v), v[:4])
    assert 0
