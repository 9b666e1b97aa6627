/** Pages of projects: whatever was read before, in whatever order, a page is what counting off its rows would give. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { random } from "../support/file-formats.ts";
import { misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";

const perPage = 7;
let queue: Queue;
beforeAll(async () => {
	queue = await openQueue();
	const rows = standing(200).map((row, at) => ({ ...row, ...(at % 3 === 0 && { status: "Withdrawn" }) }));
	await queue.take("MISO", "2026-03-01", misoJson(rows));
});
afterAll(() => queue[Symbol.asyncDispose]());

const lists = [
	{},
	{ order: "desc" },
	{ status: "active" },
	{ region: "MISO", capacity_min: 1 },
	{ sort: "capacity_mw", order: "desc" },
] as const;

test("pages visited at random, with rows that come and go in between, are those of the moment", async () => {
	const chance = random(3);
	const upTo = (most: number) => Math.floor(chance() * most);
	let page = 1;
	for (let step = 0; step < 300; step++) {
		const list = lists[upTo(lists.length)] ?? {};
		// Mostly the next one, sometimes a jump.
		page = chance() < 0.6 ? page + 1 : 1 + upTo(32);
		if (step % 10 === 9)
			await queue.sql.begin(async (tx) => {
				await tx`delete from projects where id = (select id from projects where id like '%~%' order by id offset ${upTo(20)} limit 1)`;
				await tx`update projects set kind = case kind when 'load' then 'generation' else 'load' end, version = version + 1
					where id = (select id from projects order by id offset ${upTo(200)} limit 1)`;
				await tx`insert into projects select copied.* from projects p
					cross join lateral jsonb_populate_record(p, jsonb_build_object('id', p.id || '~' || ${step}::int)) copied
					where p.id = (select id from projects order by id offset ${upTo(100)} limit 1)`;
				await raiseDataVersion(tx);
			});
		const { data, meta } = await queue.ask("listProjects", { ...list, page, per_page: perPage });
		const all = await queue.ask("listProjects", { ...list, per_page: 500 });
		const where = `step ${step}: ${JSON.stringify(list)}, page ${page}`;
		expect(meta.total, where).toBe(all.data.length);
		expect(data, where).toEqual(all.data.slice((page - 1) * perPage, page * perPage));
	}
});

test("pages far back, jumped to in any order and cut to any length, are those of the whole list", async () => {
	await queue.sql.begin(async (tx) => {
		await tx`insert into projects select copied.* from projects p cross join generate_series(1, 40) as copy
			cross join lateral jsonb_populate_record(p, jsonb_build_object('id', p.id || '+' || copy)) copied where p.kind = 'generation'`;
		await raiseDataVersion(tx);
	});
	const chance = random(4);
	for (const order of ["asc", "desc"] as const) {
		const all: string[] = [];
		for (let page = 1, pages = 1; page <= pages; page++) {
			const { data, meta } = await queue.ask("listProjects", { order, per_page: 500, page });
			all.push(...data.map(({ id }) => id));
			pages = meta.pages;
		}
		expect(all.length).toBeGreaterThan(6_000);
		expect(all).toEqual(
			all.toSorted((a, b) => (order === "asc" ? 1 : -1) * Buffer.compare(Buffer.from(a), Buffer.from(b))),
		);
		// Other filters that choose the same are another list, of which nothing is known yet.
		const filters = order === "asc" ? { capacity_min: 0 } : { region: "MISO" as const };
		for (let step = 0; step < 30; step++) {
			const per_page = 1 + Math.floor(chance() * 200);
			const page = 1 + Math.floor((chance() * all.length) / per_page);
			const { data } = await queue.ask("listProjects", { ...filters, order, page, per_page });
			expect(
				data.map(({ id }) => id),
				`${order}, page ${page} of ${per_page}`,
			).toEqual(all.slice((page - 1) * per_page, page * per_page));
		}
	}
});
