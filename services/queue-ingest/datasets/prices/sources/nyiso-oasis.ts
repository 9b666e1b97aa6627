/**
 * Zonal prices that people export from NYISO's OASIS: the zones and the months that they chose, with the version of each price; day-ahead
 * by the hour, and of the real-time commitment run by the quarter-hour. The latter are no real-time prices (energy is settled at those of
 * the dispatch) and are a market of their own.
 */
import { readCsv } from "#libs/files/csv.ts";
import { peek } from "#libs/files/decode.ts";
import { HeadedTable } from "#libs/files/table.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import type { RawFile } from "../../../sources/source.ts";
import { easternTime, marketDataset } from "./dataset.ts";
import type { LocalClock } from "./local-clock.ts";
import { averageHours, hourlyPrices, readHours, type Stamped } from "./nyiso-rows.ts";
import { daysOf, editionOf, type HourPrice } from "./price.ts";

/** Exported by hand, so seldom. */
const url = "http://mis.nyiso.com/public/";
const shared = { iso: "NYISO", timezone: easternTime, maxAgeHours: 45 * 24, maxBytes: 64 * 1024 * 1024 } as const;

const startsWith = (bytes: Uint8Array, header: string): boolean =>
	peek(bytes, 300).replaceAll('"', "").replace("\ufeff", "").startsWith(header);

export const nyisoOasisDayAhead: Dataset<HourPrice> = marketDataset({
	...shared,
	feed: "nyiso-oasis-day-ahead",
	title: "NYISO day-ahead zonal LBMP, exported from OASIS",
	publication: { title: "Day-ahead zonal prices, exported from OASIS", url },
	market: "day_ahead",
	recognises: ({ bytes }) =>
		startsWith(bytes, "eastern date hour,eastern date hour time zone,zone name,zone ptid,dam zonal lbmp"),
	parse: (file, clock) => readExport(file, clock, { stamp: "Eastern Date Hour", prefix: "DAM" }, hourlyPrices),
});

export const nyisoOasisCommitment: Dataset<HourPrice> = marketDataset({
	...shared,
	feed: "nyiso-oasis-rtc",
	title: "NYISO real-time commitment zonal LBMP, exported from OASIS (averaged by the hour)",
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
	toHours: (byHub: Map<string, Stamped[]>) => HourPrice[],
): Promise<DatasetFile<HourPrice>> {
	const table = readCsv(ended(bytes), name);
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
 * A saved export may lack the last line end, which elsewhere is the sign of a cut file. Here the last cell is a version of one digit, a
 * shorter row is refused for its width, and the last day must be whole.
 */
function ended(bytes: Uint8Array): Uint8Array {
	return /,\d$/.test(new TextDecoder().decode(bytes.subarray(-16))) ? Buffer.concat([bytes, Buffer.from("\n")]) : bytes;
}
