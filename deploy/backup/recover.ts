/** A cluster as it was at a moment: a copy of it, and the WAL after that copy as far as the moment. */
import { existsSync, lchownSync, readdirSync, writeFileSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "#libs/postgres/connect.ts";
import { urlOf } from "../engines/postgres-roles.ts";
import type { Children, User } from "../local/children.ts";
import { freePort } from "../local/data-dir.ts";
import { launchPostgres } from "../local/postgres.ts";
import type { PostgresPlace } from "../local/postgres-place.ts";
import { UserError } from "../local/program.ts";
import { openArchive, walFolder } from "./archive.ts";

export interface Recovery {
	backupDir: string;
	base: string;
	/** Where PostgreSQL is, and where the cluster shall be: there must be nothing yet. */
	place: PostgresPlace;
	/** ISO moment: what was committed later is not there. As far as the WAL goes, when absent. */
	to?: string | undefined;
	/** The history to follow: "latest" by default. */
	timeline?: string | undefined;
	/** The administrator's, as it was in the copy. */
	password: string;
	database: string;
}

/** Long enough for days of WAL (ms). */
const longestMs = 24 * 3_600_000;

/** Leaves a cluster that is stopped and ready for the services: `after-restore.sql` has run in it. */
export async function recover(children: Children, recovery: Recovery): Promise<void> {
	const { base, place, database, password } = recovery;
	await cp(join(base, "cluster"), place.cluster, { recursive: true, errorOnExist: true, force: false });
	writeFileSync(join(place.cluster, "recovery.signal"), "", { mode: 0o600 });
	give(place.cluster, place.user);
	// It has to be able to read what is there, and adds nothing yet: a restore that was only tried must leave no history behind.
	openArchive(recovery.backupDir, place.user);
	const options = { port: await freePort(), password, durable: true, more: recoverySettings(recovery) };
	const { child, adminUrl } = await launchPostgres(children, place, options, longestMs).catch(explain);
	try {
		const statements = await readFile(join(import.meta.dirname, "after-restore.sql"), "utf8");
		await using sql = connect(urlOf(adminUrl, database), { schema: "public", name: "restore", max: 1 });
		await sql.unsafe(statements);
	} finally {
		await child.stop();
	}
}

function explain(error: unknown): never {
	if (!(error instanceof UserError && error.message.includes("before configured recovery target was reached")))
		throw error;
	const why = "What was archived ends before that moment. If nothing was committed later, leave out --to;";
	throw new UserError(`${why} else files of WAL are missing.\n\n${error.message}`);
}

function recoverySettings({ backupDir, to, timeline }: Recovery): string[] {
	const file = `${quoted(walFolder(backupDir))}/%f`;
	return [
		`restore_command=cp ${file} "%p" || cp ${file}.partial "%p"`,
		// The beginning of the new history is kept until the system is started with its archive.
		"archive_mode=on",
		"recovery_target_action=promote",
		// Else it is ready for readers long before it is where it shall be.
		"hot_standby=off",
		// Command lines are read before PostgreSQL knows what Z is.
		...(to === undefined ? [] : [`recovery_target_time=${to.replace(/Z$/, "+00:00")}`]),
		...(timeline === undefined ? [] : [`recovery_target_timeline=${timeline}`]),
	];
}

/** For the shell, and for PostgreSQL, which reads `%` as the beginning of a name of its own. */
const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''").replaceAll("%", "%%")}'`;

function give(path: string, user: User | undefined): void {
	if (user === undefined) return;
	lchownSync(path, user.uid, user.gid);
	for (const entry of readdirSync(path, { withFileTypes: true }))
		if (entry.isDirectory()) give(join(path, entry.name), user);
		else lchownSync(join(path, entry.name), user.uid, user.gid);
}

/** Where a recovery is made before it takes the place of `cluster`, and where that goes. */
export function placesBeside(cluster: string, time: string): { draft: string; former: string | undefined } {
	const former = existsSync(cluster) ? `${cluster}.before-${time.replaceAll(/[:.]/g, "-")}` : undefined;
	return { draft: `${cluster}.restoring`, former };
}
