/**
 * A copy of a running cluster, by PostgreSQL's low-level interface for backups: for the PostgreSQL of `npm run up`, which comes without
 * pg_basebackup. Files change while they are copied; the WAL that is archived meanwhile makes them whole.
 */
import { constants, mkdirSync, writeFileSync } from "node:fs";
import { copyFile, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { openSession } from "#libs/postgres/session.ts";
import type { BaseRecord } from "./archive.ts";

/** Longest wait for a checkpoint, and for the last WAL to be archived (ms). */
const longestMs = 10 * 60_000;

/** Contents that PostgreSQL makes anew, or that the archive has. */
const emptied = new Set(
	"pg_wal pg_dynshmem pg_notify pg_replslot pg_serial pg_snapshots pg_stat_tmp pg_subtrans".split(" "),
);
const left = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|.*\.tmp|recovery\.signal|backup_label(\.old)?)$/;
const control = "global/pg_control";

/** Copies the cluster into `target`, which must not exist. The server must be archiving. */
export async function copyCluster(adminUrl: string, cluster: string, target: string): Promise<BaseRecord> {
	await using pool = connect(adminUrl, { schema: "public", name: "backup", max: 1, statementTimeoutMs: longestMs });
	// A backup ends with the session that began it: one that is lost is one that never was.
	const session = openSession(pool);
	try {
		return await copyBetween(session, cluster, target);
	} finally {
		await session.end({ timeout: 5 });
	}
}

async function copyBetween(session: Sql, cluster: string, target: string): Promise<BaseRecord> {
	const [start] = await session<{ at: string; wal: string }[]>`
		select to_json(clock_timestamp() at time zone 'UTC') #>> '{}' || 'Z' as at, pg_walfile_name(lsn) as wal
		from pg_backup_start('energy', fast => true) as lsn`;
	const bytes = (await copyFolder(cluster, target, "")) + (await copyControl(cluster, target));
	const [stop] = await session<{ at: string; lsn: string; label: string; tablespaces: string }[]>`
		select lsn::text as lsn, labelfile as label, spcmapfile as tablespaces, to_json(clock_timestamp() at time zone 'UTC') #>> '{}' || 'Z' as at
		from pg_backup_stop(wait_for_archive => true)`;
	if (start === undefined || stop === undefined) throw new Error("PostgreSQL did not answer");
	if (stop.tablespaces !== "") throw new Error("clusters with tablespaces of their own take pg_basebackup");
	writeFileSync(join(target, "backup_label"), stop.label, { mode: 0o600 });
	return { startedAt: start.at, finishedAt: stop.at, firstWal: start.wal, endLsn: stop.lsn, bytes };
}

/** Answers the bytes copied. */
async function copyFolder(cluster: string, target: string, path: string): Promise<number> {
	mkdirSync(join(target, path), { mode: 0o700 });
	if (emptied.has(path)) return 0;
	let bytes = 0;
	for (const entry of await readdir(join(cluster, path), { withFileTypes: true })) {
		const inner = path === "" ? entry.name : `${path}/${entry.name}`;
		if (left.test(entry.name) || inner === control) continue;
		if (entry.isDirectory()) bytes += await copyFolder(cluster, target, inner);
		else if (entry.isFile()) bytes += await skipIfDeleted(copy(join(cluster, inner), join(target, inner)));
	}
	return bytes;
}

async function copy(from: string, to: string): Promise<number> {
	await copyFile(from, to, constants.COPYFILE_FICLONE);
	return (await stat(to)).size;
}

/** Last, and only as read twice alike: nothing mends a half of it. */
async function copyControl(cluster: string, target: string): Promise<number> {
	const read = () => readFile(join(cluster, control));
	for (let attempt = 1; attempt <= 100; attempt++) {
		const bytes = await read();
		if (!bytes.equals(await read())) continue;
		writeFileSync(join(target, control), bytes, { mode: 0o600 });
		return bytes.length;
	}
	throw new Error(`${control} was never at rest`);
}

/** A table that is dropped meanwhile takes its files with it: the WAL says so too. */
async function skipIfDeleted(copied: Promise<number>): Promise<number> {
	try {
		return await copied;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
		throw error;
	}
}
