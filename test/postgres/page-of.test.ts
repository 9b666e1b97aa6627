/** Pages of a long list, jumped to in any order: each is what counting off its rows gives, and a long way is gone once. */
import { expect, test } from "vitest";
import { connect } from "#libs/postgres/connect.ts";
import { pageOf } from "#libs/postgres/page-of.ts";
import type { Start } from "#libs/postgres/page-starts.ts";
import { Pages } from "#libs/postgres/pages.ts";
import { createDatabase } from "../support/database.ts";
import { random } from "../support/file-formats.ts";

interface Found {
	ids: number[] | null;
	starts: Start<number>[] | null;
	total: number;
	version: number;
}

test("pages of any length, at any place of a list of 9,500 rows", async () => {
	const { url } = await createDatabase();
	await using sql = connect(url, { schema: "queue_ingest", name: "pages", max: 1 });
	await sql`create table listed as select 3 * n as id from generate_series(1, 9500) as n`;
	const pages = new Pages<number>();
	/** Rows passed over by each reading. */
	const passed: number[] = [];
	let version = 1;
	const ask = (row: number, limit: number) =>
		pages.read({ filters: {}, order: "", row, seeks: true }, async ({ start }) => {
			passed.push(row - (start?.[0] ?? 0));
			const chosen = sql`select id from listed where ${start === undefined ? sql`true` : sql`id > ${start[1]}`}`;
			const listing = { chosen, order: sql`id`, place: sql`id` };
			const { tables, starts } = pageOf(sql, listing, { row, limit }, start);
			const [found] = await sql<Found[]>`
				with ${tables} select (select json_agg(id order by id) from page) as ids, ${starts} as starts,
					(select count(*) from listed) as total, ${version}::int as version`;
			if (found === undefined) throw new Error("nothing was found");
			return found;
		});
	const chance = random(5);
	for (version = 1; version <= 2; version++) {
		passed.length = 0;
		// Who wants no row goes no way.
		expect(await ask(9_000, 0)).toMatchObject({ ids: null, starts: null });
		expect((await ask(9_000, 50)).ids).toHaveLength(50);
		for (let step = 0; step < 100; step++) {
			const [row, limit] = [Math.floor(chance() * 10_000), 1 + Math.floor(chance() * 500)];
			const expected = Array.from({ length: Math.max(0, Math.min(limit, 9_500 - row)) }, (_, at) => 3 * (row + at + 1));
			expect((await ask(row, limit)).ids ?? [], `${limit} from ${row} on`).toEqual(expected);
		}
		// The first reading of a version goes the whole way, and once more where it began by what was known of the one before.
		expect(passed.filter((rows) => rows >= 1_000 + 500)).toEqual([9_000, 9_000]);
	}
});
