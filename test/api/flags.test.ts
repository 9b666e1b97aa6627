/**
 * Filters of the registry: of one that is true or false, neither shows a row of which it is not known, and a value that no list has filed
 * is refused.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorld, type World } from "../support/world.ts";
import { ask, examples, type Step, unlimitedKey, walk } from "./support/walk.ts";

type Row = Record<string, unknown>;

let world: World;
let key: string;
beforeAll(async () => {
	world = await startWorld();
	await world.settled();
	key = await unlimitedKey(world);
	// Most of the sample's counties are unknown: each request has one of three values, the same on both sides.
	const eligible = (
		id: string,
	) => `energy_community_eligible = case when ${id} ~ '[159]$' then true when ${id} ~ '[026]$' then false end,
		low_income_eligible = case when ${id} ~ '[248]$' then true when ${id} ~ '[135]$' then false end`;
	await world.sql.unsafe(`update projects set ${eligible("id")}`);
	await world.scoringSql.unsafe(`update credits set ${eligible("project_id")}`);
	// Too little is known of most developers of the sample.
	await world.sql`update developers set needs_capital = developer_id % 2 = 0`;
	const [developer] = await world.sql<{ id: number }[]>`
		select developer_id as id from projects
		where listed = 'listed' and kind = 'generation' and needs_capital is not null and investable is not null
		group by developer_id order by count(*) desc, developer_id limit 1`;
	examples.listDeveloperProjects.developer_id = String(developer?.id);
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** By filter: the condition in the SQL of the request's table. */
const ofRequests: Record<string, string> = {
	energy_community: "energy_community_eligible",
	low_income: "low_income_eligible",
	has_tax_credit: "tax_credit_pct > 0",
	investable: "investable",
	needs_capital: "needs_capital",
};
/** These add rows, they choose none. */
const widening = new Set(["include_unlisted"]);

const flags = walk.flatMap((one) =>
	Object.entries(one.operation.params.shape)
		.filter(([, schema]) => schema.safeParse(true).success && schema.safeParse("false").data === false)
		.filter(([name, schema]) => !widening.has(name) && schema.safeParse(undefined).data === undefined)
		// Differences of two days and sums are not lists of requests.
		.filter(() => "page" in one.operation.params.shape && !["compareDays", "groupProjects"].includes(one.name))
		.map(([name]) => [`${one.name} ${name}`, one, name] as const),
);

async function read(one: Step, more: Record<string, string>): Promise<Row[]> {
	const widest = one.name === "listChanges" ? { after: "0", per_page: "500" } : { per_page: "200" };
	const response = await ask(world.url, one, { more: { ...widest, ...more }, key });
	const text = await response.text();
	expect([response.status, response.ok ? "" : text]).toEqual([200, ""]);
	const { data, projects } = JSON.parse(text) as { data?: Row[]; projects?: Row[] };
	return data ?? projects ?? [];
}

test("the registry contains boolean filters to check", () => {
	const found = flags.map(([title]) => title);
	for (const name of Object.keys(ofRequests)) expect(found).toContain(`listProjects ${name}`);
	expect(found).toContain("listDevelopers needs_capital");
	expect(found).toContain("listChanges investable");
	expect(found).toContain("listItcDeals needs_capital");
});

test.each(flags)("%s", async (_, one, flag) => {
	const expression = ofRequests[flag];
	const yes = await read(one, { [flag]: "true" });
	const no = await read(one, { [flag]: "false" });
	const shown = [...yes.map((row) => [row, true] as const), ...no.map((row) => [row, false] as const)];
	expect(shown.length, "neither answers anything").toBeGreaterThan(0);
	// The specification writes is_amendment as 0 or 1.
	for (const [row, wanted] of shown) if (flag in row) expect([wanted, Number(wanted)]).toContain(row[flag]);
	const idOf = ({ id, project_id }: Row) => String(project_id ?? id);
	if (expression === undefined || one.name === "listDevelopers") {
		const own = (row: Row) => JSON.stringify(row);
		expect(no.map(own).filter((row) => yes.map(own).includes(row))).toEqual([]);
		return;
	}
	const known = await world.sql<{ id: string; value: boolean | null }[]>`
		select id, ${world.sql.unsafe(expression)} as value from projects`;
	const values = new Map(known.map(({ id, value }) => [id, value]));
	expect([...values.values()], "nothing is unknown").toContain(null);
	for (const [row, wanted] of shown) expect([idOf(row), values.get(idOf(row))]).toEqual([idOf(row), wanted]);
});

const fileds = walk.filter(
	({ name, operation: { params } }) =>
		"study_phase" in params.shape || ["createWebhook", "createWatchlist", "changeWebhook"].includes(name),
);

test("every list, file and stream of requests refuses unknown values", () => {
	const names = fileds.map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining(["listInvestable", "listItcDeals", "exportScores", "streamChanges"]));
	expect(names.length).toBeGreaterThanOrEqual(15);
});

test.each(fileds.map((one) => [one.name, one] as const))(
	"%s refuses a value that no list has filed",
	async (_, one) => {
		const isNested = !("study_phase" in one.operation.params.shape);
		const unknown = { study_phase: "Fase 2", county: "Haris", near: "Midlnd, TX", radius_km: "50" };
		const more = (isNested ? { name: "one", filters: unknown } : unknown) as unknown as Record<string, string>;
		if (one.name !== "createWatchlist") delete more.name;
		const response = await ask(world.url, one, { more, key });
		const { errors } = (await response.json()) as { errors?: { loc: string[]; msg: string }[] };
		const where = isNested ? ["body", "filters"] : [one.http.method === "POST" ? "body" : "query"];
		expect([response.status, errors?.map(({ loc }) => loc)]).toEqual([
			422,
			[
				[...where, "near"],
				[...where, "study_phase"],
				[...where, "county"],
			],
		]);
		expect(errors?.[0]?.msg).toBe('"Midlnd, TX" is not a county and its state; did you mean "Midland, TX"?');
		expect(errors?.[2]?.msg).toBe('"Haris" is neither a county nor filed in any list; did you mean "Harris"?');
	},
);
