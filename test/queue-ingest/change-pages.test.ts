/** Pages of changes: a page is what counting off its rows would give. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ParamsInput } from "#libs/contract/index.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { random } from "../support/file-formats.ts";
import { type MisoRow, misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";

let queue: Queue;
beforeEach(async () => {
	queue = await openQueue();
});
afterEach(() => queue[Symbol.asyncDispose]());

type Asked = ParamsInput<"listChanges">;
const ask = (params: Asked) => queue.changes(params);

const rows = (day: number): MisoRow[] => [
	...standing(25),
	...Array.from({ length: 30 }, (_, at) => ({
		number: `J9${at + 10}`,
		summer: 50 + ((at + day) % 5),
		...(at < 3 * day && { status: "Withdrawn" }),
	})),
	...Array.from({ length: day }, (_, at) => ({ number: `J8${at + 10}` })),
];
/** The list of a day of March, with some forty changes. */
const take = async (day: number) =>
	expect(await queue.take("MISO", `2026-03-0${day}T12:00:00Z`, misoJson(rows(day)))).toMatchObject({
		outcome: "applied",
	});

test("pages far back, jumped to in any order and cut to any length, are those of the whole list", async () => {
	for (const day of [1, 2, 3]) await take(day);
	await queue.sql.begin(async (tx) => {
		await tx`insert into changes select copied.* from changes c cross join generate_series(1, 120) as copy
			cross join lateral jsonb_populate_record(c, jsonb_build_object('seq', c.seq + 1000 * copy)) copied`;
		await raiseDataVersion(tx);
	});
	const seqs = await queue.sql<
		{ seq: number }[]
	>`select seq from changes where change_type not in ('first_listed', 'raw_update') order by detected_at desc, seq desc`;
	expect(seqs.length).toBeGreaterThan(6_000);
	const chance = random(6);
	for (let step = 0; step < 40; step++) {
		const per_page = 1 + Math.floor(chance() * 200);
		const page = 1 + Math.floor((chance() * seqs.length) / per_page);
		const { data, total } = await ask({ since_days: 9, page, per_page });
		expect(total).toBe(seqs.length);
		expect(
			data.map(({ seq }) => ({ seq })),
			`page ${page} of ${per_page}`,
		).toEqual(seqs.slice((page - 1) * per_page, page * per_page));
	}
});

test("a page past the end is empty, however far", async () => {
	for (const day of [1, 2, 3]) await take(day);
	for (const page of [3_000, 2_147_483_647]) {
		const { data, total } = await ask({ since_days: 9, page, per_page: 50 });
		expect([data, total > 0]).toEqual([[], true]);
	}
});

test("pages visited at random, while changes are added and time passes, are those of the moment", async () => {
	for (const day of [1, 2, 3, 4]) await take(day);
	await queue.sql`update projects set developer = 'Anna' where hashtext(id) % 2 = 0`;
	const lists = [
		{ since_days: 1 },
		{ since_days: 3 },
		{ since_days: 3, region: "MISO" },
		{ since_days: 3, change_type: "capacity_change" },
		{ since_days: 3, developer: "anna" },
	] satisfies Asked[];
	const chance = random(5);
	const upTo = (most: number) => Math.floor(chance() * most);
	const start = Date.parse(queue.now);
	let page = 1;
	for (let step = 0; step < 300; step++) {
		const list = lists[upTo(lists.length)] ?? { since_days: 1 };
		// Mostly the next one, sometimes a jump.
		page = chance() < 0.6 ? page + 1 : 1 + upTo(32);
		queue.now = new Date(start + step * 600_000).toISOString();
		// Lists arrive as of now and as of long ago when one operator publishes later than another.
		if (step % 10 === 9)
			await queue.sql.begin(async (tx) => {
				await tx`insert into changes select added.* from (
						select c, (select max(seq) from changes) + row_number() over () as place from changes c order by seq desc limit ${upTo(20)}) copied
					cross join lateral jsonb_populate_record(c, jsonb_build_object('seq', place, 'detected_at',
						${queue.now}::timestamptz - interval '1 hour' * (hashtext(place::text) % 90))) added`;
				await raiseDataVersion(tx);
			});
		const { total, data } = await ask({ ...list, page, per_page: 7 });
		const all = await ask({ ...list, per_page: 500 });
		const since = new Date(Date.parse(queue.now) - list.since_days * 86_400_000).toISOString();
		const plain = await queue.sql<{ seq: number }[]>`
			select seq from changes c where detected_at >= ${since}::timestamptz and change_type not in ('first_listed', 'raw_update')
				and ${"region" in list ? queue.sql`region = ${list.region}` : queue.sql`true`}
				and ${"change_type" in list ? queue.sql`change_type = ${list.change_type}` : queue.sql`true`}
				and ${"developer" in list ? queue.sql`exists (select from projects p where id = project_id and p.developer = 'Anna')` : queue.sql`true`}
			order by detected_at desc, seq desc limit 7 offset ${(page - 1) * 7}`;
		const where = `step ${step}: ${JSON.stringify(list)}, page ${page}`;
		expect(total, where).toBe(all.data.length);
		expect(data, where).toEqual(all.data.slice((page - 1) * 7, page * 7));
		expect(
			data.map(({ seq }) => seq),
			where,
		).toEqual(plain.map(({ seq }) => seq));
	}
});
