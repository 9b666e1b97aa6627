/** The bundled sample's invented developers through the API of the whole system. Lists replace it: flows/rebuild.test.ts. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { operations, type Reply } from "#libs/contract/index.ts";
import { createResolver } from "#libs/names/resolve.ts";
import { readSeed } from "#libs/names/seed.ts";
import { sponsors } from "../../services/queue-ingest/history/events/remove-sample.ts";
import { ingestFiles } from "../../services/signals/ingest/ingest-files.ts";
import { loadSample } from "../../services/signals/ingest/sample.ts";
import { test as it, type World } from "../support/world.ts";
import { openSignals } from "./support/signals.ts";

const [alder, quillback, sedgewater, merrowstone] = [
	"Alder Grove Renewables",
	"Quillback Harbor Energy Partners",
	"Sedgewater Flats Clean Energy",
	"Merrowstone Infrastructure Partners",
] as const;
const folder = join(import.meta.dirname, "../../services/signals/sample");

type Asked = "listDevelopers" | "listEvents" | "listCapitalRaises" | "listMaterialEvents" | "listMaEvents";

async function ask<N extends Asked>(world: World, name: N, query = ""): Promise<Reply<N>["data"]> {
	const response = await fetch(`${world.url}${operations[name].http.path}?per_page=200&${query}`);
	expect(response.status).toBe(200);
	const { data } = operations[name].reply.parse(await response.json());
	return data as Reply<N>["data"];
}

describe("the API of a system with the sample", () => {
	let world: World;
	it.beforeAll(({ readOnlyWorld }) => {
		world = readOnlyWorld;
	});

	it("shows the sponsors with their totals", async () => {
		const shown = await ask(world, "listDevelopers", "min_projects=1");
		const totals = shown
			.filter(({ canonical_name }) => sponsors.some(({ canonical }) => canonical === canonical_name))
			.map((row) => [row.canonical_name, row.tier, row.total_projects, row.total_capacity_mw, row.states_active]);
		expect(totals).toEqual([
			// Some by the plant that the EIA says they own.
			[alder, "mid_platform", 6, 900, ["TX", "NY"]],
			[quillback, "mid_platform", 3, 450, ["NY", "TX"]],
			[merrowstone, "pe_fund", 2, 128, []],
			[sedgewater, "independent", 1, 350, ["TX"]],
		]);
	});

	it("has headlines of all six classes, newest first, a copied one once, and not the irrelevant one", async () => {
		const published = await ask(world, "listEvents");
		expect(published.map((row) => [row.event_type, row.developer_canonical, row.copies])).toEqual([
			["financing", alder, 0],
			["project", alder, 0],
			["distress", sedgewater, 0],
			["financing", quillback, 1],
			["project", sedgewater, 0],
			["litigation", alder, 0],
			["mention", alder, 0],
			["mention", merrowstone, 0],
			["ma", merrowstone, 0],
			["ma", quillback, 0],
			["ma", alder, 0],
			["litigation", quillback, 0],
		]);
		expect(new Set(published.map((row) => [row.matched_on, row.match_confidence].join(" ")))).toEqual(
			new Set(["title 0.9"]),
		);
		expect(published.every((row) => row.domain.endsWith(".example"))).toBe(true);
	});

	it("dates the newest headline within a day of the clock", async () => {
		const [newest] = await ask(world, "listEvents");
		const age = world.clock.now.getTime() - Date.parse(newest?.published_at ?? "");
		expect(age).toBeGreaterThanOrEqual(0);
		expect(age).toBeLessThan(86_400_000);
	});

	it("has an offering, its amendment, and another issuer's offering, each with its developer", async () => {
		const raises = await ask(world, "listCapitalRaises");
		expect(
			raises.map((row) => [row.developer_canonical, row.is_amendment, row.total_amount_sold, row.is_latest, row.chain]),
		).toEqual([
			[quillback, 1, 140_000_000, true, "0009990002-26-000011"],
			[alder, 0, 0, true, "0009990001-26-000007"],
			[quillback, 0, 80_000_000, false, "0009990002-26-000011"],
		]);
		expect(raises.map((row) => [row.energy_keyword, row.match_method])).toEqual(
			raises.map(() => [1, "developer_exact"]),
		);
	});

	it("has three current reports and an amendment that reports nothing new", async () => {
		const filings = await ask(world, "listMaterialEvents");
		expect(filings.map((row) => [row.form_type, row.event_type, row.categories, row.first_told])).toEqual([
			["8-K", "distress", ["distress"], true],
			["8-K/A", "ma", ["ma"], false],
			["8-K", "ma", ["ma"], true],
			["8-K", "financing", ["agreement", "debt"], true],
		]);
		expect(new Set(filings.map((row) => row.issuer_name))).toEqual(new Set(["Sedgewater Flats Clean Energy, Inc."]));
	});

	it("has changes of ownership: a sale, a partial one, one that may only be reporting, and four queue positions", async () => {
		const deals = await ask(world, "listMaEvents");
		const published = deals.map((row) => [row.asset_name, row.seller_canonical, row.buyer_canonical, row.confidence]);
		expect(published).toHaveLength(7);
		expect(published).toEqual(
			expect.arrayContaining([
				["Antelope Acres Solar", quillback, alder, "high"],
				["Mesa Verde Peaker", quillback, merrowstone, "medium"],
				["Split Gourd Wind", null, alder, "low"],
				["Cibolo Storage", quillback, alder, "medium"],
				["Lampasas Storage", null, null, "low"],
			]),
		);
		// Renamed, owned by its operator, and in the same two hands as before.
		for (const name of ["Bitter Spring Wind", "Cold Sedge Solar", "San Joaquin Bend Storage"])
			expect(deals.map((row) => row.asset_name)).not.toContain(name);
	});

	it("does not load the sample if data are stored", async () => {
		const lines: string[] = [];
		await loadSample(world.signalsSql, { now: () => world.clock.now, report: (line) => lines.push(line) });
		expect(lines).toEqual(["The sample was not loaded, because headlines or filings are already stored."]);
	});
});

it("headlines and filings of the sample are replaced by a published headline", async () => {
	await using signals = await openSignals();
	const directory = await mkdtemp(join(tmpdir(), "headline-"));
	const article = {
		url: "https://example.com/fair",
		title: "A county fair in Ohio",
		seendate: "20261101T000000Z",
		domain: "example.com",
	};
	await writeFile(join(directory, "artlist.json"), JSON.stringify({ articles: [article] }));
	const options = { now: () => new Date(signals.now), report: () => {}, reportSkipped: () => {} };
	await loadSample(signals.sql, options);
	const rows = async () => {
		const [counts] = await signals.sql`
			select (select count(*) from articles)::int as articles, (select count(*) from raises)::int as raises,
				(select count(*) from filings)::int as filings`;
		return counts;
	};
	expect(await rows()).toMatchObject({ raises: 3, filings: 4 });
	const [report] = await ingestFiles(signals.sql, "news", [directory], options);
	expect(report).toMatchObject({ outcome: "applied", stored: 1 });
	expect(await rows()).toEqual({ articles: 1, raises: 0, filings: 0 });
	await rm(directory, { recursive: true });
});

describe("the sample's files", () => {
	it("name sponsors that neither are in the register of developers nor resemble its names", () => {
		const resolver = createResolver(readSeed().map((developer, at) => ({ id: at + 1, ...developer })));
		for (const { canonical } of sponsors)
			expect(resolver.resolve(`${canonical}, LLC`), canonical).toMatchObject({ kind: "new" });
	});

	it("are small, and contain only invented addresses", () => {
		for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
			if (!entry.isFile()) continue;
			const path = join(entry.parentPath, entry.name);
			expect(statSync(path).size).toBeLessThan(10 * 1024);
			for (const [, host] of readFileSync(path, "utf8").matchAll(/https?:\/\/([^/"<]+)/g))
				expect(host).toMatch(/\.example$/);
		}
	});
});
