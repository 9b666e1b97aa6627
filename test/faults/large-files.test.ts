/** Files that are larger than any list, and what reading real ones takes. */
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FolderFile, snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { queueFile, queueRows } from "../support/queue-files.ts";
import { faults } from "./broken-files.ts";
import { daysLater, expectHarmless, openWorld, regionOf, stateOf } from "./ingest-world.ts";
import { growth, megabyte, run } from "./peak.ts";
import { hasRealData, realData } from "./real-lists.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "energy-large-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a file of 1 GB ingested by hand", () => {
	const file = join(folder, "PlanningQueues.xml");
	beforeAll(() => {
		writeFileSync(file, "");
		// Sparse: it has the size and none of the bytes.
		truncateSync(file, 1 << 30);
	});

	it("is not read, and withdraws no request", async () => {
		const feed = "pjm-cycle";
		await using world = await openWorld(feed, await queueFile(feed, queueRows(feed)));
		const before = await stateOf(world.sql);
		const program = path("../../services/queue-ingest/admin/ingest.ts");
		const args = ["--region", regionOf(feed), "--as-of", daysLater(1), file];
		const { code, out, peak } = await run([program, ...args], { POSTGRES_URL: world.url });
		const result = JSON.parse(out.trim().split("\n").at(-1) ?? "");
		expect({ code, ...result }).toMatchObject({ code: 3, outcome: "quarantined", reason: /1073741824 bytes/ });
		await expectHarmless(world, before, result);
		expect(peak).toBeLessThan(400 * megabyte);
	});
});

const sizeOf = ({ path }: FolderFile) => statSync(join(realData, path)).size;
/** The largest real file; all of them are read in large-files.long.test.ts. */
const largest = (hasRealData ? (await snapshotFiles(realData)).files : [])
	.toSorted((one, other) => sizeOf(other) - sizeOf(one))
	.slice(0, 1);

describe("reading a file", () => {
	it("that is a zip bomb of 1.1 GB uses less than 600 MB and ends with a reason", async () => {
		const bomb = faults.find(({ title }) => title === "that is a zip bomb of 1.1 GB");
		const good = await queueFile("caiso", queueRows("caiso"));
		const bytes = (await bomb?.make(good, "caiso"))?.bytes;
		const file = join(folder, "publicqueuereport.xlsx");
		writeFileSync(file, bytes ?? "");
		const { grown, message } = await growth("caiso", file);
		expect(message).toMatch(/inflates to more bytes than allowed/);
		expect(grown).toBeLessThan(600 * megabyte);
	});

	it.skipIf(!hasRealData).each(largest)("$path uses less than 600 MB", async ({ source, path }) => {
		const { grown, requests } = await growth(source.feed, join(realData, path));
		expect(requests).toBeGreaterThan(0);
		expect(grown).toBeLessThan(600 * megabyte);
	});
});
