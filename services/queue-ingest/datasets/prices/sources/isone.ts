/**
 * ISO New England's hourly LMP reports, day-ahead and real-time final. They have four kinds of records: comments (C), headers (H, names and
 * then types), data (D), and a trailer (T) with the number of data records, which a truncated file lacks.
 */
import type { HubType } from "#libs/contract/vocabulary.ts";
import { readCsv } from "#libs/files/csv.ts";
import { decodeText, peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { date, number, text } from "#libs/files/values.ts";
import { field, type RecordOf, recordReader, textOrEmpty } from "../../../sources/cells.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import type { RawFile } from "../../../sources/source.ts";
import { createMarketDataset } from "./dataset.ts";
import type { LocalClock } from "./local-clock.ts";
import { Account, checkSum, findPriceFault, type HourPrice, iso } from "./price.ts";

/** Served location types: the hub, the zones and the external interfaces. About a thousand nodes are omitted. */
const hubTypes = new Map(Object.entries<HubType>({ HUB: "hub", "LOAD ZONE": "zone", "EXT. NODE": "interface" }));

const url = "https://www.iso-ne.com/isoexpress/";
const shared = { iso: "ISO-NE", maxAgeHours: 72, maxBytes: 32 * 1024 * 1024 } as const;

export const isoneDayAhead: Dataset<HourPrice> = createMarketDataset({
	...shared,
	feed: "isone-day-ahead",
	title: "ISO-NE day-ahead hourly LMP report",
	layout: { formats: "CSV", verified: "2026-06-04" },
	publication: { title: "Day-ahead hourly prices", url },
	market: "day_ahead",
	recognises: ({ bytes }) => peek(bytes, 200).startsWith('"c","day-ahead energy market hourly lmp report"'),
	parse: readReport,
});

/** The preliminary report has the same layout but is not part of this feed. */
export const isoneRealTime: Dataset<HourPrice> = createMarketDataset({
	...shared,
	feed: "isone-real-time",
	title: "ISO-NE real-time hourly LMP report, final",
	layout: { formats: "CSV", verified: "2026-06-02" },
	publication: { title: "Real-time hourly prices, final", url },
	market: "real_time",
	recognises: ({ bytes }) => {
		const start = peek(bytes, 200);
		return start.startsWith('"c","real-time energy market hourly lmp report"') && start.includes("lmp_rt_final_");
	},
	parse: readReport,
});

const fields = {
	day: field(text, "Date"),
	label: field(textOrEmpty, "Hour Ending"),
	hubId: field(textOrEmpty, "Location ID"),
	hub: field(textOrEmpty, "Location Name"),
	kind: field(textOrEmpty, "Location Type"),
	lmp: field(number, "Locational Marginal Price"),
	energy: field(number, "Energy Component"),
	congestion: field(number, "Congestion Component"),
	loss: field(number, "Marginal Loss Component"),
};

async function readReport({ name, bytes }: RawFile, clock: LocalClock): Promise<DatasetFile<HourPrice>> {
	const source = decodeText(bytes, name);
	const trailer = /^"T","(\d+) lines"\s*$/m.exec(source);
	if (trailer === null) throw new StructureError(`${name}: the report has no trailer, so it is truncated`);
	if (source.slice(trailer.index + trailer[0].length).trim() !== "")
		throw new StructureError(
			`${name}: the report has data after its trailer, so the file is damaged or contains several reports`,
		);
	const body = new TextEncoder().encode(source.slice(0, trailer.index));
	const table = readCsv(body, name, { isPreamble: ([kind]) => kind === "C" });
	const headed = new HeadedTable(table, [["Date"], ["Hour Ending"], ["Location ID"], ["Locational Marginal Price"]]);
	const read = recordReader(headed, fields);
	headed.ignore("H");
	const rows = headed.rows.filter(([kind]) => kind === "D").map(read);
	const stated = Number(trailer[1]);
	if (rows.length !== stated)
		throw new StructureError(
			`${name}: the report has ${rows.length} data rows, but its trailer states ${stated}, so it is damaged`,
		);
	const account = new Account();
	const day = dayOf(name, rows);
	const prices = readRows(name, rows, account, clock.hoursOf(day));
	const generated = /Report generated: (\d\d\/\d\d\/\d{4})/.exec(source.slice(0, 2_000))?.[1];
	return { ...account.file(headed), edition: day, publishedOn: date(generated), rowsIn: rows.length, rows: prices };
}

type Row = RecordOf<typeof fields>;

function dayOf(name: string, rows: readonly Row[]): string {
	const days = new Set(rows.map(({ day }) => day));
	const [day] = [...days].map(date);
	if (days.size !== 1 || !day)
		throw new StructureError(`${name}: the report contains ${days.size} days instead of one`);
	return day;
}

/**
 * A report covers a whole day, so its n-th hour label is the day's n-th hour, however the hours of a 23-hour day are labeled. On a day of 25
 * hours, 02X follows 02.
 */
function readRows(
	name: string,
	rows: readonly Row[],
	account: Account,
	hours: ReturnType<LocalClock["hoursOf"]>,
): HourPrice[] {
	const labels = [...new Set(rows.map(({ label }) => label))].sort();
	if (labels.length !== hours.length || labels.some((label) => !/^\d\dX?$/.test(label)))
		throw new StructureError(
			`${name}: the report has ${labels.length} hour labels, but its day has ${hours.length} hours`,
		);
	const startOf = new Map(labels.map((label, at) => [label, hours[at]?.startsAt ?? 0]));
	const seen = new Set<string>();
	const prices: HourPrice[] = [];
	for (const { hubId, hub, kind, label, lmp, ...parts } of rows) {
		const hubType = hubTypes.get(kind);
		const where = `${hub} ${label}`;
		if (hubType === undefined) {
			account.drop(`location type ${kind}, not served`, where);
			continue;
		}
		const fault = findPriceFault(lmp) ?? (seen.has(`${hubId} ${label}`) ? "a second price for the same hour" : null);
		if (lmp === null || !hubId || !hub || fault !== null) {
			account.drop(fault ?? "no location", where, "malformed");
			continue;
		}
		seen.add(`${hubId} ${label}`);
		const { energy, congestion, loss } = parts;
		const startsAt = iso(startOf.get(label) ?? 0);
		const price = { hubId, hub, hubType, startsAt, lmp, energy, congestion, loss, minutes: 60, version: null };
		checkSum(account, price);
		prices.push(price);
	}
	return prices;
}
