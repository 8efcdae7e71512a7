#!/bin/bash
# Which release of Plumbline this machine runs, on a site with the units of deploy/systemd. As root:
#
#   deploy/release.sh switch FOLDER   # run the release in that folder from now on
#   deploy/release.sh back            # run the one before again
#
# /srv/plumbline is a link to the folder. Processes that run keep their release until they are restarted here: the
# workers of the jobs first, since they must know every job that pages ask for, then the pages, then the clock.
set -euo pipefail

link=${PLUMBLINE_LINK:-/srv/plumbline}
variables=${PLUMBLINE_ENV:-/etc/plumbline/plumbline.env}
port=${PLUMBLINE_PORT:-8000}
seconds=${PLUMBLINE_PATIENCE:-60}

fail() {
    echo "release.sh: $*" >&2
    exit 1
}

# Point a link at a folder in one step: nobody ever finds it missing.
point() {
    ln -s "$2" "$1.new.$$"
    mv -T "$1.new.$$" "$1"
}

ready() {
    local hosts
    hosts=$(sed -n 's/^PLUMBLINE_ALLOWED_HOSTS=//p' "$variables")
    (cd -P "$link" && PLUMBLINE_ALLOWED_HOSTS=$hosts .venv/bin/python -m deploy.healthcheck readyz "$port")
}

wait_until_ready() {
    local ends=$((SECONDS + seconds))
    until ready 2>/dev/null; do
        ((SECONDS < ends)) || return 1
        sleep 1
    done
}

switch() {
    local new old=
    new=$(readlink -e -- "$1") || fail "$1: there is no such folder."
    [[ -x $new/.venv/bin/python && -f $new/manage.py ]] ||
        fail "$new: holds no release with its packages in .venv; make it first, as docs/guides/deploying.md says."
    if [[ -e $link && ! -L $link ]]; then
        fail "$link: is no link to a release; move it away first, as docs/guides/deploying.md says."
    fi
    old=$(readlink -e -- "$link" || true)
    [[ $new != "$old" ]] || fail "$new: is the release that runs already."
    point "$link" "$new"
    if ! systemctl start plumbline-migrate.service; then
        [[ -z $old ]] || point "$link" "$old"
        fail "$new: plumbline-migrate failed, see: journalctl -u plumbline-migrate. The old release goes on."
    fi
    [[ -z $old ]] || point "$link.previous" "$old"
    systemctl restart 'plumbline-worker@*.service'
    systemctl restart plumbline-web.service
    systemctl restart plumbline-scheduler.service
    wait_until_ready || fail "$new: the site is not ready after $seconds seconds. To go back: deploy/release.sh back"
    echo "$link leads to $new."
}

case "${1-} $#" in
"switch 2") switch "$2" ;;
"back 1")
    [[ -L $link.previous ]] || fail "$link.previous: no release ran here before this one."
    switch "$link.previous"
    ;;
*) fail "use: release.sh switch FOLDER, or release.sh back" ;;
esac
