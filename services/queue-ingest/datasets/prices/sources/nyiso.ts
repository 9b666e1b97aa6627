/**
 * Reads NYISO's zonal prices. Its public server has a file for each day: hourly day-ahead and five-minute real-time prices. Exports from OASIS,
 * whose zones and months a person chose, also state the version of each price: hourly day-ahead prices, and quarter-hourly prices of the
 * real-time commitment run. The latter are a separate market, because real-time energy is settled at the prices of the dispatch run.
 */
import { readCsv } from "#libs/files/csv.ts";
import { peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable } from "#libs/files/table.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import type { RawFile } from "../../../sources/source.ts";
import { createMarketDataset } from "./dataset.ts";
import type { LocalClock } from "./local-clock.ts";
import { averageHours, readHours, type ToHours, toHourlyPrices } from "./nyiso-rows.ts";
import { daysOf, editionOf, type HourPrice } from "./price.ts";

const url = "http://mis.nyiso.com/public/";
const shared = { iso: "NYISO", maxAgeHours: 72, maxBytes: 32 * 1024 * 1024 } as const;

/** Whether the file has the layout and a row of a zone (61757 is CAPITL). The generators' file has the same header, but no zones. */
function isZonal(bytes: Uint8Array): boolean {
	const start = peek(bytes);
	return /^\ufeff?"?time stamp"?,"?name"?,"?ptid"?,"?lbmp/.test(start) && /,"?61757"?,/.test(start);
}

/** Day-ahead rows state the start of their hour, so the first is at 00:00; real-time rows state the end of their interval. */
const startsAtMidnight = (bytes: Uint8Array): boolean => /\n"?\d\d\/\d\d\/\d{4} 00:00(:00)?"?,/.test(peek(bytes, 200));

/** Hourly real-time averages (`rtlbmp_zone`) have the same layout, so the market follows only from the name. */
const isNamedDayAhead = (name: string): boolean => /dam|day[-_ ]?ahead|\dda\b/i.test(name);

export const nyisoDayAhead: Dataset<HourPrice> = createMarketDataset({
	...shared,
	feed: "nyiso-day-ahead",
	title: "NYISO day-ahead zonal LBMP",
	layout: { formats: "CSV", verified: "2022-07-18" },
	publication: { title: "Day-ahead zonal prices", url },
	market: "day_ahead",
	recognises: ({ name, bytes }) => isNamedDayAhead(name) && isZonal(bytes) && startsAtMidnight(bytes),
	parse: (file, clock) => readDay(file, clock, toHourlyPrices),
});

/** A day's file is downloaded after the day, because until then its last rows are forecasts of the commitment run. */
export const nyisoRealTime: Dataset<HourPrice> = createMarketDataset({
	...shared,
	feed: "nyiso-real-time",
	title: "NYISO real-time zonal LBMP (five-minute dispatch, averaged by the hour)",
	layout: { formats: "CSV", verified: "2022-07-18" },
	publication: { title: "Real-time zonal prices, averaged by the hour", url },
	market: "real_time",
	recognises: ({ bytes }) => isZonal(bytes) && !startsAtMidnight(bytes),
	parse: (file, clock) => readDay(file, clock, (rows) => averageHours(rows, 5 * 60_000)),
});

async function readDay({ name, bytes }: RawFile, clock: LocalClock, toHours: ToHours): Promise<DatasetFile<HourPrice>> {
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
	if (first !== last)
		throw new StructureError(`${name}: the file contains prices of ${first} to ${last} instead of one day`);
	return { edition: first, publishedOn: first, ...read };
}

/** Exports are made by hand, so they are rarely updated. */
const exportSettings = { ...shared, maxAgeHours: 45 * 24, maxBytes: 64 * 1024 * 1024 };

const startsWith = (bytes: Uint8Array, header: string): boolean =>
	peek(bytes, 300).replaceAll('"', "").replace("\ufeff", "").startsWith(header);

export const nyisoOasisDayAhead: Dataset<HourPrice> = createMarketDataset({
	...exportSettings,
	feed: "nyiso-oasis-day-ahead",
	title: "NYISO day-ahead zonal LBMP, exported from OASIS",
	layout: { formats: "CSV", verified: "2024-08" },
	publication: { title: "Day-ahead zonal prices, exported from OASIS", url },
	market: "day_ahead",
	recognises: ({ bytes }) =>
		startsWith(bytes, "eastern date hour,eastern date hour time zone,zone name,zone ptid,dam zonal lbmp"),
	parse: (file, clock) => readExport(file, clock, { stamp: "Eastern Date Hour", prefix: "DAM" }, toHourlyPrices),
});

export const nyisoOasisCommitment: Dataset<HourPrice> = createMarketDataset({
	...exportSettings,
	feed: "nyiso-oasis-rtc",
	title: "NYISO real-time commitment zonal LBMP, exported from OASIS (averaged by the hour)",
	layout: { formats: "CSV", verified: "2024-08" },
	publication: { title: "Real-time commitment prices, exported from OASIS", url },
	market: "real_time_commitment",
	recognises: ({ bytes }) => startsWith(bytes, "rtc end time stamp,"),
	parse: (file, clock) =>
		readExport(file, clock, { stamp: "RTC End Time Stamp", prefix: "RTC" }, (rows) => averageHours(rows, 15 * 60_000)),
});

async function readExport(
	{ name, bytes }: RawFile,
	clock: LocalClock,
	{ stamp, prefix }: { stamp: string; prefix: string },
	toHours: ToHours,
): Promise<DatasetFile<HourPrice>> {
	const table = readCsv(endLastLine(bytes), name);
	const headed = new HeadedTable(table, [[stamp], ["Zone Name"], ["Zone PTID"], [`${prefix} Zonal LBMP`]]);
	const columns = {
		...{ stamp: headed.column(stamp), zone: headed.column(`${stamp} Time Zone`) },
		...{ name: headed.column("Zone Name"), id: headed.column("Zone PTID") },
		...{ lbmp: headed.column(`${prefix} Zonal LBMP`), losses: headed.column(`${prefix} Zonal Losses`) },
		congestion: headed.column(`${prefix} Zonal Congestion`),
		version: headed.column(`${prefix} Zonal Price Version`),
	};
	const read = readHours(name, headed, columns, clock, toHours);
	return { edition: editionOf(read.rows, clock), publishedOn: daysOf(read.rows, clock).last, ...read };
}

/**
 * Adds the final line break, which a saved export may lack. Unlike in other files, its absence does not indicate truncation: the last cell is
 * a single digit, a row with fewer cells is refused, and the last day must be complete.
 */
function endLastLine(bytes: Uint8Array): Uint8Array {
	return /,\d$/.test(new TextDecoder().decode(bytes.subarray(-16))) ? Buffer.concat([bytes, Buffer.from("\n")]) : bytes;
}
