/**
 * The processes that run statements: a few at once, started when they are needed, ended after a minute without work, replaced after 20
 * statements, after one that had to be killed, and when there are newer extracts.
 */
import type { ExtractFile } from "../child/database.ts";
import type { Statement } from "../child/frames.ts";
import { type Finished, type ProcessLimits, QueryProcess } from "./process.ts";

export interface PoolOptions extends ProcessLimits {
	/** Statements of one process, so that nothing gathers in it. */
	statementsEach: number;
	/** A process without work is ended after so long (ms). */
	idleMs: number;
}

export const poolDefaults: Omit<PoolOptions, "dataKb" | "timeoutMs"> = { statementsEach: 20, idleMs: 60_000 };

export class Pool implements AsyncDisposable {
	readonly #options: PoolOptions;
	readonly #idle: QueryProcess[] = [];
	readonly #all = new Map<QueryProcess, number>();
	readonly #timer: NodeJS.Timeout;
	#files: readonly ExtractFile[] = [];
	#generation = 0;
	#closed = false;

	constructor(options: PoolOptions) {
		this.#options = options;
		this.#timer = setInterval(() => this.#endIdle(), Math.min(options.idleMs, 10_000));
		this.#timer.unref();
	}

	/** Processes that are there. */
	get size(): number {
		return this.#all.size;
	}

	/** From now on statements are run over these files. Running ones end over those that they began with. */
	use(files: readonly ExtractFile[]): void {
		this.#files = files;
		this.#generation++;
		const waiting = this.#idle.splice(0);
		for (const each of waiting) this.#end(each);
		// Who asked a moment ago is likely to ask again.
		if (waiting.length > 0) this.#idle.push(this.#start());
	}

	/** As many at once as are called for: who calls keeps the number of statements down. */
	async run(statement: Statement): Promise<Finished> {
		const worker = this.#take();
		let finished: Finished | undefined;
		try {
			await worker.ready;
			finished = await worker.run(statement);
			return finished;
		} finally {
			// Memory that a failed statement took in pieces is not all given back: the next one gets a new process.
			if (finished === undefined || finished.outcome.kind === "failed") this.#replace(worker);
			else this.#giveBack(worker);
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#closed = true;
		clearInterval(this.#timer);
		await Promise.all([...this.#all.keys()].map((each) => each[Symbol.asyncDispose]()));
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
		this.#all.set(started, this.#generation);
		return started;
	}

	#giveBack(worker: QueryProcess): void {
		const isCurrent = this.#all.get(worker) === this.#generation;
		const left = this.#options.statementsEach - worker.statements;
		if (!worker.alive || !isCurrent || left <= 0) {
			this.#replace(worker);
			return;
		}
		this.#idle.push(worker);
		// Its successor is started while it works: that takes as long as many statements. The last one that was given back is taken first.
		if (this.#idle.length === 1 && !this.#closed) this.#idle.unshift(this.#start());
	}

	/** The next statement shall not wait until a process has started. */
	#replace(worker: QueryProcess): void {
		this.#end(worker);
		if (this.#idle.length === 0 && !this.#closed) this.#idle.push(this.#start());
	}

	#end(worker: QueryProcess): void {
		worker.kill();
		this.#all.delete(worker);
	}

	#endIdle(): void {
		const oldest = performance.now() - this.#options.idleMs;
		for (const each of this.#idle.filter(({ alive, lastUsed }) => !alive || lastUsed < oldest)) {
			this.#idle.splice(this.#idle.indexOf(each), 1);
			this.#end(each);
		}
	}
}
