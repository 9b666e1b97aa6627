/** Keeps what developers raised by exempt offerings. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { raiseRecorded } from "#libs/contract/events/signals.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { enqueueDevelopers } from "../jobs/recompute-queue.ts";

export const recordRaises: Reaction<typeof raiseRecorded> = {
	service: "scoring",
	name: "record-raises",
	event: raiseRecorded,
	async handler(tx, events) {
		const raises = newestOfEach(events, (event) => event.accession_number);
		const affected = await tx<{ before: number | null; now: number | null }[]>`
			with incoming as (
				select * from jsonb_to_recordset(${JSON.stringify(raises)}::text::jsonb) as e (accession_number text, filing_date date,
					issuer_name text, is_amendment boolean, is_latest boolean, total_offering_amount float8, total_amount_sold float8,
					developer_id integer, match_method text, version bigint)),
			before as materialized (select r.accession_number, r.developer_id from raises r join incoming using (accession_number)),
			copied as (
				insert into raises as t (accession_number, filing_date, issuer_name, is_amendment, is_latest, total_offering_amount,
					total_amount_sold, developer_id, match_method, version)
				select accession_number, filing_date, issuer_name, is_amendment, is_latest, total_offering_amount, total_amount_sold,
					developer_id, match_method, version from incoming order by accession_number
				on conflict (accession_number) do update set (filing_date, issuer_name, is_amendment, is_latest, total_offering_amount,
						total_amount_sold, developer_id, match_method, version)
					= (excluded.filing_date, excluded.issuer_name, excluded.is_amendment, excluded.is_latest,
						excluded.total_offering_amount, excluded.total_amount_sold, excluded.developer_id, excluded.match_method,
						excluded.version)
					where excluded.version > t.version
				returning accession_number, developer_id)
			select b.developer_id as before, c.developer_id as now from copied c left join before b using (accession_number)`;
		await enqueueDevelopers(
			tx,
			affected.flatMap(({ before, now }) => [before, now]),
		);
		if (affected.length > 0) await raiseDataVersion(tx);
	},
};
