/** Reads a file in a worker thread with a bound on its memory and its time. */
import { Worker } from "node:worker_threads";
import type { StandardRequest } from "../domain/standard-request.ts";
import { type Feed, type ParsedFile, StructureError } from "../sources/source.ts";

/** Most heap that reading a file may take (MiB) and longest it may last (ms); beyond either it is no whole file of an operator. */
const maxHeapMb = 448;
const maxDurationMs = 120_000;

export interface ParseTask {
	feed: Feed;
	/** Last part of the path. */
	name: string;
	/** Whole path or address: folders can state the date. */
	path: string;
	bytes: Uint8Array;
	/** Snapshot time given from outside, ISO; else the file's or its name's. */
	asOf: string | null;
}

/** What the worker knows of a file. */
export type ReadFile = Omit<StandardFile, "sha256">;

export interface StandardFile extends Omit<ParsedFile, "requests" | "stillListed"> {
	feed: Feed;
	/** Of the file's bytes. */
	sha256: string;
	/** ISO moment. */
	asOf: string;
	requests: (StandardRequest & { key: string })[];
	/** Keys that the file still shows although their rows are dropped. */
	stillListed: string[];
}

export type ParseAnswer = { ok: true; file: ReadFile } | { ok: false; structural: boolean; message: string };

/** Throws `StructureError` for what is no whole file of the feed, `Error` for a fault of ours. */
export async function parseFile(task: ParseTask): Promise<ReadFile> {
	const answer = await run(task);
	if (answer.ok) return answer.file;
	throw answer.structural ? new StructureError(answer.message) : new Error(answer.message);
}

function run(task: ParseTask): Promise<ParseAnswer> {
	const worker = new Worker(new URL("./parse-worker.ts", import.meta.url), {
		workerData: task,
		resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
	});
	return new Promise((resolve) => {
		const refuse = (message: string) => resolve({ ok: false, structural: true, message });
		const timer = setTimeout(() => {
			refuse(`${task.name}: reading took more than ${maxDurationMs / 1000} s`);
			void worker.terminate();
		}, maxDurationMs);
		worker.once("message", (answer: ParseAnswer) => resolve(answer));
		worker.once("error", (error: NodeJS.ErrnoException) =>
			error.code === "ERR_WORKER_OUT_OF_MEMORY"
				? refuse(`${task.name}: reading took more than ${maxHeapMb} MiB`)
				: resolve({ ok: false, structural: false, message: error.message }),
		);
		worker.once("exit", (code) => {
			clearTimeout(timer);
			refuse(`${task.name}: the reader ended without an answer (${code})`);
		});
	});
}
