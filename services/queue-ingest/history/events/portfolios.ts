/** Updates developers' totals and publishes each change, in the transactions that change the projects. Set-based. */
import { subjectOf } from "#libs/contract/events/event.ts";
import { developerChanged } from "#libs/contract/events/queue-ingest.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";

/** Recomputes the portfolios of these developers. The version increases only if the portfolio changes. */
export async function refreshPortfolios(tx: Transaction, developerIds: readonly number[]): Promise<void> {
	const changed = await tx<{ developer_id: number }[]>`
		with counted as (
			select developer_id as id, portfolio from portfolios_of(${[...new Set(developerIds)]}::integer[])),
		changed as (
			select d.developer_id, c.portfolio from counted c join developers d on d.developer_id = c.id
			where d.portfolio <> c.portfolio order by d.developer_id for update of d)
		update developers d set portfolio = c.portfolio, version = d.version + 1, updated_at = now()
		from changed c where c.developer_id = d.developer_id
		returning d.developer_id`;
	await publishDevelopers(
		tx,
		changed.map((row) => row.developer_id),
	);
}

/** Publishes the current state of these developers. `idSuffix` makes the event ids differ from those already published. */
export async function publishDevelopers(
	tx: Transaction,
	developerIds: readonly number[],
	idSuffix = "",
): Promise<number> {
	if (developerIds.length === 0) return 0;
	const published = await tx`
		insert into outbox (event_id, subject, traceparent, payload)
		select event.id, ${subjectOf(developerChanged)}, ${currentTraceparent()}, json_build_object(
			'id', event.id, 'occurred_at', iso(now()), 'version', d.version, 'developer_id', d.developer_id,
			'canonical_name', d.canonical_name, 'ambiguous', d.ambiguous, 'tier', d.tier,
			'company_kind', d.company_kind, 'headquarters_state', d.headquarters_state, 'parent_company', d.parent_company, 'known', d.known,
			'aliases', coalesce((select json_agg(json_build_object('alias', a.alias, 'ambiguous', a.ambiguous) order by a.alias)
				from developer_aliases a where a.developer_id = d.developer_id), '[]'),
			'prefixes', to_json(d.prefixes),
			'identifiers', coalesce((select json_agg(json_build_object('scheme', i.scheme, 'value', i.value) order by i.scheme, i.value)
				from developer_identifiers i where i.developer_id = d.developer_id), '[]'),
			'portfolio', d.portfolio)::text
		from developers d
		cross join lateral (select 'developer.changed:' || d.developer_id || ':' || d.version || ${idSuffix}::text as id) event
		where d.developer_id = any(${[...developerIds]}::integer[])
		order by d.developer_id`;
	return published.count;
}
