/** The summary of changes is made of stored withdrawals and sums: it is what the rows of its span say, to the second and to the byte of a number. */
import { expect, test } from "vitest";
import { random } from "../support/file-formats.ts";
import { type MisoRow, misoJson, standing } from "./support/miso.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const day = (number: number) => `2026-03-${String(number).padStart(2, "0")}`;

const queue = sharedQueue();

const chance = random(5);
const rows = standing(60).map((row, at): MisoRow => ({ ...row, number: `J${100 + at}` }));
const take = async (today: number) =>
	expect(
		await queue.take("MISO", `${day(today)}T0${6 + (today % 3)}:30:15Z`, misoJson(rows.slice(0, 48 + today))),
	).toMatchObject({ outcome: "applied" });

/** The definition: the request is withdrawn, and a change of its status ended a version in which it was not. */
const found = ({ sql }: Queue, since: string) => sql<{ project_id: string; region: string; mw: number }[]>`
	select distinct p.id as project_id, p.region, p.capacity_mw as mw
	from changes c join projects p on p.id = c.project_id
		join project_versions v on v.project_id = p.id and v.valid_to = c.detected_at
	where c.detected_at >= ${since}::timestamptz and c.change_type = 'status_change' and p.status_std = 'Withdrawn'
		and coalesce(c.kind, 'generation') = 'generation' and v.status_std <> 'Withdrawn'
	order by p.id`;

const kept = ({ sql }: Queue, since: string) => sql<{ project_id: string; region: string; mw: number }[]>`
	select project_id, region, capacity_mw as mw from withdrawals
	where withdrawn and detected_at >= ${since}::timestamptz order by project_id`;

/** Returns the requests that withdrew since the first list, and still are withdrawn. */
async function expectWithdrawals(): Promise<string[]> {
	for (const days of [1, 3, 10, 90]) {
		const since = new Date(Date.parse(queue.now) - days * 86_400_000).toISOString();
		const theirs = [...(await found(queue, since))];
		expect([...(await kept(queue, since))], `${days} days before ${queue.now}`).toEqual(theirs);
		const { withdrawals_by_region: shown } = await queue.ask("summariseChanges", { since_days: days });
		const mw = theirs.reduce((sum, request) => sum + request.mw, 0);
		expect(shown).toEqual(
			theirs.length === 0
				? []
				: [{ region: "MISO", withdrawn: theirs.length, withdrawn_mw: Math.round(mw * 1000) / 1000 }],
		);
	}
	return (await found(queue, day(1))).map(({ project_id }) => project_id);
}

test("after each list every period counts the requests that withdrew in it and are still withdrawn", async () => {
	const counts: number[] = [];
	for (let today = 1; today <= 10; today++) {
		for (let changed = 0; changed < 4; changed++) {
			const at = Math.floor(chance() * 40);
			const status = ["Withdrawn", "Withdrawn", "Active"][Math.floor(chance() * 3)] ?? "";
			rows[at] = { ...(rows[at] ?? { number: "" }), status, summer: Math.floor(chance() * 9_000) / 8 };
		}
		await take(today);
		counts.push((await expectWithdrawals()).length);
	}
	expect(Math.max(...counts)).toBeGreaterThan(5);
	// Some came back, or their number would only grow.
	expect(counts.some((count, at) => count < (counts[at - 1] ?? 0))).toBe(true);
});

test("a retracted list withdraws no request, and an earlier withdrawal counts again", async () => {
	const two = ["MISO-J140", "MISO-J141"];
	for (const [today, status] of [
		[11, "Withdrawn"],
		[12, "Active"],
	] as const) {
		for (const at of [40, 41]) rows[at] = { number: `J${100 + at}`, status };
		await take(today);
	}
	expect((await expectWithdrawals()).filter((id) => two.includes(id))).toEqual([]);
	expect(await queue.retract("MISO", day(13))).toMatchObject({ outcome: "applied" });
	expect((await expectWithdrawals()).filter((id) => two.includes(id))).toEqual(two);
});

