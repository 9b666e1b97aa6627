import { gaugeOf, inTime } from "#libs/bus/scrape.ts";
import type { Handler, Reply, RequestContext, Versioned } from "#libs/contract/index.ts";
import { type DriftSeverity, driftSeverities } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import type { Resources } from "../../resources.ts";
import { notReplaced } from "../archive.ts";
import { isMapped } from "../vocabulary.ts";

export function getSourceContracts({ sql }: Resources): Handler<"getSourceContracts"> {
	return async ({ region, columns = true }) =>
		oneJsonReply<Reply<"getSourceContracts">>(
			sql,
			sql`
			with lists as (
				select n.* from (${newestStructures(sql)}) n
				where ${region === undefined ? sql`true` : sql`n.region = any(${region})`}),
			-- Accepted lists of one format, each with whether its layout differs from the previous one.
			steps as (
				select l.feed, l.format, l.layout, coalesce(l.as_of, s.as_of) as as_of, l.layout is distinct from
					lag(l.layout) over (partition by l.feed, l.format order by coalesce(l.as_of, s.as_of), s.id) as begins
				from snapshot_files l join snapshots s on s.id = l.snapshot_id
				where l.structure is not null and s.outcome = 'applied')
			select json_build_object('data', coalesce((select json_agg(json_build_object(
				'source', l.feed, 'region', l.region, 'outcome', l.outcome, 'format', l.format, 'as_of', iso(l.as_of),
				'layout_since', iso(case when l.outcome = 'applied' then (select max(as_of) from steps
					where steps.feed = l.feed and steps.format = l.format and begins and steps.as_of <= l.as_of) else l.as_of end),
				'snapshot_id', l.id, 'sha256', l.sha256, 'layout', l.layout,
				'compared_with', (select json_build_object('snapshot_id', c.id, 'as_of', iso(coalesce(f.as_of, c.as_of)))
					from snapshots c join snapshot_files f on f.snapshot_id = c.id and f.feed = l.feed where c.id = l.compared_with),
				'not_compared', case when l.compared_with is not null then null
					when exists (select from snapshot_files o join snapshots s on s.id = o.snapshot_id where o.feed = l.feed
						and o.format <> l.format and s.outcome = 'applied' and coalesce(o.as_of, s.as_of) <= l.as_of) then 'another_format'
					else 'first_list' end,
				'drift', l.drift,
				'unknown_words', (select coalesce(json_agg(json_build_object('field', v.field, 'word', v.value, 'rows', v.count,
					'column', v.column, 'example', v.example, 'mapped_to', m.means) order by v.count desc, v.field, v.value), '[]')
					from jsonb_to_recordset(l.unknown_values) as v (field text, value text, count integer, "column" text, example text)
					left join mapped_words m on ${isMapped(sql, "l")}),
				'mapped_words', (select coalesce(json_agg(json_build_object('field', v.field, 'word', v.word, 'rows', v.count,
					'read_as', v.means, 'author', v.author, 'mapped_on', v.on) order by v.count desc, v.field, v.word), '[]')
					from jsonb_to_recordset(l.mapped_words) as v (field text, word text, count integer, means text, author text, "on" text)),
				'sheets', case when ${columns} then l.structure else (
					select jsonb_agg(t - 'columns' || '{"columns": []}') from jsonb_array_elements(l.structure) t) end)
				order by l.feed, l.outcome) from lists l), '[]'))`,
		);
}

/** Query of the newest accepted snapshot of each list, and of the newest one quarantined since. */
const newestStructures = (sql: Sql): Fragment => sql`
	select distinct on (l.feed, f.outcome) f.id, f.region, l.feed, f.outcome, coalesce(l.as_of, f.as_of) as as_of, l.sha256,
		l.format, l.layout, l.structure, l.compared_with, l.drift, l.unknown_values, l.mapped_words
	from snapshot_files l join snapshots f on f.id = l.snapshot_id
	where l.structure is not null and (f.outcome = 'applied' or f.outcome = 'quarantined' and ${notReplaced(sql)})
	order by l.feed, f.outcome, coalesce(l.as_of, f.as_of) desc, f.id desc`;

type Contracts = Reply<"getSourceContracts">;
type GetContracts = (params: { columns: false }, context: RequestContext) => Promise<Versioned<Contracts>>;

/** Registers a gauge of the differences, as in /source-contracts, between each newest list, accepted or held back, and the list before it. */
export function measureDrift(getContracts: GetContracts): void {
	const readContracts = inTime(async () => {
		const { json } = await getContracts({ columns: false }, { signal: AbortSignal.timeout(5_000) });
		return (JSON.parse(typeof json === "string" ? json : Buffer.from(json).toString()) as Contracts).data;
	});
	const countDifferences = ({ drift }: Contracts["data"][number], severity: DriftSeverity) =>
		drift.filter((one) => one.severity === severity).length;
	gaugeOf({
		name: "source_drift",
		help: "Differences between the structure of a list and that of the list accepted before it.",
		labels: ["source", "outcome", "severity"],
		read: async () =>
			(await readContracts())?.flatMap((contract) =>
				driftSeverities.map((severity) => ({
					labels: { source: contract.source, outcome: contract.outcome, severity },
					value: countDifferences(contract, severity),
				})),
			),
	});
}
