/** Stores what developers' issuers filed with the SEC in current reports (8-K). */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { filingRecorded } from "#libs/contract/events/signals.ts";
import { enqueueDevelopers } from "../jobs/recompute-queue.ts";

export const recordFilings: Reaction<typeof filingRecorded> = {
	service: "scoring",
	name: "record-filings",
	event: filingRecorded,
	async handler(tx, events) {
		const filings = newestOfEach(events, (event) => event.accession_number);
		const affected = await tx<{ before: number | null; now: number | null }[]>`
			with incoming as (
				select * from jsonb_to_recordset(${JSON.stringify(filings)}::text::jsonb) as e (accession_number text, filing_date date,
					issuer_name text, event_type text, item_codes text[], first_told boolean, developer_id integer, version bigint)),
			before as materialized (select f.accession_number, f.developer_id from filings f join incoming using (accession_number)),
			copied as (
				insert into filings as t (accession_number, filing_date, issuer_name, event_type, item_codes, first_told, developer_id,
					version)
				select accession_number, filing_date, issuer_name, event_type, item_codes, first_told, developer_id, version
				from incoming order by accession_number
				on conflict (accession_number) do update set (filing_date, issuer_name, event_type, item_codes, first_told,
						developer_id, version)
					= (excluded.filing_date, excluded.issuer_name, excluded.event_type, excluded.item_codes, excluded.first_told,
						excluded.developer_id, excluded.version)
					where excluded.version > t.version
						-- Published before items were: the same version, published again, brings them.
						or (excluded.version = t.version and t.item_codes = '{}' and excluded.item_codes <> '{}')
				returning accession_number, developer_id)
			select b.developer_id as before, c.developer_id as now from copied c left join before b using (accession_number)`;
		await enqueueDevelopers(
			tx,
			affected.flatMap(({ before, now }) => [before, now]),
		);
	},
};
