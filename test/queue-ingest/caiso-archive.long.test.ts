/** CAISO's weekly reports of 33 weeks, loaded in order: the change feed of each is what a reader of its own finds. */
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadFolder, snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { realData } from "../../tools/bench/real-data.ts";
import { feedChanges, readChanges } from "./support/change-reader.ts";
import { openQueue } from "./support/queue.ts";

const archive = join(realData, "../archive/caiso");
const missing = !existsSync(archive);
if (missing) console.warn(`Skipped: the weeks of CAISO's report, as ${archive} does not exist.`);

describe.skipIf(missing)("the weeks of CAISO's report", () => {
	test("each has the changes that a reader of its own finds, request by request", async () => {
		const folder = await mkdtemp(join(tmpdir(), "caiso-"));
		onTestFinished(() => rm(folder, { recursive: true }));
		await symlink(archive, join(folder, "caiso"));
		await using queue = await openQueue();
		const outcomes: string[] = [];
		const now = () => new Date("2026-11-20T12:00:00Z");
		await loadFolder(queue.sql, folder, { asOf: null, now, report: (line) => outcomes.push(line) });
		expect(outcomes.filter((line) => !/: applied as of|README/.test(line))).toEqual([]);
		const paths = (await snapshotFiles(folder)).files.map(({ path }) => path);
		expect(paths).toHaveLength(33);
		let found = 0;
		for (const [at, path] of paths.slice(1).entries()) {
			const read = await readChanges("CAISO", join(folder, paths[at] ?? ""), join(folder, path));
			expect({ path, changes: await feedChanges(queue.sql, path, read) }).toEqual({ path, changes: read.changes });
			found += read.changes.length;
		}
		expect(found).toBeGreaterThan(200);
	}, 900_000);
});
