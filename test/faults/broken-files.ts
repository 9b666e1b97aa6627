/** Ways in which the download of a list goes wrong. */
import { createHash } from "node:crypto";
import { constants, deflateRawSync, gzipSync } from "node:zlib";
import { isZip } from "#libs/files/archive.ts";
import { headerKey, type Table } from "#libs/files/table.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import type { IncomingFile } from "../../services/queue-ingest/sources/archive.ts";
import { workbook, type ZipEntry, zip, zipEntry } from "../support/file-formats.ts";
import { type QueueFeed, queueFile, queueLayouts, queueRows } from "../support/queue-files.ts";

export interface Fault {
	/** Completes the title "a list … withdraws none". */
	title: string;
	/** Whether it can happen to this kind of file (to any, when absent). */
	appliesTo?: (good: IncomingFile, feed: QueueFeed) => boolean;
	make: (good: IncomingFile, feed: QueueFeed) => IncomingFile | Promise<IncomingFile>;
	/** Rows are lost in a way that a reader cannot see: a guard may let few of them pass. */
	mayApply?: boolean;
	/** Well-formed: the guards decide, by the age of the list before. The rest is refused before they are asked. */
	wellFormed?: boolean;
}

const withBytes = (file: IncomingFile, bytes: Uint8Array, name = file.name): IncomingFile => ({
	name,
	path: name,
	bytes,
});

const cutPlaces = [10, 20, 30, 40, 50, 60, 70, 80, 90, 99.9];

export const cutAt = (percent: number): Fault => ({
	title: `cut at ${percent} % of its bytes`,
	make: (good) => withBytes(good, good.bytes.subarray(0, Math.floor((good.bytes.length * percent) / 100))),
	// A CSV file cut between two lines is a complete one with fewer rows.
	mayApply: true,
});

/** Whole lines, as when a server ends early but in good order. Nothing but CSV is still well-formed then. */
export const cutBetweenLines = (percent: number): Fault => ({
	title: `that ends in good order after ${percent} % of its lines`,
	appliesTo: isCsv,
	make: (good) => {
		const lines = Buffer.from(good.bytes).toString("utf8").split("\n");
		const kept = lines.slice(0, Math.floor(((lines.length - 1) * percent) / 100));
		return withBytes(good, Buffer.from(`${kept.join("\n")}\n`));
	},
	mayApply: true,
	wellFormed: true,
});

/** A column without which the list says something else: by it requests are known, or known to be open or not. */
const neededColumns: Record<QueueFeed, string[]> = {
	"pjm-cycle": ["Project ID", "Status", "Cycle", "Stage"],
	"pjm-serial": ["Project ID", "Status", "Project Type"],
	miso: ["Project #", "Request Status", "Withdrawn Date", "Post GIA Status"],
	ercot: ["INR", "IA Signed", "Cancel Date"],
	caiso: ["Queue Position", "Application Status", "Withdrawn Date"],
	"caiso-cluster-15": ["Queue Number", "Withdrawal Date", "NET MW POI"],
	nyiso: ["Queue Pos.", "S", "SP (MW)"],
	spp: ["Generation Interconnection Number", "Status", "Capacity"],
	"spp-summary": ["Generation Interconnection Number", "Status", "Capacity"],
	isone: ["Position", "Project Status", "W/ D Date", "Net MW"],
	"duke-active": ["id", "capacity", "iso_utility"],
	"soco-active": ["id", "capacity", "iso_utility"],
	"tva-active": ["id", "capacity", "iso_utility"],
	"bpa-line-load": ["queue_id", "status", "poi_substation"],
};
/** Names of those columns in JSON and XML, which are not simply theirs. */
const elementNames: Record<string, string> = {
	"Project #": "projectNumber",
	"Request Status": "applicationStatus",
	"Withdrawn Date": "withdrawnDate",
	"Post GIA Status": "postGIAStatus",
	"Project ID": "ProjectNumber",
	"Project Type": "ProjectType",
};

/** And on ISO-NE's page. */
const pageNames: Record<string, string> = { Position: "QP", "W/ D Date": "W/D Date" };

const renamed = (nth: number): Fault => ({
	title: `whose required column ${nth + 1} has another name`,
	appliesTo: (_, feed) => nth < neededColumns[feed].length,
	make: async (good, feed) => withBytes(good, await renameColumn(good, neededColumns[feed][nth] ?? "")),
});

