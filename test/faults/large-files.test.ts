/** Files that are larger than any list, and what reading real ones takes. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FolderFile, snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { queueFeeds, queueFile, queueRows } from "../support/queue-files.ts";
import { faults } from "./broken-files.ts";
import { daysLater, expectHarmless, openWorld, regionOf, stateOf } from "./ingest-world.ts";
import { hasRealData, realData } from "./real-lists.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const megabyte = 1024;
const sayPeak = `data:text/javascript,${encodeURIComponent(
	'process.on("exit", () => console.error("peak", process.resourceUsage().maxRSS));',
)}`;

interface Ended {
	code: number | null;
	out: string;
	/** Most resident memory (kB), as the program said on its way out. */
	peak: number;
}

/** A program of ours in a process of its own. */
async function run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
	const child = spawn(process.execPath, ["--import", sayPeak, ...args], {
		env: { ...process.env, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let out = "";
	let said = "";
	child.stdout.on("data", (chunk) => {
		out += chunk;
	});
	child.stderr.on("data", (chunk) => {
		said += chunk;
	});
	const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
	const peak = Number(/^peak (\d+)$/m.exec(said)?.[1]);
	expect(peak, said).toBeGreaterThan(0);
	return { code, out, peak };
}

const folder = mkdtempSync(join(tmpdir(), "energy-large-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a file of 1 GB taken in by hand", () => {
	const file = join(folder, "PlanningQueues.xml");
	beforeAll(() => {
		writeFileSync(file, "");
		// Sparse: it has the size and none of the bytes.
		truncateSync(file, 1 << 30);
	});

	it.each(queueFeeds)("is no list of %s, is not read, and withdraws no request", async (feed) => {
		await using world = await openWorld(feed, await queueFile(feed, queueRows(feed)));
		const before = await stateOf(world.sql);
		const args = [
			path("../../services/queue-ingest/ingest.ts"),
			"--region",
			regionOf(feed),
			"--as-of",
			daysLater(1),
			file,
		];
		const { code, out, peak } = await run(args, { POSTGRES_URL: world.url });
		const result = JSON.parse(out.trim().split("\n").at(-1) ?? "");
		expect({ code, ...result }).toMatchObject({ code: 3, outcome: "quarantined", reason: /1073741824 bytes/ });
		await expectHarmless(world, before, result);
		expect(peak).toBeLessThan(400 * megabyte);
	});
});

const parse = path("parse-peak.ts");
const real: FolderFile[] = hasRealData ? (await snapshotFiles(realData)).files : [];

interface Grown {
	grown: number;
	message: string;
	requests: number;
}
async function growth(feed: string, file: string): Promise<Grown> {
	const { code, out } = await run([parse, feed, file]);
	expect(code).toBe(0);
	return JSON.parse(out);
}

describe("reading a file", () => {
	it("that is a zip bomb of 1.1 GB takes less than 600 MB and ends with a reason", async () => {
		const bomb = faults.find(({ title }) => title === "that is a zip bomb of 1.1 GB");
		const good = await queueFile("caiso", queueRows("caiso"));
		const bytes = (await bomb?.make(good, "caiso"))?.bytes;
		const file = join(folder, "publicqueuereport.xlsx");
		writeFileSync(file, bytes ?? "");
		const { grown, message } = await growth("caiso", file);
		expect(message).toMatch(/inflates to more than allowed/);
		expect(grown).toBeLessThan(600 * megabyte);
	});

	it.skipIf(!hasRealData).each(real)("$path takes less than 600 MB", async ({ source, path }) => {
		const { grown, requests } = await growth(source.feed, join(realData, path));
		expect(requests).toBeGreaterThan(0);
		expect(grown).toBeLessThan(600 * megabyte);
	});
});
