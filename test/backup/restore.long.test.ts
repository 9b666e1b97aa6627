/** Any of several moments, in any order, from any copy; after a crash; and after a restore that turned out to be the wrong one. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#libs/postgres/connect.ts";
import { chooseBase, listBases, prune, walFolder } from "../../deploy/backup/archive.ts";
import { backUp } from "../../deploy/backup/backup.ts";
import { saveLeftWal } from "../../deploy/backup/left-wal.ts";
import { recover } from "../../deploy/backup/recover.ts";
import { restore } from "../../deploy/backup/restore.ts";
import { urlOf } from "../../deploy/engines/postgres-roles.ts";
import { Children } from "../../deploy/local/children.ts";
import { freePort, secret } from "../../deploy/local/data-dir.ts";
import { launchPostgres } from "../../deploy/local/postgres.ts";
import { type PostgresPlace, placePostgres } from "../../deploy/local/postgres-place.ts";
import { eventually } from "../support/eventually.ts";
import { pidOf } from "../support/home.ts";
import { differences, fingerprint } from "./fingerprint.ts";
import { openHome, owners, type Running, start } from "./running.ts";

interface Moment {
	at: string;
	rows: Record<string, string>;
}

const regions = ["MISO", "SPP", "PJM", "NYISO", "CAISO"];
const versions = owners.map((schema) => `${schema}.data_version`).sort();

let home: Awaited<ReturnType<typeof openHome>>;
const moments: Moment[] = [];

/** Waits until nothing happens, and remembers everything. */
async function remember({ sql, settled }: Running): Promise<Moment> {
	await settled();
	const [now] = await sql<{ at: string }[]>`select to_json(clock_timestamp()) #>> '{}' as at`;
	return { at: now?.at ?? "", rows: await fingerprint(sql, owners) };
}

async function change(running: Running, region: string): Promise<void> {
	expect(await running.program("queue-ingest", "admin/ingest.ts", "--region", region, "--retract")).toBe(0);
}

/** Stops the system after `act`, also if that failed: no other program knows of its processes. */
async function whileRunning<T>(act: (running: Running) => Promise<T>): Promise<T> {
	await using running = await start(home);
	return await act(running);
}

/** The tables that are not as they were. */
async function off(children: Children, place: PostgresPlace, { rows }: Moment): Promise<string[]> {
	// Files that are not archived yet have to wait for it.
	const more = ["archive_mode=on"];
	const options = { port: await freePort(), password: secret(home.dataDir, "postgres"), durable: true, more };
	const { adminUrl, child } = await launchPostgres(children, place, options);
	try {
		await using sql = connect(urlOf(adminUrl, "energy"), { schema: "public", name: "referee", max: 1 });
		return differences(rows, await fingerprint(sql, owners)).map((line) => line.split(":")[0] ?? "");
	} finally {
		await child.stop();
	}
}

async function restored(
	moment: Moment,
	aim: { to?: string; timeline?: string } = { to: moment.at },
): Promise<string[]> {
	const children = new Children(home.dataDir);
	try {
		await restore(children, { ...home, ...aim, say: () => {} });
		return await off(children, placePostgres(home.dataDir), moment);
	} finally {
		await children.close();
	}
}

beforeAll(async () => {
	home = await openHome();
	await whileRunning(makeHistory);
}, 900_000);

async function makeHistory(running: Running): Promise<void> {
	await running.load();
	await backUp(home.dataDir, home.backupDir);
	for (const [place, region] of regions.entries()) {
		await change(running, region);
		// The second copy begins in the middle of a change.
		if (place === 2) {
			const [, base] = await Promise.all([change(running, "ERCOT"), backUp(home.dataDir, home.backupDir)]);
			expect(base.bytes).toBeGreaterThan(1_000_000);
		}
		moments.push(await remember(running));
	}
	await change(running, "ISO-NE");
	// The power goes: what was written last is in no archive.
	const pid = pidOf(running.children, "postgres");
	process.kill(pid, "SIGKILL");
	await eventually(() => running.children.running.every((child) => child.pid !== pid), { withinMs: 30_000 });
}

afterAll(async () => {
	await home?.[Symbol.asyncDispose]();
});

test("each point in time is recovered separately, in any order, and leaves nothing in the archive", async () => {
	const children = new Children(home.dataDir);
	const place = placePostgres(home.dataDir);
	expect(saveLeftWal(place.cluster, walFolder(home.backupDir)).length).toBeGreaterThan(0);
	for (const nth of [3, 0, 4, 2, 1]) {
		const moment = moments[nth] as Moment;
		const side = { ...place, cluster: join(home.dataDir, `side-${nth}`) };
		const base = chooseBase(home.backupDir, moment.at).folder;
		const password = secret(home.dataDir, "postgres");
		const { backupDir } = home;
		await recover(children, {
			backupDir,
			base,
			place: side,
			to: moment.at,
			password,
			database: "energy",
		});
		expect(await off(children, side, moment), `moment ${nth}`).toEqual(versions);
		rmSync(side.cluster, { recursive: true });
	}
	await children.close();
}, 600_000);

test("a restore that went too far back can be followed by another, and both timelines remain recoverable", async () => {
	const [, second, , fourth] = moments as [Moment, Moment, Moment, Moment];
	expect(await restored(second)).toEqual(versions);
	const later = await whileRunning(async (running) => {
		await change(running, "ERCOT");
		return await remember(running);
	});
	// The copy that was made after the second moment is of a future that this history never had.
	expect(listBases(home.backupDir).length).toBe(2);
	expect(chooseBase(home.backupDir, undefined)).toEqual(listBases(home.backupDir)[0]);
	// Nothing was committed after it: that is the end of the archive, not a moment in it.
	await expect(restored(later)).rejects.toThrow(/leave out --to/);
	expect(await restored(later, {})).toEqual(versions);
	expect(await restored(fourth, { to: fourth.at, timeline: "1" })).toEqual(versions);
}, 600_000);

test("files deleted with the oldest backups are not needed by the newest", async () => {
	const moment = await whileRunning(async (running) => {
		await backUp(home.dataDir, home.backupDir);
		const { bases, wal } = prune(home.backupDir, 1);
		expect(bases).toBe(2);
		expect(wal).toBeGreaterThan(0);
		await change(running, "CAISO");
		const remembered = await remember(running);
		await change(running, "ISO-NE");
		return remembered;
	});
	expect(await restored(moment)).toEqual(versions);
}, 600_000);
