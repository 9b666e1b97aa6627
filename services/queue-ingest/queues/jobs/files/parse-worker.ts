/** Runs in a thread of its own: reads one file and standardises its rows. */

import type { ListFormat } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import { answerInThread } from "#libs/files/in-thread.ts";
import { dateInName, moment, savedOn } from "../../../sources/as-of.ts";
import { filedReader } from "../../../sources/filed-cells.ts";
import { structureOf } from "../../../sources/structure/structure.ts";
import { operators, sourceOf } from "../../sources/index.ts";
import { standardise } from "../../standardise.ts";
import type { ParseTask, ReadFile } from "./parse-file.ts";
import { placedWords } from "./placed-words.ts";

async function read(task: ParseTask): Promise<ReadFile> {
	const source = sourceOf(task.feed);
	const parsed = await source.parse({ name: task.name, bytes: task.bytes }, task.mapped);
	const stated = parsed.publishedOn ?? dateInName(task.path) ?? (await savedOn(task.bytes));
	const asOf = task.asOf ?? moment(stated ?? "");
	if (asOf === null) throw new Error(`${task.name}: no date given, in the file or in its name`);
	const { requests, tables = [], ...report } = parsed;
	const operator = source.region === null ? null : operators[source.region];
	const filed = filedReader(tables);
	const standard = requests.map((request) => ({
		...standardise(request, { operator, asOf }),
		key: source.key(request.number),
		filed: filed(request.origins),
	}));
	const stillListed = (parsed.stillListed ?? []).map((number) => source.key(number));
	const layouts = tables.map(({ cells: _, ignored: __, ...layout }) => layout);
	const structure = { format: formatOf(task.bytes), tables: structureOf(tables) };
	const unknownValues = placedWords(report.unknownValues, standard);
	return {
		...report,
		unknownValues,
		feed: task.feed,
		asOf,
		requests: standard,
		tables: layouts,
		structure,
		stillListed,
	};
}

answerInThread(read);

/** By the first bytes of a file that could be read. Workbooks are archives, also within another one. Pure. */
function formatOf(bytes: Uint8Array): ListFormat {
	if (isZip(bytes)) return "workbook";
	const [first] = new TextDecoder().decode(bytes.subarray(0, 256)).trim();
	if (first === "<") return "xml";
	return first === "{" || first === "[" ? "json" : "csv";
}
