/** The operators' lists in a real queue-ingest, loaded as the product loads a folder of them; the facts of a day are read as `as_of` reads them. */
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Region } from "../../libs/contract/vocabulary.ts";
import type { Sql } from "../../libs/postgres/connect.ts";
import { requestsAt } from "../../services/queue-ingest/history/past.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { sourceOf } from "../../services/queue-ingest/queues/sources/index.ts";
import type { List, Listed, PastLists } from "./lists.ts";

export interface LoadedLists extends PastLists {
	/** Lists that were loaded, and how long that took (s). */
	loaded: number;
	seconds: number;
}

/** Loads lists below `folder` into `sql`, a queue-ingest's: each of a day once, oldest first. Throws what the product says of one that it does not take. */
export async function loadLists(sql: Sql, folder: string, lists: readonly List[]): Promise<LoadedLists> {
	const begun = performance.now();
	const days = new Map(lists.map((list) => [`${list.asOf} ${list.feed}`, list]));
	for (const [, list] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
		const { outcome, reason } = await load(sql, folder, list);
		if (outcome !== "applied" && outcome !== "unchanged") throw new Error(`${list.path}: ${outcome}: ${reason}`);
	}
	const seconds = (performance.now() - begun) / 1000;
	return { requests: (list) => readAsOf(sql, list), loaded: days.size, seconds };
}

/** A list of the past is known to be one: its guards of plausibility were asked when it was the newest. */
async function load(sql: Sql, folder: string, { feed, path, asOf }: List) {
	const region = regionOf(feed);
	const bytes = await readFile(resolve(folder, path));
	const files = [{ name: basename(path), path, bytes }];
	const moment = `${asOf}T00:00:00Z`;
	const result = await ingestSnapshot(sql, { region, files, asOf: moment, accept: true, now: () => new Date(moment) });
	// Nothing follows these events here.
	await sql`truncate outbox`;
	return result;
}

function regionOf(feed: List["feed"]): Region {
	const { region } = sourceOf(feed);
	if (region === null) throw new Error(`${feed} is not an operator's list`);
	return region as Region;
}

export async function readAsOf(sql: Sql, { feed, asOf }: Pick<List, "feed" | "asOf">): Promise<Listed[]> {
	const rows = await sql<{ request: Listed }[]>`
		select json_build_object('number', queue_id, 'key', key, 'unit', unit, 'kind', kind, 'name', name, 'state', state, 'county', county,
			'counties', counties, 'fips', fips, 'developer', developer, 'type', type, 'typeStd', type_std, 'status', status,
			'statusStd', status_std, 'statusBasis', status_basis, 'statusFlag', status_flag, 'capacityMw', capacity_mw,
			'summerMw', summer_mw, 'winterMw', winter_mw, 'queueDate', queue_date, 'cod', cod, 'actualCod', actual_cod,
			'withdrawnDate', withdrawn_date, 'iaDate', ia_date, 'backfeedDate', backfeed_date, 'energizedDate', energized_date,
			'securityPosted', security_posted, 'constructionStage', construction_stage,
			'constructionStageConfidence', construction_stage_confidence, 'studyPhase', study_phase,
			'studyPhaseFiled', study_phase_filed, 'iaStatus', ia_status, 'iaStatusFiled', ia_status_filed, 'poi', poi, 'utility', utility,
			'cluster', cluster, 'service', service, 'lat', lat, 'lon', lon, 'locationPrecision', location_precision,
			'raw', '{}'::json) as request
		from ${requestsAt(sql, { as_of: asOf })} p.feed = ${feed} and p.listed = 'listed' order by p.id`;
	return rows.map(({ request }) => request);
}