/** The summary by its definition, of rows alone. */
async function summed({ sql, now }: Queue, days: number, regions?: string[]): Promise<unknown> {
	const since = new Date(Date.parse(now) - days * 86_400_000).toISOString();
	const chosen = regions === undefined ? sql`true` : sql`region in ${sql(regions)}`;
	const changes = sql`changes where detected_at >= ${since}::timestamptz and coalesce(kind, 'generation') = 'generation'
		and change_type not in ('first_listed', 'raw_update') and ${chosen}`;
	const withdrawn = sql`withdrawals where withdrawn and ${chosen} and detected_at >= ${since}::timestamptz`;
	const sums = sql`count(*) as withdrawn, coalesce(round(sum(capacity_mw::numeric), 3), 0)::float8 as withdrawn_mw`;
	const [row] = await sql<{ summary: unknown }[]>`
		select jsonb_build_object('since_days', ${days}::int,
			'by_day', (select coalesce(jsonb_agg(t), '[]') from (
				select (detected_at at time zone 'UTC')::date as day, change_type, count(*) from ${changes}
				group by 1, 2 order by 1 desc, 3 desc, 2) t),
			'by_region', (select coalesce(jsonb_agg(t), '[]') from (
				select region, change_type, count(*) from ${changes} group by 1, 2 order by 1, 3 desc, 2) t),
			'withdrawals_by_region', (select coalesce(jsonb_agg(t), '[]') from (
				select region, ${sums} from ${withdrawn} group by 1 order by 2 desc, 1) t),
			'top_withdrawing_developers', (select coalesce(jsonb_agg(t), '[]') from (
				select developer_canonical as developer, ${sums} from ${withdrawn} and developer_canonical is not null
				group by 1 order by 2 desc, 3 desc, 1 limit 25) t),
			'new_entries_by_region', (select coalesce(jsonb_agg(t), '[]') from (
				select region, count(*) as new_projects, coalesce(round(sum(capacity_mw::numeric), 3), 0)::float8 as new_mw
				from ${changes} and change_type = 'new_project' group by 1 order by 2 desc, 1) t)) as summary`;
	return row?.summary;
}

/** Changes as if written by lists of other operators, developers and days. Deterministic. */
async function scatter({ sql }: Queue, step: number): Promise<void> {
	const of = (column: string, values: string) => `(${values})[1 + abs(hashtext(${column} || ${step}) % 5)]`;
	const regions = "array['MISO', 'PJM', 'ERCOT', 'SPP', 'NYISO']";
	const capacities = "array[0.1, 33.3335, null, 1e6, 99.999]";
	await sql.begin(async (tx) => {
		await tx.unsafe(`update changes set detected_at = detected_at + (hashtext(seq::text) % 72) * interval '1 hour',
			region = ${of("seq::text", regions)}, capacity_mw = ${of("'c' || seq", capacities)},
			kind = ${of("'k' || seq", "array['generation', 'generation', null, 'load', 'generation']")} where seq % 3 = ${step % 3}`);
		await tx.unsafe(`update withdrawals set detected_at = detected_at - (hashtext(project_id) % 48) * interval '1 hour'
			where hashtext(project_id) % 3 = ${step % 3}`);
		await tx.unsafe(`update projects set region = ${of("id", regions)}, capacity_mw = ${of("'c' || id", capacities)},
			developer_canonical = ${of("'d' || id", "array['Acme', 'Best', null, 'Caithness', 'Dominion']")},
			status_std = ${of("'s' || id", "array['Withdrawn', 'Withdrawn', 'Withdrawn', 'Active', 'Withdrawn']")}
			where id in (select project_id from withdrawals)`);
		if (step % 4 === 3) await tx`delete from changes where seq % 13 = ${step % 13}`;
		if (step % 4 === 2) await tx`delete from withdrawals where abs(hashtext(project_id)) % 11 = ${step % 11}`;
	});
}

test("a summary equals the rows of its period after any writes", async () => {
	const seen = { days: 0, withdrawn: 0, developers: 0, regions: 0, chosen: 0 };
	for (let step = 0; step < 4; step++) {
		if (step > 0) await scatter(queue, step);
		const [at] = await queue.sql<{ iso: string }[]>`
			select iso(detected_at) from changes order by md5(seq::text || ${step}) limit 1`;
		const published = Date.parse(at?.iso ?? "");
		for (const days of [1, 2, 30])
			for (const beside of [0, 1_000, -1_000, 40 * 60_000]) {
				queue.now = new Date(published + days * 86_400_000 + beside).toISOString();
				const { meta: _, ...shown } = await queue.ask("summariseChanges", { since_days: days });
				expect(shown, `step ${step}, ${days} days before ${queue.now}`).toEqual(await summed(queue, days));
				const some = ["MISO", "SPP"] as const;
				const { meta: __, ...ofSome } = await queue.ask("summariseChanges", { since_days: days, region: [...some] });
				expect(ofSome).toEqual(await summed(queue, days, [...some]));
				seen.chosen = Math.max(seen.chosen, ofSome.by_region.length);
				seen.days = Math.max(seen.days, shown.by_day.length);
				seen.withdrawn = Math.max(seen.withdrawn, ...shown.withdrawals_by_region.map(({ withdrawn }) => withdrawn));
				seen.developers = Math.max(seen.developers, shown.top_withdrawing_developers.length);
				seen.regions = Math.max(seen.regions, shown.new_entries_by_region.length);
			}
		queue.now = `${day(20)}T00:00:00Z`;
		for (const days of [7, 13]) {
			const { meta: _, ...shown } = await queue.ask("summariseChanges", { since_days: days });
			expect(shown).toEqual(await summed(queue, days));
		}
	}
	expect(seen.days).toBeGreaterThan(8);
	expect(seen.withdrawn).toBeGreaterThan(2);
	expect(seen.developers).toBe(4);
	expect(seen.regions).toBeGreaterThan(2);
	expect(seen.chosen).toBeGreaterThan(3);
});
