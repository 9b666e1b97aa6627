/** Formats coverage and the outcome of a load for people who load lists. */
import type { Sql } from "#libs/postgres/connect.ts";
import type { Dropped, UnknownValue } from "../../sources/source.ts";
import { fileName } from "../../sources/archive.ts";

/** Returns a line for each region: its generation requests, and the share of them with a value in each field. */
export async function formatCoverage(sql: Sql): Promise<string[]> {
	const rows = await sql<{ region: string; total: number; share: Record<string, number> }[]>`
		select region, count(*) as total, json_build_object('developer', round(100.0 * count(developer) / count(*)),
			'name', round(100.0 * count(name) / count(*)), 'county', round(100.0 * count(county) / count(*)),
			'FIPS', round(100.0 * count(fips) / count(*)), 'queue date', round(100.0 * count(queue_date) / count(*)),
			'COD', round(100.0 * count(cod) / count(*)), 'POI', round(100.0 * count(poi) / count(*))) as share
		from projects where kind = 'generation' group by region order by region`;
	return rows.map(({ region, total, share }) => {
		const fields = Object.entries(share).map(([field, percent]) => `${field} ${percent} %`);
		return `${region.padEnd(7)}${String(total).padStart(6)} generation requests: ${fields.join(", ")}`;
	});
}

/** Returns a line for each operator in Berkeley Lab's list: how many of its requests the operator's own lists contain. */
export async function formatLbnlComparison(sql: Sql): Promise<string[]> {
	const rows = await sql<{ region: string; listed: number; known: number; agreeing: number }[]>`
		select l.lbnl_region as region, count(*) as listed, count(p.id) as known,
			count(*) filter (where p.status_std = l.status_std) as agreeing
		from lbnl_requests l
		left join lateral (
			select p.id, p.status_std from project_aliases a join projects p on p.id = a.project_id
			where a.region = l.lbnl_region and a.key = l.key order by a.first_seen_at limit 1) p on true
		where exists (select from projects q where q.region = l.lbnl_region)
		group by l.lbnl_region order by l.lbnl_region`;
	return rows.map(
		({ region, listed, known, agreeing }) =>
			`${region.padEnd(7)}${String(listed).padStart(6)} requests in LBNL's list, ${known} known here, ${agreeing} with the same status`,
	);
}

/** Returns lines that account for every row of a region's newest load: requests, dropped rows and unknown values. */
export async function formatNewestLoad(sql: Sql, region: string): Promise<string[]> {
	const files = await sql<
		{ name: string; rowsIn: number; requests: number; dropped: Dropped[]; unknown: UnknownValue[] }[]
	>`
		select ${fileName(sql, sql`f.name`)} as name, f.rows_in as "rowsIn", f.requests, f.dropped, f.unknown_values as unknown
		from snapshot_files f
		where f.snapshot_id = (select max(id) from snapshots where region = ${region}) and f.rows_in is not null order by f.position`;
	return files.flatMap(({ name, rowsIn, requests, dropped, unknown }) => [
		`${name}: ${rowsIn} rows, ${requests} requests`,
		...dropped.map(
			(entry) =>
				`  left out ${entry.count}: ${entry.reason}${entry.examples.length > 0 ? ` (${entry.examples.join(", ")})` : ""}`,
		),
		...unknown.map((entry) => `  unknown, stored as filed: ${entry.field} "${entry.value}" in ${entry.count} rows`),
	]);
}
