/** `npm run backup`: copies the cluster of the running system into BACKUP_DIR, and deletes the oldest copies. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { integer } from "#libs/contract/params.ts";
import { connect } from "#libs/postgres/connect.ts";
import { makeFolder } from "#libs/service/make-folder.ts";
import { host, openDataDir, secret } from "../local/data-dir.ts";
import { placePostgres } from "../local/postgres-place.ts";
import { runProgram, UserError } from "../local/program.ts";
import { readRun } from "../local/run-file.ts";
import { type Base, baseFolder, prune, walFolder } from "./archive.ts";
import { copyCluster } from "./base-backup.ts";

const usage = `Usage: BACKUP_DIR=DIR npm run backup -- [--keep COPIES]

Copies the database of the system that runs in DATA_DIR (.data), which was started with the same BACKUP_DIR. Keeps the newest
copies (7), and everything that was written since the oldest of them.`;

/** Copies the cluster that runs in `dataDir`, with the passwords that it was made with. */
export async function backUp(dataDir: string, backupDir: string): Promise<Base> {
	const port = readRun(dataDir)?.servers.postgres?.port;
	if (port === undefined) throw new UserError(`No system is running in ${dataDir} (npm run up).`);
	const adminUrl = `postgres://postgres:${secret(dataDir, "postgres")}@${host}:${port}/postgres`;
	await demandArchiving(adminUrl, backupDir);
	makeFolder(baseFolder(backupDir), 0o700);
	const folder = join(baseFolder(backupDir), new Date().toISOString().replaceAll(/[:.]/g, "-"));
	const draft = `${folder}.new`;
	mkdirSync(draft, { mode: 0o700 });
	try {
		await copyFile(join(dataDir, "secrets.json"), join(draft, "secrets.json"));
		const record = await copyCluster(adminUrl, placePostgres(dataDir).cluster, join(draft, "cluster"));
		// Its presence says that the copy is whole.
		writeFileSync(join(draft, "backup.json"), `${JSON.stringify(record, null, "\t")}\n`, { mode: 0o600 });
		renameSync(draft, folder);
		return { folder, ...record };
	} catch (error) {
		rmSync(draft, { recursive: true, force: true });
		throw error;
	}
}

/** Without the WAL since then a copy is worth nothing. */
async function demandArchiving(adminUrl: string, backupDir: string): Promise<void> {
	await using sql = connect(adminUrl, { schema: "public", name: "backup", max: 1 });
	const [row] = await sql<{ archive: string | null }[]>`
		select current_setting('basic_archive.archive_directory', true) as archive where current_setting('archive_mode') = 'on'`;
	if (row?.archive === walFolder(backupDir)) return;
	throw new UserError(
		`The system does not archive into ${backupDir}: start it with BACKUP_DIR=${backupDir} npm run up.`,
	);
}

async function main(): Promise<void> {
	const { keep } = readOptions(process.argv.slice(2));
	if (!process.env.BACKUP_DIR) throw new UserError(`BACKUP_DIR is not set.\n\n${usage}`);
	const backupDir = resolve(process.env.BACKUP_DIR);
	const begun = performance.now();
	const { folder, bytes, finishedAt } = await backUp(openDataDir(resolve(process.env.DATA_DIR || ".data")), backupDir);
	const gone = prune(backupDir, keep);
	const [mb, seconds] = [Math.ceil(bytes / 1e6), ((performance.now() - begun) / 1_000).toFixed(1)];
	console.log(`${folder}: ${mb} MB in ${seconds} s. Every moment from ${finishedAt} on can be restored.`);
	if (gone.bases + gone.wal > 0) console.log(`Deleted: ${gone.bases} copies, ${gone.wal} files of WAL.`);
}

function readOptions(args: string[]): { keep: number } {
	try {
		const { values } = parseArgs({ args, options: { keep: { type: "string", default: "7" } } });
		return { keep: integer(1, 1_000).parse(values.keep) };
	} catch {
		throw new UserError(usage);
	}
}

if (import.meta.main) await runProgram(main);
