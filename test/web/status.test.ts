/** The page of what is loaded against what the interface answers; and what crawlers read. What it shows of lists that were held back: loading.test.ts. */
import { connect } from "node:net";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import type { World } from "../support/world.ts";
import { desktop, hasBrowser, open, read, test } from "./support.ts";

let world: World;
test.beforeAll(({ readOnlyWorld }) => {
	world = readOnlyWorld;
});

test("/ links to the API catalogue, which links to each description (RFC 9727)", async () => {
	for (const accept of ["application/json", "text/html"]) {
		const root = await fetch(`${world.url}/`, { method: "HEAD", headers: { accept } });
		expect(root.headers.get("link"), accept).toContain('</.well-known/api-catalog>; rel="api-catalog"');
	}
	const answer = await fetch(`${world.url}/.well-known/api-catalog`);
	const profile = "https://www.rfc-editor.org/info/rfc9727";
	expect(answer.headers.get("content-type")).toBe(`application/linkset+json; profile="${profile}"`);
	expect(answer.headers.get("link")).toContain('rel="api-catalog"');
	const { linkset } = (await answer.json()) as { linkset: ({ anchor: string } & Record<string, Target[]>)[] };
	const [{ item = [], ...catalog } = { anchor: "" }, ...interfaces] = linkset;
	expect(catalog).toEqual({ anchor: `${world.url}/.well-known/api-catalog`, profile: [{ href: profile }] });
	expect(item.map(({ href }) => href)).toEqual(["/", "/mcp", "/quote"].map((path) => world.url + path));
	expect(interfaces.map(({ anchor }) => anchor)).toEqual(item.map(({ href }) => href));
	// Nothing is sold here.
	expect((await fetch(`${world.url}/.well-known/x402`)).status).toBe(404);
	for (const { anchor: _anchor, ...relations } of interfaces) {
		expect(Object.keys(relations)).toEqual(expect.arrayContaining(["service-desc", "service-doc", "status"]));
		for (const { href, type = "" } of Object.values(relations).flat()) {
			const described = await fetch(href, { headers: { accept: type } });
			expect([href, described.status]).toEqual([href, 200]);
			expect(described.headers.get("content-type"), href).toContain(type);
		}
	}
});

interface Target {
	href: string;
	type?: string;
}

test("the host leads to the server card, and that to the tools for models (SEP-2127)", async () => {
	const catalog = await fetch(`${world.url}/.well-known/ai-catalog.json`);
	expect(catalog.headers.get("content-type")).toBe("application/ai-catalog+json");
	const { entries } = (await catalog.json()) as { entries: { type: string; url: string }[] };
	const type = "application/mcp-server-card+json";
	expect(entries).toMatchObject([{ type, url: `${world.url}/mcp/server-card` }]);
	const answer = await fetch(entries[0]?.url ?? "", { headers: { accept: type } });
	expect(Object.fromEntries(answer.headers)).toMatchObject({
		"content-type": type,
		"cache-control": "public, max-age=3600",
		"access-control-allow-origin": "*",
		"access-control-allow-methods": "GET",
		"access-control-allow-headers": "Content-Type, If-None-Match",
		"access-control-expose-headers": expect.stringContaining("ETag"),
	});
	const again = await fetch(answer.url, { headers: { "if-none-match": answer.headers.get("etag") ?? "" } });
	expect(again.status).toBe(304);
	const card = (await answer.json()) as {
		$schema: string;
		name: string;
		description: string;
		title: string;
		version: string;
		remotes: { type: string; url: string }[];
	};
	expect(await (await fetch(`${world.url}/.well-known/mcp/server-card.json`)).json()).toEqual(card);
	expect(card.$schema).toBe("https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json");
	expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
	for (const words of [card.description, card.title]) expect(words.length).toBeLessThanOrEqual(100);
	expect(card.remotes).toMatchObject([{ type: "streamable-http" }]);
	const [{ url } = { url: "" }] = card.remotes;
	const clientInfo = { name: "test", version: "1" };
	const initialized = await fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
		body: JSON.stringify({
			jsonrpc: "2.0",
			id: 1,
			method: "initialize",
			params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
		}),
	});
	expect(initialized.status).toBe(200);
	// The card's name is the one that the server sends once connected.
	const [, name] = card.name.split("/");
	expect(await initialized.text()).toContain(
		`"serverInfo":${JSON.stringify({ name, title: card.title, version: card.version })}`,
	);
});

