/**
 * The usual questions of the field (`questions.json`), each answered by a fixed sequence of tools, as short as an agent gets them by
 * default: with the figures that PostgreSQL's own rows give. And how much of a model's context that takes.
 */
import { readFileSync } from "node:fs";
import { encode } from "gpt-tokenizer";
import { afterAll, describe, expect } from "vitest";
import { toolsOfRegistry } from "../../services/gateway/mcp-tools/tools.ts";
import { unlimitedKey } from "../api/support/walk.ts";
import { test, type World } from "../support/world.ts";
import { type Connected, connect, textOf } from "./support/client.ts";

interface Question {
	question: string;
	/** An argument `$0.rows.0.id` is that of the first answer. */
	calls: { tool: string; arguments: Record<string, unknown> }[];
	/** One row; `requests` are the listed generation requests. */
	sql: string;
	/** The place of each figure in the last answer, and its column. */
	figures: Record<string, string>;
}
const questions = JSON.parse(readFileSync(new URL("questions.json", import.meta.url), "utf8")) as Question[];

let world: World;
let agent: Connected;
test.beforeAll(async ({ readOnlyWorld }) => {
	world = readOnlyWorld;
	const key = await unlimitedKey(world);
	agent = await connect(world.url, { headers: { "x-api-key": key } });
});
afterAll(() => agent?.[Symbol.asyncDispose]());

const most = { listBytes: 40_000, answerTokens: 4_000 };

test("there are enough different questions", () => {
	expect(new Set(questions.map(({ question }) => question)).size).toBeGreaterThanOrEqual(60);
});

describe("the figures of the question", () => {
	test.each(questions)("$question", async ({ calls, sql, figures }) => {
		const answers: unknown[] = [];
		for (const { tool, arguments: given } of calls) {
			const result = await agent.call(tool, filled(given, answers) as Record<string, unknown>);
			const text = textOf(result);
			expect([result.isError ?? false, result.isError ? text : ""]).toEqual([false, ""]);
			expect(encode(text).length).toBeLessThan(most.answerTokens);
			answers.push(readShort(text));
		}
		const [row = {}] = await world.sql.unsafe<Record<string, unknown>[]>(
			`with requests as (select * from projects where kind = 'generation' and listed = 'listed') ${sql}`,
		);
		for (const [path, column] of Object.entries(figures)) {
			const wanted = row[column];
			// A figure that is absent on both sides proves nothing.
			expect([path, wanted ?? null]).not.toEqual([path, null]);
			const got = at(answers.at(-1), path);
			if (typeof wanted === "string" && !/^-?\d+(\.\d+)?$/.test(wanted)) expect([path, got]).toEqual([path, wanted]);
			// A share is small.
			else expect(Number(got), path).toBeCloseTo(Number(wanted), Math.abs(Number(wanted)) < 1 ? 4 : 1);
		}
	});
});

describe("texts for models", () => {
	test("tools/list is short", async () => {
		const { tools } = await agent.client.listTools();
		expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(most.listBytes);
	});

	test.each([...toolsOfRegistry().values()].filter(({ declared }) => declared.http.needsKey !== true))(
		"$tool.name answers its example, and all that it can, in fewer than 4,000 tokens",
		async ({ tool, declared }) => {
			const { per_page } = declared.operation.params.shape;
			const example = declared.operation.example ?? {};
			const long = per_page === undefined ? [] : [{ ...example, per_page: 200 }, { per_page: 100 }];
			for (const given of [example, {}, ...long]) {
				const text = textOf(await agent.call(tool.name, given));
				expect([tool.name, given, encode(text).length < most.answerTokens]).toEqual([tool.name, given, true]);
			}
		},
	);

	test("a truncated response states how to continue, and links to the file of the same filters", async () => {
		const { content } = await agent.call("list_projects", { status: "Active", per_page: 500 });
		const [text, link] = content;
		expect(text).toMatchObject({
			text: expect.stringMatching(/^\d+ rows of [\d,]+\..*per_page=\d+/),
		});
		expect(link).toMatchObject({ type: "resource_link", uri: `${world.url}/export/projects?status=Active` });
		const whole = await agent.call("list_projects", { status: "Active", per_page: 500, response_format: "detailed" });
		expect(whole.content).toHaveLength(1);
		expect(JSON.parse(textOf(whole)).data.length).toBeGreaterThan(100);
	});

	test("a file is given by its beginning and a link", async () => {
		const { content } = await agent.call("export_projects", { fields: "id,name,region,poi,developer,utility" });
		const [text, link] = content;
		expect(text).toMatchObject({ text: expect.stringMatching(/^id,name,region,poi,developer,utility\r?\n/) });
		expect(link).toMatchObject({ type: "resource_link", mimeType: "text/csv" });
	});
});

