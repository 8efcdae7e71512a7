"""A site from before version 0.1.0: its backup, and the exports that this version makes of it.

`site.backup` has the migrations that `0001_version_0_1_0` replaces, and is never written again: a backup of
later code would prove nothing about older databases. The site has

- five people: an admin, an owner, an editor, a viewer who is also staff, and an account that was deleted;
  an open invitation, an accepted one and a revoked one;
- `judged`, open: attempts that were completed, lapsed with and without failed checks, were returned, failed
  the checks or the question, and one under way; workers who were screened out, were blocked, withdrew, or
  only agreed; a unit that was excluded and collected again; thresholds, statistics of workers, reports, and
  an export made by a job;
- `crowd`, closed by force: workers of a platform, one of them erased; some payments made; a retired topic;
- `imported`, a draft with judgments from a file that says nothing about times and checks;
- `paused`, and the studies `made` and `edited`, which were made from set-ups;
- eleven set-ups in `drafts/`: 1 is complete; 2 was made a study; 3 too, and its title changed since; 4 has a
  name and a title; 5 has the name of a study; 6 has the name of set-up 1; 7 has many faults and an unused
  file; 8 cannot be read as TOML; 9 has an invalid name and no owner; 10 is empty; 11 has no folder. A twelfth
  was deleted.

`exports.zip` holds the exports of four of its studies, made by `exported.py`. Make it
again only when an export changes on purpose, such as by a new column, and check that nothing else changed.
"""
