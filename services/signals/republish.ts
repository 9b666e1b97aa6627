/**
 * Says every current aggregate again, at its version, through the outbox: for a new consumer, a rebuild from zero or a lost stream.
 *
 *   republish news.recorded | raise.recorded | filing.recorded | ownership.changed
 *
 * Consumers keep what is newer by `version`; each run uses fresh event ids, so that an inbox does not swallow it.
 */
import type { EventShape } from "#libs/contract/event.ts";
import { filingRecorded, newsRecorded, ownershipChanged, raiseRecorded } from "#libs/contract/events/signals.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { again, publishCurrent } from "#libs/postgres/republish.ts";
import { runRepublish } from "#libs/service/republish-program.ts";
import { schema } from "./migrate.ts";

interface Republisher {
	event: EventShape;
	/** Rows of `key`, `version` and `body`: the payload without what every event has. */
	current(tx: Transaction): Fragment;
	/** What the payload says instead once it turns out that nothing of it was true. */
	takenBack?: Record<string, unknown>;
}

const republishers: readonly Republisher[] = [
	{
		event: newsRecorded,
		takenBack: { developers: [] },
		// One that names no developer any more has been published so.
		current: (tx) => tx`
			select article_id as key, version, jsonb_build_object('article_id', article_id, 'title', title, 'url', url, 'domain', domain,
				'published_at', iso(published_at), 'event_type', event_type, 'seeks_capital', seeks_capital, 'developers',
				(select coalesce(jsonb_agg(m - 'matched_text' order by place), '[]')
					from jsonb_array_elements(matches) with ordinality as e (m, place))) as body
			from articles where matches <> '[]' or version > 1`,
	},
	{
		event: raiseRecorded,
		takenBack: { developer_id: null, developer_canonical: null, match_method: "none", is_latest: false },
		current: (tx) => tx`
			select accession_number as key, version, jsonb_build_object('accession_number', accession_number, 'filing_date', filing_date,
				'issuer_name', issuer_name, 'cik', cik, 'is_amendment', is_amendment, 'chain', chain, 'is_latest', is_latest,
				'total_offering_amount', total_offering_amount, 'total_amount_sold', total_amount_sold, 'energy', energy,
				'developer_id', developer_id, 'match_method', match_method, 'developer_canonical',
				(select canonical_name from developers d where d.developer_id = r.developer_id)) as body
			from raises r`,
	},
	{
		event: filingRecorded,
		takenBack: { developer_id: null, developer_canonical: null },
		current: (tx) => tx`
			select accession_number as key, version, jsonb_build_object('accession_number', accession_number, 'filing_date', filing_date,
				'report_date', report_date, 'form_type', form_type, 'issuer_name', issuer_name, 'cik', cik, 'event_type', event_type,
				'categories', categories, 'item_codes', item_codes, 'first_told', first_told, 'energy', energy,
				'developer_id', developer_id,
				'developer_canonical', (select canonical_name from developers d where d.developer_id = f.developer_id)) as body
			from filings f where event_type is not null`,
	},
	{
		event: ownershipChanged,
		current: (tx) => tx`
			select id as key, version, jsonb_build_object('ma_event_id', id, 'event_type', event_type, 'effective_date', effective_on,
				'plant_id_eia', plant_id, 'generator_id', generator_id, 'project_id', project_id, 'region', region,
				'capacity_mw', capacity_mw, 'technology', technology, 'seller', seller, 'seller_canonical', seller_canonical,
				'buyer', buyer, 'buyer_canonical', buyer_canonical, 'fraction_owned', fraction_owned, 'source', source,
				'confidence', confidence, 'retracted', retracted) as body
			from ma_events`,
	},
];

/** How many events are on their way; undefined for a name that is no event of this service. */
export async function republish(sql: Sql, name: string): Promise<number | undefined> {
	const republisher = republishers.find(({ event }) => event.name === name);
	if (republisher === undefined) return undefined;
	return sql.begin((tx) => publishCurrent(tx, republisher.event, republisher.current(tx), again()));
}

/** Takes back what was said of headlines and filings, each by its next version: for a sample that was never true. */
export async function takeBack(tx: Transaction): Promise<void> {
	for (const { event, current, takenBack } of republishers)
		if (takenBack !== undefined) await publishCurrent(tx, event, current(tx), { later: 1, instead: takenBack });
}

if (import.meta.main)
	await runRepublish({ schema, names: republishers.map(({ event }) => event.name), extracts: "signals", republish });
