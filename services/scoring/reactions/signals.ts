/** Keeps what the news said of developers. An article that is matched anew takes its earlier matches back. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { filingRecorded, newsRecorded, ownershipChanged, raiseRecorded } from "#libs/contract/events/signals.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { enqueueAllDevelopers, enqueueDevelopers, lockCopies } from "../tables/recompute-queue.ts";

export const recordNews: Reaction<typeof newsRecorded> = {
	service: "scoring",
	name: "record-news",
	event: newsRecorded,
	async handler(tx, events) {
		const articles = newestOfEach(events, (event) => event.article_id);
		const newer = await tx<{ article_id: number }[]>`
			insert into articles as t (article_id, title, domain, published_at, event_type, seeks_capital, version)
			select * from jsonb_to_recordset(${JSON.stringify(articles)}::text::jsonb)
				as e (article_id bigint, title text, domain text, published_at timestamptz, event_type text, seeks_capital boolean,
					version bigint)
			order by article_id
			on conflict (article_id) do update set (title, domain, published_at, event_type, seeks_capital, version)
				= (excluded.title, excluded.domain, excluded.published_at, excluded.event_type, excluded.seeks_capital, excluded.version)
				where excluded.version > t.version
			returning article_id`;
		const ids = new Set(newer.map((row) => row.article_id));
		const before = await tx<{ developer_id: number }[]>`
			delete from article_developers where article_id = any(${[...ids]}::bigint[]) returning developer_id`;
		const matches = articles
			.filter(({ article_id }) => ids.has(article_id))
			.flatMap(({ article_id, developers }) => developers.map((match) => ({ article_id, ...match })));
		await tx`
			insert into article_developers (article_id, developer_id, confidence, bankruptcy, subject)
			select article_id, developer_id, max(match_confidence), bool_or(bankruptcy), max(subject) from jsonb_to_recordset(${JSON.stringify(matches)}::text::jsonb)
				as e (article_id bigint, developer_id integer, match_confidence float8, bankruptcy boolean,
					subject text) group by 1, 2`;
		await enqueueDevelopers(
			tx,
			[...before, ...matches].map((row) => row.developer_id),
		);
	},
};

// MERGED services/scoring/reactions/signals.ts: Stores what developers' issuers filed with the SEC in current reports (8-K).
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

// MERGED services/scoring/reactions/signals.ts: Keeps what developers raised by exempt offerings.
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

// MERGED services/scoring/reactions/signals.ts: Keeps the changes of hands that developers took part in, on either side.
export const recordTransfers: Reaction<typeof ownershipChanged> = {
	service: "scoring",
	name: "record-transfers",
	event: ownershipChanged,
	async handler(tx, events) {
		await lockCopies(tx);
		const transfers = newestOfEach(events, (event) => event.ma_event_id);
		const affected = await tx<{ developer_id: number }[]>`
			with incoming as (
				select * from jsonb_to_recordset(${JSON.stringify(transfers)}::text::jsonb) as e (ma_event_id bigint, event_type text,
					effective_date date, seller_canonical text, buyer_canonical text, confidence text, retracted boolean, version bigint)),
			before as materialized (select t.* from transfers t join incoming using (ma_event_id)),
			copied as (
				insert into transfers as t (ma_event_id, event_type, effective_on, seller_canonical, buyer_canonical, confidence,
					retracted, version)
				select ma_event_id, event_type, effective_date, seller_canonical, buyer_canonical, confidence, retracted, version
				from incoming order by ma_event_id
				on conflict (ma_event_id) do update set (event_type, effective_on, seller_canonical, buyer_canonical, confidence,
						retracted, version)
					= (excluded.event_type, excluded.effective_on, excluded.seller_canonical, excluded.buyer_canonical,
						excluded.confidence, excluded.retracted, excluded.version)
					where excluded.version > t.version
				returning *),
			sides as (
				select seller_canonical as name from copied union select buyer_canonical from copied
				union select b.seller_canonical from before b join copied using (ma_event_id)
				union select b.buyer_canonical from before b join copied using (ma_event_id))
			select d.developer_id from sides s join developers d on d.canonical_name = s.name`;
		await enqueueDevelopers(
			tx,
			affected.map((row) => row.developer_id),
		);
	},
};
