/** A quote states the price, the size and the refusal that the call then has. */
import { expect } from "vitest";
import { operations, type Reply } from "#libs/contract/index.ts";
import { test, type World } from "../support/world.ts";

let world: World;
test.beforeAll(({ readOnlyWorld }) => {
	world = readOnlyWorld;
});

const post = (body: object) =>
	fetch(`${world.url}/quote`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(body),
	});

async function quoteOf(operation: string, params: object = {}): Promise<Reply<"quote">> {
	const response = await post({ operation, params });
	const body: unknown = await response.json();
	expect([response.status, response.status === 200 ? "" : body]).toEqual([200, ""]);
	return operations.quote.reply.parse(body);
}

test("rows of a list are those of the page; bytes are known after the first response", async () => {
	const { meta } = (await (await fetch(`${world.url}/projects?per_page=1`)).json()) as { meta: { total: number } };
	const perPage = Math.ceil(meta.total / 2) + 1;
	const rows: (number | null)[] = [];
	for (const page of [1, 2, 3]) {
		const before = await quoteOf("listProjects", { page, per_page: perPage });
		expect(before).toMatchObject({ endpoint: "GET /projects", price_usd: 0.01, queries: 1, bytes: null });
		expect(before.size_note).toContain("bytes");
		const answer = await fetch(`${world.url}/projects?page=${page}&per_page=${perPage}`);
		const bytes = Buffer.from(await answer.arrayBuffer());
		const { data } = JSON.parse(bytes.toString()) as { data: unknown[] };
		expect(before.rows).toBe(data.length);
		const after = await quoteOf("list_projects", { page: String(page), per_page: perPage });
		expect(after).toMatchObject({ rows: data.length, bytes: bytes.length, size_note: null });
		rows.push(after.rows);
	}
	expect(rows).toEqual([perPage, meta.total - perPage, 0]);
	const texas = (await (await fetch(`${world.url}/projects?state=TX,MI`)).json()) as { data: unknown[] };
	expect((await quoteOf("listProjects", { state: ["TX", "MI"] })).rows).toBe(texas.data.length);
});

test("rows and bytes of a file are those of its manifest, once it exists", async () => {
	// No other test asks for this file.
	const params = { region: "MISO", capacity_min: 0.25, format: "csv" };
	const before = await quoteOf("exportProjects", params);
	expect(before).toMatchObject({ tier: "pro", price_usd: 0.1, rows: null, bytes: null });
	expect(before.size_note).toContain("GET /export/projects/manifest");
	const manifest = await (
		await fetch(`${world.url}/export/projects/manifest?region=MISO&capacity_min=0.25&format=csv`)
	).json();
	const { rows, bytes } = operations.getExportManifest.reply.parse(manifest);
	expect(await quoteOf("exportProjects", params)).toMatchObject({ rows, bytes, size_note: null });
	expect(await quoteOf("exportProjects", { region: "MISO", capacity_min: 0.25 })).toMatchObject({ rows, bytes });
});

test("a free operation costs nothing, and the size of a statement's result is unknown", async () => {
	expect(await quoteOf("getStats")).toMatchObject({ price_usd: 0, queries: 0, rows: null });
	const statement = await quoteOf("runQuery", { sql: "select 1" });
	expect(statement).toMatchObject({ endpoint: "POST /query", price_usd: 0.1, rows: null, bytes: null });
	const { quoted_at, valid_until } = statement;
	expect(Date.parse(valid_until) - Date.parse(quoted_at)).toBe(300_000);
	expect(statement.rails).toEqual({ x402: null, mpp: null, card: null });
});

test("invalid parameters are refused as in the call, each named", async () => {
	const wrong = [
		["listProjects", { per_page: 501, no_such: 1 }, "/projects?per_page=501&no_such=1"],
		["getProject", { project_id: "x", fields: "no_such" }, "/projects/x?fields=no_such"],
		["listProjects", { as_of: "2999-01-01" }, "/projects?as_of=2999-01-01"],
	] as const;
	for (const [operation, params, path] of wrong) {
		const call = (await (await fetch(world.url + path)).json()) as { errors: { loc: string[]; msg: string }[] };
		const response = await post({ operation, params });
		expect(response.status).toBe(422);
		const { errors } = (await response.json()) as typeof call;
		const here = call.errors.map(({ loc, msg }) => ({ loc: ["body", "params", ...loc.slice(1)], msg }));
		expect([operation, errors]).toEqual([operation, here]);
	}
	const places = async (body: object) => {
		const response = await post(body);
		expect(response.status).toBe(422);
		return ((await response.json()) as { errors: { loc: string[] }[] }).errors.map(({ loc }) => loc.join("."));
	};
	expect(await places({ operation: "listProject" })).toEqual(["body.operation"]);
	expect(await places({ operation: "toString" })).toEqual(["body.operation"]);
	expect(await places({ operation: "listProjects", params: { state: null } })).toEqual(["body.params.state"]);
	expect(await places({ operation: "getProject" })).toEqual(["body.params.project_id"]);
	expect(await places({ operation: "runQuery", params: { sql: "" } })).toEqual(["body.params.sql"]);
	for (const operation of ["listProjects", "runQuery"])
		expect(await places({ operation, params: { "\ud800": "x" } })).toEqual(["body.params.\ud800"]);
	expect(await places({ operation: "listProjects", params: [] })).toEqual(["body.params"]);
});
