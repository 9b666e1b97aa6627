import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { HeadedTable } from "../../libs/files/table.ts";
import { number, text } from "../../libs/files/values.ts";
import { readWorkbook } from "../../libs/files/workbook.ts";
import { findStorageHours } from "../../services/scoring/domain/tax-credits/value.ts";
import { haveRealData, realData } from "../bench/real-data.ts";

test.runIf(haveRealData)("the hours of batteries are the medians of the EIA's form", async () => {
	const form = await readFile(resolve(realData, "eia860_later/2024/3_4_Energy_Storage_Y2024.xlsx"));
	const sheets = (await readWorkbook(form)).filter(({ name }) => /operable|proposed/i.test(name));
	const batteries = sheets.flatMap((sheet) => {
		const table = new HeadedTable(sheet, [["Plant Code"], ["Nameplate Energy Capacity (MWh)"]]);
		const at = (...names: string[]) => table.column(...names);
		const [state, year] = [at("State"), at("Operating Year", "Current Year")];
		const [mw, mwh] = [at("Nameplate Capacity (MW)"), at("Nameplate Energy Capacity (MWh)")];
		return table.rows.flatMap((row) => {
			const [power, energy] = [number(row[mw]) ?? 0, number(row[mwh]) ?? 0];
			return power >= 5 && energy > 0
				? [{ state: text(row[state]) ?? "", year: number(row[year]) ?? 0, hours: energy / power }]
				: [];
		});
	});
	const byState = Map.groupBy(batteries, ({ state, year }) => `${year} in ${state}`);
	const byYear = Map.groupBy(batteries, ({ year }) => `${year} in the United States`);
	let compared = 0;
	for (const [named, own] of [...byState, ...byYear]) {
		const [year = "", state = ""] = named.split(" in ");
		const { hours, source } = findStorageHours(state, Number(year));
		if (!source.includes(` of ${named} `)) continue;
		const sorted = own.map((each) => each.hours).sort((a, b) => a - b);
		const last = sorted.length - 1;
		const median = ((sorted[Math.floor(last / 2)] ?? 0) + (sorted[Math.ceil(last / 2)] ?? 0)) / 2;
		expect([named, own.length, hours]).toEqual([
			named,
			Number(/of (\d+) batt/.exec(source)?.[1]),
			Math.round(10 * median) / 10,
		]);
		compared++;
	}
	expect(compared).toBe(34);
});
