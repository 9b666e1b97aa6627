/** Finds requests by another publisher's number: that of Berkeley Lab's list, or that of a plant on form EIA-860. */
import type { Sql } from "#libs/postgres/connect.ts";
import { addCandidate, emptyResults, type ParsedQuery, queriesOfKind, type SearchResults } from "./candidate.ts";

/** Maximum difference between two publishers' queue dates if only the name agrees, and if only the number agrees. */
const maxDays = { sameName: 31, sameNumber: 366 };

const matchKinds = {
	number: { method: "lbnl_number", confidence: 0.95 },
	name: { method: "lbnl_name", confidence: 0.85 },
	number_alone: { method: "lbnl_number", confidence: 0.7 },
} as const;
const matchTexts: Record<keyof typeof matchKinds, string> = {
	number: "the operator's number",
	name: "the same name, queue dates at most a month apart",
	number_alone: "the operator's number, filed under another name",
};

const spellingOf = (column: string) => `regexp_replace(lower(${column}), '[^a-z0-9]', '', 'g')`;

/**
 * Berkeley Lab uses the operators' request numbers, but some editions assign other numbers to withdrawn requests. As in the
 * reconciliation, a request with the same number does not match if its name and capacity differ and its queue date is more than a year away.
 * The same name with queue dates at most a month apart ranks above the same number with a different name.
 */
export async function findByLbnl(sql: Sql, parsed: readonly ParsedQuery[]): Promise<SearchResults> {
	const results = emptyResults();
	const numbers = queriesOfKind(parsed, "lbnl");
	if (numbers.length === 0) return results;
	const rows = await sql<
		{
			at: number;
			entity: string;
			q_id: string;
			name: string | null;
			edition: string | null;
			id: string | null;
			matchKind: keyof typeof matchKinds | null;
		}[]
	>`
		with listed as (
			select k.at, l.entity, l.q_id, l.lbnl_region as region, l.key, l.request ->> 'name' as name,
				${sql.unsafe(spellingOf("l.request ->> 'name'"))} as spelled, (l.request ->> 'queueDate')::date as queued,
				(l.request ->> 'capacityMw')::float8 as mw
			from unnest(${numbers.map(({ at }) => at)}::int[], ${numbers.map(({ meaning }) => meaning.entity)}::text[],
				${numbers.map(({ meaning }) => meaning.number)}::text[]) as k (at, entity, number)
			join lbnl_requests l on lower(l.q_id) = lower(k.number) and (k.entity is null or lower(l.entity) = lower(k.entity))),
		numbered as (
			select l.*, p.id, coalesce(l.spelled, '') = '' or coalesce(p.name, '') = '' or ${sql.unsafe(spellingOf("p.name"))} = l.spelled as is_named_so
			from listed l join project_aliases a on a.region = l.region and a.key = l.key join projects p on p.id = a.project_id
			where not (l.spelled <> '' and p.name <> '' and ${sql.unsafe(spellingOf("p.name"))} <> l.spelled
				and coalesce(abs(p.queue_date - l.queued), 0) > ${maxDays.sameNumber} and coalesce(abs(p.capacity_mw - l.mw) > 1, true))),
		named as (
			select l.*, p.id from listed l join projects p on p.region = l.region and ${sql.unsafe(spellingOf("p.name"))} = l.spelled
				and abs(p.queue_date - l.queued) <= ${maxDays.sameName}
			where l.spelled <> '')
		select at, entity, q_id, name, (select to_char(applied_as_of, 'YYYY-MM-DD') from feeds where feed = 'lbnl') as edition, id, "matchKind"
		from (select at, entity, q_id, name, id, case when is_named_so then 'number' else 'number_alone' end as "matchKind" from numbered
			union all select at, entity, q_id, name, id, 'name' from named
			union all select at, entity, q_id, name, null, null from listed) all_found
		order by at, id`;
	for (const { at, entity, q_id, name, edition, id, matchKind } of rows) {
		const subject = `${entity}/${q_id}${name === null ? "" : ` (${name})`} in Berkeley Lab's edition of ${edition ?? "an unknown day"}`;
		if (id === null || matchKind === null) results.reasons.set(at, `${subject} matches no request of a loaded list`);
		else addCandidate(results, at, { id, ...matchKinds[matchKind], text: `${subject}: ${matchTexts[matchKind]}` });
	}
	for (const { at, meaning } of numbers)
		if (!results.candidates.has(at) && !results.reasons.has(at))
			results.reasons.set(at, `no loaded edition of Berkeley Lab's list has the number ${meaning.number}`);
	return results;
}

