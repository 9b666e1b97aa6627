/** The workbooks of the EIA's yearly form 860, recognised by title and name. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Table } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { savedOn } from "../../sources/as-of.ts";
import { dataRows } from "../../sources/collector.ts";
import type { RawFile } from "../../sources/source.ts";
import { readGenerators, readOwners, readPlants, readUtilities } from "./read-schedules.ts";
import type { ReferenceFile, Rows, Schedule, ScheduleFile } from "./schedule.ts";

/** The full list of generators has some 25,000 rows of 70 columns. */
const maxInflatedBytes = 256 * 1024 * 1024;
export const maxBytes = 64 * 1024 * 1024;

export const eia860 = {
	feed: "eia860",
	title: "EIA-860 annual electric generator report",
	layout: { formats: "xlsx, zip", verified: "2024" },
	/** Once a year, in September: 400 days. */
	maxAgeHours: 9_600,
} as const;

/** File names since 2009 and titles since 2011; the full list is named "generator" and nothing else. */
const patterns: [Schedule, inName: RegExp, inTitle: RegExp][] = [
	["owner", /owner(ship)?s?[_ ]?y\d/i, /generator ownership|ownership data/i],
	["wind", /wind[_ ]?y\d/i, /wind technology/i],
	["solar", /solar[_ ]?y\d/i, /solar technology/i],
	["storage", /energy[_ ]storage[_ ]?y\d/i, /energy storage/i],
	["multifuel", /multi-?fuel[_ ]?y\d/i, /fuel switching|multi-?fuel/i],
	["generator", /generators?[_ ]?y\d/i, /'generator data'/i],
	["plant", /plant[_ ]?y\d/i, /'plant data'/i],
	["utility", /utility[_ ]?y\d/i, /'utility data'/i],
];

export async function readEia860(file: RawFile): Promise<ScheduleFile | ReferenceFile> {
	const sheets = await readWorkbook(file.bytes, { maxInflatedBytes });
	const [first] = sheets;
	if (first === undefined) throw new StructureError(`${file.name}: the workbook has no sheet`);
	const title = titleOf(first);
	const reference = referenceOf(file.name, first, title);
	if (reference !== null) {
		const rowsIn = sheets.flatMap(dataRows).length;
		const dropped = [{ reason: reference, count: rowsIn, examples: [] }];
		return { schedule: null, what: reference, year: null, publishedOn: null, rowsIn, records: [], dropped, notes: [] };
	}
	const schedule = scheduleOf(file.name, title);
	const heading = {
		year: yearOf(file.name, title),
		earlyRelease: /early[_ ]?release/i.test(`${file.name} ${title}`) || /(?<!\d)20\d\dER(?![a-z])/i.test(file.name),
		publishedOn: await savedOn(file.bytes),
	};
	return { ...heading, schedule, ...readRows(schedule, first, sheets) };
}

function readRows(schedule: Schedule, first: Table, sheets: readonly Table[]): Rows<object> {
	if (schedule === "utility") return readUtilities(first);
	if (schedule === "plant") return readPlants(first);
	return schedule === "owner" ? readOwners(first) : readGenerators(sheets);
}

function titleOf(sheet: Table): string {
	const alone = sheet.rows.slice(0, 3).filter((row) => row.slice(1).every((cell) => text(cell) === null));
	return alone
		.map((row) => text(row[0]) ?? "")
		.join(" ")
		.slice(0, 1_000);
}

function referenceOf(name: string, first: Table, title: string): string | null {
	if (/^layout/i.test(name) || /field directory|reference table/i.test(first.name))
		return "documentation of the layout";
	if (/enviro(assoc|equip)/i.test(name) || /schedule 6/i.test(title))
		return "schedule 6 (environmental equipment), not used";
	return null;
}

function scheduleOf(name: string, title: string): Schedule {
	const named = patterns.find(([, inName]) => inName.test(name))?.[0];
	const titled = patterns.find(([, , inTitle]) => inTitle.test(title))?.[0];
	if (named !== undefined && titled !== undefined && named !== titled)
		throw new StructureError(`${name}: named like the ${named} schedule, titled like the ${titled} schedule`);
	const schedule = titled ?? named;
	if (schedule === undefined) throw new StructureError(`${name}: not recognised as a schedule of form EIA-860`);
	return schedule;
}

function yearOf(name: string, title: string): number {
	const titled = /(?<!\d)(20\d\d) Form EIA-?860/i.exec(title)?.[1];
	const named = /y(20\d\d)(?!\d)/i.exec(name)?.[1];
	if (titled !== undefined && named !== undefined && titled !== named)
		throw new StructureError(`${name}: the title states the year ${titled}, but the file's name states ${named}`);
	const year = titled ?? named;
	if (year === undefined) throw new StructureError(`${name}: neither the title nor the file's name states the year`);
	return Number(year);
}
