/** A system of its own, with a folder of real lists loaded as `npm run up -- --data` loads it, and everything computed. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { connect } from "#libs/postgres/connect.ts";
import { measureCoverage } from "../../services/queue-ingest/developers/jobs/measure-links.ts";
import { openHome, start } from "../../test/backup/running.ts";

export interface Loaded extends AsyncDisposable {
	url: string;
	/** MW of late stage that could have a developer, by operator. */
	ceilings(): Promise<ReadonlyMap<string, number> | null>;
}

/** Quiet for a minute is waited for at most this often. */
const minutes = 30;

export async function startLoaded(folder: string, say: (line: string) => void): Promise<Loaded> {
	await using stack = new AsyncDisposableStack();
	const home = stack.use(await openHome());
	say("Starting a system...");
	const running = stack.use(await start({ ...home, backupDir: undefined }));
	const folders = [folder, join(folder, "../data_2026-11")].filter(existsSync);
	for (const service of ["scoring", "queue-ingest", "signals"])
		for (const each of folders) {
			say(`Loading ${each} (${service})...`);
			// A file that cannot be taken in is held back and said; what the others say is served.
			const code = await running.program(service, "admin/ingest.ts", "--data", each);
			if (code !== 0) say(`Not everything was loaded (${service}: exit code ${code}).`);
		}
	// Reports of the months between the lists of a folder, of which only outcomes are read.
	const reports = join(folder, "../archive/ercot");
	if (existsSync(reports)) {
		say(`Loading ${reports}...`);
		await running.program("queue-ingest", "admin/ingest.ts", "--source", "reports", reports);
	}
	say("Waiting until everything is computed...");
	for (let minute = 1; ; minute++) {
		try {
			await running.settled();
			break;
		} catch (error) {
			if (minute === minutes) throw error;
		}
	}
	const owned = stack.move();
	return {
		url: running.url,
		async ceilings() {
			await using sql = connect(running.adminUrl, {
				schema: "queue_ingest",
				name: "truth",
				max: 1,
				statementTimeoutMs: 0,
			});
			const covered = await sql.begin((tx) => measureCoverage(tx));
			return new Map(covered.map(({ region, ceilingMw }) => [region, ceilingMw]));
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