/** Finds the requests that are linked to a plant. Of several, the one with the technology and size of the generator in the query is preferred. */
export async function findByEia(sql: Sql, parsed: readonly ParsedQuery[]): Promise<SearchResults> {
	const results = emptyResults();
	const plants = queriesOfKind(parsed, "eia");
	if (plants.length === 0) return results;
	const rows = await sql<
		{
			at: number;
			plant: string | null;
			isGenerator: boolean;
			id: string | null;
			confidence: number | null;
			evidence: string | null;
			isFit: boolean | null;
		}[]
	>`
		with parsed as (
			select * from unnest(${plants.map(({ at }) => at)}::int[], ${plants.map(({ meaning }) => meaning.plant)}::int[],
				${plants.map(({ meaning }) => meaning.generator)}::text[]) as k (at, plant_id, generator))
		select k.at, coalesce(f.name, g.plant_name) as plant, g.plant_id is not null as "isGenerator", l.project_id as id, l.confidence,
			concat_ws(': ', l.method, l.evidence) as evidence,
			p.type_std = eia_type_std(g.technology, g.prime_mover) and abs(p.capacity_mw - g.capacity_mw) <= 0.1 * g.capacity_mw as "isFit"
		from parsed k
		left join lateral (select name from plants f where f.plant_id = k.plant_id order by year desc limit 1) f on true
		left join lateral (select * from generators g where g.plant_id = k.plant_id and (k.generator is null or lower(g.generator_id) = lower(k.generator))
			order by g.year desc, schedule_place(g.schedule) limit 1) g on true
		left join project_plants l on l.plant_id = k.plant_id
		left join projects p on p.id = l.project_id
		order by k.at, l.confidence desc, l.project_id`;
	const byAt = Map.groupBy(rows, ({ at }) => at);
	for (const { at, meaning } of plants) {
		const { plant, generator } = meaning;
		const links = byAt.get(at) ?? [];
		const [first] = links;
		const subject = `EIA plant ${plant}${first?.plant ? ` (${first.plant})` : ""}`;
		if (first === undefined || (first.plant === null && first.id === null))
			results.reasons.set(at, `no loaded form EIA-860 has the plant ${plant}`);
		else if (generator !== null && !first.isGenerator)
			results.reasons.set(at, `${subject} has no generator ${generator} in the loaded forms`);
		else if (first.id === null) results.reasons.set(at, `${subject} is not linked to a request`);
		else {
			const fitting = generator === null || links.length === 1 ? [] : links.filter(({ isFit }) => isFit);
			for (const { id, confidence, evidence } of links)
				if (id !== null) {
					const isOnlyFit = fitting.length === 1 && fitting[0]?.id === id;
					addCandidate(results, at, {
						id,
						method: generator === null ? "eia_plant" : "eia_generator",
						confidence: fitting.length === 1 && !isOnlyFit ? (confidence ?? 0) / 2 : (confidence ?? 0),
						text: `${subject} is linked by ${evidence}${isOnlyFit ? `; only this request has the technology and size of the generator ${generator}` : ""}`,
					});
				}
		}
	}
	return results;
}

/** Finds nothing, and gives the reason: no loaded source has the plant numbers of Global Energy Monitor. */
export function findByGem(parsed: readonly ParsedQuery[]): SearchResults {
	const results = emptyResults();
	for (const { at } of queriesOfKind(parsed, "gem"))
		results.reasons.set(
			at,
			"no loaded source has Global Energy Monitor's numbers: search by name and place, or by coordinates",
		);
	return results;
}
