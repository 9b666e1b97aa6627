/** Reads published files in a thread with limited memory and time, so that neither a hang nor a decompression bomb stops the caller. */
import { parentPort, Worker } from "node:worker_threads";
import { StructureError } from "./structure-error.ts";

/** Limits of heap (MiB) and time (ms) for reading a file. Valid files need less. */
const maxHeapMb = 448;
const maxDurationMs = 120_000;
/** How long a thread waits for its next file (ms): starting a thread takes longer than reading most files. */
const idleMs = 3_000;

type ThreadResult<T> = { ok: true; value: T } | { ok: false; structural: boolean; message: string };

/**
 * Returns the result of `answerInThread` in the module at `worker` for `task` (both are cloned). `name` is the file's, for messages.
 * @throws StructureError for a file that is damaged or of another kind, Error for a bug
 */
export async function readInThread<T>(worker: URL, name: string, task: unknown): Promise<T> {
	const result = await run<T>(worker, name, task);
	if (result.ok) return result.value;
	throw result.structural ? new StructureError(result.message) : new Error(result.message);
}

/** Called in the last line of a worker's module. All texts of the result are well-formed Unicode. */
export function answerInThread<Task>(read: (task: Task) => Promise<unknown>): void {
	parentPort?.on("message", async (task: Task) => {
		try {
			parentPort?.postMessage({ ok: true, value: wellFormed(await read(task)) });
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			parentPort?.postMessage({ ok: false, structural: error instanceof StructureError, message });
		}
	});
}

function run<T>(url: URL, name: string, task: unknown): Promise<ThreadResult<T>> {
	const worker = takeThread(url);
	return new Promise((resolve) => {
		const settle = (result: ThreadResult<T>, isWell: boolean) => {
			clearTimeout(timer);
			removeListeners(worker);
			if (isWell) keepThread(url, worker);
			else end(worker);
			resolve(result);
		};
		const refuse = (message: string) => settle({ ok: false, structural: true, message }, false);
		const timer = setTimeout(() => refuse(`${name}: reading took more than ${maxDurationMs / 1000} s`), maxDurationMs);
		worker.once("message", (result: ThreadResult<T>) => settle(result, true));
		worker.once("error", (error: NodeJS.ErrnoException) =>
			error.code === "ERR_WORKER_OUT_OF_MEMORY"
				? refuse(`${name}: reading took more than ${maxHeapMb} MiB`)
				: settle({ ok: false, structural: false, message: error.message }, false),
		);
		worker.once("exit", (code) =>
			refuse(`${name}: the thread that reads the file exited with code ${code} before it returned a result`),
		);
		worker.postMessage(task);
	});
}

interface Waiting {
	worker: Worker;
	timer: NodeJS.Timeout;
}

/** Threads that wait for a file, by their module, the newest last. */
const waiting = new Map<string, Waiting[]>();

function takeThread({ href }: URL): Worker {
	const kept = waiting.get(href)?.pop();
	if (kept === undefined) return new Worker(new URL(href), { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
	clearTimeout(kept.timer);
	removeListeners(kept.worker);
	kept.worker.ref();
	return kept.worker;
}

/** Keeps the thread for a while, without keeping the process alive. */
function keepThread({ href }: URL, worker: Worker): void {
	const threads = waiting.get(href) ?? [];
	waiting.set(href, threads);
	const remove = () => {
		clearTimeout(thread.timer);
		threads.splice(threads.indexOf(thread), 1);
		end(worker);
	};
	const thread: Waiting = { worker, timer: setTimeout(remove, idleMs).unref() };
	worker.once("error", remove);
	worker.unref();
	threads.push(thread);
}

/** Removes only our listeners: Node has its own. */
function removeListeners(worker: Worker): void {
	for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
}

function end(worker: Worker): void {
	removeListeners(worker);
	worker.on("error", () => {});
	void worker.terminate();
}

/** Replaces lone surrogates (which `\\ud800` in JSON creates) by U+FFFD, in texts and in field names. Changes objects in place. */
export function wellFormed<T>(value: T): T {
	if (typeof value === "string") return value.toWellFormed() as T;
	const left: unknown[] = [value];
	while (left.length > 0) {
		const one = left.pop();
		if (typeof one !== "object" || one === null || ArrayBuffer.isView(one)) continue;
		const fields = one as Record<string, unknown>;
		for (const key of Object.keys(fields)) {
			const held = fields[key];
			if (typeof held === "string") {
				if (!held.isWellFormed()) fields[key] = held.toWellFormed();
			} else if (typeof held === "object" && held !== null) left.push(held);
			if (!key.isWellFormed()) {
				fields[key.toWellFormed()] = fields[key];
				delete fields[key];
			}
		}
	}
	return value;
}
