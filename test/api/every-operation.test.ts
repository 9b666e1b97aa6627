/** Walks the registry: what is declared is answered, and what is not is refused. A new operation only needs a line in `examples`. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type OperationName, type OperationShape, type Operations, operations } from "#libs/contract/index.ts";
import { httpOperations, pathParameters } from "../../services/gateway/http/bindings.ts";
import { startWorld, type World } from "../support/world.ts";

type HttpOperationName = {
	[N in OperationName]: Operations[N] extends { http: object } ? N : never;
}[OperationName];

/** Least parameters that work, path parameters by their value in the world's data. The compiler demands every operation. */
const examples: Record<HttpOperationName, Record<string, string>> = {
	calculateTaxCredits: { technology: "Solar", capacity_mw: "100", state: "CA" },
	exportProjects: {},
	getCapitalLeaderboard: {},
	getDeveloper: { developer_id: "Invenergy" },
	getDeveloperCapital: { developer_id: "Invenergy" },
	getDeveloperStats: {},
	getDocs: {},
	getFreshness: {},
	getHealth: {},
	getHealthDetailed: {},
	getManifest: {},
	getOpenapi: {},
	getOwnership: { project_id: "to be known" },
	getProject: { project_id: "to be known" },
	getQueueIntegrity: {},
	getScore: { project_id: "to be known" },
	getSourceFreshness: {},
	getStats: {},
	listCapitalRaises: {},
	listChanges: {},
	listDeveloperEvents: { developer_id: "Invenergy" },
	listDeveloperProjects: { developer_id: "Invenergy" },
	listDevelopers: {},
	listEvents: {},
	listInvestable: {},
	listItcDeals: {},
	listMaEvents: {},
	listMaterialEvents: {},
	listProjects: {},
	search: { q: "so" },
	searchDevelopers: { q: "inve" },
	summariseChanges: {},
	summariseEvents: {},
	summariseMaEvents: {},
	summariseMilestones: {},
	validate: {},
};

/** Parameters whose values must name something that exists: other tests try them. */
const naming: Partial<Record<HttpOperationName, string[]>> = {
	calculateTaxCredits: ["county", "tract", "construction_start"],
	getCapitalLeaderboard: ["tier", "exclude_tiers"],
};

let world: World;
beforeAll(async () => {
	world = await startWorld();
	await world.settled();
	const { data } = z
		.object({ data: z.array(z.object({ id: z.string() })) })
		.parse(await (await fetch(`${world.url}/projects?per_page=1`)).json());
	for (const name of ["getProject", "getOwnership", "getScore"] as const)
		examples[name].project_id = data[0]?.id ?? "there is no project";
});
afterAll(() => world[Symbol.asyncDispose]());

const walk = httpOperations().map(({ name, operation, http }) => ({
	name: name as HttpOperationName,
	operation,
	path: http.path,
	example: examples[name as HttpOperationName],
}));
type Step = (typeof walk)[number];

/** The address of an operation with its example's parameters and `more`. */
function address({ path, example }: Step, more: Record<string, string> = {}): string {
	const inPath = pathParameters(path);
	const given = { ...example, ...more };
	const filled = inPath.reduce((at, name) => at.replace(`{${name}}`, encodeURIComponent(given[name] ?? "")), path);
	const query = new URLSearchParams(Object.entries(given).filter(([name]) => !inPath.includes(name)));
	return `${world.url}${filled}?${query}`;
}

/** A reply of the operation: parsed against its schema, which knows no further fields. */
async function expectReply(step: Step, more: Record<string, string> = {}): Promise<void> {
	const response = await fetch(address(step, more));
	const body = await response.text();
	expect([address(step, more), response.status, response.ok ? "" : body]).toEqual([address(step, more), 200, ""]);
	const { mediaType, reply }: OperationShape = step.operation;
	expect(response.headers.get("content-type")).toBe(mediaType ?? "application/json; charset=utf-8");
	const parsed = reply.safeParse(mediaType === undefined ? JSON.parse(body) : body);
	expect(parsed.error?.issues, address(step, more)).toBeUndefined();
}

