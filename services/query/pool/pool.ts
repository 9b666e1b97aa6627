/**
 * The pool of processes that run statements. A process is started on demand, ended after a minute without work, and replaced after 20 statements,
 * after a failed statement, and when newer extracts are loaded.
 */
import type { ExtractFile } from "../child/database.ts";
import type { Statement } from "../child/frames.ts";
import { type Finished, type ProcessLimits, QueryProcess } from "./process.ts";

export interface PoolOptions extends ProcessLimits {
	/** Statements that a process runs before it is replaced, so that leaked memory cannot accumulate. */
	statementsPerProcess: number;
	/** Idle time after which a process is ended (ms). */
	idleMs: number;
}

export const poolDefaults: Omit<PoolOptions, "dataKb" | "timeoutMs"> = { statementsPerProcess: 20, idleMs: 60_000 };

export class Pool implements AsyncDisposable {
	readonly #options: PoolOptions;
	readonly #idle: QueryProcess[] = [];
	/** All processes, each with the generation of its files. */
	readonly #generations = new Map<QueryProcess, number>();
	readonly #timer: NodeJS.Timeout;
	#files: readonly ExtractFile[] = [];
	/** Number of times the files were replaced. */
	#generation = 0;
	#closed = false;

	constructor(options: PoolOptions) {
		this.#options = options;
		this.#timer = setInterval(() => this.#endIdle(), Math.min(options.idleMs, 10_000));
		this.#timer.unref();
	}

	/** Number of processes. */
	get size(): number {
		return this.#generations.size;
	}

	/** New statements use these files; running ones finish with the files that they started with. */
	use(files: readonly ExtractFile[]): void {
		this.#files = files;
		this.#generation++;
		const idle = this.#idle.splice(0);
		for (const each of idle) this.#end(each);
		// Idle processes were used within the last minute, so a further statement is likely.
		if (idle.length > 0) this.#idle.push(this.#start());
	}

	/** Runs a statement in a process that runs no other one. The caller limits the number of concurrent calls. */
	async run(statement: Statement): Promise<Finished> {
		const worker = await this.#takeReady();
		let finished: Finished | undefined;
		try {
			finished = await worker.run(statement);
			return finished;
		} finally {
			// A failed statement may leave fragmented memory behind, so the next statement gets a new process.
			if (finished === undefined || finished.outcome.kind === "failed") this.#replace(worker);
			else this.#release(worker);
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#closed = true;
		clearInterval(this.#timer);
		await Promise.all([...this.#generations.keys()].map((each) => each[Symbol.asyncDispose]()));
	}

	/** Returns a ready process. One that ended while idle or starting (killed, out of memory) is replaced once: no statement caused its end. */
	async #takeReady(): Promise<QueryProcess> {
		const taken = this.#take();
		try {
			await taken.ready;
			return taken;
		} catch {
			this.#end(taken);
		}
		const started = this.#start();
		try {
			await started.ready;
			return started;
		} catch (error) {
			this.#end(started);
			throw error;
		}
	}

	#take(): QueryProcess {
		for (let each = this.#idle.pop(); each !== undefined; each = this.#idle.pop()) {
			if (each.alive) return each;
			this.#end(each);
		}
		return this.#start();
	}

	#start(): QueryProcess {
		const started = new QueryProcess(this.#files, this.#options);
		this.#generations.set(started, this.#generation);
		return started;
	}

	#release(worker: QueryProcess): void {
		const isCurrent = this.#generations.get(worker) === this.#generation;
		const remaining = this.#options.statementsPerProcess - worker.statements;
		if (!worker.alive || !isCurrent || remaining <= 0) {
			this.#replace(worker);
			return;
		}
		this.#idle.push(worker);
		// Starting a process takes as long as many statements, so a spare one is started in advance. `worker`, last in the array, is used first.
		if (this.#idle.length === 1 && !this.#closed) this.#idle.unshift(this.#start());
	}

	/** Ends a process, and starts its successor at once, so that the next statement need not wait for it. */
	#replace(worker: QueryProcess): void {
		this.#end(worker);
		if (this.#idle.length === 0 && !this.#closed) this.#idle.push(this.#start());
	}

	#end(worker: QueryProcess): void {
		worker.kill();
		this.#generations.delete(worker);
	}

	#endIdle(): void {
		const oldest = performance.now() - this.#options.idleMs;
		for (const each of this.#idle.filter(({ alive, lastUsed }) => !alive || lastUsed < oldest)) {
			this.#idle.splice(this.#idle.indexOf(each), 1);
			this.#end(each);
		}
	}
}
