#!/bin/sh
# What NATS still knows of a database that was restored, as deploy/backup/streams.ts has it: of a stopped node, its files in /data.
# Every stream goes with its consumers, except what the gateways said: of that only the consumers.
set -eu
for stream in /data/jetstream/*/streams/*; do
	case $stream in
	*'*') ;;
	*/GATEWAY) rm -rf "$stream/obs" ;;
	*)
		rm -rf "$stream"
		echo "forgotten: $(basename "$stream")"
		;;
	esac
done
