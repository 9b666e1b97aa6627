/** Fills the service's table to the product's size: every real list that is there, then copies of what is known. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { exclusionReason } from "#libs/contract/filters/project-condition.ts";
import type { ProjectRegion } from "#libs/contract/vocabulary.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { type FolderFile, snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import type { IncomingFile } from "../../services/queue-ingest/sources/archive.ts";
import type { Feed } from "../../services/queue-ingest/sources/source.ts";
import { asFile, madeUpList, madeUpRows } from "./pjm-list.ts";
import type { Bench, Size } from "./system.ts";

/** Longer than that, something is broken (ms). */
export const patienceMs = 300_000;

/** The lists, then copies of what they brought until `requests` generation requests are there; everything is scored. */
export async function fill(
	{ sql, size }: Pick<Bench, "sql" | "size">,
	say: (line: string) => void,
	requests = size.requests,
): Promise<void> {
	for (const { region, name, path, bytes } of await newestLists(size)) {
		const result = await ingestSnapshot(sql, { region, files: [{ name, path, bytes }], asOf: null, accept: true });
		if (result.outcome !== "applied" && result.outcome !== "unchanged")
			throw new Error(`${path}: ${result.outcome}, ${result.reason}`);
		say(`loaded ${path}`);
	}
	await copyRequests(sql, requests);
}

/** Names that the register knows. */
const developers = ["Dominion Energy", "Duke Energy", "PPL", "Xcel Energy"];

interface DatedList extends IncomingFile {
	region: ProjectRegion;
}

/** The newest real list of each feed, oldest first; without real lists one of PJM's that is made up. */
async function newestLists({ realData, count }: Size): Promise<DatedList[]> {
	if (realData === undefined) {
		// Numbers that no other part uses: a stream drops an event that it has had.
		const list = madeUpList({ rows: count(madeUpRows), series: "M", developers });
		return [
			{ region: "PJM", ...asFile(list), name: "TransitionProjects.xml", path: "2026-05-05/TransitionProjects.xml" },
		];
	}
	const newest = new Map<Feed, FolderFile>();
	for (const file of (await snapshotFiles(realData)).files) newest.set(file.source.feed, file);
	const lists: DatedList[] = [];
	for (const { path, source } of newest.values())
		if (source.region !== null)
			lists.push({ region: source.region, name: basename(path), path, bytes: await readFile(join(realData, path)) });
	return lists;
}

/** Copies of the requests that the lists brought, in other states too, until `size` generation requests are there. Deterministic. */
async function copyRequests(sql: Sql, size: number): Promise<void> {
	const states = [
		"TX",
		"CA",
		"NY",
		"PA",
		"OH",
		"IL",
		"IN",
		"VA",
		"OK",
		"KS",
		"MN",
		"IA",
		"ME",
		"MA",
		"NJ",
		"MI",
		"WI",
		"LA",
	];
	// A copy shows the score of what it is a copy of.
	await relayed(sql);
	await sql.begin(async (tx) => {
		await tx`
			with known as (
				select p as project, row_number() over (order by id) as place, count(*) over () as known from projects p
				where kind = 'generation' and id not like '%~bench%')
			insert into projects
			select copied.*
			from generate_series(1, 100) as copy, known
			cross join lateral jsonb_populate_record(project, jsonb_build_object('id', (project).id || '~bench' || copy,
				'state', (${states}::text[])[1 + (place + copy) % ${states.length}])) as copied
			where copy * known + place <= ${size}
			-- Those of an earlier, smaller fill are the same.
			on conflict do nothing`;
		await raiseDataVersion(tx);
	});
	await sql`vacuum analyze projects`;
	await relayed(sql);
}

/** Waits until all events of the loads are applied: from here on the services only answer. */
async function relayed(sql: Sql): Promise<void> {
	const deadline = performance.now() + patienceMs;
	for (;;) {
		// Copies of requests were not published, so that they are not scored; nor is what stands already or is left out.
		const [row] = await sql<{ waiting: boolean }[]>`
			select exists (select from outbox) or exists (
				select from projects p where kind = 'generation' and status_std in ('Active', 'Suspended') and score_seen = 0
					and plant_state = 'none' and ${exclusionReason(sql)} is null and id not like '%~bench%') as waiting`;
		if (row?.waiting === false) return;
		if (performance.now() > deadline) throw new Error(`not every request is scored within ${patienceMs} ms`);
		await pause(200);
	}
}
