/** Writes Parquet and Arrow files, any number at once, in one thread that holds one row group at a time. */
import { once } from "node:events";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { BeginMessage, ColumnTask, WorkerResponse } from "./column-worker.ts";

/** Limits of the thread's heap (MiB): more than any row group has needed, but too little to harm the service. */
const limits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };
/** The thread ends after this long without a file (ms), to release its memory. */
const idleMs = 3_000;

/**
 * Yields the bytes of a file. `rows` are the output of COPY as text. Files take turns, and each reads a whole row group in its turn, so that a
 * file with a slow reader holds no rows, only encoded bytes. `progress` is called while the thread works on any file.
 */
export async function* writeColumns(
	task: ColumnTask,
	rows: AsyncIterable<Uint8Array>,
	progress: () => void = () => {},
): AsyncGenerator<Uint8Array, void> {
	const thread = takeThread();
	const { port1: port, port2 } = new MessageChannel();
	const report = () => progress();
	reporters.add(report);
	const source = rows[Symbol.asyncIterator]();
	try {
		thread.worker.postMessage({ task, port: port2 } satisfies BeginMessage, [port2]);
		for (let done = false; !done; ) {
			let bytes: Uint8Array | undefined;
			await runInTurn(async () => {
				while (bytes === undefined) {
					const next = await source.next();
					done = next.done === true;
					bytes = await sendRows(port, next.value, thread.ended.signal);
					for (const report of reporters) report();
				}
			});
			if (bytes !== undefined) yield bytes;
		}
	} finally {
		reporters.delete(report);
		port.close();
		releaseThread(thread);
		await source.return?.();
	}
}

const reporters = new Set<() => void>();
let turns: Promise<unknown> = Promise.resolve();

function runInTurn(work: () => Promise<void>): Promise<void> {
	const turn = turns.then(work);
	turns = turn.catch(() => {});
	return turn;
}

async function sendRows(
	port: MessagePort,
	rows: Uint8Array | undefined,
	ended: AbortSignal,
): Promise<Uint8Array | undefined> {
	const responded = once(port, "message", { signal: ended }) as Promise<[WorkerResponse]>;
	// The rows are copied, because they may be part of a larger buffer of the driver, which would be transferred as a whole.
	const copy = rows === undefined ? undefined : new Uint8Array(rows);
	port.postMessage(copy, copy === undefined ? [] : [copy.buffer]);
	const [{ bytes, error }] = await responded;
	if (error !== undefined) throw new Error(`rows could not be encoded as columns: ${error}`);
	return bytes;
}

interface Thread {
	worker: Worker;
	/** Aborts when the thread ends. */
	ended: AbortController;
	files: number;
	idle?: NodeJS.Timeout;
}

/** The thread. It is started when needed, restarted after it has ended, and does not keep the process alive. */
let running: Thread | undefined;

function takeThread(): Thread {
	if (running === undefined || running.ended.signal.aborted) running = startThread();
	clearTimeout(running.idle);
	running.files++;
	return running;
}

function releaseThread(thread: Thread): void {
	if (--thread.files > 0) return;
	thread.idle = setTimeout(() => {
		thread.ended.abort();
		void thread.worker.terminate();
	}, idleMs).unref();
}

function startThread(): Thread {
	const ended = new AbortController();
	const worker = new Worker(new URL("./column-worker.ts", import.meta.url), { resourceLimits: limits, execArgv: [] });
	worker.unref();
	worker.on("error", (error) => ended.abort(error));
	worker.on("exit", () => ended.abort(new Error("the thread that writes Parquet and Arrow files has ended")));
	return { worker, ended, files: 0 };
}
