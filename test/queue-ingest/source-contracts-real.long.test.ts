/** Consecutive real lists of each operator: what each pair reports is printed, and ordinary pairs report nothing that is read. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { parseFile, type ReadFile } from "../../services/queue-ingest/queues/jobs/files/parse-file.ts";
import { snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { findDrift } from "../../services/queue-ingest/sources/structure/drift.ts";
import { haveRealData, realData } from "../../tools/bench/real-data.ts";

const files = haveRealData ? (await snapshotFiles(realData)).files : [];
if (!haveRealData) test.skip("the real lists: there are none here");
// Editions of Berkeley Lab are no operator's list.
const lists = files.filter(({ source }) => source.region !== null);
const feeds = [...Map.groupBy(lists, ({ source }) => source.feed)];

/** Columns with fields of requests that operators took out of their lists. */
const reallyLost: Record<string, string[]> = {
	nyiso: ["Proposed In-Service", "Proposed COD"].map(
		(header) => `nyiso/2024-12-10/NYISO-Interconnection-Queue.xlsx: Withdrawn, ${header}`,
	),
};

test.each(feeds)(
	"%s",
	async (feed, of) => {
		const lost: string[] = [];
		const before = new Map<string, ReadFile & { path: string }>();
		for (const { path } of of) {
			const bytes = await readFile(join(realData, path));
			const list = await parseFile({ feed, name: basename(path), path, bytes, asOf: null });
			const { format, tables } = list.structure;
			expect(
				tables.reduce((all, { rows }) => all + rows, 0),
				path,
			).toBeGreaterThan(0);
			const was = before.get(format);
			before.set(format, { ...list, path });
			if (was === undefined) continue;
			const drift = findDrift(
				{ tables: was.structure.tables, unknown: was.unknownValues },
				{ tables, unknown: list.unknownValues },
			);
			console.log(`${was.path} -> ${path}: ${drift.length}`);
			for (const { class: named, severity, sheet, column, before, after } of drift)
				console.log(`  ${severity} ${named} ${sheet ?? ""} ${column ?? ""}: ${before} -> ${after}`);
			for (const { severity, sheet, column } of drift)
				if (severity === "error") lost.push(`${path}: ${sheet}, ${column}`);
		}
		expect(lost).toEqual(reallyLost[feed] ?? []);
	},
	600_000,
);
