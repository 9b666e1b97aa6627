/** Market prices from their files to the answers: hours, averages, replacement and overlap. */
import { expect, it } from "vitest";
import { operations as contract } from "#libs/contract/index.ts";
import { bytesOf, intervalEnds, isoneReport, nyisoFile, oasisDay, oasisFile } from "../support/market-files.ts";
import { load, prices } from "./support/market.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const queue = sharedQueue();

const hubOnly: [string, string, string, number][] = [["HUB", "4000", ".H.INTERNAL_HUB", 0.5]];
const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, at) => String(from + at).padStart(2, "0"));
const june = { iso: "ISO-NE", from: "2026-06-01", to: "2026-06-30" } as const;

it("an hour of a report is served with its parts, its local hour and its source", async () => {
	const report = await load(queue, isoneReport({ day: "06/04/2026", generated: "06/03/2026" }));
	expect(report).toMatchObject({ outcome: "applied", rows_in: 96, rows_stored: 72, edition: "2026-06-04" });
	const reply = await queue.ask("listMarketPrices", { ...june, hub: "internal", sort: "oldest", per_page: 2 });
	expect(reply.meta).toEqual({
		coverage: { "ISO-NE": "2026-06-04" },
		total: 24,
		page: 1,
		per_page: 2,
		pages: 12,
		withheld: [],
	});
	expect(reply.data[0]).toEqual({
		...{
			iso: "ISO-NE",
			hub: ".H.INTERNAL_HUB",
			hub_id: "4000",
			hub_type: "hub",
			market: "day_ahead",
			interval: "hour",
		},
		...{ starts_at: "2026-06-04T04:00:00Z", local_date: "2026-06-04", hour_ending: "01" },
		...{ lmp_usd_mwh: 21.5, energy_usd_mwh: 21, congestion_usd_mwh: 0, loss_usd_mwh: 0.5 },
		...{ min_lmp_usd_mwh: null, max_lmp_usd_mwh: null, hours: 1, complete: true, timezone: "America/New_York" },
		...{ source: "isone-day-ahead", published: "2026-06-03" },
	});
	expect((await prices(queue, { ...june, hub: "4000" }))[0]).toMatchObject({
		...{ starts_at: "2026-06-05T03:00:00Z", local_date: "2026-06-04", hour_ending: "24" },
	});
});

it("coverage is null for an operator or a hub without prices", async () => {
	const coverageOf = async (params: object) =>
		(await queue.ask("listMarketPrices", { from: "2026-01-01", ...params })).meta.coverage;
	expect(await coverageOf({ iso: "SPP" })).toEqual({ SPP: null });
	expect(await coverageOf({ region: "ISO-NE", hub: "nowhere" })).toEqual({ "ISO-NE": null });
	expect(await coverageOf({ hub: "internal" })).toMatchObject({ "ISO-NE": "2026-06-04", SPP: null });
});

it("a day's average is the mean of its hours, with the lowest and the highest", async () => {
	const [row, ...more] = await prices(queue, { ...june, hub: "4000", interval: "day" });
	expect(more).toEqual([]);
	expect(row).toMatchObject({
		...{ starts_at: "2026-06-04T04:00:00Z", hour_ending: null, hours: 24, complete: true, lmp_usd_mwh: 33 },
		...{ energy_usd_mwh: 32.5, loss_usd_mwh: 0.5, min_lmp_usd_mwh: 21.5, max_lmp_usd_mwh: 44.5 },
	});
});

it("the same day again replaces its prices and adds none", async () => {
	const again = await load(queue, isoneReport({ day: "06/04/2026", generated: "06/05/2026", more: 100 }));
	expect([again.outcome, again.rows_stored]).toEqual(["applied", 72]);
	expect(await prices(queue, { ...june, hub: "4000" })).toHaveLength(24);
	expect(await prices(queue, { ...june, hub: "4000", interval: "day" })).toMatchObject([
		{ lmp_usd_mwh: 133, hours: 24 },
	]);
	expect(await prices(queue, { ...june, hub: "4000", interval: "month" })).toMatchObject([
		{ lmp_usd_mwh: 133, hours: 24, complete: false, local_date: "2026-06-01", starts_at: "2026-06-01T04:00:00Z" },
	]);
});

it("an older or truncated report of the day changes nothing", async () => {
	const older = await load(queue, isoneReport({ day: "06/04/2026", generated: "06/02/2026", more: 7 }));
	expect(older.outcome).toBe("quarantined");
	const whole = isoneReport({ day: "06/05/2026" });
	const cut = await load(queue, { ...whole, bytes: whole.bytes.slice(0, 3_000) });
	expect([cut.outcome, cut.reason]).toEqual(["quarantined", expect.stringContaining("has no trailer")]);
	expect(await prices(queue, { ...june, hub: "4000", interval: "day" })).toMatchObject([{ lmp_usd_mwh: 133 }]);
});

it("a day that lost half of its locations is held back", async () => {
	const report = await load(queue, isoneReport({ day: "06/06/2026", locations: hubOnly }));
	expect([report.outcome, report.reason]).toEqual(["quarantined", expect.stringContaining("collapsed from 72")]);
});

