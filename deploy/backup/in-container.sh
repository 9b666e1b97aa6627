#!/bin/sh
# Backups where PostgreSQL runs in a container, by the programs of its own image. The folder /backups is as deploy/backup/archive.ts has it:
# wal/ is what PostgreSQL archives by itself (ARCHIVE_MODE=on), base/ a copy of its cluster in a folder each.
#
#   in-container.sh folders             makes what PostgreSQL archives into, before it starts
#   in-container.sh copy [KEEP]         a copy of the running cluster; keeps the newest KEEP (7), and the WAL since the oldest of them
#   in-container.sh copies [KEEP]       one a day, for ever
#   in-container.sh restore [MOMENT]    of the stopped PostgreSQL: to 2026-11-22T03:20:00Z, or as far as was archived. BASE: from this copy
#                                       (what a BASE is good for: a history that was left by a restore before; docs/backups.md)
set -eu
export LC_ALL=C
wal=/backups/wal
bases=/backups/base

fail() {
	echo "$*" >&2
	exit 1
}

ask() { psql -XAtq -v ON_ERROR_STOP=1 -d postgres -c "$1"; }
now='select to_char(clock_timestamp() at time zone $$UTC$$, $$YYYY-MM-DD"T"HH24:MI:SS.MS"Z"$$)'

folders() {
	for folder in "$wal" "$bases"; do mkdir -p "$folder"; done
	if [ "$(id -u)" = 0 ]; then chown postgres: "$wal" "$bases"; fi
	chmod 700 "$wal" "$bases"
}

# A field of a copy's backup.json.
field() { sed -n "s/.*\"$2\": *\"\([^\"]*\)\".*/\1/p" "$1/backup.json"; }

# The whole copies, oldest first. One without its record was interrupted.
whole() {
	for record in "$bases"/*/backup.json; do
		if [ -e "$record" ]; then dirname "$record"; fi
	done | sort
}

copy() {
	[ "$(ask 'show archive_mode')" = on ] || fail "PostgreSQL does not archive: a copy is worth little without what is written after it (docs/backups.md)."
	rm -rf "$bases"/*.new
	started=$(ask "$now")
	folder=$bases/$(echo "$started" | tr ':.' '--')
	mkdir -m 700 "$folder.new"
	pg_basebackup -D "$folder.new/cluster" -c fast
	pg_verifybackup -q "$folder.new/cluster"
	finished=$(ask "$now")
	first=$(sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\)).*/\1/p' "$folder.new/cluster/backup_label")
	end=$(sed -n 's/.*"End-LSN": "\([^"]*\)".*/\1/p' "$folder.new/cluster/backup_manifest" | tail -n 1)
	archived "$first"
	bytes=$(($(du -sk "$folder.new/cluster" | cut -f 1) * 1024))
	printf '{"startedAt": "%s", "finishedAt": "%s", "firstWal": "%s", "endLsn": "%s", "bytes": %s}\n' \
		"$started" "$finished" "$first" "$end" "$bytes" >"$folder.new/backup.json"
	sync
	mv "$folder.new" "$folder"
	prune "${1:-7}"
	echo "$folder: $((bytes / 1000000)) MB. Every moment from $finished on can be restored."
}

# Waits until PostgreSQL has archived a file: that it can is known by nothing else.
archived() {
	ask 'select pg_switch_wal()' >/dev/null
	tries=0
	until [ -e "$wal/$1" ]; do
		tries=$((tries + 1))
		[ "$tries" -lt 120 ] || fail "PostgreSQL does not get its WAL archived into $wal: select * from pg_stat_archiver."
		sleep 1
	done
}

# First the copies: one whose WAL is gone would look as if it could be restored.
prune() {
	gone=$(($(whole | wc -l) - $1))
	if [ "$gone" -gt 0 ]; then whole | head -n "$gone" | while read -r folder; do rm -rf "$folder"; done; fi
	pg_archivecleanup "$wal" "$(field "$(whole | head -n 1)" firstWal)"
}

# A failure is reported and the copy tried again: operators watch the age of the newest copy (docs/backups.md).
copies() {
	while true; do
		if "$0" copy "$@"; then sleep 86400; else sleep 600; fi
	done
}

# The newest copy that had ended by then.
choose() {
	chosen=
	for folder in $(whole); do
		finished=$(field "$folder" finishedAt)
		last=$(printf '%s\n%s\n' "${finished%Z}" "${1%Z}" | sort | tail -n 1)
		if [ -z "$1" ] || [ "$last" = "${1%Z}" ]; then chosen=$folder; fi
	done
	echo "$chosen"
}

restore() {
	to=${1:-${MOMENT:-}}
	case $to in '' | ????-??-??T??:??:??*Z) ;; *) fail "$to is no moment such as 2026-11-22T03:20:00Z." ;; esac
	answer=0
	pg_isready -q -t 5 || answer=$?
	[ "$answer" = 2 ] || fail "PostgreSQL is running: stop it first, and all services."
	base=${BASE:-$(choose "$to")}
	[ -e "$base/backup.json" ] || fail "No copy in $bases had ended by then."
	draft=$PGDATA.restoring
	rm -rf "$draft"
	echo "Recovering from $base..."
	cp -a "$base/cluster" "$draft"
	touch "$draft/recovery.signal"
	recover "$draft" "$to"
	if [ -e "$PGDATA" ]; then
		former=$PGDATA.before-$(date -u +%Y-%m-%dT%H-%M-%SZ)
		mv "$PGDATA" "$former"
		echo "What was there before is in $former: delete it when it is not needed any more."
	fi
	mv "$draft" "$PGDATA"
	echo "Restored. Before services start, remove what NATS has from later (docs/backups.md)."
}

# Only this shell reaches it, and it adds nothing to the archive yet: a restore that was only tried leaves no history behind.
# Command lines are read before PostgreSQL knows what Z is.
recover() {
	set -- -D "$1" -c listen_addresses= -c unix_socket_directories=/tmp -c hot_standby=off -c archive_mode=on \
		-c recovery_target_action=promote -c "restore_command=cp $wal/%f \"%p\" || cp $wal/%f.partial \"%p\"" \
		${2:+-c "recovery_target_time=${2%Z}+00"}
	postgres "$@" &
	server=$!
	until pg_isready -q -h /tmp -t 5; do
		kill -0 "$server" 2>/dev/null || fail "PostgreSQL did not get there, and nothing was changed. If nothing was committed after the moment, leave it out."
		sleep 1
	done
	PGHOST=/tmp psql -Xq -v ON_ERROR_STOP=1 -f "$(dirname "$0")/after-restore.sql" -d "${POSTGRES_DATABASE:-energy}"
	kill -INT "$server"
	wait "$server"
}

verb=${1:-}
case $verb in
folders | copy | copies | restore)
	shift
	"$verb" "$@"
	;;
*) fail "$(sed -n '2,10s/^# \{0,1\}//p' "$0")" ;;
esac
