/** Documents of the running system about its data: what there is and what is missing, counted. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { databases } from "#libs/contract/databases.ts";
import { operations, type Reply } from "#libs/contract/index.ts";
import { regions } from "#libs/contract/vocabulary.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { datasetNotes } from "../../services/gateway/documents/dataset-notes.ts";
import { httpOperations, isSold } from "../../services/gateway/registry/bindings.ts";
import { pipelines as queuePipelines } from "../../services/queue-ingest/quality/coverage/list-sources.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { referenceSources } from "../../services/scoring/references/sources/reference.ts";
import { pipelineNames as signalPipelines } from "../../services/signals/records/records.ts";
import { eventually } from "../support/eventually.ts";
import { queueFile, queueRows } from "../support/queue-files.ts";
import { startWorld, type World } from "../support/world.ts";
import { exampleIn, replyOf, sectionOf, text } from "./support/discovery.ts";

const invented = "bundled sample, invented to try the service with";

let world: World;
beforeAll(async () => {
	world = await startWorld();
	await world.settled();
});
afterAll(() => world?.[Symbol.asyncDispose]());

describe("/catalog/data", () => {
	test("one dataset says what it does not answer and what is missing of it", async () => {
		const response = await fetch(`${world.url}/catalog/data/queues`);
		const queues = operations.describeDataset.reply.parse(await response.json());
		const { datasets } = await replyOf(world.url, "getDataCatalog");
		expect(queues).toMatchObject({ ...datasets.find(({ name }) => name === "queues") });
		expect(queues.not_answered).toContainEqual(expect.stringContaining("an application to connect"));
		const { missing } = await replyOf(world.url, "getCoverage");
		const theirs = missing.filter(({ dataset }) => /^(all|queues)$/.test(dataset)).map((gap) => gap.missing);
		expect(queues.missing).toEqual(theirs);
		expect((await fetch(`${world.url}/catalog/data/weather`)).status).toBe(422);
	});

	test("has every maintained source, with its terms and coverage", async () => {
		const { datasets, not_available } = await replyOf(world.url, "getDataCatalog");
		expect(not_available).toEqual([]);
		const { sources } = z
			.object({ sources: z.array(z.object({ source: z.string(), records: z.number() })) })
			.parse(await (await fetch(`${world.url}/source-freshness`)).json());
		const listed = datasets.flatMap((dataset) => dataset.sources.map(({ source, records }) => ({ source, records })));
		for (const source of sources) expect(listed).toContainEqual(source);
		expect(new Set(listed.map(({ source }) => source)).size).toBe(listed.length);
		const nyiso = datasets.flatMap((dataset) => dataset.sources).find(({ source }) => source === "nyiso");
		expect(nyiso).toMatchObject({ publisher: "New York ISO", freshness: "FRESH" });
	});

	test("has the terms of every source and of every pipeline", async () => {
		const { datasets } = await replyOf(world.url, "getDataCatalog");
		const sources = datasets.flatMap((dataset) => dataset.sources);
		expect(sources.map(({ source }) => source)).toEqual(
			expect.arrayContaining(["gem", "eia_861", "sec_exhibit_21", "developer-register", "ic-costs", "miso"]),
		);
		for (const { source, licence } of sources) expect(licence, source).not.toContain("Not described");
		const gem = sources.find(({ source }) => source === "gem");
		expect(gem).toMatchObject({ publisher: "Global Energy Monitor", licence: "CC BY 4.0" });
		for (const name of [...queuePipelines.map(({ feed }) => feed), ...signalPipelines, ...referenceSources])
			expect(sources).toContainEqual(expect.objectContaining({ source: name }));
		expect(sources.find(({ source }) => source === "isone-day-ahead")).toMatchObject({
			title: "Day-ahead hourly prices",
			publisher: "ISO New England",
			url: "https://www.iso-ne.com/isoexpress/",
			licence: expect.stringContaining("asserts copyright"),
			attribution: "Source: ISO New England",
			cadence: "daily",
		});
		expect(sources.find(({ source }) => source === "pjm-day-ahead")?.licence).toContain("needs a license from PJM");
	});

	test("has a dataset for every priced endpoint, and an endpoint for every dataset", () => {
		const paths = httpOperations().filter(({ http, name }) => isSold(http) && !/^(get|run).*Query$/.test(name));
		for (const { http } of paths)
			expect(
				datasetNotes.some((note) => note.paths.test(http.path)),
				http.path,
			).toBe(true);
		for (const note of datasetNotes)
			expect(
				httpOperations().some(({ http }) => note.paths.test(http.path)),
				note.name,
			).toBe(true);
	});
});

describe("/coverage", () => {
	test("counts the loaded data", async () => {
		const { queues, developers, news } = await replyOf(world.url, "getCoverage");
		expect(queues.map(({ region }) => region)).toEqual(regions);
		const [row] = await world.sql<{ requests: number; dated: number; named: number }[]>`
			select count(*)::int as requests, count(cod)::int as dated, (select count(*)::int from listed_developers) as named
			from projects where kind = 'generation' and region = 'ERCOT'`;
		const ercot = queues.find(({ region }) => region === "ERCOT");
		expect(ercot?.requests).toBe(row?.requests);
		expect(ercot?.filled.cod).toBeCloseTo((row?.dated ?? 0) / (row?.requests ?? 1), 4);
		expect(ercot?.states).toEqual(["TX"]);
		expect(developers.developers).toBe(row?.named);
		const [articles] = await world.signalsSql<{ n: number }[]>`select count(*)::int as n from articles`;
		expect(news.records).toBe(articles?.n);
		expect(Object.values(news.by_type).reduce((sum, n) => sum + n, 0)).toBe(news.records);
	});

	test("names missing data: an unloaded schedule, an operator without a list, unpublished loads", async () => {
		const before = await replyOf(world.url, "getCoverage");
		const missingIn = (coverage: Reply<"getCoverage">) => coverage.missing.map(({ missing }) => missing).join("\n");
		expect(missingIn(before)).not.toContain("3_1");
		expect(missingIn(before)).toContain("NYISO alone publishes them");
		expect(missingIn(before)).not.toMatch(/load request of [^:]*NYISO/);
		await world.sql.begin(async (tx) => {
			await tx`delete from eia_schedules where schedule = 'generator' and year = 2025`;
			await tx`update feeds set applied_as_of = null where feed = 'caiso-cluster-15'`;
			await raiseDataVersion(tx);
		});
		const after = await eventually(async () => {
			const coverage = await replyOf(world.url, "getCoverage");
			return missingIn(coverage).includes("EIA-860 2025: the generator schedule (3_1) is not loaded")
				? coverage
				: undefined;
		});
		expect(after.eia860.find(({ year }) => year === 2025)?.missing).toContain("generator");
		expect(missingIn(after)).toContain("The list caiso-cluster-15 of CAISO is not loaded.");
	});
});

describe("the bundled sample", () => {
	test("is marked as invented in every document", async () => {
		const { sample, sample_databases, missing } = await replyOf(world.url, "getCoverage");
		expect([sample, sample_databases]).toEqual([true, databases]);
		expect(missing[0]).toEqual({ dataset: "all", missing: expect.stringContaining(invented) });
		const { datasets } = await replyOf(world.url, "getDataCatalog");
		expect(new Set(datasets.map((dataset) => dataset.sample))).toEqual(new Set([true]));
		const orientation = (await text(world.url, "/llms.txt")).split("\n## ", 1)[0];
		expect(orientation).toContain(invented);
		expect((await text(world.url, "/llms-full.txt")).split("\n## ", 1)[0]).toContain(invented);
	});

	test("has its reference lists counted, and those never loaded are named", async () => {
		const { scoring, missing } = await replyOf(world.url, "getCoverage");
		const [places, , costs] = scoring;
		expect([places?.source, places?.records === 0, places?.freshness]).toEqual(["energy-communities", false, "FRESH"]);
		expect([costs?.source, costs?.records, costs?.freshness]).toEqual(["ic-costs", 0, "NEVER"]);
		expect(missing).toContainEqual({
			dataset: "scores",
			missing: "Generator interconnection costs (ic-costs): never loaded.",
		});
	});

	test("has places derived from its rows", async () => {
		const { missing, datacenters, dg } = await replyOf(world.url, "getCoverage");
		const sentences = missing.map((gap) => gap.missing);
		expect(dg.find(({ source }) => source === "nyserda-der")?.kind).toBe("installation");
		expect(sentences).toContain("Single installations: of NY alone.");
		const tracker = datacenters.find(({ source }) => source === "datacenter-proposals");
		expect(sentences).toContain(
			`Proposed data centers (datacenter-proposals): of ${new Intl.ListFormat("en-GB").format(tracker?.states ?? [])} alone.`,
		);
	});
});

test("has, for each operator, the fields and statuses that no request states", async () => {
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

test("is reflected by /llms-full.txt", async () => {
	const name = "An example that is asked for again";
	const reference = await text(world.url, "/llms-full.txt");
	const { id } = operations.getProject.reply.parse(exampleIn(sectionOf(reference, "getProject")));
	await world.sql.begin(async (tx) => {
		await tx`update projects set name = ${name}, version = version + 1 where id = ${id}`;
		await raiseDataVersion(tx);
	});
	await eventually(async () => (await text(world.url, "/llms-full.txt")).includes(name));
});

test("has the sources, places and time spans of the related datasets in /coverage", async () => {
	await world.sql.begin(async (tx) => {
		// The sample's rows of these data sets would disturb the counts.
		await tx`truncate dg_records, datacenter_facilities, datacenter_proposals, market_days, market_prices, market_hubs`;
		await tx`delete from dataset_editions`;
		await tx`insert into raw_files (sha256, bytes, size_bytes) values ('dg', '', 0)`;
		await tx`insert into dataset_editions (feed, edition, database, sha256, snapshot_id, rows_in, parsed, stored, applied_at)
			values ('eia861-net-metering', '2018', 'dg', 'dg', 1, 2, 2, 2, now())`;
		await tx`insert into dg_records (source, edition, snapshot_id, id, kind, state, year, adjustment, in_totals)
			select 'eia861-net-metering', '2018', 1, 'DG-' || state, 'utility_total', state, 2018, false, true
			from unnest(array['TX', 'AZ']) state`;
		await tx`insert into datacenter_facilities (id, source, edition, snapshot_id, as_of, state)
			values ('DC-1', 'datacenter-map', 'current', 1, '2024-11-01', 'VA')`;
		await tx`insert into datacenter_proposals (id, source, edition, snapshot_id, as_of, name, companies, counties, state)
			values ('DCP-1', 'datacenter-proposals', 'current', 1, '2026-08-01', 'Prairie campus', '{}', '{}', 'IL')`;
		await tx`insert into market_hubs (iso, hub_id, hub, hub_type, timezone, finest_interval, source, edition, snapshot_id)
			values ('PJM', '51288', 'WESTERN HUB', 'node', 'America/New_York', 'month', 'pjm-day-ahead', '2026', 1)`;
		await tx`insert into market_days (iso, market, hub_id, local_date, hours, whole_hours, hours_of_day, lmp_sum, lmp_min, lmp_max,
				first_at, last_at, source, edition, snapshot_id)
			select 'PJM', 'day_ahead', '51288', day, 24, 24, 24, 720, 20, 40, day + interval '4 hours', day + interval '27 hours',
				'pjm-day-ahead', '2026', 1
			from unnest(array['2026-06-01', '2026-06-02']::timestamptz[]) day`;
		await raiseDataVersion(tx);
	});
	const { dg, datacenters, market, missing } = await eventually(async () => {
		const coverage = await replyOf(world.url, "getCoverage");
		return coverage.market.length === 1 && coverage;
	});
	const utilities = dg.find(({ source }) => source === "eia861-net-metering");
	const { records, states, first, last, editions } = utilities ?? {};
	expect([records, states, first, last, editions]).toEqual([2, ["AZ", "TX"], "2018", "2018", ["2018"]]);
	expect(datacenters.map(({ source, states: where, last: on }) => [source, where, on])).toEqual([
		["datacenter-map", ["VA"], "2024-11-01"],
		["datacenter-proposals", ["IL"], "2026-08-01"],
	]);
	expect(market).toEqual([
		{
			iso: "PJM",
			market: "day_ahead",
			finest_interval: "month",
			hubs: 0,
			zones: 0,
			interfaces: 0,
			nodes: 1,
			days: 2,
			hours: 48,
			first: "2026-06-01T04:00:00Z",
			last: "2026-06-03T03:00:00Z",
		},
	]);
	const text = missing.map((gap) => gap.missing).join("\n");
	expect(text).toContain("The license of PJM (day_ahead) allows only monthly averages");
	expect(text).toContain("No prices of MISO, ERCOT, CAISO, NYISO, SPP, ISO-NE are loaded.");
	expect(text).toContain(
		"Of PJM (day_ahead) 2 days between 2026-06-01 and 2026-06-03 (UTC) are loaded, of 1 node (no hub,",
	);
	expect(text).toContain("No real_time prices of PJM are loaded.");
	expect(text).toContain("Form EIA-861, net metering (eia861-net-metering): of 2018 only.");
	expect(text).toContain("Totals of utilities: of AZ and TX alone.");
	expect(text).toContain("Totals of areas are not loaded.");
	expect(text).toContain("Proposed data centers (datacenter-proposals): of IL alone.");
	for (const never of ["eia861-distributed", "isone-day-ahead", "datacenter-guide"])
		expect(text).toMatch(new RegExp(`\\(${never}\\): `));
});

test("ends with an operator's own list, and its remains are named", async () => {
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

describe("a service without data", () => {
	let world: World;
	beforeAll(async () => {
		world = await startWorld({ data: "none" });
	}, 180_000);
	afterAll(() => world?.[Symbol.asyncDispose]());

	test("lists every maintained source as not loaded in /coverage", async () => {
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

	test("does not mention a sample", async () => {
		for (const path of ["/llms.txt", "/llms-full.txt"]) expect(await text(world.url, path)).not.toContain(invented);
		const { datasets, not_available } = await replyOf(world.url, "getDataCatalog");
		expect(not_available).toEqual([]);
		expect(new Set(datasets.map(({ sample }) => sample))).toEqual(new Set([false]));
	});
});
