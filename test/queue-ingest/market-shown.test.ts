/** Market prices as shown: data that a licence withholds, the hubs, and SQL. */
import { expect, it } from "vitest";
import { operations as contract } from "#libs/contract/index.ts";
import { databases } from "../../services/queue-ingest/extracts/index.ts";
import { intervalEnds, isoneReport, nyisoFile, oasisDay, oasisFile, pjmFile } from "../support/market-files.ts";
import { hoursOf, load, prices } from "./support/market.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const queue: Queue = sharedQueue(async () => {
	const realTime = intervalEnds("07/18/2022", "07/19/2022", 5).map((stamp): [string, number] => [stamp, 20]);
	for (const file of [
		isoneReport({ day: "06/03/2026" }),
		isoneReport({ day: "06/04/2026", more: 100 }),
		nyisoFile("20220718realtime_zone.csv", realTime),
		oasisFile(oasisDay("6/1/24", 20)),
		pjmFile(pjmRows),
	])
		expect((await load(queue, file)).outcome, file.name).toBe("applied");
});

/** July of 2025, whole, and five days of August. */
const pjmRows = hoursOf("2025-07-01", 36 * 24).map((at, hour) => ({ at, lmp: 30 + (hour % 24) }));

it("PJM's hours and days are withheld from callers; its complete months are not", async () => {
	for (const interval of ["hour", "day"] as const) {
		const { error } = contract.listMarketPrices.params.safeParse({ iso: "pjm", interval });
		expect(error?.issues).toMatchObject([
			{ path: ["interval"], message: expect.stringContaining("monthly averages only") },
		]);
		const mixed = await queue.ask("listMarketPrices", {
			interval,
			per_page: 500,
			from: "2025-07-01",
			to: "2025-08-31",
		});
		expect(mixed.data).toEqual([]);
		expect(mixed.meta).toMatchObject({
			total: 0,
			coverage: { PJM: expect.stringMatching(/^2025-/) },
			withheld: [{ iso: "PJM", reason: expect.stringContaining("monthly averages") }],
		});
	}
	const months = await queue.ask("listMarketPrices", { iso: "PJM", interval: "month" });
	expect(months.data).toMatchObject([
		{
			local_date: "2025-07-01",
			hours: 744,
			complete: true,
			lmp_usd_mwh: 41.5,
			min_lmp_usd_mwh: null,
			max_lmp_usd_mwh: null,
		},
	]);
	expect(months.meta).toMatchObject({
		total: 1,
		withheld: [{ iso: "PJM", reason: expect.stringContaining("all its hours") }],
	});
	expect(
		(await queue.ask("listMarketPrices", { iso: "PJM", interval: "month", to: "2025-07-15" })).meta.withheld,
	).toEqual([]);
	expect((await queue.ask("listMarketPrices", { iso: "NYISO" })).meta.withheld).toEqual([]);
});

it("files withhold PJM's hours and days, and the extremes of its complete months", async () => {
	const rowsOf = async (interval: "hour" | "day" | "month") =>
		(await queue.file("exportPrices", { interval, format: "ndjson" }))
			.split("\n")
			.slice(0, -1)
			.map((line) => JSON.parse(line) as Record<string, unknown>);
	for (const interval of ["hour", "day"] as const) {
		const rows = await rowsOf(interval);
		expect(rows.some(({ iso }) => iso === "NYISO")).toBe(true);
		expect(rows.filter(({ iso }) => iso === "PJM")).toEqual([]);
		expect(contract.exportPrices.params.safeParse({ region: "PJM", interval }).error?.issues).toMatchObject([
			{ path: ["interval"] },
		]);
	}
	const months = await rowsOf("month");
	expect(months.filter(({ iso }) => iso === "PJM")).toEqual(
		(await queue.ask("listMarketPrices", { iso: "PJM", interval: "month" })).data,
	);
});

it("a day of PJM's cannot be requested as a month of one day", async () => {
	const oneDay = { iso: "PJM", interval: "month", from: "2025-07-10", to: "2025-07-10" } as const;
	expect(await prices(queue, oneDay)).toMatchObject([{ local_date: "2025-07-01", hours: 744 }]);
});

it("hubs state their loaded prices, and which operators have none", async () => {
	const reply = await queue.ask("listMarketHubs", {});
	expect(reply.meta).toEqual({
		total: 6,
		page: 1,
		per_page: 50,
		pages: 1,
		operators_without_prices: ["MISO", "ERCOT", "CAISO", "SPP"],
	});
	expect(reply.data.map(({ iso, hub }) => `${iso} ${hub}`)).toEqual([
		...["ISO-NE .H.INTERNAL_HUB", "ISO-NE .I.SALBRYNB345 1", "ISO-NE .Z.MAINE"],
		...["NYISO CAPITL", "NYISO N.Y.C.", "PJM WESTERN HUB"],
	]);
	expect(reply.data[0]?.markets).toEqual([
		{
			...{
				market: "day_ahead",
				first_hour_at: "2026-06-03T04:00:00Z",
				last_hour_at: "2026-06-05T03:00:00Z",
				hours: 48,
			},
			...{ months: 1, latest_date: "2026-06-04", latest_daily_lmp_usd_mwh: 133, source: "isone-day-ahead" },
		},
	]);
	expect(reply.data[4]?.markets.map(({ market }) => market)).toEqual(["day_ahead", "real_time"]);
	const [western] = (await queue.ask("listMarketHubs", { iso: "PJM" })).data;
	expect(western).toMatchObject({
		finest_interval: "month",
		markets: [{ months: 1, latest_daily_lmp_usd_mwh: null, hours: 864 }],
	});
	const real = await queue.ask("listMarketHubs", { market: "real_time", hub_type: "zone" });
	expect(real.data.map(({ hub, markets }) => [hub, markets.length])).toEqual([
		["CAPITL", 1],
		["N.Y.C.", 1],
	]);
});

it("extracts contain what responses show, and nothing that the licence withholds", async () => {
	const shown = async (name: string, condition: string) => {
		const view = databases.market?.find((each) => each.name === name);
		return [...(await queue.sql.unsafe(`select * from (${view?.sql}) v where ${condition}`))];
	};
	const [hour] = await shown("hourly_prices", "hub_id = '4000' and local_date = '2026-06-04' order by starts_at");
	expect(hour).toMatchObject({
		iso: "ISO-NE",
		hub: ".H.INTERNAL_HUB",
		lmp_usd_mwh: 121.5,
		hour_ending: "01",
		complete: true,
	});
	expect(await shown("hourly_prices", "iso = 'PJM'")).toEqual([]);
	expect(await shown("daily_prices", "iso = 'PJM'")).toEqual([]);
	expect(await shown("monthly_prices", "iso = 'PJM'")).toEqual([
		expect.objectContaining({ hours: 744, lmp_usd_mwh: 41.5, max_lmp_usd_mwh: null, min_lmp_usd_mwh: null }),
	]);
	expect(await shown("hourly_prices", "true")).toHaveLength(72 * 2 + 24 * 2 + 24);
});
