#!/bin/bash
# Switch this machine to another release of Plumbline, if the site uses the units in deploy/systemd. Run as root:
#
#   deploy/release.sh switch FOLDER   # run the release in FOLDER
#   deploy/release.sh back            # return to the previous release
#
# /srv/plumbline is a link to the folder. Running processes keep their release until this script restarts them. It
# restarts the job processes first, because they must know every job that the new pages can request. Then it restarts
# the web processes, and finally the scheduler.
set -euo pipefail

link=${PLUMBLINE_LINK:-/srv/plumbline}
variables=${PLUMBLINE_ENV:-/etc/plumbline/plumbline.env}
port=${PLUMBLINE_PORT:-8000}
seconds=${PLUMBLINE_PATIENCE:-60}

fail() {
    echo "release.sh: $*" >&2
    exit 1
}

# Point a link at a folder in one step, so that the link always exists.
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
    new=$(readlink -e -- "$1") || fail "the folder $1 does not exist. Give the folder of a release."
    [[ -x $new/.venv/bin/python && -f $new/manage.py ]] ||
        fail "$new has no manage.py, or no packages in .venv. Prepare the release as in docs/guides/deploying.md."
    if [[ -e $link && ! -L $link ]]; then
        fail "$link is not a link to a release. Move it away as in docs/guides/deploying.md."
    fi
    old=$(readlink -e -- "$link" || true)
    [[ $new != "$old" ]] || fail "$new is already the current release. Give the folder of another release."
    point "$link" "$new"
    if ! systemctl start plumbline-migrate.service; then
        [[ -z $old ]] || point "$link" "$old"
        fail "$new: plumbline-migrate failed; the old release still runs. To see why: journalctl -u plumbline-migrate"
    fi
    [[ -z $old ]] || point "$link.previous" "$old"
    systemctl restart 'plumbline-worker@*.service'
    systemctl restart plumbline-web.service
    systemctl restart plumbline-scheduler.service
    wait_until_ready || fail "$new: the site is not ready after $seconds seconds. To return: deploy/release.sh back"
    echo "$link now points to $new."
}

case "${1-} $#" in
"switch 2") switch "$2" ;;
"back 1")
    [[ -L $link.previous ]] ||
        fail "$link.previous does not exist, so there is no previous release. Use: release.sh switch FOLDER"
    switch "$link.previous"
    ;;
*) fail "unknown arguments. Use: release.sh switch FOLDER, or release.sh back" ;;
esac
