/** Reads published files in a thread with limited memory and time, so that neither a hanging reader nor a zip bomb harms the caller. */
import { parentPort, Worker } from "node:worker_threads";
import { StructureError } from "./structure-error.ts";

/** Limits of heap (MiB) and time (ms) for reading a file. Valid files stay below both. */
const maxHeapMb = 448;
const maxDurationMs = 120_000;
/** How long an idle thread waits for its next file (ms), because starting a thread takes longer than reading most files. */
const idleMs = 3_000;

type ThreadResult<T> = { ok: true; value: T } | { ok: false; structural: boolean; message: string };

/**
 * Runs `task` in a thread whose module (`worker`) calls `answerInThread`, and returns the result. Task and result are cloned. `name` is the
 * file's name, for error messages.
 * @throws StructureError if the file is damaged or of a different kind, Error if the reader has a bug
 */
export async function readInThread<T>(worker: URL, name: string, task: unknown): Promise<T> {
	const result = await run<T>(worker, name, task);
	if (result.ok) return result.value;
	throw result.structural ? new StructureError(result.message) : new Error(result.message);
}

/** Responds to each task with the result of `read`, whose texts are made well-formed Unicode. A worker's module calls this in its last line. */
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
		const settle = (result: ThreadResult<T>, isReusable: boolean) => {
			clearTimeout(timer);
			removeListeners(worker);
			if (isReusable) keepThread(url, worker);
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

interface IdleThread {
	worker: Worker;
	timer: NodeJS.Timeout;
}

/** Threads that wait for a file, by module, the newest last. */
const idleThreads = new Map<string, IdleThread[]>();

function takeThread({ href }: URL): Worker {
	const idle = idleThreads.get(href)?.pop();
	if (idle === undefined) return new Worker(new URL(href), { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
	clearTimeout(idle.timer);
	removeListeners(idle.worker);
	idle.worker.ref();
	return idle.worker;
}

/** Keeps the thread for the next file for a while. It does not keep the process alive. */
function keepThread({ href }: URL, worker: Worker): void {
	const threads = idleThreads.get(href) ?? [];
	idleThreads.set(href, threads);
	const remove = () => {
		clearTimeout(thread.timer);
		threads.splice(threads.indexOf(thread), 1);
		end(worker);
	};
	const thread: IdleThread = { worker, timer: setTimeout(remove, idleMs).unref() };
	worker.once("error", remove);
	worker.unref();
	threads.push(thread);
}

/** Removes the listeners of these three events only, because Node.js has listeners for others. */
function removeListeners(worker: Worker): void {
	for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
}

function end(worker: Worker): void {
	removeListeners(worker);
	worker.on("error", () => {});
	void worker.terminate();
}

/** Replaces lone surrogates (which `\\ud800` in JSON creates) with U+FFFD, in texts and in field names. Changes objects in place. */
export function wellFormed<T>(value: T): T {
	if (typeof value === "string") return value.toWellFormed() as T;
	const remaining: unknown[] = [value];
	while (remaining.length > 0) {
		const object = remaining.pop();
		if (typeof object !== "object" || object === null || ArrayBuffer.isView(object)) continue;
		const fields = object as Record<string, unknown>;
		for (const key of Object.keys(fields)) {
			const field = fields[key];
			if (typeof field === "string") {
				if (!field.isWellFormed()) fields[key] = field.toWellFormed();
			} else if (typeof field === "object" && field !== null) remaining.push(field);
			if (!key.isWellFormed()) {
				fields[key.toWellFormed()] = fields[key];
				delete fields[key];
			}
		}
	}
	return value;
}
