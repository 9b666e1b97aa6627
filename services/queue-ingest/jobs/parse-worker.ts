/** Runs in a thread of its own: reads one file and standardises its rows, so that neither a hang nor a bomb stops the service. */
import { parentPort, workerData } from "node:worker_threads";
import { dateInName, moment } from "../domain/as-of.ts";
import { standardise } from "../domain/standardise.ts";
import { sourceOf } from "../sources/index.ts";
import { savedOn } from "../sources/read/saved-on.ts";
import { StructureError } from "../sources/source.ts";
import type { ParseAnswer, ParseTask } from "./parse-file.ts";

async function answer(task: ParseTask): Promise<ParseAnswer> {
	try {
		const source = sourceOf(task.feed);
		const parsed = await source.parse({ name: task.name, bytes: task.bytes });
		const stated = parsed.publishedOn ?? dateInName(task.path) ?? (await savedOn(task.bytes));
		const asOf = task.asOf ?? moment(stated ?? "");
		if (asOf === null)
			return { ok: false, structural: false, message: `${task.name}: no date given, in the file or in its name` };
		const { requests, ...report } = parsed;
		const region = source.region;
		const standard = requests.map((request) => ({
			...standardise(request, { region, asOf }),
			key: source.key(request.number),
		}));
		const stillListed = (parsed.stillListed ?? []).map((number) => source.key(number));
		return { ok: true, file: { ...report, feed: task.feed, asOf, requests: standard, stillListed } };
	} catch (error) {
		const structural = error instanceof StructureError;
		return { ok: false, structural, message: error instanceof Error ? error.message : String(error) };
	}
}

parentPort?.postMessage(await answer(workerData as ParseTask));
