/** Documents that a new caller reads first, of the running system: they are complete and show its data. */
import { beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { about } from "#libs/contract/documents/about.ts";
import { type OperationName, type OperationShape, operations } from "#libs/contract/index.ts";
import { operationsByResource } from "../../services/gateway/documents/catalog.ts";
import { toolsOfRegistry } from "../../services/gateway/mcp-tools/tools.ts";
import { httpOperations } from "../../services/gateway/registry/bindings.ts";
import { eventually } from "../support/eventually.ts";
import { test, type World } from "../support/world.ts";
import { answersOf, documentSchema, exampleIn, replyOf, sectionOf, text } from "./support/discovery.ts";
import { parseLlmsTxt } from "./support/llms-txt.ts";

let world: World;
test.beforeAll(({ readOnlyWorld }) => {
	world = readOnlyWorld;
});

describe("/llms.txt", () => {
	test("is parsed completely by the format's parser: only sections of links, each with its description", async () => {
		const whole = await text(world.url, "/llms.txt");
		const { title, summary, info, sections } = parseLlmsTxt(whole);
		expect([title, summary]).toEqual([about.name, about.description]);
		expect(info).toContain("/register");
		const resources = operationsByResource().map(({ name, description }) => `${name}: ${description}`);
		expect([...sections.keys()]).toEqual([
			"Questions and their calls",
			"Documents",
			"Guides",
			"Datasets",
			...resources,
		]);
		const links = [...sections.values()].flat();
		expect(links.map(({ title }) => title)).toEqual(
			expect.arrayContaining(httpOperations().map(({ http }) => `${http.method} ${http.path}`)),
		);
		// Every bullet of the document is one of them.
		expect(links.length).toBe(whole.split("\n").filter((line) => /^\s*[-*] /.test(line)).length);
		for (const { title, url, desc } of links) {
			expect(new URL(url).origin, title).toBe(world.url);
			expect(desc, title).toMatch(/\w{3}/);
		}
	});

	test("names every endpoint", async () => {
		const all = await text(world.url, "/llms.txt");
		for (const { http } of httpOperations()) expect(all).toContain(`${http.method} ${http.path}`);
	});
});

describe("/llms-full.txt", () => {
	let reference: string;
	beforeAll(async () => {
		// A service that was slow at first has answered by then.
		reference = await eventually(
			async () => {
				const full = await text(world.url, "/llms-full.txt");
				return full.includes("not available now") ? undefined : full;
			},
			{ withinMs: 90_000 },
		);
	});

	test("lists the parameters of every endpoint, or refers to them", () => {
		for (const { name, operation, http } of httpOperations()) {
			const section = sectionOf(reference, name);
			expect(section, `${http.method} ${http.path}`).toContain(operation.summary);
			expect(parametersIn(section, reference), name).toEqual(
				expect.arrayContaining(Object.keys(operation.params.shape)),
			);
		}
	});

	test("has headings in the reader's terms, without internal names", () => {
		for (const heading of ["Limits", "Answers"]) expect(reference).toContain(`\n## ${heading}\n`);
		expect(reference).toContain("\nAnswers:\n");
		expect(reference).not.toContain("ResponseCache");
	});

	test("lists fields with their types and units", () => {
		const section = sectionOf(reference, "listProjects");
		expect(section).toMatch(/^- `data\[\]\.capacity_mw` number or null \[MW\]: Injection limit/m);
		expect(section).toMatch(/^- `data\[\]\.queue_date` date or null$/m);
		expect(section).toMatch(
			/^- `data\[\]\.status_std` "Active" \| "Withdrawn" \| "Operational" \| "Suspended" \| "Unknown"$/m,
		);
		expect(sectionOf(reference, "getProject")).toContain("every field of GET /projects `data[]`, and:");
	});

	test("shows a few rows of the present response of each endpoint", async () => {
		const { data } = z
			.object({ data: z.array(z.record(z.string(), z.unknown())) })
			.parse(exampleIn(sectionOf(reference, "listProjects")));
		const [id] = data.map((row) => String(row.id));
		expect(await (await fetch(`${world.url}/projects/${id}`)).json()).toMatchObject(data[0] ?? {});
		const project = operations.getProject.reply.parse(exampleIn(sectionOf(reference, "getProject")));
		expect(sectionOf(reference, "getScore")).toContain(`/score/${project.id}'`);
	});

	test("is short enough for an agent: a few rows per example, below 322 kB in total", () => {
		// The address of this service is longer than that of most.
		expect(Buffer.byteLength(reference.replaceAll(world.url, "http://127.0.0.1:8080"))).toBeLessThan(322_000);
		for (const [, json = ""] of reference.matchAll(/```json\n(.*)\n```/g))
			expect(Buffer.byteLength(json)).toBeLessThanOrEqual(2_500);
	});

	test("lists the databases for SQL, with their views", () => {
		expect(reference).toMatch(/^ {2}- `master` \(.+\): .*\bprojects\b/m);
	});

	test("shows no data of a caller, and issues no key", () => {
		for (const name of ["register", "rotateKey", "revokeKey", "getUsage", "buyCredits", "getCredits"] as const)
			expect(exampleIn(sectionOf(reference, name)), name).toBeUndefined();
		expect(reference).not.toMatch(/\b(pk|cr)_[A-Za-z0-9]{8}/);
	});
});

describe("/openapi.json", () => {
	test("has working parameters, and responses that match their schemas", async () => {
		const document = await eventually(async () => {
			const made = documentSchema.parse(JSON.parse(await text(world.url, "/openapi.json")));
			return answersOf(made).length > 30 ? made : undefined;
		});
		for (const { operationId, answer } of answersOf(document)) {
			const { reply }: OperationShape = operations[operationId as OperationName];
			expect(reply.safeParse(answer).error?.issues, operationId).toBeUndefined();
		}
		const { parameters } = document.paths["/projects/{project_id}"]?.get ?? { parameters: [] };
		const id = parameters.find(({ name }) => name === "project_id")?.example;
		expect((await fetch(`${world.url}/projects/${id}`)).status).toBe(200);
	});
});

describe("/catalog", () => {
	test("has every endpoint once, under one resource, with its price and its tool", async () => {
		const { resources, total_endpoints } = await replyOf(world.url, "getCatalog");
		const endpoints = resources.flatMap((resource) => resource.endpoints);
		expect(endpoints.map(({ operation }) => operation).sort()).toEqual(
			httpOperations()
				.map(({ name }) => name)
				.sort(),
		);
		expect(total_endpoints).toBe(endpoints.length);
		const tools = endpoints.flatMap(({ tool }) => tool ?? []);
		expect(tools.sort()).toEqual([...toolsOfRegistry().keys()].sort());
		expect(endpoints.find(({ operation }) => operation === "listProjects")).toMatchObject({
			method: "GET",
			path: "/projects",
			price_usd: 0.01,
			tool: "list_projects",
		});
	});
});

describe("/manifest.json", () => {
	test("names capabilities, and links that lead somewhere", async () => {
		const { name, version, capabilities, links } = await replyOf(world.url, "getManifestFile");
		expect([name, version]).toEqual(["Energy Infrastructure Data Service", "1.0.0"]);
		expect(capabilities).toEqual(expect.arrayContaining(["projects", "developers", "mcp", "sql", "export"]));
		// A stateless MCP endpoint is asked by POST.
		for (const [title, link] of Object.entries(links))
			expect([title, (await fetch(new URL(link, world.url))).status]).toEqual([title, title === "mcp" ? 405 : 200]);
	});
});

/** Names of the parameters that a section lists, also where it refers to those of another one. */
function parametersIn(section: string, reference: string): string[] {
	const listed = section.split(/^Answers/m)[0] ?? "";
	const named = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
	const own = [...listed.matchAll(/^- `(\w+)` \(/gm)].map(([, name = ""]) => name);
	const shared = [...listed.matchAll(/^- as of .*?: (.*)$/gm)].flatMap(([, names = ""]) => named(names));
	const whole = [...listed.matchAll(/^- all of (\w+ \S+)(?: but (.*))?$/gm)].flatMap(([, endpoint = "", but = ""]) => {
		const theirs = reference.split(`\n### ${endpoint}\n`)[1]?.split("\n### ")[0] ?? "";
		return parametersIn(theirs, reference).filter((name) => !named(but).includes(name));
	});
	return [...own, ...shared, ...whole];
}
