/**
 * A folder of backups, BACKUP_DIR: `wal/` holds what PostgreSQL wrote, archived by itself as it goes on; `base/` a copy of its cluster in a
 * folder each. Any moment between the end of a copy and now is that copy and the WAL after it.
 */
import { spawnSync } from "node:child_process";
import { chownSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makeFolder } from "#libs/service/make-folder.ts";
import type { User } from "../local/children.ts";
import { UserError } from "../local/program.ts";
import { branchPoints, latestTimeline, readLsn, timelineOf } from "./history.ts";

export const walFolder = (backupDir: string): string => join(backupDir, "wal");
export const baseFolder = (backupDir: string): string => join(backupDir, "base");

/** How long a change may wait to be archived (s): what is lost, at most, with the disk of the database. */
const archiveTimeoutS = 60;

const recordSchema = z.object({
	/** By PostgreSQL's clock. From `finishedAt` on the copy can be brought to any moment. */
	startedAt: z.iso.datetime(),
	finishedAt: z.iso.datetime(),
	/** The first file of WAL without which the copy is worth nothing. */
	firstWal: z.string().regex(/^[0-9A-F]{24}$/),
	/** Where in the WAL the copy was whole. */
	endLsn: z.string().regex(/^[0-9A-F]+\/[0-9A-F]+$/),
	bytes: z.int(),
});

export type BaseRecord = z.infer<typeof recordSchema>;

export interface Base extends BaseRecord {
	folder: string;
}

/** Makes the folder of WAL where it is missing, for the user that PostgreSQL runs as, and answers PostgreSQL's settings. */
export function openArchive(backupDir: string, user: User | undefined): string[] {
	const wal = walFolder(backupDir);
	for (const folder of [backupDir, wal]) makeFolder(folder, 0o711);
	giveTo(user, wal);
	const reached = spawnSync("/bin/sh", ["-c", 'test -w "$1"', "sh", wal], { ...user, cwd: "/" });
	if (reached.status !== 0)
		throw new UserError(
			`PostgreSQL's own user cannot write to ${wal}: let it pass (chmod o+x) through the folders above.`,
		);
	return [
		"archive_mode=on",
		// Comes with PostgreSQL, and is durable and atomic, which a `cp` is not.
		"archive_library=basic_archive",
		`basic_archive.archive_directory=${wal}`,
		`archive_timeout=${archiveTimeoutS}`,
	];
}

/** An archive that was brought from another machine belongs to the user of that number here. */
function giveTo(user: User | undefined, wal: string): void {
	if (user === undefined || statSync(wal).uid === user.uid) return;
	for (const path of [wal, ...readdirSync(wal).map((name) => join(wal, name))]) chownSync(path, user.uid, user.gid);
}

/** The whole copies, oldest first. One without its record was interrupted. */
export function listBases(backupDir: string): Base[] {
	const home = baseFolder(backupDir);
	if (!existsSync(home)) return [];
	const found = readdirSync(home).flatMap((name) => {
		const record = join(home, name, "backup.json");
		if (!existsSync(record)) return [];
		return { folder: join(home, name), ...recordSchema.parse(JSON.parse(readFileSync(record, "utf8"))) };
	});
	return found.sort((a, b) => Date.parse(a.finishedAt) - Date.parse(b.finishedAt));
}

/** The newest copy in the history of `timeline` (the latest by default) that had ended by then; of all where no moment is given. */
export function chooseBase(backupDir: string, to: string | undefined, timeline?: string): Base {
	const wal = walFolder(backupDir);
	const target = timeline === undefined ? latestTimeline(wal) : Number(timeline);
	const ends = branchPoints(wal, target);
	const bases = listBases(backupDir).filter(({ firstWal, endLsn }) => {
		const end = ends.get(timelineOf(firstWal));
		return timelineOf(firstWal) === target || (end !== undefined && readLsn(endLsn) <= end);
	});
	const base = bases.findLast(({ finishedAt }) => to === undefined || Date.parse(finishedAt) <= Date.parse(to));
	if (base !== undefined) return base;
	const [oldest] = bases;
	if (oldest === undefined) throw new UserError(`There is no backup in ${backupDir} (npm run backup).`);
	throw new UserError(
		`The oldest backup in ${backupDir} ended at ${oldest.finishedAt}: nothing before that can be restored.`,
	);
}

/** Keeps the newest copies, and the WAL from the oldest of them on. Answers how many copies and files went. */
export function prune(backupDir: string, keep: number): { bases: number; wal: number } {
	const bases = listBases(backupDir);
	const gone = bases.slice(0, Math.max(0, bases.length - keep));
	const [oldest] = bases.slice(gone.length);
	// First the copies: one whose WAL is gone would look as if it could be restored.
	for (const { folder } of gone) rmSync(folder, { recursive: true });
	if (oldest === undefined) return { bases: gone.length, wal: 0 };
	const wal = walFolder(backupDir);
	const old = readdirSync(wal).filter((name) => isBefore(name, oldest.firstWal));
	for (const name of old) rmSync(join(wal, name), { force: true });
	return { bases: gone.length, wal: old.length };
}

/** As pg_archivecleanup has it: whatever the timeline (the first 8 digits); files of timelines' history stay. */
function isBefore(name: string, firstWal: string): boolean {
	return /^[0-9A-F]{24}(\..*)?$/.test(name) && name.slice(8, 24) < firstWal.slice(8);
}
