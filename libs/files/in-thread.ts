/** Reads what a stranger published in a thread of its own, with a bound on its memory and its time: neither a hang nor a bomb stops the caller. */
import { parentPort, Worker, workerData } from "node:worker_threads";
import { StructureError } from "./structure-error.ts";

/** Most heap that reading a file may take (MiB) and longest it may last (ms); beyond either it is no whole file of a publisher. */
const maxHeapMb = 448;
const maxDurationMs = 120_000;

type Answer<T> = { ok: true; value: T } | { ok: false; structural: boolean; message: string };

/**
 * What `answerInThread` of the module at `worker` returns for `task` (both are cloned). `name` is the file's, for messages.
 * Throws `StructureError` for what is no whole file of its kind, `Error` for a fault of ours.
 */
export async function readInThread<T>(worker: URL, name: string, task: unknown): Promise<T> {
	const answer = await run<T>(worker, name, task);
	if (answer.ok) return answer.value;
	throw answer.structural ? new StructureError(answer.message) : new Error(answer.message);
}

/** The last line of a worker's module. */
export async function answerInThread<Task>(read: (task: Task) => Promise<unknown>): Promise<void> {
	try {
		parentPort?.postMessage({ ok: true, value: await read(workerData as Task) });
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		parentPort?.postMessage({ ok: false, structural: error instanceof StructureError, message });
	}
}

function run<T>(url: URL, name: string, task: unknown): Promise<Answer<T>> {
	const worker = new Worker(url, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
	return new Promise((resolve) => {
		const refuse = (message: string) => resolve({ ok: false, structural: true, message });
		const timer = setTimeout(() => {
			refuse(`${name}: reading took more than ${maxDurationMs / 1000} s`);
			void worker.terminate();
		}, maxDurationMs);
		worker.once("message", (answer: Answer<T>) => resolve(answer));
		worker.once("error", (error: NodeJS.ErrnoException) =>
			error.code === "ERR_WORKER_OUT_OF_MEMORY"
				? refuse(`${name}: reading took more than ${maxHeapMb} MiB`)
				: resolve({ ok: false, structural: false, message: error.message }),
		);
		worker.once("exit", (code) => {
			clearTimeout(timer);
			refuse(`${name}: the reader ended without an answer (${code})`);
		});
	});
}
