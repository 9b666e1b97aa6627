/** Test support: small files of prices in the operators' layouts, written here. */
import type { RawFile } from "../../services/queue-ingest/sources/source.ts";

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const two = (value: number): string => String(value).padStart(2, "0");

/** Default price of an hour: the energy is the hour's number plus 20. */
const usual = (hour: number): number => 20 + hour;

interface IsoneOptions {
	/** `MM/DD/YYYY`. */
	day: string;
	kind?: "day-ahead" | "real-time";
	/** Hour labels; 01 to 24 unless given. */
	labels?: string[];
	/** By location type: id, name, loss component. */
	locations?: [type: string, id: string, name: string, loss: number][];
	generated?: string;
	/** Added to every price. */
	more?: number;
}

/** A whole report of ISO-NE with its trailer and, as published, no last line end. */
export function isoneReport(options: IsoneOptions): RawFile {
	const { day, kind = "day-ahead", generated = day, more = 0 } = options;
	const labels = options.labels ?? Array.from({ length: 24 }, (_, at) => two(at + 1));
	const locations = options.locations ?? [
		["HUB", "4000", ".H.INTERNAL_HUB", 0.5],
		["LOAD ZONE", "4001", ".Z.MAINE", -1],
		["EXT. NODE", "4010", ".I.SALBRYNB345 1", -2],
		["NETWORK NODE", "321", "UN.TEST 13.8", 0],
	];
	const name = kind === "day-ahead" ? `WW_DALMP_ISO_${compact(day)}.csv` : `lmp_rt_final_${compact(day)}.csv`;
	const title =
		kind === "day-ahead" ? "Day-Ahead Energy Market Hourly LMP Report" : "Real-Time Energy Market Hourly LMP Report";
	const rows = labels.flatMap((label) => {
		const energy = usual(Number.parseInt(label, 10)) + (label.endsWith("X") ? 0.5 : 0) + more;
		return locations.map(
			([type, id, location, loss]) =>
				`"D","${day}","${label}","${id}","${location}","${type}",${(energy + loss).toFixed(2)},${energy.toFixed(2)},0.0,${loss}`,
		);
	});
	const lines = [
		`"C","${title}"`,
		`"C","Filename: ${name}"`,
		`"C","Report for: ${day} - ${day}"`,
		`"C","Report generated: ${generated} 12:57:12 EDT"`,
		`"H","Date","Hour Ending","Location ID","Location Name","Location Type","Locational Marginal Price","Energy Component","Congestion Component","Marginal Loss Component"`,
		`"H","Date","HE","String","String","String","Number","Number","Number","Number"`,
		...rows,
		`"T","${rows.length} lines"`,
	];
	return { name, bytes: bytesOf(lines.join("\n")) };
}

const compact = (day: string): string => day.replace(/^(..)\/(..)\/(....)$/, "$3$1$2");

const nyisoHeader =
	'"Time Stamp","Name","PTID","LBMP ($/MWHr)","Marginal Cost Losses ($/MWHr)","Marginal Cost Congestion ($/MWHr)"';

/** A zone, its number, its losses, and its congestion as NYISO signs it. */
export type Zone = [name: string, id: number, losses: number, congestion: number];
export const twoZones: Zone[] = [
	["CAPITL", 61757, 2, 0],
	["N.Y.C.", 61761, 5, -30],
];

/** Rows of every zone at each stamp; LBMP = energy + losses - congestion. */
export function nyisoFile(name: string, stamps: [stamp: string, energy: number][], zones = twoZones): RawFile {
	const rows = stamps.flatMap(([stamp, energy]) =>
		zones.map(
			([zone, id, losses, congestion]) =>
				`"${stamp}","${zone}",${id},${(energy + losses - congestion).toFixed(2)},${losses.toFixed(2)},${congestion.toFixed(2)}`,
		),
	);
	return { name, bytes: bytesOf(`${[nyisoHeader, ...rows].join("\r\n")}\r\n`) };
}

/** Stamps of a day of 24 hours by `minutes`, ends of intervals. */
export function intervalEnds(day: string, next: string, minutes: number): string[] {
	const ends = Array.from({ length: 1_440 / minutes }, (_, at) => (at + 1) * minutes);
	return ends.map((end) =>
		end === 1_440 ? `${next} 00:00:00` : `${day} ${two(Math.floor(end / 60))}:${two(end % 60)}:00`,
	);
}

/** An OASIS export of day-ahead prices; `rows`: stamp, EDT or EST, energy, version. As people save it, without a last line end. */
export function oasisFile(
	rows: [stamp: string, zone: string, energy: number, version?: number][],
	name = "oasis.csv",
): RawFile {
	const header =
		"Eastern Date Hour,Eastern Date Hour Time Zone,Zone Name,Zone PTID,DAM Zonal LBMP,DAM Zonal Losses,DAM Zonal Congestion,DAM Zonal Price Version";
	const lines = rows.map(
		([stamp, zone, energy, version = 1]) => `${stamp},${zone},N.Y.C.,61761,${(energy + 5).toFixed(2)},2,-3,${version}`,
	);
	return { name, bytes: bytesOf([header, ...lines].join("\r\n")) };
}

/** Day-ahead rows of a day of 24 hours (`6/1/24`). */
export const oasisDay = (day: string, energy: number, version = 1): [string, string, number, number][] =>
	Array.from({ length: 24 }, (_, hour) => [`${day} ${hour}:00`, "EDT", energy + hour, version]);

export interface PjmRow {
	/** UTC, ISO 8601. */
	at: number;
	lmp: number;
	id?: number;
	name?: string;
	type?: string;
	current?: boolean;
	version?: number;
}

/** A Data Miner export. */
export function pjmFile(rows: PjmRow[], name = "da_hrl_lmps.csv"): RawFile {
	const header =
		"datetime_beginning_utc,datetime_beginning_ept,pnode_id,pnode_name,voltage,equipment,type,zone,system_energy_price_da,total_lmp_da,congestion_price_da,marginal_loss_price_da,row_is_current,version_nbr";
	const lines = rows.map(
		({ at, lmp, id = 51288, name: hub = "WESTERN HUB", type = "HUB", current = true, version = 1 }) =>
			[usDate(at), "", id, hub, "", "", type, "", lmp - 1, lmp, 0.75, 0.25, current ? "True" : "False", version].join(
				",",
			),
	);
	return { name, bytes: bytesOf(`${[header, ...lines].join("\r\n")}\r\n`) };
}

/** As PJM writes it: 6/16/2025 4:00:00 AM. */
function usDate(at: number): string {
	const moment = new Date(at);
	const hour = moment.getUTCHours();
	const day = `${moment.getUTCMonth() + 1}/${moment.getUTCDate()}/${moment.getUTCFullYear()}`;
	return `${day} ${hour % 12 === 0 ? 12 : hour % 12}:00:00 ${hour < 12 ? "AM" : "PM"}`;
}
