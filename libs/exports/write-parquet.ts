/** Parquet files, any number at once, out of one thread that holds one row group at a time. */
import { Worker } from "node:worker_threads";
import type { ParquetTask } from "./parquet-file.ts";
import type { Answered, Asked } from "./parquet-worker.ts";

/** More heap than a row group ever took, and less than would harm the service (MiB). */
const limits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };
/** Without a file the thread waits so long for the next one (ms): what it held is given back soon. */
const idleMs = 3_000;

/**
 * The bytes of a Parquet file of the rows that COPY writes as text. The rows of a row group are read in one go, and by one file after
 * the other: what waits for its reader holds no rows, only its share of the file. `progress` is called while the thread gets on, with this
 * file or with those before it.
 */
export async function* writeParquet(
	task: ParquetTask,
	rows: AsyncIterable<Uint8Array>,
	progress: () => void = () => {},
): AsyncGenerator<Uint8Array, void> {
	const thread = currentThread();
	const id = ++opened;
	const place = () => progress();
	reporters.add(place);
	const source = rows[Symbol.asyncIterator]();
	thread.begin();
	try {
		await thread.ask({ id, kind: "open", task });
		for (let done = false; !done; ) {
			let bytes: Uint8Array | undefined;
			await inTurn(async () => {
				while (bytes === undefined) {
					const next = await source.next();
					done = next.done === true;
					bytes = await thread.ask(done ? { id, kind: "end" } : { id, kind: "add", bytes: next.value });
					for (const report of reporters) report();
				}
			});
			if (bytes !== undefined) yield bytes;
		}
	} finally {
		reporters.delete(place);
		await source.return?.();
		await thread.ask({ id, kind: "close" }).catch(() => {});
		thread.done();
	}
}

let opened = 0;
const reporters = new Set<() => void>();
let turns: Promise<unknown> = Promise.resolve();

function inTurn(work: () => Promise<void>): Promise<void> {
	const turn = turns.then(work);
	turns = turn.catch(() => {});
	return turn;
}

/** Started when it is needed, and anew when it has ended; it never keeps the process alive. */
let running: Thread | undefined;

function currentThread(): Thread {
	if (running === undefined || running.hasEnded) running = new Thread();
	return running;
}

class Thread {
	readonly #worker = new Worker(new URL("./parquet-worker.ts", import.meta.url), {
		resourceLimits: limits,
		execArgv: [],
	});
	readonly #waiting: PromiseWithResolvers<Uint8Array | undefined>[] = [];
	#ended: Error | undefined;
	/** Files that are being written. */
	#files = 0;
	#leaving: NodeJS.Timeout | undefined;

	constructor() {
		this.#worker.unref();
		this.#worker.on("message", ({ bytes, error }: Answered) => {
			const waiting = this.#waiting.shift();
			if (error === undefined) waiting?.resolve(bytes);
			else waiting?.reject(new Error(`Parquet: ${error}`));
		});
		this.#worker.on("error", (error) => this.#end(error));
		this.#worker.on("exit", () => this.#end(new Error("the thread that writes Parquet has ended")));
	}

	get hasEnded(): boolean {
		return this.#ended !== undefined;
	}

	begin(): void {
		this.#files++;
		clearTimeout(this.#leaving);
	}

	done(): void {
		if (--this.#files > 0) return;
		this.#leaving = setTimeout(() => {
			this.#end(new Error("the thread that writes Parquet had nothing to do"));
			void this.#worker.terminate();
		}, idleMs).unref();
	}

	async ask(asked: Asked): Promise<Uint8Array | undefined> {
		if (this.#ended !== undefined) throw this.#ended;
		const waiting = Promise.withResolvers<Uint8Array | undefined>();
		this.#waiting.push(waiting);
		if (asked.kind === "add") {
			// A copy of its own: what the driver hands on may be a part of something larger, which would all be copied.
			const bytes = new Uint8Array(asked.bytes);
			this.#worker.postMessage({ ...asked, bytes }, [bytes.buffer]);
		} else this.#worker.postMessage(asked);
		return waiting.promise;
	}

	#end(error: Error): void {
		this.#ended ??= error;
		for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#ended);
	}
}
