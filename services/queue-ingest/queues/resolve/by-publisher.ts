/** Finds requests by another publisher's number: Berkeley Lab's, or a plant's on form EIA-860. */
import type { Sql } from "#libs/postgres/connect.ts";
import { add, type Found, newFound, type ParsedQuery, queriesOfKind } from "./candidate.ts";

/** Two publishers' dates of one request differ by at most `same` days; those of two requests by more than `other` days. */
const days = { same: 31, other: 366 };

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
 * Berkeley Lab uses the operators' request numbers, except that some editions assign their own to withdrawn requests. As in the
 * reconciliation, a request with the same number does not match if its name and capacity differ and its queue date is more than a year away.
 * The same name with queue dates at most a month apart ranks above the same number under another name.
 */
export async function findByLbnl(sql: Sql, parsed: readonly ParsedQuery[]): Promise<Found> {
	const found = newFound();
	const numbers = queriesOfKind(parsed, "lbnl");
	if (numbers.length === 0) return found;
	const rows = await sql<
		{
			at: number;
			entity: string;
			q_id: string;
			name: string | null;
			edition: string | null;
			id: string | null;
			how: keyof typeof matchKinds | null;
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
				and coalesce(abs(p.queue_date - l.queued), 0) > ${days.other} and coalesce(abs(p.capacity_mw - l.mw) > 1, true))),
		named as (
			select l.*, p.id from listed l join projects p on p.region = l.region and ${sql.unsafe(spellingOf("p.name"))} = l.spelled
				and abs(p.queue_date - l.queued) <= ${days.same}
			where l.spelled <> '')
		select at, entity, q_id, name, (select to_char(applied_as_of, 'YYYY-MM-DD') from feeds where feed = 'lbnl') as edition, id, how
		from (select at, entity, q_id, name, id, case when is_named_so then 'number' else 'number_alone' end as how from numbered
			union all select at, entity, q_id, name, id, 'name' from named
			union all select at, entity, q_id, name, null, null from listed) all_found
		order by at, id`;
	for (const { at, entity, q_id, name, edition, id, how } of rows) {
		const subject = `${entity}/${q_id}${name === null ? "" : ` (${name})`} in Berkeley Lab's edition of ${edition ?? "an unknown day"}`;
		if (id === null || how === null) found.reasons.set(at, `${subject} matches no request of a loaded list`);
		else add(found, at, { id, ...matchKinds[how], text: `${subject}: ${matchTexts[how]}` });
	}
	for (const { at, meaning } of numbers)
		if (!found.candidates.has(at) && !found.reasons.has(at))
			found.reasons.set(at, `no loaded edition of Berkeley Lab's list has the number ${meaning.number}`);
	return found;
}

/** Finds plants by the stored links. If a plant has several requests, the one with the generator's technology and size is preferred. */
export async function findByEia(sql: Sql, parsed: readonly ParsedQuery[]): Promise<Found> {
	const found = newFound();
	const plants = queriesOfKind(parsed, "eia");
	if (plants.length === 0) return found;
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
		const those = byAt.get(at) ?? [];
		const [first] = those;
		const subject = `EIA plant ${plant}${first?.plant ? ` (${first.plant})` : ""}`;
		if (first === undefined || (first.plant === null && first.id === null))
			found.reasons.set(at, `no loaded form EIA-860 has the plant ${plant}`);
		else if (generator !== null && !first.isGenerator)
			found.reasons.set(at, `${subject} has no generator ${generator} in the loaded forms`);
		else if (first.id === null) found.reasons.set(at, `${subject} is not linked to a request`);
		else {
			const fitting = generator === null || those.length === 1 ? [] : those.filter(({ isFit }) => isFit);
			for (const { id, confidence, evidence } of those)
				if (id !== null) {
					const isOnly = fitting.length === 1 && fitting[0]?.id === id;
					add(found, at, {
						id,
						method: generator === null ? "eia_plant" : "eia_generator",
						confidence: fitting.length === 1 && !isOnly ? (confidence ?? 0) / 2 : (confidence ?? 0),
						text: `${subject} is linked by ${evidence}${isOnly ? `; only this request has the technology and size of the generator ${generator}` : ""}`,
					});
				}
		}
	}
	return found;
}

/** No loaded file states Global Energy Monitor's numbers of plants. */
export function findByGem(parsed: readonly ParsedQuery[]): Found {
	const found = newFound();
	for (const { at } of queriesOfKind(parsed, "gem"))
		found.reasons.set(
			at,
			"no loaded source states Global Energy Monitor's numbers: search by name and place, or by coordinates",
		);
	return found;
}
