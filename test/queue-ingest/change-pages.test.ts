/** Pages of changes and walks through them: a page is what counting off its rows would give, a walk what there was when it began. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { operations, type ParamsInput } from "#libs/contract/index.ts";
import { connect } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { schema } from "../../services/queue-ingest/migrate.ts";
import { listChanges } from "../../services/queue-ingest/operations/list-changes.ts";
import { Moments, type MomentsOptions } from "../../services/queue-ingest/operations/moments.ts";
import { random } from "../support/file-formats.ts";
import { type MisoRow, misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";

let queue: Queue;
beforeEach(async () => {
	queue = await openQueue();
});
afterEach(() => queue[Symbol.asyncDispose]());

type Asked = ParamsInput<"listChanges">;
type Ask = (params: Asked) => ReturnType<typeof queue.ask<"listChanges">>;
const ask: Ask = (params) => queue.ask("listChanges", params);

const rows = (day: number): MisoRow[] => [
	...standing(25),
	...Array.from({ length: 30 }, (_, at) => ({
		number: `J9${at + 10}`,
		summer: 50 + ((at + day) % 5),
		...(at < 3 * day && { status: "Withdrawn" }),
	})),
	...Array.from({ length: day }, (_, at) => ({ number: `J8${at + 10}` })),
];
/** The list of a day of March, which tells some forty changes. */
const take = async (day: number) =>
	expect(await queue.take("MISO", `2026-03-0${day}T12:00:00Z`, misoJson(rows(day)))).toMatchObject({
		outcome: "applied",
	});

/** Another replica: a pool, and moments, of its own. */
function replica(options: MomentsOptions = {}) {
	const sql = connect(queue.url, { schema, name: "replica", max: 2 });
	const moments = new Moments(sql, options);
	const list = listChanges({ sql, moments, now: () => new Date(queue.now) });
	return {
		async ask(params: Asked) {
			const { params: asked, reply } = operations.listChanges;
			const { json } = await list(asked.parse(params), { signal: new AbortController().signal });
			return reply.parse(JSON.parse(Buffer.from(json).toString()));
		},
		/** As when its process is killed. */
		async [Symbol.asyncDispose]() {
			await moments[Symbol.asyncDispose]();
			await sql.end();
		},
	};
}

/** Everything that a walk reads, with something done between its pages. */
async function walk(by: Ask, params: Asked, between: (page: number) => Promise<unknown>) {
	const read: unknown[] = [];
	let cursor: string | null | undefined = "*";
	let total = -1;
	for (let page = 1; typeof cursor === "string"; page++) {
		const answer = await by({ ...params, cursor });
		if (total < 0) total = answer.total;
		expect(answer).toMatchObject({ total, page, per_page: params.per_page });
		read.push(...answer.data);
		cursor = answer.next_cursor;
		await between(page);
	}
	expect(cursor).toBeNull();
	expect(read.length).toBe(total);
	return read;
}

test.each([
	{ since_days: 4 },
	{ since_days: 4, region: "MISO" },
	{ since_days: 4, change_type: "capacity_change" },
	{ since_days: 4, region: "MISO", change_type: "capacity_change" },
	{ since_days: 4, developer: "a" },
] satisfies Asked[])(
	"a walk of %o reads what there was when it began, each change once, at any replica",
	async (params) => {
		for (const day of [1, 2, 3, 4]) await take(day);
		if ("developer" in params) await queue.sql`update projects set developer = 'Anna' where hashtext(id) % 2 = 0`;
		await using other = replica();
		const before = await ask({ ...params, per_page: 500 });
		expect(before.total).toBeGreaterThan(20);
		const either: Ask = (asked) => (asked.cursor === "*" ? ask(asked) : other.ask(asked));
		// The walk of a developer's reads as of a moment, which is another replica's here.
		const read = await walk(either, { ...params, per_page: 8 }, async (page) => {
			// The clock goes on with them, past the beginning of the span.
			if (page < 5) await take(4 + page);
			if (!("developer" in params)) return;
			await queue.sql.begin(async (tx) => {
				await tx`update projects set developer = case when developer = 'Anna' then 'Bruno' else 'Anna' end`;
				await raiseDataVersion(tx);
			});
		});
		expect(read).toEqual(before.data);
		expect((await ask({ ...params, per_page: 500 })).data).not.toEqual(before.data);
	},
);

