/** The pages of documentation without a browser: what they consist of comes from here, and the guides are those of the folder. No service answers behind the gateway. */
import { readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { operations } from "#libs/contract/index.ts";
import { httpOperations } from "../../services/gateway/registry/bindings.ts";
import { answersOf, documentSchema, replyOf, sectionOf, text } from "./support/discovery.ts";
import { startGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
	gateway = await startGateway({ owner: null });
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

const guides = readdirSync("web/guides").map((file) => {
	const name = file.replace(".md", "");
	return name === "glossary" ? "/docs/glossary" : `/docs/guides/${name}`;
});

const pages = ["/docs", "/docs/events", "/docs/guides", ...guides];

/** Addresses that several pages name. */
const checked = new Set<string>();

test.each(pages)("%s loads only files of this service, and runs no other script", async (path) => {
	const page = await gateway.get(path);
	expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
	const policy = page.headers.get("content-security-policy");
	expect(policy).toContain("default-src 'none'");
	expect(policy).not.toMatch(/https?:|\*|unsafe/);
	const text = (await page.text()).replace(/<a href="https:[^>]+>/g, "");
	const named = [...text.matchAll(/(?:src|href)="([^"#]+)/g)].map(([, address = ""]) => address);
	expect(named.some((address) => /^\/web\/assets\/.+\.js$/.test(address))).toBe(true);
	for (const address of new Set(named).difference(checked)) {
		checked.add(address);
		expect(address).toMatch(/^\/(?!\/)/);
		expect([address, (await gateway.get(address, { accept: "text/html" })).status]).toEqual([address, 200]);
	}
});

test.each(guides)(
	"%s is complete without scripts, and available as Markdown with the service's address",
	async (path) => {
		const page = await (await gateway.get(path)).text();
		expect(page).not.toContain("<noscript>");
		const response = await gateway.get(`${path}.md`);
		expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
		const markdown = await response.text();
		expect(markdown).not.toContain("$BASE");
		const headings = [...markdown.matchAll(/^##? (.+)$/gm)].map(([, heading = ""]) => heading);
		for (const heading of headings) expect(page).toContain(`>${heading.replaceAll("'", "&#39;")}</h`);
		expect(page).toMatch(/>(Previous|Next): /);
	},
);

test("an unknown guide is a 404", async () => expect((await gateway.get("/docs/guides/nothing")).status).toBe(404));

test("a browser that has the page does not load it again", async () => {
	const tag = (await gateway.get("/docs")).headers.get("etag") ?? "";
	expect((await gateway.get("/docs", { "if-none-match": tag })).status).toBe(304);
});

test("the first view of /docs is below 200 KB compressed, including the document that it reads", async () => {
	const page = await (await gateway.get("/docs")).text();
	const parts = [...page.matchAll(/(?:href|src)="(\/web\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
	const bodies = [Buffer.from(page)];
	for (const path of [...parts, "/web/data/openapi.json", "/web/documentation.json"])
		bodies.push(Buffer.from(await (await gateway.get(path)).arrayBuffer()));
	const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
	expect(bytes).toBeGreaterThan(50_000);
	expect(bytes).toBeLessThan(200_000);
});

test("the data with the document names guides, errors, changes, and operations that pages may read", async () => {
	const beside = z
		.strictObject({
			reads: z.array(z.enum(Object.keys(operations) as [keyof typeof operations])),
			guides: z.array(z.looseObject({ path: z.string(), title: z.string(), lead: z.string() })),
			errors: z.array(z.looseObject({ code: z.string(), status: z.int() })).min(10),
			changelog: z.array(z.looseObject({ day: z.iso.date() })).min(1),
		})
		.parse(await (await gateway.get("/web/documentation.json")).json());
	expect(beside.guides.map(({ path }) => path).sort()).toEqual(guides.sort());
	expect(beside.reads).toContain("getStats");
	expect(beside.changelog.map(({ day }) => day)).toEqual(
		beside.changelog
			.map(({ day }) => day)
			.sort()
			.reverse(),
	);
});

describe("while no service answers behind the gateway", () => {
	test("every document is served, and states what is unavailable", async () => {
		const reference = await text(gateway.url, "/llms-full.txt");
		expect(sectionOf(reference, "listProjects")).toContain("Its response is not available now.");
		expect(sectionOf(reference, "listProjects")).toContain("`data[].capacity_mw`");
		expect(sectionOf(reference, "getPricingInfo")).toContain('"pricing_by_tier"');
		expect(reference).toContain("The plans are not available now");
		expect(answersOf(documentSchema.parse(JSON.parse(await text(gateway.url, "/openapi.json")))).length).toBeLessThan(
			10,
		);
		expect(await text(gateway.url, "/llms.txt")).toContain("\n## projects: ");
		expect((await replyOf(gateway.url, "getCatalog")).total_endpoints).toBe(httpOperations().length);
	});

	test("counts are null or omitted, never a false zero", async () => {
		const data = await replyOf(gateway.url, "getDataCatalog");
		expect(data.not_available).toEqual(["queue-ingest", "scoring", "signals"]);
		expect(new Set(data.datasets.map(({ records }) => records))).toEqual(new Set([null]));
		const coverage = await replyOf(gateway.url, "getCoverage");
		expect(coverage.not_available).toEqual(["queue-ingest", "scoring", "signals"]);
		expect([coverage.queues, coverage.scoring, coverage.missing]).toEqual([[], [], []]);
		expect(new Set(data.datasets.map(({ sample }) => sample))).toEqual(new Set([null]));
	});
});
