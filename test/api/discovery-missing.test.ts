/** /coverage of a service without data, and every document while the bundled sample is loaded. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "#libs/contract/databases.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { pipelines as queuePipelines } from "../../services/queue-ingest/quality/coverage/list-sources.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { referenceSources } from "../../services/scoring/references/sources/reference.ts";
import { pipelineNames as signalPipelines } from "../../services/signals/records/records.ts";
import { eventually } from "../support/eventually.ts";
import { queueFile, queueRows } from "../support/queue-files.ts";
import { startWorld, type World } from "../support/world.ts";
import { replyOf, text } from "./support/discovery.ts";

const invented = "bundled sample, invented to try the service with";

describe("of a service without data", () => {
	let world: World;
	beforeAll(async () => {
		world = await startWorld({ data: "none" });
	}, 180_000);
	afterAll(() => world?.[Symbol.asyncDispose]());

	test("/coverage names every source that is looked after as not loaded", async () => {
		const { queues, missing, scoring, sample } = await replyOf(world.url, "getCoverage");
		const sentences = missing.map((gap) => gap.missing).join("\n");
		const ofOperators = new Set<string>(queues.flatMap(({ lists }) => lists.map(({ source }) => source)));
		const feeds = [...queuePipelines.map(({ feed }) => feed), ...signalPipelines, ...referenceSources];
		for (const feed of feeds.filter((name) => !ofOperators.has(name)))
			expect(sentences).toContain(`(${feed}): never loaded.`);
		for (const region of ["PJM", "SPP"]) expect(sentences).toContain(`No list of ${region} is loaded.`);
		// The register of developers comes with the service.
		for (const database of databases.filter((name) => name !== "developer"))
			expect(sentences).toContain(`Nothing is loaded in the database ${database}.`);
		expect(scoring.map(({ source, records, freshness }) => [source, records, freshness])).toEqual(
			referenceSources.map((name) => [name, 0, "NEVER"]),
		);
		expect(sample).toBe(false);
	});

	test("nothing is said of a sample", async () => {
		for (const path of ["/llms.txt", "/llms-full.txt"]) expect(await text(world.url, path)).not.toContain(invented);
		const { datasets, not_available } = await replyOf(world.url, "getDataCatalog");
		expect(not_available).toEqual([]);
		expect(new Set(datasets.map(({ sample }) => sample))).toEqual(new Set([false]));
	});
});

describe("of the bundled sample", () => {
	let world: World;
	beforeAll(async () => {
		world = await startWorld();
		await world.settled();
	}, 180_000);
	afterAll(() => world?.[Symbol.asyncDispose]());

	test("every document says that it is invented", async () => {
		const { sample, sample_databases, missing } = await replyOf(world.url, "getCoverage");
		expect([sample, sample_databases]).toEqual([true, databases]);
		expect(missing[0]).toEqual({ dataset: "all", missing: expect.stringContaining(invented) });
		const { datasets } = await replyOf(world.url, "getDataCatalog");
		expect(new Set(datasets.map((dataset) => dataset.sample))).toEqual(new Set([true]));
		const orientation = (await text(world.url, "/llms.txt")).split("\n## ", 1)[0];
		expect(orientation).toContain(invented);
		expect((await text(world.url, "/llms-full.txt")).split("\n## ", 1)[0]).toContain(invented);
	});

	test("reference lists are counted, and one that was never loaded is named", async () => {
		const { scoring, missing } = await replyOf(world.url, "getCoverage");
		const [places, , costs] = scoring;
		expect([places?.source, places?.records === 0, places?.freshness]).toEqual(["energy-communities", false, "FRESH"]);
		expect([costs?.source, costs?.records, costs?.freshness]).toEqual(["ic-costs", 0, "NEVER"]);
		expect(missing).toContainEqual({
			dataset: "scores",
			missing: "Generator interconnection costs (ic-costs): never loaded.",
		});
	});

	test("for each operator, fields that no request states and statuses that no request has are named", async () => {
		await world.sql.begin(async (tx) => {
			await tx`
				update projects set name = null, utility = null, status_std = 'Active', withdrawn_date = null where region = 'SPP'`;
			await tx`update projects set withdrawn_date = null where region = 'MISO'`;
			await raiseDataVersion(tx);
		});
		const sentences = await eventually(async () => {
			const { missing } = await replyOf(world.url, "getCoverage");
			const ofSpp = missing.filter((gap) => /\b(SPP|MISO)\b/.test(gap.missing)).map((gap) => gap.missing);
			return ofSpp.some((sentence) => /SPP does not publish name, .*utility/.test(sentence)) && ofSpp.join("\n");
		});
		expect(sentences).toMatch(/No request of SPP is Withdrawn, Operational, Suspended:/);
		expect(sentences).toMatch(/MISO does not publish .*withdrawn_date of Withdrawn requests/);
	});

	test("places are those that rows are of", async () => {
		const { missing, datacenters, dg } = await replyOf(world.url, "getCoverage");
		const sentences = missing.map((gap) => gap.missing);
		expect(dg.find(({ source }) => source === "nyserda-der")?.kind).toBe("installation");
		expect(sentences).toContain("Single installations: of NY alone.");
		const tracker = datacenters.find(({ source }) => source === "datacenter-proposals");
		expect(sentences).toContain(
			`Proposed data centres (datacenter-proposals): of ${new Intl.ListFormat("en-GB").format(tracker?.states ?? [])} alone.`,
		);
	});

	test("an operator's own list ends it: what remains of the sample is named", async () => {
		const file = await queueFile("miso", queueRows("miso"));
		const asOf = new Date(world.clock.now.getTime() + 3_600_000).toISOString();
		await ingestSnapshot(world.sql, { region: "MISO", files: [file], asOf });
		const coverage = await eventually(async () => {
			const now = await replyOf(world.url, "getCoverage");
			return !now.sample_databases.includes("master") && now;
		});
		expect(coverage.sample_databases.filter((name) => !["signals", "capital"].includes(name))).toEqual([]);
		await eventually(async () => !(await replyOf(world.url, "getCoverage")).sample);
		expect(await text(world.url, "/llms.txt")).not.toContain(invented);
	});
});
