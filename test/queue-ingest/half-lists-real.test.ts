/** Half of an operator's real list, offered long after the last whole one: nothing in it is wrong but that half is not there. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { openQueue } from "./support/queue.ts";

const folder = process.env.REAL_DATA_DIR ?? resolve(import.meta.dirname, "../../../shared/data");
const missing = !existsSync(join(folder, "spp"));
if (missing) console.warn(`Skipped: halves of real lists, as ${folder} holds none (set REAL_DATA_DIR).`);

describe.skipIf(missing)("of SPP's list, seventeen months after the one before", () => {
	test("either half is held back, and the whole is accepted", async () => {
		await using queue = await openQueue();
		const take = async (path: string, cut: (lines: string[]) => string[] = (lines) => lines) => {
			const bytes = readFileSync(join(folder, path));
			const isText = path.endsWith(".csv");
			const file = {
				name: basename(path),
				path,
				bytes: isText ? Buffer.from(`${cut(bytes.toString("utf8").trimEnd().split("\n")).join("\n")}\n`) : bytes,
			};
			const now = () => new Date("2026-07-01T00:00:00Z");
			const asOf = `${basename(join(path, ".."))}T00:00:00Z`;
			return ingestSnapshot(queue.sql, { region: "SPP", files: [file], asOf, now });
		};
		expect(await take("spp/2025-01-22/GI_ActiveRequest.xlsx")).toMatchObject({ outcome: "applied" });
		const later = "spp/2026-06-30/raw_spp.csv";
		const heading = 1;
		for (const half of [
			(lines: string[]) => lines.slice(0, lines.length / 2),
			(lines: string[]) => [...lines.slice(0, heading), ...lines.slice(lines.length / 2)],
		])
			expect(await take(later, half)).toMatchObject({
				outcome: "quarantined",
				reason: expect.stringMatching(/vanished without an explanation|rows collapsed/),
			});
		expect(await take(later)).toMatchObject({ outcome: "applied" });
	});
});
