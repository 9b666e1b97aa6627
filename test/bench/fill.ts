/** Fills the service's table to the product's size: every real list that is there, then copies of what is known. */
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { ingestSnapshot } from "../../services/queue-ingest/jobs/ingest-snapshot.ts";
import { loadFolder } from "../../services/queue-ingest/jobs/load-folder.ts";
import { asFile, pjmList } from "./pjm-list.ts";
import { haveRealData, realData } from "./real-data.ts";

/** So many generation requests the seven operators list together. */
export const productSize = 36_000;

export async function loadLists(sql: Sql, say: (line: string) => void): Promise<void> {
	const now = () => new Date();
	if (haveRealData) await loadFolder(sql, realData, { asOf: null, now, report: say });
	else {
		const file = asFile(pjmList());
		await ingestSnapshot(sql, { region: "PJM", files: [{ ...file, path: file.name }], asOf: null, now });
	}
}

/** Copies of the requests that the lists brought, in other states too, until `size` generation requests are there. Deterministic. */
export async function fillTo(sql: Sql, size: number): Promise<void> {
	const states = ["TX", "CA", "NY", "PA", "OH", "IL", "IN", "VA", "OK", "KS", "MN", "IA", "ME", "MA", "NJ", "MI", "WI", "LA"];
	await sql.begin(async (tx) => {
		await tx`
			with known as (
				select p, row_number() over (order by id) as place, count(*) over () as known from projects p
				where kind = 'generation' and id not like '%~bench%'),
			present as (select count(*) as present from projects where kind = 'generation')
			insert into projects
			select (jsonb_populate_record(p, jsonb_build_object('id', p.id || '~bench' || copy,
				'state', (${states}::text[])[1 + (place + copy) % ${states.length}]))).*
			from present, generate_series(1, 100) as copy, known
			where present + (copy - 1) * known + place <= ${size}
			on conflict do nothing`;
		await raiseDataVersion(tx);
	});
	await sql`vacuum analyze projects`;
}
