/**
 * Invented prices in the operators' layouts: yesterday's and today's for New England and New York; last month's and this month's, up to
 * today, for PJM. Generated when they are loaded, because a day has 23 to 25 hours, depending on the date.
 */
import { easternTime } from "../../datasets/prices/sources/dataset.ts";
import { createLocalClock, type LocalHour } from "../../datasets/prices/sources/local-clock.ts";

export interface WrittenFile {
	/** The publisher's file name, by which some files are recognized. */
	name: string;
	bytes: Buffer;
}

const clock = createLocalClock(easternTime);
const dayMs = 86_400_000;
const twoDigits = (value: number): string => String(value).padStart(2, "0");
const compactDate = (day: string): string => day.replaceAll("-", "");
const usDate = (day: string): string => day.replace(/^(\d+)-(\d+)-(\d+)$/, "$2/$3/$1");
const addDays = (day: string, days: number): string =>
	new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** Returns prices that are low at night and high in the evening, and differ a little each day. In cents, so that components add up exactly. */
function energyCents({ startsAt, wall }: LocalHour, base: number): number {
	const evening = 2_400 * Math.exp(-(((wall - 18) / 2.5) ** 2));
	const morning = 900 * Math.exp(-(((wall - 7) / 2) ** 2));
	const dailyOffset = (Math.floor(startsAt / dayMs) * 137) % 400;
	return Math.round(base + evening + morning + dailyOffset);
}

/** Number and name of the node at the operator; congestion and losses in thousandths of the energy component; type. */
type PriceNode = [id: number, name: string, congestion: number, loss: number, type: string];

interface Price {
	node: PriceNode;
	hour: LocalHour;
	energy: number;
	congestion: number;
	loss: number;
	lmp: number;
}

function createPrices(day: string, base: number, nodes: readonly PriceNode[]): Price[] {
	return clock.hoursOf(day).flatMap((hour) => {
		const energy = energyCents(hour, base);
		return nodes.map((node): Price => {
			const congestion = Math.round((energy * node[2]) / 1000);
			const loss = Math.round((energy * node[3]) / 1000);
			return { node, hour, energy, congestion, loss, lmp: energy + congestion + loss };
		});
	});
}

const formatDollars = (cents: number): string => (cents / 100).toFixed(2);

const newEngland: readonly PriceNode[] = [
	[4000, ".H.INTERNAL_HUB", 0, 4, "HUB"],
	[4001, ".Z.MAINE", -20, -31, "LOAD ZONE"],
	[4004, ".Z.CONNECTICUT", 6, -9, "LOAD ZONE"],
	[4008, ".Z.NEMASSBOST", 3, 11, "LOAD ZONE"],
	[4010, ".I.SALBRYNB345 1", -12, -46, "EXT. NODE"],
];

/** Writes ISO-NE's report for a day, generated on the day before. As in ISO-NE's files, no line break ends the last line. */
function writeIsoneReport(day: string): WrittenFile {
	const name = `WW_DALMP_ISO_${compactDate(day)}.csv`;
	const prices = createPrices(day, 3_800, newEngland);
	const hours = clock.hoursOf(day);
	const label = ({ wall, startsAt }: LocalHour): string => {
		const isRepeat = hours.some((hour) => hour.wall === wall && hour.startsAt < startsAt);
		return `${twoDigits(wall + 1)}${isRepeat ? "X" : ""}`;
	};
	const lines = [
		`"C","Day-Ahead Energy Market Hourly LMP Report"`,
		`"C","Filename: ${name}"`,
		`"C","Report for: ${usDate(day)} - ${usDate(day)}"`,
		`"C","Report generated: ${usDate(addDays(day, -1))} 12:58:03 EST"`,
		`"H","Date","Hour Ending","Location ID","Location Name","Location Type","Locational Marginal Price","Energy Component","Congestion Component","Marginal Loss Component"`,
		`"H","Date","HE","String","String","String","Number","Number","Number","Number"`,
		...prices.map(({ node: [id, location, , , type], hour, ...price }) =>
			[
				`"D","${usDate(day)}","${label(hour)}","${id}","${location}","${type}"`,
				...[price.lmp, price.energy, price.congestion, price.loss].map(formatDollars),
			].join(","),
		),
		`"T","${prices.length} lines"`,
	];
	return { name, bytes: Buffer.from(lines.join("\n")) };
}

const newYork: readonly PriceNode[] = [
	[61757, "CAPITL", 40, 21, ""],
	[61761, "N.Y.C.", 95, 52, ""],
	[61762, "LONGIL", 120, 60, ""],
	[61752, "WEST", -35, -18, ""],
	[61847, "PJM", 10, 14, ""],
];

/** Writes NYISO's zonal prices for one day. NYISO publishes congestion with the opposite sign: LBMP = energy + losses - congestion. */
function writeNyisoReport(day: string): WrittenFile {
	const header =
		'"Time Stamp","Name","PTID","LBMP ($/MWHr)","Marginal Cost Losses ($/MWHr)","Marginal Cost Congestion ($/MWHr)"';
	const lines = createPrices(day, 3_300, newYork).map(({ node: [id, name], hour, lmp, loss, congestion }) =>
		[
			`"${usDate(day)} ${twoDigits(hour.wall)}:00"`,
			`"${name}"`,
			id,
			...[lmp, loss, 0 - congestion].map(formatDollars),
		].join(","),
	);
	return { name: `${compactDate(day)}damlbmp_zone.csv`, bytes: Buffer.from(`${[header, ...lines].join("\r\n")}\r\n`) };
}

const pjm: readonly PriceNode[] = [
	[51288, "WESTERN HUB", 12, 4, "HUB"],
	[34497127, "AEP-DAYTON HUB", -18, -10, "HUB"],
];

/** Writes an export of PJM's Data Miner from the first of last month to `today`, because only averages of whole months may be published. */
function writePjmExport(today: string): WrittenFile {
	const header =
		"datetime_beginning_utc,datetime_beginning_ept,pnode_id,pnode_name,voltage,equipment,type,zone,system_energy_price_da,total_lmp_da,congestion_price_da,marginal_loss_price_da,row_is_current,version_nbr";
	const lines: string[] = [];
	const first = `${addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7)}-01`;
	for (let day = first; day <= today; day = addDays(day, 1)) {
		for (const { node, hour, energy, lmp, congestion, loss } of createPrices(day, 3_500, pjm)) {
			const [id, name, , , type] = node;
			const at = [pjmStamp(new Date(hour.startsAt).toISOString()), pjmStamp(`${day}T${twoDigits(hour.wall)}`)];
			const prices = [energy, lmp, congestion, loss].map(formatDollars);
			lines.push([...at, id, name, "", "", type, "", ...prices, "True", 1].join(","));
		}
	}
	return { name: "da_hrl_lmps.csv", bytes: Buffer.from(`${[header, ...lines].join("\r\n")}\r\n`) };
}

function pjmStamp(iso: string): string {
	const [year, month, day, hour = 0] = iso.split(/[-T:]/).map(Number);
	return `${month}/${day}/${year} ${hour % 12 || 12}:00:00 ${hour < 12 ? "AM" : "PM"}`;
}

export function createPriceFiles(today: string): WrittenFile[] {
	const days = [addDays(today, -1), today];
	return [...days.map(writeIsoneReport), ...days.map(writeNyisoReport), writePjmExport(today)];
}