describe("an unlisted operation", () => {
	test("is found by words, described completely by name, and called", async () => {
		const found = textOf(await agent.call("find_operations", { q: "data centers planned" }));
		expect(found).toContain("list_datacenter_pipeline");
		const whole = textOf(await agent.call("find_operations", { names: ["list_datacenter_pipeline"] }));
		expect(whole).toMatch(/- state .*\n[\s\S]*Answer: .*data\[\]\.name/);
		const called = await agent.call("call_operation", { name: "list_datacenter_pipeline", arguments: { per_page: 1 } });
		expect(called.isError ?? false).toBe(false);
		const all = textOf(await agent.call("find_operations"));
		for (const name of toolsOfRegistry().keys()) expect(all).toContain(name);
	});

	test.each([
		["find_operations", { q: 1 }, "q: must be a text"],
		["find_operations", { names: [] }, "names: must be a list"],
		["find_operations", { names: ["no_such"] }, 'there is no operation "no_such"'],
		["find_operations", { nope: 1 }, "nope: is not an argument"],
		["list_projects", { response_format: "all" }, "response_format: must be concise or detailed"],
	])("%s %o is refused with the reason", async (tool, given, detail) => {
		const result = await agent.call(tool, given);
		expect([result.isError, JSON.parse(textOf(result)).detail]).toEqual([true, expect.stringContaining(detail)]);
	});

	test.each([
		[{ name: "no_such" }, "there is no tool"],
		[{ name: "register", arguments: { email: "a@b.example" } }, "there is no tool"],
		[{ name: 5 }, "name: must be"],
		[{ name: "get_stats", arguments: [] }, "arguments: must be an object"],
		[{ name: "get_project", project_id: "X" }, "project_id: is not an argument of call_operation"],
	])("call_operation %o", async (given, message) => {
		await expect(agent.call("call_operation", given)).rejects.toThrow(message);
	});
});

function filled(value: unknown, answers: unknown[]): unknown {
	if (typeof value === "string" && /^\$\d+\./.test(value)) {
		const [, place = "", path = ""] = /^\$(\d+)\.(.*)$/.exec(value) ?? [];
		return at(answers[Number(place)], path);
	}
	if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, answers)]));
}

/** A short answer as an agent reads it: a sentence, what stands beside the rows, and a row a line; or one object. */
function readShort(text: string): Record<string, unknown> {
	if (text.startsWith("{")) return JSON.parse(text);
	const [sentence = "", head = "{}", ...lines] = text.split("\n");
	const total = / of ([\d,]+)/.exec(sentence)?.[1]?.replaceAll(",", "");
	return { ...JSON.parse(head), total: Number(total), rows: lines.map((line) => JSON.parse(line)) };
}

type Row = Record<string, unknown>;

/** `rows.0.id`; `where:rows:value:Active:requests`: of the row whose value is Active; `max:rows:mw:value`: of the row with the most. */
function at(answer: unknown, path: string): unknown {
	const [how, list = "", field = "", ...rest] = path.split(":");
	const rows = () => follow(answer, list) as Row[];
	if (how === "where") return rows().find((row) => row[field] === rest[0])?.[rest[1] ?? ""];
	if (how === "max") return rows().toSorted((a, b) => Number(b[field]) - Number(a[field]))[0]?.[rest[0] ?? ""];
	return follow(answer, path);
}

const follow = (value: unknown, path: string): unknown =>
	path.split(".").reduce<unknown>((inner, key) => (inner as Row | undefined)?.[key], value);
