/** Keeps what developers raised by exempt offerings. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { raiseRecorded } from "#libs/contract/events/signals.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { enqueueAllDevelopers, enqueueDevelopers, lockCopies } from "../jobs/recompute-queue.ts";

interface Affected {
	before: number | null;
	now: number | null;
	/** First day of the month of filing; null for what is new. */
	month_before: string | null;
	month: string;
}

export const recordRaises: Reaction<typeof raiseRecorded> = {
	service: "scoring",
	name: "record-raises",
	event: raiseRecorded,
	async handler(tx, events) {
		const raises = newestOfEach(events, (event) => event.accession_number);
		// Months are counted from the filings: two replicas with parts of one month would each miss the other's.
		await lockCopies(tx);
		const affected = await tx<Affected[]>`
			with incoming as (
				select * from jsonb_to_recordset(${JSON.stringify(raises)}::text::jsonb) as e (accession_number text, filing_date date,
					issuer_name text, is_amendment boolean, is_latest boolean, total_offering_amount float8, total_amount_sold float8,
					developer_id integer, match_method text, chain text, version bigint)),
			before as materialized (select r.accession_number, r.developer_id, r.filing_date from raises r join incoming using (accession_number)),
			copied as (
				insert into raises as t (accession_number, filing_date, issuer_name, is_amendment, is_latest, total_offering_amount,
					total_amount_sold, developer_id, match_method, chain, version)
				select accession_number, filing_date, issuer_name, is_amendment, is_latest, total_offering_amount, total_amount_sold,
					developer_id, match_method, chain, version from incoming order by accession_number
				on conflict (accession_number) do update set (filing_date, issuer_name, is_amendment, is_latest, total_offering_amount,
						total_amount_sold, developer_id, match_method, chain, version)
					= (excluded.filing_date, excluded.issuer_name, excluded.is_amendment, excluded.is_latest,
						excluded.total_offering_amount, excluded.total_amount_sold, excluded.developer_id, excluded.match_method,
						excluded.chain, excluded.version)
					where excluded.version > t.version
				returning accession_number, developer_id, filing_date)
			select b.developer_id as before, c.developer_id as now, to_char(b.filing_date, 'YYYY-MM-01') as month_before,
				to_char(c.filing_date, 'YYYY-MM-01') as month from copied c left join before b using (accession_number)`;
		await enqueueDevelopers(
			tx,
			affected.flatMap(({ before, now }) => [before, now]),
		);
		if (await countMonths(tx, affected)) await enqueueAllDevelopers(tx);
		if (affected.length > 0) await raiseDataVersion(tx);
	},
};

/**
 * Counts the filings of these months anew: what was lost and is announced again counts once. Answers whether a month is now loaded whole that was
 * not, or the other way: what was not looked at of any developer then is another.
 */
async function countMonths(tx: Transaction, affected: readonly Affected[]): Promise<boolean> {
	const months = new Set(
		affected.flatMap(({ month_before, month }) => (month_before === null ? month : [month_before, month])),
	);
	if (months.size === 0) return false;
	const [counted] = await tx<{ differs: boolean }[]>`
		with moved as (select unnest(${[...months].sort()}::text[]::date[]) as month),
		before as materialized (select month, whole from raise_months join moved using (month)),
		counted as (
			insert into raise_months as t (month, filings)
			select month, (select count(*) from raises where filing_date >= month and filing_date < month + interval '1 month')
			from moved order by month
			on conflict (month) do update set filings = excluded.filings
			returning month, whole)
		select bool_or(c.whole is distinct from coalesce(b.whole, false)) as differs from counted c left join before b using (month)`;
	return counted?.differs ?? false;
}
