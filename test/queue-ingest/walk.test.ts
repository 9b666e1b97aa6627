/** Lists read from end to end with a cursor: of one moment, whatever happens to the data and to whoever answers meanwhile. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { operations, type ParamsInput } from "#libs/contract/index.ts";
import { connect } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { schema } from "../../services/queue-ingest/migrate.ts";
import { listProjects } from "../../services/queue-ingest/operations/list-projects.ts";
import { Moments, type MomentsOptions } from "../../services/queue-ingest/operations/moments.ts";
import { eventually } from "../support/eventually.ts";
import { misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";

let queue: Queue;
beforeEach(async () => {
	queue = await openQueue();
	const rows = standing(95).map((row, at) => ({
		...row,
		summer: at % 7,
		...(at % 3 === 0 && { status: "Withdrawn" }),
	}));
	await queue.take("MISO", "2026-03-01", misoJson(rows));
});
afterEach(() => queue[Symbol.asyncDispose]());

/** Another replica: a pool, and moments, of its own. */
function replica(options: MomentsOptions = {}) {
	const sql = connect(queue.url, { schema, name: "replica", max: 2 });
	const moments = new Moments(sql, options);
	const list = listProjects({ sql, moments, now: () => new Date() });
	return {
		async ask(params: ParamsInput<"listProjects">) {
			const { params: asked, reply } = operations.listProjects;
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

type Ask = (params: ParamsInput<"listProjects">) => ReturnType<typeof queue.ask<"listProjects">>;

/** Everything that a walk reads, with something done between its pages. */
async function walk(ask: Ask, params: ParamsInput<"listProjects">, between: (page: number) => Promise<unknown>) {
	const rows: unknown[] = [];
	const metas: unknown[] = [];
	let cursor: string | null | undefined = "*";
	for (let page = 1; typeof cursor === "string"; page++) {
		const { data, meta } = await ask({ ...params, cursor });
		rows.push(...data);
		metas.push({ ...meta, next_cursor: undefined });
		cursor = meta.next_cursor;
		await between(page);
	}
	expect(cursor).toBeNull();
	return { rows, metas };
}

/** Rows go, change and come, on every page that there is. */
const stir = (step: number) =>
	queue.sql.begin(async (tx) => {
		await tx`update projects set capacity_mw = ${step}, status_std = 'Withdrawn', version = version + 1
			where hashtext(id) % 5 = ${step % 5}`;
		await tx`insert into projects select copied.* from projects p
			cross join lateral jsonb_populate_record(p, jsonb_build_object('id', p.id || '~' || ${step}::int)) copied
			where hashtext(p.id) % 7 = ${step % 7} and p.id not like '%~%'`;
		await tx`delete from projects where id like '%~%' and hashtext(id) % 3 = ${step % 3}`;
		await raiseDataVersion(tx);
	});

test.each([
	[{}],
	[{ order: "desc" }],
	[{ status: "Active" }],
	[{ sort: "capacity_mw", order: "desc" }],
	[{ capacity_min: 2 }],
] as const)("a walk of %o reads what was there when it began", async (params) => {
	const before = await queue.ask("listProjects", { ...params, per_page: 500 });
	const { rows, metas } = await walk((asked) => queue.ask("listProjects", asked), { ...params, per_page: 9 }, stir);
	expect(rows).toEqual(before.data);
	const { total } = before.meta;
	const pages = Math.ceil(total / 9);
	expect(pages).toBeGreaterThan(3);
	expect(metas).toEqual(Array.from({ length: pages }, (_, at) => ({ total, page: at + 1, per_page: 9, pages })));
	expect((await queue.ask("listProjects", { ...params, per_page: 500 })).data).not.toEqual(before.data);
});

test("a walk that was begun at one replica goes on at another", async () => {
	await using other = replica();
	const before = await queue.ask("listProjects", { per_page: 500 });
	let turn = 0;
	const either: Ask = (params) => (turn++ % 2 === 0 ? queue.ask("listProjects", params) : other.ask(params));
	expect((await walk(either, { per_page: 10 }, stir)).rows).toEqual(before.data);
});

test("when who holds the moment is gone the walk goes on while the data is the same, and is 410 when it is not", async () => {
	let cursor = "";
	{
		await using other = replica();
		cursor = (await other.ask({ cursor: "*", per_page: 20 })).meta.next_cursor ?? "";
	}
	const second = await queue.ask("listProjects", { cursor, per_page: 20 });
	expect(second.data).toEqual((await queue.ask("listProjects", { page: 2, per_page: 20 })).data);
	await stir(1);
	await expect(queue.ask("listProjects", { cursor, per_page: 20 })).rejects.toMatchObject({ status: 410 });
	// The walk that went on has a moment of its own by now.
	await queue.ask("listProjects", { cursor: second.meta.next_cursor ?? "", per_page: 20 });
});

test("a moment is let go of in time, and so many are held at once at most", async () => {
	const held = async () =>
		(
			await queue.sql`select from pg_stat_activity where datname = current_database() and application_name = 'replica' and state = 'idle in transaction'`
		).count;
	{
		await using brief = replica({ holdMs: 300 });
		await brief.ask({ cursor: "*", per_page: 20 });
		expect(await held()).toBe(1);
		await eventually(async () => (await held()) === 0);
	}
	await using few = replica({ most: 2 });
	for (let step = 0; step < 5; step++) {
		await Promise.all([few.ask({ cursor: "*", per_page: 20 }), few.ask({ cursor: "*", per_page: 20 })]);
		await stir(step);
	}
	await eventually(async () => (await held()) === 2);
});

test("what is no cursor, or another question's, is refused by name", async () => {
	const { meta } = await queue.ask("listProjects", { cursor: "*", per_page: 20, status: "Active" });
	const cursor = meta.next_cursor ?? "";
	const refusals: [ParamsInput<"listProjects">, string][] = [
		[{ cursor, per_page: 20 }, "another question"],
		[{ cursor, per_page: 21, status: "Active" }, "another question"],
		[{ cursor: "AAAAAAAAAAAA", per_page: 20 }, "not one that was handed out"],
		[{ cursor: Buffer.from('["a","b",1,0,null,0]').toString("base64url") }, "not one that was handed out"],
	];
	for (const [params, msg] of refusals)
		await expect(queue.ask("listProjects", params)).rejects.toMatchObject({
			status: 422,
			errors: [{ loc: ["query", "cursor"], msg: expect.stringContaining(msg) }],
		});
	const [own, ...fields] = JSON.parse(Buffer.from(cursor, "base64url").toString());
	const withNul = Buffer.from(JSON.stringify([own, ...fields.with(3, "a\u0000")])).toString("base64url");
	await expect(queue.ask("listProjects", { cursor: withNul, per_page: 20, status: "Active" })).rejects.toMatchObject({
		status: 422,
	});
	const [digest, , ...rest] = JSON.parse(Buffer.from(cursor, "base64url").toString());
	for (const snapshot of ["'; drop table projects; --", "00000003-0000001B-1", "FFFFFFFF-FFFFFFFF-999999"]) {
		const forged = Buffer.from(JSON.stringify([digest, snapshot, ...rest])).toString("base64url");
		// While the data is the same it is as good as any.
		await queue.ask("listProjects", { cursor: forged, per_page: 20, status: "Active" });
	}
});

test("without a cursor nothing is held, and nothing is said of one", async () => {
	const { meta } = await queue.ask("listProjects", { per_page: 20 });
	expect(meta).toEqual({ total: 95, page: 1, per_page: 20, pages: 5 });
	expect(
		(await queue.sql`select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`)
			.count,
	).toBe(0);
});
