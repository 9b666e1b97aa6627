/** Search results and their order match a scan of every request. */
import { expect, test } from "vitest";
import { operations } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { search } from "../../services/queue-ingest/queues/operations/search.ts";
import { random } from "../support/file-formats.ts";
import { misoJson, standing } from "./support/miso.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const chance = random(5);
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)] as T;

const words = [
	...["Solar", "solar II", "Wind", "Agrisolar", "100% Sun_", "St. Clair", "(FKA Lomé)", "ΑΣ Σαμος"],
	...["İzmir", "O'Brien\\Co"],
];
const someText = () =>
	Array.from({ length: 1 + Math.floor(chance() * 3) }, () => oneOf(words)).join(oneOf([" ", "-", ", ", "/"]));

const queue: Queue = sharedQueue(async () => {
	const counties = ["Logan", "Solano", "St. Clair", "Sun"];
	const rows = standing(120).map((row) => ({
		...row,
		poi: oneOf([someText(), null]),
		county: oneOf(counties),
		state: oneOf(["IL", "IN"]),
		summer: oneOf([20, 100, 450, null]),
		winter: null,
	}));
	expect(await queue.take("MISO", "2026-03-01", misoJson(rows))).toMatchObject({ outcome: "applied" });
	const moved = rows.map((row, at) =>
		at < 12 ? { ...row, poi: `Moved ${someText()}`, county: "Kern", summer: 77 } : row,
	);
	expect(await queue.take("MISO", "2026-03-02", misoJson(moved))).toMatchObject({ outcome: "applied" });
	const ids = (await queue.sql<{ id: string }[]>`select id from projects order by id`).map(({ id }) => id);
	await queue.sql.begin(async (tx) => {
		for (const [at, id] of ids.entries()) {
			const [name, developer] = [oneOf([someText(), "Solar", null]), oneOf([someText(), null])];
			if (at % 3 > 0) await tx`update projects set name = ${name}, developer = ${developer} where id = ${id}`;
			if (at % 20 === 0) await tx`update projects set kind = 'distribution' where id = ${id}`;
			if (at % 40 === 0) await tx`update projects set kind = 'generation' where id = ${id}`;
		}
		await tx`delete from withdrawals`;
		await tx`delete from project_aliases where project_id = any(${ids.slice(-3)})`;
		await tx`delete from projects where id = any(${ids.slice(-3)})`;
		await raiseDataVersion(tx);
	});
});

/** Applies the definition of a match to each text of each request. */
async function plainly(q: string): Promise<string[]> {
	const anywhere = `%${q.replace(/[\\%_]/g, "\\$&")}%`;
	const start = anywhere.slice(1);
	const rows = await queue.sql<{ found: string }[]>`
		select found from (
			select case when lower(id) = lower(${q}) or lower(queue_id) = lower(${q}) then 0 when lower(name) = lower(${q}) then 2
					when name ilike ${start} or queue_id ilike ${start} then 4 when name ilike ${anywhere} then 6
					when developer ilike ${anywhere} then 7 else 8 end as rank,
				-coalesce(capacity_mw, 0) as weight, id as sort, '' as tie, id as found
			from projects where kind = 'generation' and (name ilike ${anywhere} or queue_id ilike ${anywhere} or id ilike ${anywhere}
				or developer ilike ${anywhere} or poi ilike ${anywhere})
			union all
			select case when lower(county) = lower(${q}) then 1 when county ilike ${start} then 3 else 5 end, -count(*), county,
				concat(fips, state), concat_ws(' ', fips, state, count(*), coalesce(round(sum(capacity_mw)::numeric, 3)::float8, 0))
			from projects where kind = 'generation' and county ilike ${anywhere} and fips is not null group by county, state, fips) t
		order by rank, weight, sort, tie`;
	return rows.map(({ found }) => found);
}

const perPage = 9;

async function found(q: string, sql: Sql = queue.sql): Promise<string[]> {
	const found: string[] = [];
	const ask = search({ sql, now: () => new Date(queue.now) });
	for (let page = 1; ; page++) {
		const params = operations.search.params.parse({ q, page, per_page: perPage });
		const { json } = await ask(params, { signal: new AbortController().signal });
		const { results, corrected } = operations.search.reply.parse(JSON.parse(Buffer.from(json).toString()));
		// Terms that nothing contains are corrected (search-slips.test.ts).
		if (corrected !== undefined) return [];
		for (const hit of results) {
			if (hit.kind === "project") found.push(hit.id);
			if (hit.kind === "county") found.push(`${hit.fips} ${hit.state} ${hit.project_count} ${hit.total_capacity_mw}`);
		}
		if (results.length < perPage) return found;
	}
}

/** Pieces of all that can be looked for, and what is hard: two characters, none that are letters, several words, another case. */
async function questions(): Promise<string[]> {
	const rows = await queue.sql<{ text: string }[]>`
		select distinct unnest(array[id, queue_id, name, developer, poi, county]) as text from projects order by 1`;
	const texts = rows.flatMap(({ text }) => (text === null ? [] : [text]));
	const pieces = Array.from({ length: 150 }, () => {
		const text = oneOf(texts);
		const at = Math.floor(chance() * text.length);
		const piece = oneOf([text, text.slice(at, at + 2), text.slice(at, at + 7), text.slice(0, at)]);
		return oneOf([piece, piece.toUpperCase(), piece.toLowerCase()]).trim();
	});
	const hard = [
		...["%%", "__", "0%", "n_", "'b", "n\\c", "r,", "o-s", "ar ii", "no match", "i̇z", "pjm"],
		...["miso-j9001", "J90", "90"],
	];
	return [...new Set([...pieces, ...hard])].filter((piece) => piece.length >= 2);
}

test("a search finds what a scan of every request finds, in the same order, page by page", async () => {
	let hits = 0;
	for (const q of await questions()) {
		const plain = await plainly(q);
		expect(await found(q), q).toEqual(plain);
		hits += plain.length;
	}
	expect(hits).toBeGreaterThan(1_000);
});

test("a request with a new word, written during the search, is found by its new version", async () => {
	const { sql } = queue;
	let written = false;
	const late = new Proxy(sql, {
		apply(target, self, args) {
			const query = Reflect.apply(target, self, args);
			if (written || !String(args[0]).includes("searched_words")) return query;
			written = true;
			return query.then(async (rows: unknown) => {
				await sql.begin(async (tx) => {
					await tx`update projects set name = 'Xylophone' where id = 'MISO-J9050'`;
					await raiseDataVersion(tx);
				});
				return rows;
			});
		},
	});
	expect(await found("lophon", late)).toEqual(["MISO-J9050"]);
	expect(written).toBe(true);
});

test("no search data remain after all requests are deleted", async () => {
	await queue.sql`truncate projects cascade`;
	expect(await queue.sql`select from searched_projects union all select from county_totals`).toHaveLength(0);
});