test("pages far back, jumped to in any order and cut to any length, are those of the whole list", async () => {
	for (const day of [1, 2, 3]) await take(day);
	await queue.sql.begin(async (tx) => {
		await tx`insert into changes select copied.* from changes c cross join generate_series(1, 120) as copy
			cross join lateral jsonb_populate_record(c, jsonb_build_object('seq', c.seq + 1000 * copy)) copied`;
		await raiseDataVersion(tx);
	});
	const seqs = await queue.sql<{ seq: number }[]>`select seq from changes order by seq desc`;
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

test("a walk of nothing ends with its first page, and who sends no cursor is told of none", async () => {
	await take(1);
	const nothing = { total: 0, page: 1, per_page: 100, data: [] };
	expect(await ask({ cursor: "*" })).toEqual({ ...nothing, next_cursor: null });
	expect(await ask({})).toEqual(nothing);
});

test("a walk through a developer's changes whose moment is gone goes on while the data is the same, else it is 410", async () => {
	for (const day of [1, 2, 3]) await take(day);
	await queue.sql`update projects set developer = 'Anna'`;
	const params = { since_days: 9, developer: "anna", per_page: 10 };
	let cursor = "";
	{
		await using other = replica();
		cursor = (await other.ask({ ...params, cursor: "*" })).next_cursor ?? "";
	}
	expect((await ask({ ...params, cursor })).data).toEqual((await ask({ ...params, page: 2 })).data);
	await take(4);
	await expect(ask({ ...params, cursor })).rejects.toMatchObject({ status: 410 });
	// Whoever asks for all developers waits for no moment.
	const all = { since_days: 9, per_page: 10 };
	const first = await ask({ ...all, cursor: "*" });
	await take(5);
	const second = await ask({ ...all, cursor: first.next_cursor ?? "" });
	expect(second.data.map(({ seq }) => seq)).toEqual(first.data.map(({ seq }) => seq - 10));
	// The sample's changes go with the sample.
	await queue.sql`delete from changes`;
	await expect(ask({ ...all, cursor: second.next_cursor ?? "" })).rejects.toMatchObject({ status: 410 });
});

test("what is no cursor, or another question's, is refused by name", async () => {
	for (const day of [1, 2, 3]) await take(day);
	const { next_cursor } = await ask({ since_days: 9, per_page: 10, cursor: "*" });
	const cursor = next_cursor ?? "";
	const [digest, ...fields] = JSON.parse(Buffer.from(cursor, "base64url").toString());
	const forged = (...of: unknown[]) => ({
		since_days: 9,
		per_page: 10,
		cursor: Buffer.from(JSON.stringify([digest, ...of])).toString("base64url"),
	});
	const projects = await queue.ask("listProjects", { per_page: 10, cursor: "*" });
	const none = "not one that was handed out";
	const refusals: [Asked, string][] = [
		[{ since_days: 9, per_page: 11, cursor }, "another question"],
		[{ since_days: 8, per_page: 10, cursor }, "another question"],
		[{ since_days: 9, per_page: 10, cursor, region: "MISO" }, "another question"],
		[{ cursor: projects.meta.next_cursor ?? "" }, none],
		[{ cursor: "AAAAAAAAAAAA" }, none],
		[forged(...fields.with(0, "yesterday")), none],
		[forged(...fields.with(0, "2026-03-01T00:00:00Z' or true")), none],
		[forged(...fields.with(3, 0)), none],
		[forged(...fields.with(4, "1")), none],
		[forged(...fields.with(4, 1e300)), none],
		[forged(...fields, 1), none],
		[forged(), none],
	];
	for (const [params, msg] of refusals)
		await expect(ask(params), JSON.stringify(params)).rejects.toMatchObject({
			status: 422,
			errors: [{ loc: ["query", "cursor"], msg: expect.stringContaining(msg) }],
		});
	expect(operations.listChanges.params.safeParse({ cursor, page: 2 }).error?.issues).toMatchObject([
		{ path: ["page"] },
	]);
	// Who alters it otherwise reads other changes, or none.
	await ask(forged("1970-01-01T00:00:00Z", ...fields.slice(1)));
	expect((await ask(forged(...fields.with(3, Number.MAX_SAFE_INTEGER)))).data).toEqual([]);
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
		// Of lists as of now and as of long ago, as they come when one operator publishes later than another.
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
			select seq from changes c where detected_at >= ${since}::timestamptz
				and ${"region" in list ? queue.sql`region = ${list.region}` : queue.sql`true`}
				and ${"change_type" in list ? queue.sql`change_type = ${list.change_type}` : queue.sql`true`}
				and ${"developer" in list ? queue.sql`exists (select from projects p where id = project_id and p.developer = 'Anna')` : queue.sql`true`}
			order by seq desc limit 7 offset ${(page - 1) * 7}`;
		const told = `step ${step}: ${JSON.stringify(list)}, page ${page}`;
		expect(total, told).toBe(all.data.length);
		expect(data, told).toEqual(all.data.slice((page - 1) * 7, page * 7));
		expect(
			data.map(({ seq }) => seq),
			told,
		).toEqual(plain.map(({ seq }) => seq));
	}
});
