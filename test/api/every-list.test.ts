/** Every list of the registry, in every order that it has: read with a cursor it is what its numbered pages are. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { pathParameters } from "../../services/gateway/registry/bindings.ts";
import { startWorld, type World } from "../support/world.ts";
import { examples, ownThings, type Step, unlimitedKey, walk } from "./support/walk.ts";

interface Answer {
	data?: unknown[];
	projects?: unknown[];
	results?: unknown[];
	snapshot?: { zombies: unknown[] };
	next_cursor?: string | null;
	meta?: { total: number; next_cursor?: string | null };
}

let world: World;
let key: string;
beforeAll(async () => {
	world = await startWorld({ query: true });
	await world.settled();
	await world.extracted();
	// Every request of the sample changes within years.
	await world.sql`
		update projects set last_changed_at = '2020-01-01', cod = date '2012-01-01' + capacity_mw::integer
		where id in (select id from projects
			where kind = 'generation' and listed = 'listed' and status_std = 'Active' and queue_date > '2016-01-01' and capacity_mw < 1000
			order by id limit 9)`;
	key = await unlimitedKey(world);
	// Two of each: a page of one is not the last.
	await ownThings(world.url, key);
	const own = await ownThings(world.url, key);
	examples.listDeliveries.webhook_id = own.webhook_id ?? "";
	examples.getWatchlist.watchlist_id = own.watchlist_id ?? "";
	const first = async (path: string) =>
		((await (await fetch(`${world.url}${path}`)).json()) as { data: Record<string, string>[] }).data[0];
	// Published before with other inputs, too.
	const [rated] = await world.scoringSql<{ project_id: string }[]>`
		insert into score_versions (project_id, published_at, published_until, score_version, score, grade, investable, inputs, inputs_hash, credit)
		select project_id, published_at - interval '30 days', published_at, score_version, score, grade, investable, inputs, 'before', credit
		from score_versions where published_until = 'infinity' order by project_id limit 1 returning project_id`;
	examples.getScoreHistory.project_id = rated?.project_id ?? "";
	examples.listDeveloperProjects.developer_id = (await first("/developers?per_page=1"))?.canonical_name ?? "";
	const [changed] = await world.sql<{ project_id: string; developer_id: string; from: string; to: string }[]>`
		select (select project_id from project_versions where valid_to is distinct from valid_from group by 1 having count(*) > 1 order by 1 limit 1) as project_id,
			(select developer_id::text from project_versions where developer_id is not null and kind = 'generation'
				and listed = 'listed' group by developer_id order by count(distinct valid_from) desc, developer_id limit 1) as developer_id,
			(select min(as_of)::date::text from snapshots where outcome = 'applied') as from,
			(select max(as_of)::date::text from snapshots where outcome = 'applied') as to`;
	examples.getProjectHistory.project_id = changed?.project_id ?? "";
	examples.getDeveloperHistory.developer_id = changed?.developer_id ?? "";
	widest.compareDays = { from: changed?.from ?? "", to: changed?.to ?? "" };
	examples.listDeveloperEvents.developer_id = (await first("/events?days=365"))?.developer_canonical ?? "";
});
afterAll(() => world?.[Symbol.asyncDispose]());

const lists = walk.filter(({ operation }) => "cursor" in operation.params.shape);
/** The longest span; else no filter, so that there are rows. */
const widest: Partial<Record<Step["name"], Record<string, string>>> = {
	listChanges: { since_days: "90" },
	listDeveloperEvents: { days: "365" },
	listEvents: { days: "365" },
	searchDevelopers: { q: "energy" },
};

async function get({ name, http }: Step, query: Record<string, string>): Promise<Response> {
	const path = pathParameters(http.path).reduce(
		(at, each) => at.replace(`{${each}}`, encodeURIComponent(examples[name][each] ?? "")),
		http.path as string,
	);
	const given = { ...widest[name], ...query };
	const headers = { "x-api-key": key, "content-type": "application/json" };
	if (http.method === "POST")
		return fetch(`${world.url}${path}`, { method: "POST", headers, body: JSON.stringify(given) });
	return fetch(`${world.url}${path}?${new URLSearchParams(given)}`, { headers });
}

const wordsOf = (step: Step, name: string): string[] => {
	const schema = step.operation.params.shape[name];
	return schema === undefined ? [] : (schema.toJSONSchema({ io: "output" }).enum as string[]);
};

async function read(step: Step, more: Record<string, string>): Promise<Answer> {
	const response = await get(step, more);
	const text = await response.text();
	expect([`${step.name} ${JSON.stringify(more)}`, response.status, response.ok ? "" : text]).toEqual([
		`${step.name} ${JSON.stringify(more)}`,
		200,
		"",
	]);
	return JSON.parse(text);
}

const rowsOf = ({ data, projects, results, snapshot }: Answer) =>
	data ?? projects ?? results ?? snapshot?.zombies ?? [];

const cursorOf = ({ meta, next_cursor }: Answer) => (meta && "next_cursor" in meta ? meta.next_cursor : next_cursor);

