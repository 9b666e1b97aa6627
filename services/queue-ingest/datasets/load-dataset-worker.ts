/** Runs in a separate thread: reads a file of a related dataset, or recognizes the dataset of a file. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { dateInName, savedOn } from "../sources/as-of.ts";
import type { DatasetFile } from "../sources/dataset.ts";
import { datasetOf } from "./index.ts";
import type { DatasetTask, RecognizeTask } from "./load-dataset.ts";

/** Uses the day in the path or in the document properties if the file does not state its day. */
async function readDataset({ feed, name, path, bytes }: DatasetTask): Promise<DatasetFile> {
	const file = await datasetOf(feed).parse({ name, bytes });
	return { ...file, publishedOn: file.publishedOn ?? dateInName(path) ?? (await savedOn(bytes)) };
}

async function findFeed({ candidates, name, bytes }: RecognizeTask): Promise<string | null> {
	for (const feed of candidates) if (await datasetOf(feed).isContentOf?.({ name, bytes })) return feed;
	return null;
}

answerInThread(async (task: DatasetTask | RecognizeTask) =>
	"candidates" in task ? findFeed(task) : readDataset(task),
);
