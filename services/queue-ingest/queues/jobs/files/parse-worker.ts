/** Runs in a separate thread: reads the lists of one file and standardizes their rows. */

import { basename, dirname } from "node:path";
import type { ListFormat } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import { answerInThread } from "#libs/files/in-thread.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { dayInName, downloadedAsOf, parseTime, savedOn } from "../../../sources/as-of.ts";
import { filedReader } from "../../../sources/filed-cells.ts";
import { eventsOf, newestEvent } from "../../../sources/inner-events.ts";
import { structureOf } from "../../../sources/structure/structure.ts";
import { operators, sourceOf } from "../../sources/index.ts";
import { standardiseList } from "../../standardise.ts";
import { locateValues } from "./locate-words.ts";
import type { ParseTask, ReadFile } from "./parse-file.ts";

async function readList(task: ParseTask): Promise<ReadFile> {
	const source = sourceOf(task.feed);
	const parsed = await source.parse({ name: task.name, bytes: task.bytes }, task.mapped);
	const { requests, tables = [], savedAgain, ...report } = parsed;
	const events = eventsOf(tables);
	const dayInPath = dayInName(savedAgain ? basename(dirname(task.path)) : task.path);
	const statedDay = parsed.publishedOn ?? dayInPath ?? (source.savedByHand ? await savedOn(task.bytes) : null);
	const asOf = task.asOf ?? (task.fetchedAt ? downloadedAsOf(task.fetchedAt, statedDay) : parseTime(statedDay ?? ""));
	if (asOf === null)
		throw new StructureError(`${task.name}: ${undatedMessage(newestEvent(events, new Date().toISOString()))}`);
	const operator = source.region === null ? null : operators[source.region];
	const filed = filedReader(tables);
	const standard = standardiseList(requests, { operator, asOf }).map((request) => {
		const { number, utility, origins } = request;
		const label = source.numbersByUtility ? `${utility}-${number}` : number;
		return { ...request, label, key: source.key(label), filed: filed(origins) };
	});
	const stillListed = (parsed.stillListed ?? []).map((number) => source.key(number));
	const layouts = tables.map(({ cells: _, ignored: __, ...layout }) => layout);
	const structure = { format: formatOf(task.bytes), tables: structureOf(tables) };
	const unknownValues = locateValues(report.unknownValues, standard);
	return {
		...report,
		publishedOn: task.fetchedAt === undefined ? report.publishedOn : statedDay,
		unknownValues,
		feed: task.feed,
		asOf,
		events,
		requests: standard,
		tables: layouts,
		structure,
		stillListed,
	};
}

const undatedMessage = (newest: string | undefined): string =>
	`neither the file nor its name states the day of the list: give the day with --as-of${newest === undefined ? "" : `, not before ${newest}, the newest event in the list`}`;

answerInThread(async (tasks: ParseTask[]) => {
	const lists: ReadFile[] = [];
	for (const task of tasks) lists.push(await readList(task));
	return lists;
});

/** The format according to the first bytes. A zip archive is a workbook or contains one. Pure. */
function formatOf(bytes: Uint8Array): ListFormat {
	if (isZip(bytes)) return "workbook";
	const [first] = new TextDecoder().decode(bytes.subarray(0, 256)).trim();
	if (first === "<") return "xml";
	return first === "{" || first === "[" ? "json" : "csv";
}