test("a list has a cursor unless it is a search of several kinds", () => {
	const paged = walk.filter(
		({ operation }) => "page" in operation.params.shape && !("cursor" in operation.params.shape),
	);
	expect(paged.map(({ name }) => name)).toEqual(["search"]);
	expect(lists.length).toBeGreaterThanOrEqual(18);
});

/** Every sort in every order. In CI each sort has one order, in turn: all lists are sorted by the same code. */
function sortingsOf(step: Step, inCi: boolean): Record<string, string>[] {
	const [sorts, orders] = ["sort", "order"].map((name) => {
		const words = wordsOf(step, name);
		return words.length > 0 ? words.map((word) => ({ [name]: word })) : [{}];
	});
	return (sorts ?? []).flatMap((sort, at) =>
		(orders ?? []).flatMap((order, nth) =>
			((at + nth) % (orders?.length ?? 1) === 0) === inCi ? [{ ...sort, ...order }] : [],
		),
	);
}

async function expectSameRows(step: Step, sorting: Record<string, string>): Promise<void> {
	const first = await read(step, { ...sorting, per_page: "1" });
	const total = first.meta?.total ?? (first as { total?: number }).total ?? 0;
	expect(total, "a list without rows proves nothing").toBeGreaterThan(0);
	// A first page, one between and a last one, which is not full.
	const per_page = String(Math.min(100, Math.max(1, Math.ceil(total / 2.5))));
	const pages = Math.ceil(total / Number(per_page));
	const numbered: unknown[] = [];
	for (let page = 1; page <= pages; page++)
		numbered.push(...rowsOf(await read(step, { ...sorting, per_page, page: String(page) })));
	const followed: unknown[] = [];
	let reads = 0;
	for (let cursor: string | null | undefined = "*"; cursor; reads++) {
		const answer: Answer = await read(step, { ...sorting, per_page, cursor });
		followed.push(...rowsOf(answer));
		cursor = cursorOf(answer);
		expect(cursor, "a page says whether another follows").not.toBeUndefined();
	}
	expect(numbered.length).toBe(total);
	// Compared as text first, because rows have a hundred fields.
	if (JSON.stringify(followed) !== JSON.stringify(numbered))
		expect(followed, `${step.name} ${JSON.stringify(sorting)}`).toEqual(numbered);
	expect(reads).toBe(Math.max(1, pages));
}

test.each(lists.map((step) => [step.name, step] as const))("%s", async (_, step) => {
	for (const sorting of sortingsOf(step, true)) await expectSameRows(step, sorting);
});

test.each(lists.filter((step) => sortingsOf(step, false).length > 0).map((step) => [step.name, step] as const))(
	"%s in the other orders",
	{ tags: ["campaign"] },
	async (_, step) => {
		for (const sorting of sortingsOf(step, false)) await expectSameRows(step, sorting);
	},
);

/** Lists read a cursor by the same code: one by GET, and one by POST. */
const oneOfEach = ["GET", "POST"].flatMap((method) => lists.find(({ http }) => http.method === method) ?? []);

test.each(lists.map((step) => [step.name, step] as const))("%s refuses a cursor that was altered", async (_, step) => {
	const answer = await read(step, { per_page: "1", cursor: "*" });
	const cursor = cursorOf(answer) ?? "";
	const [digest, pages, values] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as [
		string,
		number,
		unknown[],
	];
	for (const altered of [
		[digest, pages, values.map(() => null)],
		[digest, pages, values.map(() => true)],
		[digest, pages, values.map(() => "a\u0000")],
		...(oneOfEach.includes(step)
			? [
					[digest, pages, [...values, 1]],
					[digest, pages, []],
					[digest, 0, values],
					[digest, pages, values, 1],
				]
			: []),
	]) {
		const forged = Buffer.from(JSON.stringify(altered)).toString("base64url");
		const response = await get(step, { per_page: "1", cursor: forged });
		expect([JSON.stringify(altered), response.status]).toEqual([JSON.stringify(altered), 422]);
	}
	// A value of another type is refused or read as text; it is never an error of ours.
	for (const value of [1e308, -1, "x", "9999-99-99"]) {
		const forged = Buffer.from(JSON.stringify([digest, pages, values.map(() => value)])).toString("base64url");
		expect([200, 422]).toContain((await get(step, { per_page: "1", cursor: forged })).status);
	}
});

test.each(oneOfEach.map((step) => [step.name, step] as const))(
	"%s refuses what is no cursor of it",
	async (_, step) => {
		const none = Buffer.from('["a",1,["b"]]').toString("base64url");
		for (const [more, name, what] of [
			[{ cursor: "AAAAAAAAAAAA" }, "cursor", "not a cursor from a response"],
			[{ cursor: none }, "cursor", "to another list"],
			[{ cursor: "*", page: "2" }, "page", "cannot be combined with cursor"],
		] as const) {
			const response = await get(step, more);
			expect(response.status).toBe(422);
			expect(await response.json()).toMatchObject({
				errors: [{ loc: [step.http.method === "GET" ? "query" : "body", name], msg: expect.stringContaining(what) }],
			});
		}
	},
);
