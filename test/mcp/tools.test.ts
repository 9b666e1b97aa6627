/** The tools over real data: what an agent gets is what HTTP answers, in the shape that is declared. */
import { afterAll, describe, expect } from "vitest";
import type { OperationShape } from "#libs/contract/index.ts";
import { listed } from "../../services/gateway/mcp-tools/listed.ts";
import { toolsOfRegistry } from "../../services/gateway/mcp-tools/tools.ts";
import { httpOperations, pathParameters } from "../../services/gateway/registry/bindings.ts";
import { aDispute, ownThings, unlimitedKey } from "../api/support/walk.ts";
import { archivedFile } from "../support/archived-file.ts";
import { eventually } from "../support/eventually.ts";
import { aReceipt } from "../support/receipt.ts";
import { test, type World } from "../support/world.ts";
import { type Connected, connect, eras, httpOf, textOf } from "./support/client.ts";

let world: World;
let key: string;
let aProject: string;
/** A saved query, a webhook and a watchlist of the key, an archived file and a dispute. */
let own: Record<string, string>;
const clients = {} as Record<(typeof eras)[number], Connected>;
test.beforeAll(async ({ readOnlyWorld }) => {
	world = readOnlyWorld;
	key = await unlimitedKey(world);
	const { data } = (await (await fetch(`${world.url}/projects?per_page=1`)).json()) as { data: { id: string }[] };
	aProject = data[0]?.id ?? "";
	own = {
		...(await ownThings(world.url, key)),
		sha256: await archivedFile(world.sql, "miso"),
		dispute_id: String(await aDispute(world.url)),
		receipt_id: await aReceipt(world.billingSql),
	};
	for (const era of eras) {
		clients[era] = await connect(world.url, { era, headers: { "x-api-key": key } });
	}
});
afterAll(async () => {
	for (const client of Object.values(clients)) await client[Symbol.asyncDispose]();
});

const tools = [...toolsOfRegistry().values()].map(({ declared, tool }) => ({ ...declared, tool }));

/** Tools that fail here, and why: nothing is sold in this world. */
const refusedHere: Record<string, string> = { get_credits: "send the credit token" };

/** Tools whose answer changes between the call of the tool and the one over HTTP. */
const moving = new Set(["get_usage"]);

/** The declared example; what names a project of the real lists names one of the sample here. */
function exampleOf({ example = {}, params }: OperationShape): Record<string, unknown> {
	const here: Record<string, string> = { ...own, project_id: aProject };
	const named = Object.entries(here).filter(([name]) => name in params.shape);
	return { ...example, ...Object.fromEntries(named) };
}

/** The same over HTTP. */
async function overHttp(
	{ http, operation }: (typeof tools)[number],
	given: Record<string, unknown>,
): Promise<Response> {
	const inPath = pathParameters(http.path);
	const path = inPath.reduce(
		(at, name) => at.replace(`{${name}}`, encodeURIComponent(String(given[name]))),
		http.path as string,
	);
	const besides = Object.entries(given).filter(([name]) => !inPath.includes(name));
	const rest = besides.flatMap(([name, value]) =>
		name === operation.gathers ? Object.entries(value as object) : [[name, value] as const],
	);
	const headers = {
		"x-api-key": key,
		...(operation.mediaType === undefined && { "content-type": "application/json" }),
	};
	if (http.method === "POST")
		return fetch(world.url + path, { method: "POST", headers, body: JSON.stringify(Object.fromEntries(rest)) });
	const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)]));
	return fetch(`${world.url}${path}?${query}`, { headers });
}

/** Fields that say when an answer was made, or how long that took. */
const withoutMoments = (text: string): string =>
	text
		.replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"a moment"')
		.replace(/("[a-z_]*(?:ms|seconds|age_hours|used|requests|counted|last_24_hours|remaining)":) ?[\d.]+/g, "$1 0");

/** Tools are called by the same code: each in one era of the protocol, by turns. */
const inEras = tools.map((step, at) => ({ step, era: eras[at % eras.length] ?? eras[0], name: step.tool.name }));

