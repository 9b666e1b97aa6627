/** All of CAISO's reports at hand, loaded in order: the change feed of each is what a reader of its own finds. */
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadFolder, snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { realData } from "../../tools/bench/real-data.ts";
import { feedChanges, readChanges } from "./support/change-reader.ts";
import { openQueue } from "./support/queue.ts";

const archive = join(realData, "../archive");
const missing = !existsSync(join(archive, "caiso"));
if (missing) console.warn(`Skipped: CAISO's reports, as ${archive} does not exist.`);

describe.skipIf(missing)("CAISO's reports", () => {
	test("each has the changes and removals that an independent reader finds", async () => {
		const folder = await mkdtemp(join(tmpdir(), "caiso-"));
		onTestFinished(() => rm(folder, { recursive: true }));
		for (const root of [archive, realData])
			for (const { path, source } of (await snapshotFiles(root)).files)
				if (source.feed === "caiso") {
					const place = join(folder, "caiso", basename(dirname(path)), basename(path));
					await mkdir(dirname(place), { recursive: true });
					await copyFile(join(root, path), place);
				}
		await using queue = await openQueue();
		const outcomes: string[] = [];
		const now = () => new Date("2026-11-20T12:00:00Z");
		await loadFolder(queue.sql, folder, { asOf: null, now, report: (line) => outcomes.push(line) });
		expect(outcomes.filter((line) => !line.includes(": applied as of"))).toEqual([]);
		const paths = (await snapshotFiles(folder)).files.map(({ path }) => path);
		expect(paths).toHaveLength(39);
		const moves = { withdrawn: 0, completed: 0, reopened: 0 };
		const gone: string[] = [];
		for (const [at, path] of paths.slice(1).entries()) {
			const read = await readChanges("CAISO", join(folder, paths[at] ?? ""), join(folder, path));
			expect({ path, changes: await feedChanges(queue.sql, path, read) }).toEqual({ path, changes: read.changes });
			const count = (move: RegExp) => read.changes.filter((change) => move.test(change)).length;
			moves.withdrawn += count(/ status: .* > WITHDRAWN$/);
			moves.completed += count(/ status: .* > COMPLETED$/);
			moves.reopened += count(/ status: COMPLETED > ACTIVE$/);
			gone.push(...read.gone);
		}
		const disappeared = await queue.sql<{ queue_id: string }[]>`
			select queue_id from changes where change_type = 'disappeared' and feed = 'caiso'`;
		expect(disappeared.map(({ queue_id }) => queue_id)).toEqual(gone);
		expect({ ...moves, gone: gone.length }).toEqual({ withdrawn: 109, completed: 52, reopened: 15, gone: 1 });
	}, 900_000);
});
