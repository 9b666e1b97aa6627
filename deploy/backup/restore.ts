/** `npm run restore`: brings the database of a stopped system back to a moment. */
import { renameSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Children } from "../local/children.ts";
import { openDataDir, secret } from "../local/data-dir.ts";
import { lockDirectory } from "../local/lock.ts";
import { type PostgresPlace, placePostgres } from "../local/postgres-place.ts";
import { stopOrphans } from "../local/process-record.ts";
import { runProgram, UserError } from "../local/program.ts";
import { type Base, chooseBase, walFolder } from "./archive.ts";
import { saveLeftWal } from "./left-wal.ts";
import { placesBeside, recover } from "./recover.ts";
import { forgetStreams } from "./streams.ts";

const usage = `Usage: BACKUP_DIR=DIR npm run restore -- [--to MOMENT] [--timeline NUMBER]

Brings the database of the stopped system in DATA_DIR (.data) back to MOMENT (2026-11-22T03:20:00Z; as far as was archived, when
absent), and removes what NATS has from later. --timeline 1: after a restore that went back too far, the history before it.`;

export interface Restoring {
	dataDir: string;
	backupDir: string;
	/** ISO moment. */
	to?: string | undefined;
	timeline?: string | undefined;
	say(line: string): void;
}

export interface Restored {
	base: Base;
	/** The cluster that was there before; to be deleted by hand. */
	former: string | undefined;
	streams: string[];
}

/** Takes the place of the cluster only when everything went well: a failure changes nothing. `dataDir` is this process's (its lock). */
export async function restore(children: Children, { say, ...options }: Restoring): Promise<Restored> {
	const { dataDir, backupDir, to, timeline } = options;
	const base = chooseBase(backupDir, to, timeline);
	const secrets = join(dataDir, "secrets.json");
	// The cluster knows the administrator by the password of its own time.
	await copyFile(join(base.folder, "secrets.json"), `${secrets}.restoring`);
	const place = placePostgres(dataDir);
	const { draft, former } = placesBeside(place.cluster, new Date().toISOString());
	rmSync(draft, { recursive: true, force: true });
	const left = saveLeftWal(place.cluster, walFolder(backupDir));
	if (left.length > 0) say(`Archived what the cluster had not: ${left.join(", ")}.`);
	say(`Recovering from ${base.folder}...`);
	await recover(children, {
		...options,
		base: base.folder,
		place: { ...place, cluster: draft },
		password: passwordOf(base),
		database: "energy",
	});
	// Before the cluster: missing streams can be published again, but events of the discarded future would be taken for valid.
	const streams = forgetStreams(dataDir);
	swap(place, draft, former);
	renameSync(`${secrets}.restoring`, secrets);
	return { base, former, streams };
}

const passwordOf = ({ folder }: Base): string => secret(folder, "postgres");

function swap({ cluster }: PostgresPlace, draft: string, former: string | undefined): void {
	if (former !== undefined) renameSync(cluster, former);
	renameSync(draft, cluster);
}

async function main(): Promise<void> {
	const { to, timeline } = readOptions(process.argv.slice(2));
	if (!process.env.BACKUP_DIR) throw new UserError(`BACKUP_DIR is not set.\n\n${usage}`);
	const dataDir = openDataDir(resolve(process.env.DATA_DIR || ".data"));
	const unlock = lockDirectory(dataDir);
	await stopOrphans(dataDir);
	const children = new Children(dataDir);
	const say = (line: string) => console.log(line);
	const begun = performance.now();
	try {
		const backupDir = resolve(process.env.BACKUP_DIR);
		const { former } = await restore(children, { dataDir, backupDir, to, timeline, say });
		say(
			`Restored in ${((performance.now() - begun) / 1_000).toFixed(1)} s: start it (npm run up), then say everything again`,
		);
		say("(npm run republish: docs/backups.md).");
		if (former !== undefined) say(`What was there before is in ${former}: delete it when it is not needed any more.`);
	} finally {
		await children.close();
		unlock();
	}
}

function readOptions(args: string[]): { to: string | undefined; timeline: string | undefined } {
	const values = parse(args);
	const { to, timeline } = values;
	if (to !== undefined && !(/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(to) && !Number.isNaN(Date.parse(to))))
		throw new UserError(`--to: "${to}" is no moment with its zone, such as 2026-11-22T03:20:00Z.`);
	if (timeline !== undefined && !/^[1-9]\d{0,8}$/.test(timeline)) throw new UserError(usage);
	return { to, timeline };
}

function parse(args: string[]) {
	try {
		return parseArgs({ args, options: { to: { type: "string" }, timeline: { type: "string" } } }).values;
	} catch {
		throw new UserError(usage);
	}
}

if (import.meta.main) await runProgram(main);
