/** Copies news, Form D filings, current reports (8-K) and changes of ownership from signals. */
import type { Reaction } from "#libs/bus/events/react.ts";
import { filingRecorded, newsRecorded, ownershipChanged, raiseRecorded } from "#libs/contract/events/signals.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { copyRows } from "#libs/postgres/events/copies.ts";
import { newestOfEach } from "#libs/postgres/events/inbox.ts";
import { enqueueAllDevelopers, enqueueDevelopers, lockCopies } from "../tables/recompute-queue.ts";

const articleColumns = "article_id, title, domain, published_at, event_type, seeks_capital, version";
const raiseColumns =
	"accession_number, filing_date, issuer_name, is_amendment, is_latest, total_offering_amount, total_amount_sold, developer_id, match_method, version";
const filingColumns =
	"accession_number, filing_date, issuer_name, event_type, item_codes, subsidiary_bankruptcy, first_told, developer_id, version";
const transferColumns =
	"ma_event_id, event_type, effective_on, seller_canonical, buyer_canonical, confidence, retracted, version";

/** A newer version of an article replaces its matched developers. */
export const recordNews: Reaction<typeof newsRecorded> = {
	service: "scoring",
	name: "record-news",
	event: newsRecorded,
	async handler(tx, events) {
		const articles = newestOfEach(events, (event) => event.article_id);
		const newer = await tx<{ article_id: number }[]>`
			${copyRows(tx, "articles", articleColumns, articles)} select article_id from copied`;
		const ids = new Set(newer.map((row) => row.article_id));
		const previousMatches = await tx<{ developer_id: number }[]>`
			delete from article_developers where article_id = any(${[...ids]}::bigint[]) returning developer_id`;
		const matches = articles
			.filter(({ article_id }) => ids.has(article_id))
			.flatMap(({ article_id, developers }) => developers.map((match) => ({ article_id, ...match })));
		await tx`
			insert into article_developers (article_id, developer_id, confidence, bankruptcy, subject)
			select article_id, developer_id, max(match_confidence), bool_or(bankruptcy), max(subject)
			from jsonb_to_recordset(${JSON.stringify(matches)}::text::jsonb)
				as e (article_id bigint, developer_id integer, match_confidence float8, bankruptcy boolean, subject text)
			group by 1, 2`;
		const affected = [...previousMatches, ...matches].map((row) => row.developer_id);
		await enqueueDevelopers(tx, affected);
	},
};

export const recordFilings: Reaction<typeof filingRecorded> = {
	service: "scoring",
	name: "record-filings",
	event: filingRecorded,
	async handler(tx, events) {
		const filings = newestOfEach(events, (event) => event.accession_number);
		const affected = await tx<{ previous_developer: number | null; developer: number | null }[]>`
			${copyRows(tx, "filings", filingColumns, filings)}
			select b.developer_id as previous_developer, c.developer_id as developer from copied c left join before b using (accession_number)`;
		const developers = affected.flatMap(({ previous_developer, developer }) => [previous_developer, developer]);
		await enqueueDevelopers(tx, developers);
	},
};

interface AffectedRaise {
	previous_developer: number | null;
	developer: number | null;
	/** First day of the month of filing in the previous version; null for a new filing. */
	previous_month: string | null;
	/** First day of the month of filing. */
	month: string;
}

export const recordRaises: Reaction<typeof raiseRecorded> = {
	service: "scoring",
	name: "record-raises",
	event: raiseRecorded,
	async handler(tx, events) {
		const raises = newestOfEach(events, (event) => event.accession_number);
		// The lock is for `countMonths`: two replicas that add filings of the same month would not count each other's rows.
		await lockCopies(tx);
		const affected = await tx<AffectedRaise[]>`
			${copyRows(tx, "raises", raiseColumns, raises)}
			select b.developer_id as previous_developer, c.developer_id as developer, to_char(b.filing_date, 'YYYY-MM-01') as previous_month,
				to_char(c.filing_date, 'YYYY-MM-01') as month from copied c left join before b using (accession_number)`;
		const developers = affected.flatMap(({ previous_developer, developer }) => [previous_developer, developer]);
		await enqueueDevelopers(tx, developers);
		if (await countMonths(tx, affected)) await enqueueAllDevelopers(tx);
		if (affected.length > 0) await raiseDataVersion(tx);
	},
};

/**
 * Counts the filings of these months from the table `raises`, so that a filing that arrives twice counts once.
 * @returns whether a month became complete or is no longer complete, which affects every developer
 */
async function countMonths(tx: Transaction, affected: readonly AffectedRaise[]): Promise<boolean> {
	const months = new Set(affected.flatMap(({ previous_month, month }) => [previous_month ?? month, month]));
	if (months.size === 0) return false;
	const [counted] = await tx<{ differs: boolean }[]>`
		with affected as (select unnest(${[...months].sort()}::text[]::date[]) as month),
		before as materialized (select month, whole from raise_months join affected using (month)),
		counted as (
			insert into raise_months as t (month, filings)
			select month, (select count(*) from raises where filing_date >= month and filing_date < month + interval '1 month')
			from affected order by month
			on conflict (month) do update set filings = excluded.filings
			returning month, whole)
		select bool_or(c.whole is distinct from coalesce(b.whole, false)) as differs from counted c left join before b using (month)`;
	return counted?.differs ?? false;
}

/** Queues the sellers and buyers, both those of the previous version and those of the new version of each transfer. */
export const recordTransfers: Reaction<typeof ownershipChanged> = {
	service: "scoring",
	name: "record-transfers",
	event: ownershipChanged,
	async handler(tx, events) {
		await lockCopies(tx);
		const transfers = newestOfEach(events, (event) => event.ma_event_id).map((event) => ({
			...event,
			effective_on: event.effective_date,
		}));
		const affected = await tx<{ developer_id: number }[]>`
			${copyRows(tx, "transfers", transferColumns, transfers)},
			sides as (
				select seller_canonical as name from copied union select buyer_canonical from copied
				union select b.seller_canonical from before b join copied using (ma_event_id)
				union select b.buyer_canonical from before b join copied using (ma_event_id))
			select d.developer_id from sides s join developers d on d.canonical_name = s.name`;
		const developers = affected.map((row) => row.developer_id);
		await enqueueDevelopers(tx, developers);
	},
};