test("an invalid host is not used in addresses", async () => {
	const { port } = new URL(world.url);
	const status = await new Promise<string>((resolve, reject) => {
		const socket = connect(Number(port), "127.0.0.1", () =>
			socket.write("GET /.well-known/ai-catalog.json HTTP/1.1\r\nHost: a b[\r\nConnection: close\r\n\r\n"),
		);
		let text = "";
		socket.on("data", (bytes) => (text += bytes)).on("close", () => resolve(text));
		socket.on("error", reject);
	});
	expect(status).toMatch(/^HTTP\/1.1 200 /);
	expect(status).toContain('"url":"http://localhost/mcp/server-card"');
});

describe.skipIf(!hasBrowser)("the status page", () => {
	let browser: Browser;
	test.beforeAll(({ browser: chromium }) => {
		browser = chromium;
	});

	test("the page of planned data centers names the lists that are not loaded", async () => {
		const { coverage } = await read<Reply<"listDatacenterPipeline">>(`${world.url}/datacenters/pipeline`);
		expect(coverage.not_loaded).toContain("bpa-line-load");
		await using opened = await open(browser, `${world.url}/datacenters/pipeline`, desktop);
		const { datasets } = await read<Reply<"getDataCatalog">>(`${world.url}/catalog/data`);
		const titles = new Map(datasets.flatMap(({ sources }) => sources.map(({ source, title }) => [source, title])));
		const shown = coverage.not_loaded.map((feed) => titles.get(feed) ?? feed);
		await opened.page.locator("[data-not-loaded]", { hasText: `Not loaded: ${shown.join("; ")}. What` }).waitFor();
		await opened.page.route("**/web/data/catalog/data", async (route) => {
			const answer = await route.fetch();
			await route.fulfill({ json: { ...((await answer.json()) as Reply<"getDataCatalog">), datasets: [] } });
		});
		await opened.page.goto(`${world.url}/datacenters/pipeline?q=nowhere`);
		await opened.page.getByText("No record matches the filters.").waitFor();
	});

	test("its lists equal those of /coverage", async () => {
		await using opened = await open(browser, `${world.url}/status`, desktop);
		const { page } = opened;
		const { queues } = (await (await fetch(`${world.url}/coverage`)).json()) as Reply<"getCoverage">;
		await page.locator("[data-list]").first().waitFor();
		const shown = await page
			.locator("[data-list]")
			.evaluateAll((rows) => rows.map((row) => [row.dataset.list, row.lastElementChild?.textContent]));
		expect(shown).toEqual(
			queues.flatMap(({ lists }) =>
				lists.map(({ source, requests }) => [source, requests.toLocaleString("en-US")] as const),
			),
		);
		await page.getByText("Every list was accepted.").waitFor();
		const freshness = await read<Reply<"getFreshness">>(`${world.url}/health/freshness`);
		await page.locator("[data-pipeline]").first().waitFor();
		const verdicts = await page
			.locator("[data-pipeline]")
			.evaluateAll((rows) => rows.map((row) => `${row.dataset.pipeline} ${row.children[1]?.textContent}`));
		const texts = { FRESH: "Up to date", STALE: "Late", NEVER: "Nothing loaded" };
		expect(verdicts.toSorted()).toEqual(
			freshness.pipelines
				.map(({ pipeline, status, age_hours }) => {
					const isUndated = status === "STALE" && age_hours === null;
					return `${pipeline} ${isUndated ? "Day unknown" : texts[status]}`;
				})
				.toSorted(),
		);
		expect(opened.complaints).toEqual([]);
	});
});
