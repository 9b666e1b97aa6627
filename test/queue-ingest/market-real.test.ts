/** The operators' real files to the end: rows copied from them by hand, and averages made from them by another program (awk). */
import { expect, it } from "vitest";
import { describeRealFiles } from "../support/real-files.ts";
import { load, prices } from "./support/market.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

describeRealFiles("market", (read) => {
	const queue: Queue = sharedQueue(async () => {
		for (const name of [
			...["WW_DALMP_ISO_20260604.csv", "lmp_rt_final_20260602.csv", "da_hrl_lmps.csv", "nyiso_20220718rt.csv"],
			...["nyiso_OASIS_Day-Ahead_Market_Zonal_LBMP.csv", "nyiso_OASIS_Real_Time_Commitment_Zonal_LBMP.csv"],
		])
			expect((await load(queue, read(name))).outcome, name).toBe("applied");
	});

	/** Price, energy, congestion and loss of an hour by its local name. */
	async function hour(
		iso: "ISO-NE" | "NYISO",
		market: "day_ahead" | "real_time",
		hub: string,
		day: string,
		ending: string,
	) {
		const rows = await prices(queue, { iso, market, hub, from: day, to: day });
		const [row, ...more] = rows.filter((each) => each.hour_ending === ending);
		expect(more).toEqual([]);
		return [row?.lmp_usd_mwh, row?.energy_usd_mwh, row?.congestion_usd_mwh, row?.loss_usd_mwh];
	}

	it("ISO-NE's hours equal those of the reports", async () => {
		const ahead = (hub: string, ending: string) => hour("ISO-NE", "day_ahead", hub, "2026-06-04", ending);
		expect(await ahead("4000", "01")).toEqual([47.82, 47.56, 0, 0.26]);
		expect(await ahead("4001", "13")).toEqual([37.8, 39.02, 0, -1.22]);
		expect(await ahead("4018", "24")).toEqual([42.69, 43.85, 0, -1.16]);
		const final = (hub: string, ending: string) => hour("ISO-NE", "real_time", hub, "2026-06-02", ending);
		expect(await final("4000", "01")).toEqual([34.98, 34.72, 0, 0.26]);
		expect(await final("4001", "13")).toEqual([30.28, 30.92, 0, -0.64]);
		expect(await final("4018", "24")).toEqual([41.55, 41.85, 0, -0.3]);
	});

	it("ISO-NE's daily averages equal those of the hub's hours", async () => {
		expect(await prices(queue, { iso: "ISO-NE", hub: "4000", interval: "day" })).toMatchObject([
			{
				...{ market: "day_ahead", local_date: "2026-06-04", hours: 24, complete: true, lmp_usd_mwh: 46.55 },
				...{ energy_usd_mwh: 46.465, loss_usd_mwh: 0.1075, min_lmp_usd_mwh: 32.5, max_lmp_usd_mwh: 75.99 },
			},
			{
				...{ market: "real_time", local_date: "2026-06-02", hours: 24, complete: true, lmp_usd_mwh: 38.1367 },
				...{ energy_usd_mwh: 37.9396, loss_usd_mwh: 0.1971, min_lmp_usd_mwh: 17.97, max_lmp_usd_mwh: 58.29 },
			},
		]);
	});

	it("NYISO's day-ahead hours, day and months equal those of the export, with congestion negated", async () => {
		const nyc = (day: string, ending: string) => hour("NYISO", "day_ahead", "61761", day, ending);
		expect(await nyc("2024-06-01", "01")).toEqual([22.21, 21.03, 0, 1.18]);
		expect(await nyc("2024-07-12", "15")).toEqual([51.51, 44.6, 2.49, 4.42]);
		expect(await nyc("2024-08-31", "24")).toEqual([33.98, 26.85, 5.25, 1.88]);
		const params = { iso: "NYISO", market: "day_ahead", hub: "N.Y.C.", sort: "oldest" } as const;
		expect(await prices(queue, { ...params, interval: "day", from: "2024-07-04", to: "2024-07-04" })).toMatchObject([
			{ hours: 24, lmp_usd_mwh: 31.895, min_lmp_usd_mwh: 21.23, max_lmp_usd_mwh: 50.14 },
		]);
		const months = await prices(queue, { ...params, interval: "month" });
		expect(
			months.map((row) => [
				row.hours,
				row.complete,
				row.lmp_usd_mwh,
				row.energy_usd_mwh,
				row.congestion_usd_mwh,
				row.loss_usd_mwh,
			]),
		).toEqual([
			[720, true, 35.0866, 30.9918, 1.353, 2.7418],
			[744, true, 42.4564, 37.0861, 1.8556, 3.5147],
			[744, true, 35.3885, 31.8781, 0.8405, 2.67],
		]);
	});

	it("NYISO's five-minute prices yield time-weighted hours and a day", async () => {
		const [first] = await hour("NYISO", "real_time", "N.Y.C.", "2022-07-18", "01");
		const [before] = await hour("NYISO", "real_time", "N.Y.C.", "2022-07-18", "17");
		const [after] = await hour("NYISO", "real_time", "N.Y.C.", "2022-07-18", "18");
		expect([first, before, after]).toEqual([68.5912, 144.6068, 221.3578]);
		const [day] = await prices(queue, { iso: "NYISO", market: "real_time", hub: "N.Y.C.", interval: "day" });
		expect(day).toMatchObject({
			hours: 24,
			complete: true,
			lmp_usd_mwh: 121.2096,
			loss_usd_mwh: 6.9244,
			congestion_usd_mwh: 52.1881,
		});
	});

	it("the commitment run is a separate market, with the gaps of its export", async () => {
		const params = { market: "real_time_commitment", sort: "oldest" } as const;
		const [first] = await prices(queue, { ...params, per_page: 1 });
		// 19.03, 18.88, 18.82 and 18.15.
		expect(first).toMatchObject({ starts_at: "2024-06-01T04:00:00Z", lmp_usd_mwh: 18.72, complete: true });
		const days = await prices(queue, { ...params, interval: "day", per_page: 500 });
		expect(days.find((row) => row.local_date === "2024-06-02")).toMatchObject({ hours: 24, lmp_usd_mwh: 21.1989 });
		expect(days.filter((row) => !row.complete).map((row) => [row.local_date, row.hours])).toEqual([
			...[
				["2024-06-11", 24],
				["2024-07-15", 24],
				["2024-08-20", 24],
				["2024-08-23", 22],
			],
		]);
	});

	it("PJM's node yields only eleven monthly averages, from 721 hours in November and 743 in March", async () => {
		const reply = await queue.ask("listMarketPrices", { iso: "PJM", interval: "month", sort: "oldest" });
		expect(reply.data.map((row) => [row.local_date.slice(0, 7), row.hours, row.lmp_usd_mwh])).toEqual([
			...[
				["2025-07", 744, 54.8163],
				["2025-08", 744, 32.422],
				["2025-09", 720, 27.1144],
				["2025-10", 744, 37.2625],
			],
			...[
				["2025-11", 721, 42.751],
				["2025-12", 744, 58.9809],
				["2026-01", 744, 135.1781],
				["2026-02", 672, 80.9199],
			],
			...[
				["2026-03", 743, 32.2976],
				["2026-04", 720, 34.6469],
				["2026-05", 744, 33.8468],
			],
		]);
		expect(reply.data[4]).toMatchObject({
			energy_usd_mwh: 48.9706,
			congestion_usd_mwh: -7.3884,
			loss_usd_mwh: 1.1688,
			hub: "ALDENE",
		});
		expect(reply.meta.withheld).toMatchObject([{ iso: "PJM" }]);
		const all = await queue.ask("listMarketPrices", { per_page: 1 });
		expect(all.meta).toMatchObject({ total: 384 + 384 + 360 + 2208 + 2206, withheld: [{ iso: "PJM" }] });
	});
});
