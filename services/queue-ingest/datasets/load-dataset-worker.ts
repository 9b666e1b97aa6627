/** Runs in a separate thread: reads one file of a related dataset, or recognises its dataset. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { dateInName, savedOn } from "../sources/as-of.ts";
import type { DatasetFile } from "../sources/dataset.ts";
import { datasetOf } from "./index.ts";
import type { DatasetTask, RecogniseTask } from "./load-dataset.ts";

/** If a file does not state its day, the day in its name or its document properties is used. */
async function read({ feed, name, path, bytes }: DatasetTask): Promise<DatasetFile> {
	const file = await datasetOf(feed).parse({ name, bytes });
	return { ...file, publishedOn: file.publishedOn ?? dateInName(path) ?? (await savedOn(bytes)) };
}

async function findFeed({ candidates, name, bytes }: RecogniseTask): Promise<string | null> {
	for (const feed of candidates) if (await datasetOf(feed).isContentOf?.({ name, bytes })) return feed;
	return null;
}

answerInThread(async (task: DatasetTask | RecogniseTask) => ("candidates" in task ? findFeed(task) : read(task)));