test.each(inEras)("$name returns its example as declared, like HTTP ($era)", async ({ step, era, name }) => {
	const given = exampleOf(step.operation);
	const text = await (await overHttp(step, given)).text();
	const result = await clients[era].call(name, { ...given, response_format: "detailed" });
	const reason = refusedHere[name];
	if (reason !== undefined) {
		expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(reason) }] });
		return;
	}
	expect([result.isError ?? false, result.isError ? textOf(result) : ""]).toEqual([false, ""]);
	expect(httpOf(result).status).toBe(200);
	if (step.operation.mediaType?.startsWith("text/")) {
		expect(textOf(result)).toBe(text);
		expect(result._meta?.part).toMatchObject({ truncated: false, bytes: Buffer.byteLength(text) });
		return;
	}
	if (!moving.has(name)) expect(withoutMoments(textOf(result))).toBe(withoutMoments(text));
	// Said once: not as a text and as an object.
	expect([result.content.length, result.structuredContent]).toEqual([1, undefined]);
	if (step.operation.mediaType === undefined) {
		const parsed = step.operation.reply.safeParse(JSON.parse(textOf(result)));
		expect(parsed.error?.issues).toBeUndefined();
	}
});

describe.each(eras)("in protocol revision %s", (era) => {
	test("tools/list states the parameters and costs of the usual tools, and that only one changes something", async () => {
		const { tools: shown } = await clients[era].client.listTools();
		const all = new Map(tools.map(({ tool }) => [tool.name, tool]));
		expect(shown.map(({ name }) => name).filter((name) => !all.has(name))).toEqual([
			"find_operations",
			"call_operation",
			"watch_request",
		]);
		expect(shown.length).toBe(Object.keys(listed).length + 3);
		for (const { name, description, inputSchema, annotations } of shown) {
			expect(description).toMatch(/./);
			expect(annotations).toMatchObject({ readOnlyHint: name !== "watch_request" });
			const whole = all.get(name)?.inputSchema;
			if (whole === undefined) continue;
			const { response_format, ...properties } = inputSchema.properties ?? {};
			expect(response_format).toMatchObject({ enum: ["concise", "detailed"] });
			expect(Object.keys(whole.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(properties)));
			expect(Object.keys(properties)).toEqual(expect.arrayContaining(whole.required ?? []));
			expect(inputSchema.required).toEqual(whole.required);
		}
	});

	test("watch_request makes a watchlist of the request, and leaves none if its webhook is refused", async () => {
		const watched = JSON.parse(textOf(await clients[era].call("watch_request", { project_id: aProject })));
		expect(watched).toMatchObject({
			project_id: aProject,
			feed: `${world.url}/watchlists/${watched.watchlist_id}/changes.atom`,
		});
		const list = async () => {
			const response = await fetch(`${world.url}/watchlists?per_page=200`, { headers: { "x-api-key": key } });
			const { data } = (await response.json()) as { data: { watchlist_id: number; filters: object }[] };
			return data.map(({ watchlist_id, filters }) => ({ watchlist_id, filters }));
		};
		const before = await list();
		expect(before.at(-1)).toMatchObject({ watchlist_id: watched.watchlist_id, filters: { id: [aProject] } });
		for (const [given, status] of [
			[{ project_id: aProject, url: "ftp://example.org" }, 422],
			[{ project_id: "no-such-request" }, 404],
			[{ project_id: aProject, nope: 1 }, 422],
			[{}, 422],
		] as const) {
			const refused = await clients[era].call("watch_request", given);
			expect([given, refused.isError, JSON.parse(textOf(refused)).status]).toEqual([given, true, status]);
		}
		expect(await list()).toEqual(before);
		const headers = { "x-api-key": key };
		await fetch(`${world.url}/watchlists/${watched.watchlist_id}`, { method: "DELETE", headers });
	});

	test("a wrong argument is an error that names it", async () => {
		const call = clients[era].call;
		const texts = async (name: string, given: Record<string, unknown>) => {
			const result = await call(name, given);
			expect([result.isError, result.structuredContent]).toEqual([true, undefined]);
			return JSON.parse(textOf(result));
		};
		expect(await texts("list_projects", { per_page: 501 })).toMatchObject({
			status: 422,
			errors: [{ loc: ["query", "per_page"], msg: "must be at most 500" }],
		});
		expect(await texts("list_projects", { no_such: 1 })).toMatchObject({
			status: 422,
			errors: [{ loc: ["query", "no_such"] }],
		});
		expect(await texts("list_projects", { state: [{}] })).toMatchObject({
			status: 422,
			errors: [{ loc: ["arguments", "state"] }],
		});
		expect(await texts("list_projects", { state: null })).toMatchObject({
			status: 422,
			errors: [{ loc: ["arguments", "state"] }],
		});
		expect(await texts("get_project", {})).toMatchObject({
			status: 422,
			errors: [{ loc: ["arguments", "project_id"], msg: "is required" }],
		});
		expect(await texts("run_query", { sql: 5 })).toMatchObject({ status: 422, errors: [{ loc: ["body", "sql"] }] });
	});

	test("an id that would form another path finds nothing", async () => {
		for (const developer_id of ["stats", "search", "..", "a/../../projects", "?q=1", "stats?x"]) {
			const result = await clients[era].call("get_developer", { developer_id });
			expect([developer_id, result.isError, JSON.parse(textOf(result)).status]).toEqual([developer_id, true, 404]);
		}
		const empty = await clients[era].call("get_project", { project_id: "" });
		expect(JSON.parse(textOf(empty))).toMatchObject({ status: 422, errors: [{ loc: ["arguments", "project_id"] }] });
		expect(httpOf(await clients[era].call("search", { q: "a b&page=2#é%41" }))).toMatchObject({ status: 200 });
	});

	test("an unknown tool is refused, and so are those that write", async () => {
		for (const name of ["no_such_tool", "register", "rotate_key", "revoke_key", "buy_credits", "get_docs", "__proto__"])
			await expect(clients[era].call(name)).rejects.toThrow(`there is no tool "${name}"`);
	});

	test("every prompt is listed with its arguments and names only tools that exist", async () => {
		const { client } = clients[era];
		const { prompts } = await client.listPrompts();
		expect(prompts.length).toBeGreaterThanOrEqual(6);
		const known = new Set(tools.map(({ tool }) => tool.name));
		for (const { name, description, arguments: declared = [] } of prompts) {
			expect(description).toBeTruthy();
			const given = Object.fromEntries(declared.map((argument) => [argument.name, `"${argument.name}" value`]));
			const { messages } = await client.getPrompt({ name, arguments: given });
			const text = messages[0]?.content.type === "text" ? messages[0].content.text : "";
			for (const [argument, value] of Object.entries(given))
				expect([argument, text]).toEqual([argument, expect.stringContaining(JSON.stringify(value))]);
			const named = [...text.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([word]) => word);
			const others = new Set(["since_days", "change_type", "active_requests", ...Object.keys(given)]);
			expect(named.filter((word) => !known.has(word) && !others.has(word))).toEqual([]);
			for (const { name: missing, required } of declared)
				if (required) {
					const { [missing]: _, ...rest } = given;
					await expect(client.getPrompt({ name, arguments: rest })).rejects.toThrow(`${missing}: is required`);
				}
			await expect(client.getPrompt({ name, arguments: { ...given, no_such: "1" } })).rejects.toThrow("no_such");
		}
		await expect(client.getPrompt({ name: "no_such_prompt" })).rejects.toThrow("there is no prompt");
	});

	test("the resources equal the documents served over HTTP", async () => {
		const { client } = clients[era];
		const { resources } = await client.listResources();
		const paths: Record<string, string> = {
			"energy-data://llms-full": "/llms-full.txt",
			"energy-data://catalog": "/catalog",
		};
		const there = httpOperations().map(({ http }) => http.path as string);
		expect(resources.map(({ uri }) => uri)).toEqual(
			Object.keys(paths).filter((uri) => there.includes(paths[uri] ?? "")),
		);
		for (const { uri, mimeType } of resources) {
			// An example that a busy machine does not answer in time is in one of the two only.
			await eventually(async () => {
				const { contents } = await client.readResource({ uri });
				const answered = await fetch(world.url + paths[uri]);
				expect(answered.headers.get("content-type")).toContain(mimeType);
				const [content] = contents;
				expect(content).toMatchObject({ uri, mimeType });
				expect(withoutMoments(content && "text" in content ? content.text : "")).toBe(
					withoutMoments(await answered.text()),
				);
				return true;
			});
		}
		await expect(client.readResource({ uri: "energy-data://no-such" })).rejects.toThrow("not found");
		expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
	});
});

test("the manifest states where /mcp is", async () => {
	const { mcp_server } = (await (await fetch(world.url)).json()) as { mcp_server: string };
	expect(mcp_server).toBe("/mcp");
});
