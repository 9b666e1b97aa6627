/** `fields` of every operation that has it: the same rows, with what was chosen of them alone. */
import { Ajv } from "ajv";
import { expect } from "vitest";
import { byReference, componentSchemas, withoutReferences } from "#libs/contract/schemas/json-schema.ts";
import { connect, textOf } from "../mcp/support/client.ts";
import { test, type World } from "../support/world.ts";
import { type Document, type Operation, requireChosen } from "./support/tool-copies.ts";
import { ask, examples, type Step, unlimitedKey, walk } from "./support/walk.ts";

type Row = Record<string, unknown>;

let world: World;
let key: string;
test.beforeAll(async ({ readOnlyWorld }) => {
	world = readOnlyWorld;
	key = await unlimitedKey(world);
	const [developed] = await world.sql<{ id: string; developer_id: number }[]>`
		select id, developer_id from projects where listed = 'listed' and developer_id is not null order by id limit 1`;
	examples.listDeveloperProjects.developer_id = String(developed?.developer_id);
	examples.getProject.project_id = String(developed?.id);
	Object.assign(examples.listInvestable, { min_p: "0", max_months: "120", min_mw: "0" });
});

const steps = walk.filter(({ operation }) => operation.fields !== undefined);

async function answer(step: Step, more: Record<string, string>): Promise<Row> {
	const response = await ask(world.url, step, { more, key });
	const text = await response.text();
	expect([response.status, response.ok ? "" : text]).toEqual([200, ""]);
	return JSON.parse(text) as Row;
}

function rowsOf({ operation }: Step, whole: Row): Row[] {
	const of = operation.fields?.of ?? null;
	return of === null ? [whole] : (whole[of] as Row[]);
}

/** Names of the fields in the order of the row. */
const onlyOf = (row: Row, names: readonly string[]) =>
	Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));

/** /changes by days and as a log. */
const variants: Partial<Record<Step["name"], Record<string, string>[]>> = {
	listChanges: [{ since_days: "90" }, { after: "0" }],
};

test("every operation that declares rows has the parameter fields", () => {
	const having = walk.filter(({ operation }) => "fields" in operation.params.shape && operation.streamed !== true);
	expect(having.map(({ name }) => name).filter((name) => !name.endsWith("ExportManifest"))).toEqual(
		steps.map(({ name }) => name),
	);
	expect(steps.length).toBeGreaterThanOrEqual(6);
});

test.each(steps.map((step) => [step.name, step] as const))("%s", async (name, step) => {
	const always = step.operation.fields?.always ?? [];
	for (const more of variants[name] ?? [{}]) {
		const whole = await answer(step, more);
		const rows = rowsOf(step, whole);
		expect(rows.length).toBeGreaterThan(0);
		const names = Object.keys(rows[0] ?? {});
		expect(names).toEqual(expect.arrayContaining([...always]));
		const last = String(names.at(-1));
		for (const chosen of [[last], [last, String(names.at(3)), last], names]) {
			const part = await answer(step, { ...more, fields: chosen.join(",") });
			const expected = rows.map((row) => onlyOf(row, [...always, ...chosen]));
			expect(JSON.stringify(rowsOf(step, part))).toBe(JSON.stringify(expected));
			const of = step.operation.fields?.of ?? null;
			if (of !== null) expect({ ...part, [of]: null }).toEqual({ ...whole, [of]: null });
		}
	}
});

test("a row has all fields except those that the parameter's description excludes", async () => {
	const { paths, components } = (await (await fetch(`${world.url}/openapi.json`)).json()) as Document;
	const named = byReference(componentSchemas, components.schemas);
	const ajv = new Ajv({ strict: false, validateFormats: false });
	for (const step of steps) {
		const { parameters, responses } = (paths[step.http.path] as Document["paths"][string]).get as Operation;
		const { description } = parameters.find(({ name }) => name === "fields") ?? {};
		expect(description).toMatch(/always included\. Rows then lack the others, which their schema requires$/);
		const schema = withoutReferences(responses[200]?.content?.["application/json"]?.schema ?? {}, named);
		const fields = step.operation.fields as NonNullable<typeof step.operation.fields>;
		const [isWhole, isChosen] = [ajv.compile(schema), ajv.compile(requireChosen(schema, fields))];
		for (const more of variants[step.name] ?? [{}]) {
			const whole = await answer(step, more);
			const part = await answer(step, { ...more, fields: fields.always.join() });
			const isValid = [whole, part].flatMap((each) => [isWhole(each), isChosen(each)]);
			expect([step.name, ...isValid], ajv.errorsText(isChosen.errors)).toEqual([step.name, true, true, false, true]);
			const [row = {}] = rowsOf(step, part);
			delete row[String(fields.always[0])];
			expect([step.name, isChosen(part)]).toEqual([step.name, false]);
		}
	}
});

test.each(steps.map((step) => [step.name, step] as const))("%s refuses what is no field", async (_, step) => {
	const [known = ""] = Object.keys(rowsOf(step, await answer(step, {}))[0] ?? {}).filter((name) => name.length > 5);
	for (const [given, said] of [
		[`${known}x`, `"${known}x" is not a field of the response; did you mean "${known}"?`],
		["nothing_like_it", '"nothing_like_it" is not a field of the response'],
		["", '"" is not a field of the response'],
	] as const) {
		const response = await ask(world.url, step, { more: { fields: given }, key });
		expect([response.status, await response.json()]).toMatchObject([
			422,
			{ errors: [{ loc: ["query", "fields"], msg: said }] },
		]);
	}
});

test("a cursor continues with other fields", async () => {
	const step = steps.find(({ name }) => name === "listProjects") as Step;
	const first = (await answer(step, { per_page: "2", cursor: "*", fields: "name" })) as {
		meta: { next_cursor: string };
	};
	const next = { per_page: "2", cursor: first.meta.next_cursor };
	const rows = rowsOf(step, await answer(step, { ...next, fields: "state" }));
	expect(rows).toEqual(rowsOf(step, await answer(step, next)).map((row) => onlyOf(row, ["id", "state"])));
});

test("an agent gets the fields that it chose", async () => {
	await using agent = await connect(world.url, { headers: { "x-api-key": key } });
	for (const [tool, given] of [
		["list_projects", { fields: ["capacity_mw"], per_page: 1 }],
		["get_project", { fields: "capacity_mw", project_id: examples.getProject.project_id }],
		["list_changes", { fields: "old_value", after: 0, per_page: 1 }],
		["list_investable", { fields: "grade", min_p: 0, max_months: 120 }],
	] as const) {
		const result = await agent.call(tool, { ...given, response_format: "detailed" });
		expect([tool, result.isError ?? false]).toEqual([tool, false]);
		const [step] = steps.filter(({ name }) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) === tool);
		const [row = {}] = rowsOf(step as Step, JSON.parse(textOf(result)) as Row);
		expect(Object.keys(row).length).toBeLessThanOrEqual(3);
	}
});
