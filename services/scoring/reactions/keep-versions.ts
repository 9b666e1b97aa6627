/** Keeps every version of each request with the days on which it held: as of a day counts what the newest list of that day said. */
import type { Transaction } from "#libs/postgres/connect.ts";
import { columns, type Incoming, incomingRows, type ProjectChanged, rowOf } from "./incoming.ts";

/** One version, and the day from which it holds. */
interface Begin {
	project_id: string;
	version: number;
	day: string;
	snapshot_id: number | null;
}

/**
 * Adds the versions of these events that are not kept yet; the newest of each request are copied already. A version of a list holds from the
 * list's day on, whenever it came. One that was only said again, or follows another publisher, begins no earlier than what was known before it:
 * it changes nothing of the past.
 */
export async function keepVersions(tx: Transaction, events: readonly ProjectChanged[]): Promise<void> {
	const begins = beginsOf(events);
	const fresh = await insertCopied(tx, begins);
	const others = events.filter((event) => !fresh.has(`${event.project.id} ${event.version}`));
	if (others.length > 0) await insertOthers(tx, others.map(rowOf), begins);
	const said = await noteLists(tx, events);
	const ids = [...new Set([...begins.map(({ project_id }) => project_id), ...said])];
	await endVersions(tx, ids);
}

/** What is known within the batch counts as known before. */
function beginsOf(events: readonly ProjectChanged[]): Begin[] {
	const known = new Map<string, string>();
	return events
		.toSorted((a, b) => a.version - b.version)
		.map(({ project, version, as_of, snapshot_id }) => {
			const stated = as_of.slice(0, 10);
			const before = known.get(project.id) ?? "";
			const isLater = stated > before;
			if (isLater) known.set(project.id, stated);
			return { project_id: project.id, version, day: snapshot_id !== null || isLater ? stated : before, snapshot_id };
		});
}

const beginning = `case when e.snapshot_id is not null then e.day else greatest(e.day, (
	select max(v.valid_from) from project_versions v where v.project_id = e.project_id and v.version < e.version)) end`;

/** Those that stand in the copies as they came. Answers which were there to be copied. */
async function insertCopied(tx: Transaction, begins: readonly Begin[]): Promise<Set<string>> {
	const rows = await tx.unsafe<{ project_id: string; version: number }[]>(
		`with e as (select * from json_to_recordset($1::text::json) as e (project_id text, version bigint, day date, snapshot_id bigint)),
		added as (
			insert into project_versions (project_id, ${columns}, snapshot_id, shown, version, valid_from)
			select p.project_id, ${columns.replaceAll(/\w+/g, "p.$&")}, e.snapshot_id, p.shown, p.version, ${beginning}
			from e join projects p using (project_id, version)
			on conflict do nothing)
		select project_id, version from e join projects p using (project_id, version)`,
		[JSON.stringify(begins)],
	);
	return new Set(rows.map(({ project_id, version }) => `${project_id} ${version}`));
}

/** Those that another had replaced when they came. */
async function insertOthers(tx: Transaction, rows: readonly Incoming[], begins: readonly Begin[]): Promise<void> {
	const days = new Map(begins.map(({ project_id, version, day }) => [`${project_id} ${version}`, day]));
	const dated = rows.map((row) => ({ ...row, day: days.get(`${row.project_id} ${row.version}`) }));
	await tx.unsafe(
		`with e as (${incomingRows("day date")})
		insert into project_versions (project_id, ${columns}, snapshot_id, shown, version, valid_from)
		select project_id, ${columns.replace("developer_tier", "coalesce(developer_tier, 'unknown')")}, snapshot_id, shown, version, ${beginning}
		from e on conflict do nothing`,
		[JSON.stringify(dated)],
	);
}

/**
 * Every difference of a list that puts the one before it back is a correction; that a request is in the list again is one in any list.
 * A retraction that changes nothing but what is listed is not known as one: then the list that was wrong stays part of the past. Answers
 * of which requests a list spoke that is only now known to be a retraction.
 */
async function noteLists(tx: Transaction, events: readonly ProjectChanged[]): Promise<string[]> {
	const rows = events
		.filter(({ snapshot_id }) => snapshot_id !== null)
		.map(({ project: { feed, region }, as_of, snapshot_id, changes }) => ({
			feed,
			region,
			snapshot_id,
			day: as_of.slice(0, 10),
			retraction: changes.some(
				({ change_type, field_name }) => change_type === "correction" && field_name !== "missing_since",
			),
		}));
	const noted = await tx<{ feed: string }[]>`
		with e as (
			select feed, min(region) as region, snapshot_id, max(day) as day, bool_or(retraction) as retraction
			from json_to_recordset(${JSON.stringify(rows)}::text::json)
				as e (feed text, region text, snapshot_id bigint, day date, retraction boolean)
			where snapshot_id >= (select sample_until from settings) group by feed, snapshot_id)
		insert into lists as t (feed, snapshot_id, region, day, retraction) select feed, snapshot_id, region, day, retraction from e
		on conflict (feed, snapshot_id) do update set retraction = true where excluded.retraction and not t.retraction
		returning feed`;
	const spoken: string[] = [];
	for (const feed of new Set(noted.map((row) => row.feed))) spoken.push(...(await takeBack(tx, feed)));
	return spoken;
}

/** Marks the lists of a feed that later ones take back. Answers of which requests those spoke that were not marked so before. */
async function takeBack(tx: Transaction, feed: string): Promise<string[]> {
	const lists = await tx<{ snapshot_id: number; retraction: boolean; retracted: boolean }[]>`
		select snapshot_id, retraction, retracted from lists where feed = ${feed} order by snapshot_id`;
	const standing: number[] = [];
	const retracted = new Set<number | undefined>();
	for (const { snapshot_id, retraction } of lists) {
		if (retraction) retracted.add(standing.pop());
		else standing.push(snapshot_id);
	}
	const differing = lists.filter((each) => retracted.has(each.snapshot_id) !== each.retracted);
	if (differing.length === 0) return [];
	const ids = differing.map(({ snapshot_id }) => snapshot_id);
	await tx`update lists set retracted = not retracted where feed = ${feed} and snapshot_id = any(${ids}::bigint[])`;
	const spoken = await tx<{ project_id: string }[]>`
		select distinct project_id from project_versions where feed = ${feed} and snapshot_id = any(${ids}::bigint[])`;
	return spoken.map((row) => row.project_id);
}

/** What a list said that was taken back holds on no day once anything came after it. */
async function endVersions(tx: Transaction, ids: readonly string[]): Promise<void> {
	await tx`
		update project_versions v set valid_to = e.ends from (
			select project_id, version, valid_to, case when retracted and later > 0 then valid_from
				else greatest(valid_from, coalesce(min(case when not retracted or later = 0 then valid_from end) over (
					partition by project_id order by version rows between 1 following and unbounded following), 'infinity')) end as ends
			from (select v.project_id, v.version, v.valid_from, v.valid_to, coalesce(l.retracted, false) as retracted,
					count(*) over (partition by v.project_id order by v.version rows between 1 following and unbounded following) as later
				from project_versions v left join lists l on l.feed = v.feed and l.snapshot_id = v.snapshot_id
				where v.project_id = any(${[...ids]}::text[])) s) e
		where v.project_id = e.project_id and v.version = e.version and e.valid_to <> e.ends`;
}