it("days of 23 and 25 hours are complete, and 02X is distinguished from 02", async () => {
	const autumn = isoneReport({ day: "11/02/2025", labels: ["01", "02", "02X", ...range(3, 24)] });
	const spring = isoneReport({ day: "03/08/2026", labels: ["01", "02", ...range(4, 24)] });
	for (const file of [autumn, spring]) expect((await load(queue, file)).outcome).toBe("applied");
	const days = { iso: "ISO-NE", hub: "4000", interval: "day", sort: "oldest", to: "2026-04-01" } as const;
	expect(await prices(queue, days)).toMatchObject([
		{ local_date: "2025-11-02", hours: 25, complete: true, starts_at: "2025-11-02T04:00:00Z" },
		{ local_date: "2026-03-08", hours: 23, complete: true, starts_at: "2026-03-08T05:00:00Z" },
	]);
	const hours = async (day: string) =>
		(await prices(queue, { iso: "ISO-NE", hub: "4000", from: day, to: day, sort: "oldest" })).map(
			(row) => row.hour_ending,
		);
	expect((await hours("2025-11-02")).slice(0, 5)).toEqual(["01", "02", "02X", "03", "04"]);
	expect((await hours("2026-03-08")).slice(0, 4)).toEqual(["01", "02", "04", "05"]);
});

const nyc = { iso: "NYISO", hub: "N.Y.C.", market: "day_ahead" } as const;

it("an hour in overlapping exports counts once, by its later version, else the newer export", async () => {
	const first = oasisFile([...oasisDay("6/1/24", 20), ...oasisDay("6/2/24", 20)]);
	const second = oasisFile([...oasisDay("6/2/24", 50, 2), ...oasisDay("6/3/24", 50)]);
	const third = oasisFile(["6/2/24", "6/3/24", "6/4/24"].flatMap((day) => oasisDay(day, 90)));
	for (const file of [first, second, third]) expect((await load(queue, file)).outcome).toBe("applied");
	const rows = await prices(queue, { ...nyc, interval: "day", sort: "oldest" });
	expect(rows.map(({ local_date, hours, energy_usd_mwh }) => [local_date, hours, energy_usd_mwh])).toEqual([
		["2024-06-01", 24, 31.5],
		["2024-06-02", 24, 61.5],
		["2024-06-03", 24, 101.5],
		["2024-06-04", 24, 101.5],
	]);
	expect(await prices(queue, { ...nyc, interval: "month" })).toMatchObject([
		{ hours: 96, energy_usd_mwh: 74, complete: false },
	]);
	expect(await prices(queue, { ...nyc, per_page: 500 })).toHaveLength(96);
});

it("an hour that its preferred file withdraws gets the other file's price", async () => {
	const [edition] = await queue.sql<{ edition: string }[]>`
		select edition from dataset_editions where edition like '2024-06-02..2024-06-03%'`;
	const corrected = oasisFile([...oasisDay("6/2/24", 50, 1).slice(12), ...oasisDay("6/3/24", 50)], "corrected.csv");
	expect(edition).toBeDefined();
	// The same days and zone, of which the first begins late: refused, as a cut file is.
	expect((await load(queue, corrected)).outcome).toBe("quarantined");
	const gap = oasisDay("6/2/24", 50, 2).filter((_, hour) => hour !== 5);
	expect((await load(queue, oasisFile([...gap, ...oasisDay("6/3/24", 50)]))).outcome).toBe("applied");
	const rows = await prices(queue, { ...nyc, from: "2024-06-02", to: "2024-06-02", sort: "oldest" });
	expect(rows).toHaveLength(24);
	expect([rows[4], rows[5]]).toMatchObject([{ energy_usd_mwh: 54 }, { energy_usd_mwh: 95 }]);
});

it("five-minute prices are served by the hour; one that lacks an interval is not complete", async () => {
	const stamps = intervalEnds("07/18/2022", "07/19/2022", 5).map((stamp, at): [string, number] => [
		stamp,
		20 + (at % 12),
	]);
	const file = nyisoFile(
		"20220718realtime_zone.csv",
		stamps.filter((_, at) => at !== 30),
	);
	expect(await load(queue, file)).toMatchObject({ outcome: "applied", rows_stored: 48, rows_in: 574 });
	const params = { iso: "NYISO", market: "real_time", hub: "CAPITL", sort: "oldest" } as const;
	const rows = await prices(queue, params);
	expect(rows.map(({ complete }) => complete).indexOf(false)).toBe(2);
	expect(rows[0]).toMatchObject({ starts_at: "2022-07-18T04:00:00Z", energy_usd_mwh: 25.5, complete: true });
	expect(await prices(queue, { ...params, interval: "day" })).toMatchObject([{ hours: 24, complete: false }]);
});

it("filters select by operator, location, market and local day, and pages follow a total order", async () => {
	const all = await queue.ask("listMarketPrices", { per_page: 500 });
	const seen: string[] = [];
	for (let page = 1; page <= Math.ceil(all.meta.total / 50); page++) {
		const rows = await prices(queue, { page });
		seen.push(...rows.map((row) => `${row.starts_at} ${row.iso} ${row.hub_id} ${row.market}`));
	}
	expect(new Set(seen).size).toBe(all.meta.total);
	expect([...seen].sort((a, b) => (a.slice(0, 20) < b.slice(0, 20) ? 1 : -1)).map((row) => row.slice(0, 20))).toEqual(
		seen.map((row) => row.slice(0, 20)),
	);
	// The last local hour of 4 June is on the 5th of UTC.
	expect(await prices(queue, { iso: "ISO-NE", hub: "4000", from: "2026-06-05" })).toEqual([]);
	expect(await prices(queue, { hub: "%" })).toEqual([]);
	expect(await prices(queue, { market: "real_time_commitment" })).toEqual([]);
	expect(await prices(queue, { iso: "MISO" })).toEqual([]);
});

it("a range that ends before it begins is refused with the parameter's name", () => {
	const { success, error } = contract.listMarketPrices.params.safeParse({ from: "2026-06-02", to: "2026-06-01" });
	expect([success, error?.issues[0]?.path]).toEqual([false, ["to"]]);
});

it("an unknown file is recognised by no feed", async () => {
	await expect(load(queue, { name: "prices.csv", bytes: bytesOf("a,b\n1,2\n") })).rejects.toThrow("no file of prices");
});
