#!/bin/sh
# Deletes the streams that a stopped node of NATS keeps in /data of a database that was restored, as deploy/backup/streams.ts does.
# Every stream goes with its consumers; of the gateways' stream only the consumers go.
set -eu
for stream in /data/jetstream/*/streams/*; do
	case $stream in
	*'*') ;;
	*/GATEWAY) rm -rf "$stream/obs" ;;
	*)
		rm -rf "$stream"
		echo "removed: $(basename "$stream")"
		;;
	esac
done
