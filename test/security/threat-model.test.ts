/** docs/threat-model.md names for each threat the test that holds it: each is there, under that title. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const open = "Not covered";
/** Sections by their heading, which is a boundary. */
const sections = new Map(
	read("docs/threat-model.md")
		.split(/^## /m)
		.slice(1)
		.map((text) => [text.split("\n", 1)[0] ?? "", text] as const),
);
const threats = [...sections].flatMap(([boundary, text]) =>
	boundary === open ? [] : (text.match(/^- .+(?:\n {2}- .+)*$/gm) ?? []).map((line) => ({ boundary, line })),
);
const proofsOf = (line: string) =>
	[...line.matchAll(/`([^`]+\.test\.ts)`: ((?:(?:, )?"[^"]+")+)/g)].flatMap(([, path = "", titles = ""]) =>
		[...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => ({ path, title })),
	);

/** Whether it is the title of a test, or of several together, in the source as it is written there. */
function isTitle(source: string, title: string): boolean {
	const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
	return new RegExp(`\\(\\s*(["'\`])${escaped}\\1\\s*,`).test(source);
}

test("each boundary has threats, and each threat a defence and a proof", () => {
	expect([...sections.keys()]).toEqual([
		"Internet to gateway",
		"Subscriptions to customers' addresses",
		"MCP",
		"Gateway to NATS, and NATS to owners",
		"Owner to PostgreSQL",
		"Statements of callers to their processes",
		"Gateway to Redis",
		"Downloads to the parsers",
		"Payment rails and webhooks",
		"Operator and secrets",
		"Supply chain",
		"Observability endpoints",
		open,
	]);
	for (const boundary of sections.keys())
		if (boundary !== open)
			expect(
				threats.filter((threat) => threat.boundary === boundary),
				boundary,
			).not.toEqual([]);
	for (const { line } of threats) {
		expect(line).toMatch(/^- \*\*.+\*\* .+ Proof:\s.+\.$/s);
		expect(proofsOf(line), line).not.toEqual([]);
	}
});

test("every proof is an existing test title", () => {
	const missing = threats
		.flatMap(({ line }) => proofsOf(line))
		.filter(({ path, title }) => !existsSync(new URL(path, root)) || !isTitle(read(path), title));
	expect(missing).toEqual([]);
});

test("every test of this folder is the proof of a threat", () => {
	const named = new Set(threats.flatMap(({ line }) => proofsOf(line).map(({ path }) => path)));
	const here = readdirSync(new URL("test/security/", root)).filter((name) => name.endsWith(".test.ts"));
	const own = "threat-model.test.ts";
	expect(here.filter((name) => name !== own && !named.has(`test/security/${name}`))).toEqual([]);
});