async function renameColumn({ bytes }: IncomingFile, column: string): Promise<Buffer> {
	const other = "Renamed";
	if (isZip(bytes)) {
		const isIt = (cell: unknown) => typeof cell === "string" && headerKey(cell) === headerKey(column);
		const rename = (table: Table) => table.rows.map((row) => row.map((cell) => (isIt(cell) ? other : cell)));
		return workbook((await readWorkbook(bytes)).map((table) => ({ name: table.name, rows: rename(table) })));
	}
	const text = Buffer.from(bytes).toString("utf8");
	const element = elementNames[column] ?? column;
	const quoted = (name: string) => name.replace(/[.*+?^$(){}|[\]\\/]/g, "\\$&");
	if (/^\s*<\?xml/.test(text))
		return Buffer.from(text.replace(new RegExp(`<(/?)${quoted(element)}>`, "g"), `<$1${other}>`));
	if (/^\s*<!DOCTYPE/.test(text))
		return Buffer.from(text.replace(`<th>${pageNames[column] ?? column}</th>`, `<th>${other}</th>`));
	if (/^\s*\[/.test(text)) return Buffer.from(text.replaceAll(`"${element}"`, `"${other}"`));
	return Buffer.from(text.replace(new RegExp(`(^|,|")(${quoted(column)})(?=,|"|\\r|\\n)`, "m"), `$1${other}`));
}

export function isCsv(file: IncomingFile): boolean {
	return !isZip(file.bytes) && !/^\s*[<[{]/.test(Buffer.from(file.bytes.subarray(0, 16)).toString("latin1"));
}

/** Every second row of a list whose columns need not be known. */
async function halved({ bytes }: IncomingFile): Promise<Buffer> {
	if (isZip(bytes)) {
		const half = ({ rows }: Table) => rows.filter((_, at) => at < (rows.length > 400 ? 40 : 6) || at % 2 === 0);
		return workbook((await readWorkbook(bytes)).map((table) => ({ name: table.name, rows: half(table) })));
	}
	const text = Buffer.from(bytes).toString("utf8");
	if (/^\s*\[/.test(text)) {
		const records: unknown[] = JSON.parse(text);
		return Buffer.from(JSON.stringify(records.filter((_, at) => at % 2 === 0)));
	}
	if (/^\s*</.test(text)) {
		let at = 0;
		const records = / {2}<Project>[\s\S]*?<\/Project>\n|<tr><td>.*<\/tr>\n/g;
		return Buffer.from(text.replace(records, (record) => (at++ % 2 === 0 ? record : "")));
	}
	return Buffer.from(
		text
			.split("\n")
			.filter((line, at, all) => at < 3 || at % 2 === 0 || line === all.at(-1))
			.join("\n"),
	);
}

const page = `<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>
<script>window._cf_chl_opt={};</script><table id="challenge"><tr><td>Project ID</td></tr></table></body></html>`;
export const challengePage = Buffer.from(page);

/** A name by which a zip archive is taken for the feed's, where the feed knows any workbook. */
const workbookNames: Partial<Record<QueueFeed, string>> = {
	"pjm-cycle": "transition-projects.xlsx",
	"pjm-serial": "PlanningQueues.xlsx",
	spp: "GI_ActiveRequest.xlsx",
	"spp-summary": "GI_Summary.xlsx",
	isone: "QueueReport.xlsx",
};
const workbookName = (file: IncomingFile, feed: QueueFeed) =>
	isZip(file.bytes) ? file.name : (workbookNames[feed] ?? "list.xlsx");

const workbooks = {
	nyiso: queueFile("nyiso", queueRows("nyiso")),
	isone: queueFile("isone", queueRows("isone")),
};

/** A workbook of another operator: New York's, or for New York New England's. */
const foreignWorkbook = (feed: QueueFeed): Promise<IncomingFile> => workbooks[feed === "nyiso" ? "isone" : "nyiso"];

const garbage = (length: number, seed: string): Buffer => {
	const blocks = Array.from({ length: Math.ceil(length / 64) }, (_, at) =>
		createHash("sha512").update(`${seed} ${at}`).digest(),
	);
	return Buffer.concat(blocks).subarray(0, length);
};

/** A deflate stream of spaces: the same block again and again, so that a gigabyte is made of one of 16 MB. */
function bombEntry(name: string, statedSize: number): ZipEntry {
	const block = deflateRawSync(Buffer.alloc(1 << 24, " "), { finishFlush: constants.Z_FULL_FLUSH });
	const lastBlock = Buffer.from([3, 0]);
	return { name, compressed: Buffer.concat([...Array(70).fill(block), lastBlock]), statedSize, crc: 0 };
}
/** The archive has about 1 MB. */
const bombBytes = 70 * (1 << 24);

const bombed = (statedSize: number): Buffer => {
	const workbookPart = Buffer.from(
		`<workbook xmlns:r="r"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
	);
	return zip([
		zipEntry("xl/workbook.xml", workbookPart),
		bombEntry("xl/worksheets/sheet1.xml", statedSize),
		bombEntry("xl/sharedStrings.xml", statedSize),
	]);
};
const bombs = new Map<number, Buffer>();
const bomb = (statedSize: number): Buffer => {
	const made = bombs.get(statedSize) ?? bombed(statedSize);
	bombs.set(statedSize, made);
	return made;
};

/** Those that can happen to this file. */
export const faultsOf = (good: IncomingFile, feed: QueueFeed, chosen: Fault[]): Fault[] =>
	chosen.filter(({ appliesTo }) => appliesTo?.(good, feed) ?? true);

/** Everything that a file alone can be. */
export const faults: Fault[] = [
	...cutPlaces.map(cutAt),
	...[50, 70, 99].map(cutBetweenLines),
	{ title: "without a byte", make: (good) => withBytes(good, Buffer.alloc(0)) },
	{ title: "that is an HTML page", make: (good) => withBytes(good, challengePage) },
	{
		title: "that is an HTML page called .xlsx",
		make: (good, feed) => withBytes(good, challengePage, workbookName(good, feed)),
	},
	{
		title: "that is the JSON of an error",
		make: (good) => withBytes(good, Buffer.from('{"error":{"code":503,"message":"Service Unavailable"}}')),
	},
	{ title: "that is an empty JSON array", make: (good) => withBytes(good, Buffer.from("[]")) },
	{ title: "that is the number 0", make: (good) => withBytes(good, Buffer.from("0")) },
	renamed(0),
	renamed(1),
	renamed(2),
	renamed(3),
	{ title: "with half of its rows", make: async (good) => withBytes(good, await halved(good)), wellFormed: true },
	{
		title: "without a row",
		make: async (good, feed) => {
			const none = await Promise.all(queueLayouts(feed).map((layout) => queueFile(feed, [], { layout })));
			const file = none.find(({ name }) => name === good.name);
			if (file === undefined) throw new Error(`no layout of ${feed} is called ${good.name}`);
			return file;
		},
		wellFormed: true,
	},
	{
		title: "that is another operator's workbook under this one's name",
		make: async (good, feed) => withBytes(good, (await foreignWorkbook(feed)).bytes, workbookName(good, feed)),
	},
	{ title: "that is another operator's workbook", make: (_, feed) => foreignWorkbook(feed) },
	{
		title: "that is another operator's text file under this one's name",
		make: async (good, feed) => {
			const other = feed.startsWith("spp") ? "miso" : "spp";
			return withBytes(good, (await queueFile(other, queueRows(other))).bytes);
		},
	},
	{
		title: "that is a zip bomb of 1.1 GB",
		make: (good, feed) => withBytes(good, bomb(bombBytes), workbookName(good, feed)),
	},
	{
		title: "that is a zip bomb whose headers say 1 kB",
		make: (good, feed) => withBytes(good, bomb(1000), workbookName(good, feed)),
	},
	{ title: "of random bytes", make: (good) => withBytes(good, garbage(40_000, "bytes")) },
	{
		title: "that begins well and goes on in random bytes",
		make: (good) =>
			withBytes(good, Buffer.concat([good.bytes.subarray(0, good.bytes.length / 2), garbage(20_000, "tail")])),
	},
	{
		title: "of random bytes that begin like a zip archive",
		make: (good, feed) =>
			withBytes(good, Buffer.concat([Buffer.from("PK\x03\x04"), garbage(40_000, "zip")]), workbookName(good, feed)),
	},
	{ title: "that is still compressed", make: (good) => withBytes(good, gzipSync(good.bytes)) },
	{
		title: "in UTF-16",
		make: (good) => withBytes(good, Buffer.from(`\ufeff${Buffer.from(good.bytes).toString("utf8")}`, "utf16le")),
	},
	{
		title: "in another encoding than UTF-8",
		make: (good) => {
			const text = Buffer.from(good.bytes).toString("utf8");
			// A workbook that was taken for text on its way; a text file whose accents are single bytes.
			return withBytes(good, isZip(good.bytes) ? Buffer.from(text) : Buffer.from(text, "latin1"));
		},
	},
];
