/** NYISO's files of zonal prices as its public server has them: a day each, day-ahead by the hour and real-time by five minutes. */
import { readCsv } from "#libs/files/csv.ts";
import { peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable } from "#libs/files/table.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import type { RawFile } from "../../../sources/source.ts";
import { easternTime, marketDataset } from "./dataset.ts";
import type { LocalClock } from "./local-clock.ts";
import { averageHours, hourlyPrices, readHours, type Stamped } from "./nyiso-rows.ts";
import { daysOf, type HourPrice } from "./price.ts";

const url = "http://mis.nyiso.com/public/";
const shared = { iso: "NYISO", timezone: easternTime, maxAgeHours: 72, maxBytes: 32 * 1024 * 1024 } as const;

/** The layout, with zones in it (61757 is CAPITL): the generators' file has the same header. */
function isZonal(bytes: Uint8Array): boolean {
	const start = peek(bytes);
	return /^\ufeff?"?time stamp"?,"?name"?,"?ptid"?,"?lbmp/.test(start) && /,"?61757"?,/.test(start);
}

/** Time of the first row: 00:00 begins the first hour of a day; anything later ends its first interval. */
const startsAtMidnight = (bytes: Uint8Array): boolean => /\n"?\d\d\/\d\d\/\d{4} 00:00(:00)?"?,/.test(peek(bytes, 200));

/** The layout does not say which market it is; only the name distinguishes it from the hourly real-time averages (`rtlbmp_zone`). */
const isNamedDayAhead = (name: string): boolean => /dam|day[-_ ]?ahead|\dda\b/i.test(name);

export const nyisoDayAhead: Dataset<HourPrice> = marketDataset({
	...shared,
	feed: "nyiso-day-ahead",
	title: "NYISO day-ahead zonal LBMP",
	publication: { title: "Day-ahead zonal prices", url },
	market: "day_ahead",
	recognises: ({ name, bytes }) => isNamedDayAhead(name) && isZonal(bytes) && startsAtMidnight(bytes),
	parse: (file, clock) => readDay(file, clock, hourlyPrices),
});

/** The day's file is taken when the day is over: while it lasts, its last rows are forecasts of the commitment run. */
export const nyisoRealTime: Dataset<HourPrice> = marketDataset({
	...shared,
	feed: "nyiso-real-time",
	title: "NYISO real-time zonal LBMP (five-minute dispatch, averaged by the hour)",
	publication: { title: "Real-time zonal prices, averaged by the hour", url },
	market: "real_time",
	recognises: ({ bytes }) => isZonal(bytes) && !startsAtMidnight(bytes),
	parse: (file, clock) => readDay(file, clock, (rows) => averageHours(rows, 5 * 60_000)),
});

async function readDay(
	{ name, bytes }: RawFile,
	clock: LocalClock,
	toHours: (byHub: Map<string, Stamped[]>) => HourPrice[],
): Promise<DatasetFile<HourPrice>> {
	const headed = new HeadedTable(readCsv(bytes, name), [["Time Stamp"], ["Name"], ["PTID"], ["LBMP ($/MWHr)"]]);
	const columns = {
		...{ stamp: headed.column("Time Stamp"), name: headed.column("Name"), id: headed.column("PTID") },
		lbmp: headed.column("LBMP ($/MWHr)"),
		losses: headed.column("Marginal Cost Losses ($/MWHr)"),
		congestion: headed.column("Marginal Cost Congestion ($/MWHr)"),
		...{ zone: -1, version: -1 },
	};
	const read = readHours(name, headed, columns, clock, toHours);
	const { first, last } = daysOf(read.rows, clock);
	if (first !== last) throw new StructureError(`${name}: holds ${first} to ${last} instead of one day`);
	return { edition: first, publishedOn: first, ...read };
}