const refusal = z.strictObject({
	detail: z.string().min(1),
	errors: z.array(z.strictObject({ loc: z.tuple([z.enum(["query", "path"]), z.string()]), msg: z.string().min(1) })),
});

async function expectRefusal(step: Step, parameter: string, value: string): Promise<void> {
	const response = await fetch(address(step, { [parameter]: value }));
	expect([parameter, value, response.status]).toEqual([parameter, value, 422]);
	const { detail, errors } = refusal.parse(await response.json());
	expect(detail).toContain(parameter);
	expect(errors.map(({ loc }) => loc[1])).toContain(parameter);
}

/** Values of a parameter as it is documented: all of an enumeration, both ends of a range. */
function documentedValues(schema: z.ZodType): string[] {
	const { type, enum: words, minimum, maximum, format, minLength = 0, maxLength } = z.toJSONSchema(schema);
	if (words !== undefined) return words.map(String);
	if (type === "boolean") return ["true", "false"];
	if (type === "integer" || type === "number") return [String(minimum), String(maximum)];
	if (format === "date") return ["2024-02-29"];
	return maxLength === 2 ? ["TX"] : ["Sol", "50%_'\"\\;--", "é".repeat(maxLength ?? minLength)];
}

const oddValues = ["", " ", "\u0000", "-1", "0", "1e9", "0x10", "NaN", "2024-02-30", "nonsense", "x".repeat(300)];

describe.each(walk)("$name", (step) => {
	const parameters = Object.entries(step.operation.params.shape);
	const inPath = pathParameters(step.path);
	const inQuery = parameters.filter(([name]) => !inPath.includes(name));
	// Where the path names one thing, a parameter may rule that thing out.
	const choosing = inPath.length === 0 ? inQuery.filter(([name]) => !naming[step.name]?.includes(name)) : [];

	test("answers its example as declared", () => expectReply(step));

	test("answers every documented value of every parameter", async () => {
		for (const [name, schema] of choosing)
			for (const value of documentedValues(schema)) await expectReply(step, { [name]: value });
	});

	test("refuses an unknown parameter by name, and knows api_key", async () => {
		await expectRefusal(step, "no_such_parameter", "1");
		await expectReply(step, { api_key: "pk_anything" });
	});

	test("refuses what its schema refuses, by name", async () => {
		for (const [name, schema] of inQuery)
			for (const value of oddValues) if (!schema.safeParse(value).success) await expectRefusal(step, name, value);
	});

	test("answers HEAD, and no method that would change something", async () => {
		expect((await fetch(address(step), { method: "HEAD" })).status).toBe(200);
		for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
			const response = await fetch(address(step), { method });
			expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, "GET, HEAD, OPTIONS"]);
			expect(await response.json()).toEqual({ detail: expect.any(String) });
		}
	});
});

/** Specification 4.2 and 8. */
test.each([
	["/projects", "per_page", 1, 500],
	["/search?q=so", "per_page", 1, 500],
	["/changes", "per_page", 1, 500],
	["/changes", "since_days", 1, 90],
	["/changes/summary", "since_days", 1, 90],
	["/projects", "min_score", 0, 100],
	["/projects", "min_confidence", 0, 1],
])("%s takes %s from %d to %d", async (path, parameter, least, most) => {
	const status = async (value: number) =>
		(await fetch(`${world.url}${path}${path.includes("?") ? "&" : "?"}${parameter}=${value}`)).status;
	expect(await Promise.all([least - 1, least, most, most + 1].map(status))).toEqual([422, 200, 200, 422]);
});

test("what is not there is a 404 with a detail", async () => {
	for (const path of ["/no/such/path", "/projects/PJM-no-such-project"]) {
		const response = await fetch(world.url + path);
		expect([path, response.status]).toEqual([path, 404]);
		expect(await response.json()).toEqual({ detail: expect.any(String) });
	}
});

test("every link of the manifest leads somewhere", async () => {
	const { links } = operations.getManifest.reply.parse(await (await fetch(world.url)).json());
	const there = Object.values(links).filter((link) => link !== null);
	expect(there).toHaveLength(5);
	for (const link of there) expect((await fetch(new URL(link, world.url))).status).toBe(200);
});
