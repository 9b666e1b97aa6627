/**
 * Keeps what was published of each score, and what scores look at in ratings, with the time for which it stood. At any moment one of each: where a
 * clock was set back, what is later by the old one stood for no time.
 */
import type { Transaction } from "#libs/postgres/connect.ts";
import type { Assessed } from "../domain/assess.ts";
import type { StoredRequest } from "./requests.ts";

/** A request and what was made of it; null where it is closed. */
export interface Assessment {
	request: StoredRequest;
	assessed: Assessed | null;
}

/** What is published of these requests from now on under the version that is served; of a closed one nothing is any more. */
export async function keepPublished(
	tx: Transaction,
	active: number,
	assessments: readonly Assessment[],
	now: Date,
): Promise<void> {
	const rows = assessments.flatMap(({ request, assessed }) => {
		const current = assessed?.scores.find(({ version }) => version === active);
		if (assessed === null || current === undefined) return [];
		const { score, grade, investable } = current.score;
		const { credit, inputs, hash } = assessed;
		const { project_id } = request.facts;
		return [{ project_id, score_version: active, score, grade, investable, inputs, inputs_hash: hash, credit }];
	});
	await tx`
		update score_versions set published_until = greatest(published_at, ${now.toISOString()}::timestamptz)
		where project_id = any(${assessments.map(({ request }) => request.facts.project_id)}::text[])
			and published_until > ${now.toISOString()}::timestamptz`;
	await tx`
		insert into score_versions as t (project_id, published_at, score_version, score, grade, investable, inputs, inputs_hash, credit, request)
		select e.project_id, ${now.toISOString()}::timestamptz, e.score_version, e.score, e.grade, e.investable, e.inputs, e.inputs_hash, e.credit,
			to_jsonb(r)
		from json_to_recordset(${JSON.stringify(rows)}::text::json) as e (project_id text, score_version integer, score integer,
			grade text, investable boolean, inputs jsonb, inputs_hash text, credit jsonb)
		cross join lateral (
			select p.queue_id, p.name, p.region, p.state, p.county, p.counties, p.fips, p.developer, p.type_std, p.capacity_mw, p.queue_date,
				p.cod, p.status, p.status_std, p.poi, p.last_changed_at, p.lat, p.lon, p.construction_stage, p.construction_stage_confidence,
				p.study_phase, p.study_phase_filed, p.ia_status, p.ia_status_filed, left(iso(f.as_of), 10) as facts_as_of
			from projects p left join feeds f using (feed) where p.project_id = e.project_id) r
		order by project_id
		on conflict (project_id, published_at) do update
			set (published_until, score_version, score, grade, investable, inputs, inputs_hash, credit, request) = ('infinity', excluded.score_version,
				excluded.score, excluded.grade, excluded.investable, excluded.inputs, excluded.inputs_hash, excluded.credit, excluded.request)`;
}

interface Rating {
	developer_id: number;
	payload: { distress_level: string; needs_capital: boolean };
}

export async function keepRatings(tx: Transaction, rated: readonly Rating[], now: Date): Promise<void> {
	const rows = rated.map(({ developer_id, payload: { distress_level, needs_capital } }) => ({
		developer_id,
		distress_level,
		needs_capital,
	}));
	const incoming = tx`
		json_to_recordset(${JSON.stringify(rows)}::text::json) as e (developer_id integer, distress_level text, needs_capital boolean)`;
	const differing = await tx<{ developer_id: number }[]>`
		select e.developer_id from ${incoming}
		left join developer_rating_versions t on t.developer_id = e.developer_id and t.rated_until = 'infinity'
		where (t.distress_level, t.needs_capital) is distinct from (e.distress_level, e.needs_capital)`;
	const ids = differing.map((row) => row.developer_id);
	if (ids.length === 0) return;
	await tx`
		update developer_rating_versions set rated_until = greatest(rated_at, ${now.toISOString()}::timestamptz)
		where developer_id = any(${ids}::integer[]) and rated_until > ${now.toISOString()}::timestamptz`;
	await tx`
		insert into developer_rating_versions as t (developer_id, rated_at, distress_level, needs_capital)
		select developer_id, ${now.toISOString()}::timestamptz, distress_level, needs_capital from ${incoming}
		where developer_id = any(${ids}::integer[]) order by developer_id
		on conflict (developer_id, rated_at) do update set (rated_until, distress_level, needs_capital)
			= ('infinity', excluded.distress_level, excluded.needs_capital)`;
}
