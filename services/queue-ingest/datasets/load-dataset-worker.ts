/** Runs in a thread of its own: reads one file of a related dataset, or looks what it is of. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { dateInName, savedOn } from "../sources/as-of.ts";
import type { DatasetFile } from "../sources/dataset.ts";
import { datasetOf } from "./index.ts";
import type { DatasetTask, LookTask } from "./load-dataset.ts";

/** The day is, where the file itself states none, that of its name or of its properties. */
async function read({ feed, name, path, bytes }: DatasetTask): Promise<DatasetFile> {
	const file = await datasetOf(feed).parse({ name, bytes });
	return { ...file, publishedOn: file.publishedOn ?? dateInName(path) ?? (await savedOn(bytes)) };
}

async function look({ candidates, name, bytes }: LookTask): Promise<string | null> {
	for (const feed of candidates) if (await datasetOf(feed).isContentOf?.({ name, bytes })) return feed;
	return null;
}

answerInThread(async (task: DatasetTask | LookTask) => ("candidates" in task ? look(task) : read(task)));
