/** Half of an operator's real list, offered long after the last whole one: nothing in it is wrong but that half is not there. */
import { expect, test } from "vitest";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import type { RawFile } from "../../services/queue-ingest/sources/source.ts";
import { describeRealFiles } from "../support/real-files.ts";
import { openQueue } from "./support/queue.ts";

describeRealFiles("spp", (read) => {
	test("either half of a list is held back seventeen months after the one before, and the whole is accepted", async () => {
		await using queue = await openQueue();
		const take = (day: string, file: RawFile) =>
			ingestSnapshot(queue.sql, {
				region: "SPP",
				files: [{ ...file, path: file.name }],
				asOf: `${day}T00:00:00Z`,
				now: () => new Date("2026-07-01T00:00:00Z"),
			});
		const before = read("2025-01-22/GI_ActiveRequest.xlsx");
		expect(await take("2025-01-22", before)).toMatchObject({ outcome: "applied" });
		const whole = read("2026-06-30/raw_spp.csv");
		const [heading = "", ...rows] = new TextDecoder().decode(whole.bytes).trimEnd().split("\n");
		const middle = rows.length / 2;
		for (const half of [rows.slice(0, middle), rows.slice(middle)]) {
			const file = { ...whole, bytes: Buffer.from(`${[heading, ...half].join("\n")}\n`) };
			expect(await take("2026-06-30", file)).toMatchObject({
				outcome: "quarantined",
				reason: expect.stringContaining("vanished without an explanation, more than this list may lose"),
			});
		}
		expect(await take("2026-06-30", whole)).toMatchObject({ outcome: "applied" });
	});
});
