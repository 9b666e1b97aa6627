import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ownershipRecorded } from "#libs/contract/events/queue-ingest.ts";
import { connect } from "#libs/postgres/connect.ts";
import { resolveOwners } from "../../services/queue-ingest/developers/jobs/link-names.ts";
import { loadEia860 } from "../../services/queue-ingest/plants/jobs/load-eia860.ts";
import { recordOwnership } from "../../services/signals/deals/record-ownership.ts";
import { realData } from "../../tools/bench/real-data.ts";
import { describeRealFiles } from "../support/real-files.ts";
import { type Deals, type Owned, openDeals } from "./support/ma.ts";

const schedules = ["1___Utility", "2___Plant", "3_2_Wind", "3_3_Solar", "4___Owner"];

/** Every row of the answer, in a form to read. */
async function rowsOf(deals: Deals) {
	const { meta } = await deals.ask("listMaEvents");
	const pages = Array.from({ length: Math.ceil(meta.total / 200) }, (_, at) => at + 1);
	return (await Promise.all(pages.map((page) => deals.ask("listMaEvents", { page, per_page: 200 })))).flatMap(
		({ data }) => data,
	);
}

describeRealFiles("eia860", (read) => {
	let deals: Deals;
	let owned: Owned[];
	beforeAll(async () => {
		deals = await openDeals();
		await using queue = connect(deals.adminUrl, {
			schema: "queue_ingest",
			name: "test",
			max: 2,
			statementTimeoutMs: 0,
		});
		const files = [2019, 2020].flatMap((year) =>
			schedules.map((schedule) => ({ ...read(`${year}/${schedule}_Y${year}.xlsx`), path: schedule })),
		);
		await loadEia860(queue, files, { resolve: resolveOwners, now: () => new Date("2026-11-20T12:00:00Z") });
		const rows = await queue<{ payload: string }[]>`
			select payload from outbox where subject like '%ownership.recorded' order by id`;
		owned = rows.map(({ payload }) => ownershipRecorded.payload.parse(JSON.parse(payload)));
		for (let at = 0; at < owned.length; at += 500) await deals.deliver(recordOwnership, owned.slice(at, at + 500));
	}, 180_000);
	afterAll(() => deals[Symbol.asyncDispose]());

	it("owners of 2019 and 2020 show hundreds of sold generators, not thousands", async () => {
		const rows = await rowsOf(deals);
		if (process.env.SHOW_ROWS !== undefined) for (const row of rows) console.log(JSON.stringify(row));
		const generators = new Set(rows.map((row) => `${row.plant_id_eia} ${row.generator_id}`));
		expect(generators.size).toBeGreaterThan(150);
		expect(generators.size).toBeLessThan(500);
		expect(rows.filter(({ confidence }) => confidence === "low").length).toBeGreaterThan(rows.length / 2);
	});

	it("owners show known sales: Sempra's half of BP's wind farms, Dominion's of another, Basin Creek, Noble's wind farms", async () => {
		const rows = await rowsOf(deals);
		const sold = (seller: string) => rows.filter((row) => row.seller === seller);
		expect(sold("Sempra Generation").map(({ buyer, fraction_owned }) => [buyer, fraction_owned])).toEqual(
			Array(4).fill(["AEP Resources, Inc", 0.5]),
		);
		expect(sold("Dominion Fowler Ridge Wind LLC").map(({ buyer }) => buyer)).toEqual(
			Array(2).fill("BP Wind Energy North America Inc"),
		);
		expect(sold("Maxim Power (USA) Inc")).toHaveLength(9);
		expect(new Set(sold("Noble Environmental Power").map(({ plant_id_eia }) => plant_id_eia)).size).toBe(6);
	});

	it("owners show no rename, no reorganisation within a group, and no project company reported for its owner", async () => {
		const rows = await rowsOf(deals);
		const pairs = rows.map(({ seller, buyer }) => `${seller} > ${buyer}`);
		for (const rename of [
			"Aera Energy LLC > AERA Energy LLC",
			"Four Peaks Energy Inc > Four Peaks Energy LLC",
			"FirstEnergy Generation Corp > FirstEnergy Generation Corp",
			"Dynegy Inc > Vistra Corp",
			"Evergy Kansas South, Inc > Evergy Metro",
			"ENGIE Resources LLC > Engie North America",
			"Shell Chemical LP > Geismar Statutory Trust",
		])
			expect(pairs).not.toContain(rename);
		// Forty project companies that Southern Power lists in 2020 for the first time, and Indiana's municipal agency eleven.
		expect(rows.filter(({ seller }) => /^Southern (Power|Turner)|^Indiana Municipal/.test(seller ?? ""))).toEqual([]);
	});

	it("owners yield equal events in the other order of years, and none when published again", async () => {
		const rows = await rowsOf(deals);
		await deals.published();
		const again = owned.map((one) => ({ ...one, id: `${one.id}:again` }));
		for (let at = 0; at < again.length; at += 2_000) await deals.deliver(recordOwnership, again.slice(at, at + 2_000));
		expect(await deals.published()).toEqual([]);
		await using other = await openDeals();
		const reversed = owned.toReversed();
		for (let at = 0; at < reversed.length; at += 1_000)
			await other.deliver(recordOwnership, reversed.slice(at, at + 1_000));
		const facts = (one: object) => JSON.stringify(one);
		expect((await rowsOf(other)).map(facts).sort()).toEqual(rows.map(facts).sort());
	}, 120_000);

	it("owners yield equal events when the years are loaded one by one, in any order, with gaps", async () => {
		const orders = [
			[2019, 2020, 2023, 2024],
			[2023, 2024, 2020, 2019],
		];
		const found: string[][] = [];
		for (const years of orders) {
			await using loaded = await openDeals();
			const options = { schema: "queue_ingest", name: "test", max: 2, statementTimeoutMs: 0 };
			await using queue = connect(loaded.adminUrl, options);
			for (const year of years) {
				const folder = `../${year < 2022 ? "eia860" : "eia860_later"}/${year}`;
				const names = readdirSync(join(realData, "eia860", folder));
				const files = names.map((name) => ({ ...read(`${folder}/${name}`), path: name }));
				const now = () => new Date("2026-11-20T12:00:00Z");
				expect(await loadEia860(queue, files, { resolve: resolveOwners, now })).toMatchObject({ outcome: "applied" });
			}
			const events = await queue<{ payload: string }[]>`
				select payload from outbox where subject like '%ownership.recorded' order by id`;
			const recorded = events.map(({ payload }) => ownershipRecorded.payload.parse(JSON.parse(payload)));
			for (let at = 0; at < recorded.length; at += 500)
				await loaded.deliver(recordOwnership, recorded.slice(at, at + 500));
			found.push((await rowsOf(loaded)).map((row) => JSON.stringify(row)).sort());
		}
		expect(found[1]).toEqual(found[0]);
		expect(found[0]?.length).toBeGreaterThan(300);
	}, 300_000);
});
