/**
 * A process that runs statements. The operating system limits its memory, prevents it from writing files and core dumps, and gives it a lower
 * priority than the services; its environment is empty. DuckDB's own limit covers only the memory that DuckDB accounts for: without
 * `RLIMIT_DATA`, one `repeat('x', 1000000000)` took 3.1 GB.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { queryLimits } from "#libs/contract/databases.ts";
import { within } from "#libs/contract/within.ts";
import type { ExtractFile } from "../child/database.ts";
import { outOfMemory } from "../child/failure.ts";
import { FrameReader, type Report, type Statement, writeFrame } from "../child/frames.ts";

export interface ProcessLimits {
	/** RLIMIT_DATA (KiB): heap and anonymous memory. */
	dataKb: number;
	/** Time limit of a statement (ms). */
	timeoutMs: number;
	/** Priority for `os.setPriority` (below that of the services when absent). */
	priority?: number;
}

export interface Finished extends Report {
	body: Buffer;
}

const program = fileURLToPath(new URL("../child/main.ts", import.meta.url));
/** Time limit for a process to start and become ready (ms). */
const startTimeoutMs = 20_000;
/** Maximum size of a result, including the overhead of JSON and the column names (bytes). */
const maxFrameBytes = 2 * queryLimits.bytes + 4 * 1024 * 1024;
/** V8 needs little memory, because rows are streamed. */
const nodeFlags = ["--max-old-space-size=128", "--max-semi-space-size=4", "--no-warnings"];

/** The result if the process ends during a statement; `run` compares it by identity. */
const ended: Finished = { outcome: { kind: "failed", detail: "" }, cpuMs: 0, body: Buffer.alloc(0) };

export class QueryProcess {
	/** Number of statements that the process has run. */
	statements = 0;
	/** When its last statement ended (ms of `performance.now()`). */
	lastUsed = performance.now();
	readonly ready: Promise<void>;
	readonly #child: ChildProcess;
	readonly #limits: ProcessLimits;
	readonly #frames = new FrameReader(maxFrameBytes);
	readonly #exited: Promise<void>;
	#settle: ((finished: Finished | Error) => void) | undefined;
	#gone = false;
	/** The last 2,000 characters of standard error, which explain why the process could not start. */
	#errors = "";

	constructor(files: readonly ExtractFile[], limits: ProcessLimits) {
		this.#limits = limits;
		const limit = `ulimit -c 0; ulimit -f 0; ulimit -d ${limits.dataKb}; exec "$0" "$@"`;
		this.#child = spawn("/bin/sh", ["-c", limit, process.execPath, ...nodeFlags, program], {
			env: {},
			cwd: "/",
			stdio: ["pipe", "pipe", "pipe"],
		});
		this.#exited = new Promise((resolve) => {
			const gone = () => {
				this.#gone = true;
				this.#finish(ended);
				resolve();
			};
			this.#child.once("exit", gone);
			this.#child.once("error", gone);
		});
		this.#child.stdin?.on("error", () => {});
		this.#child.stderr?.on("data", (chunk: Buffer) => {
			this.#errors = (this.#errors + chunk.toString()).slice(-2_000);
		});
		this.#child.stdout?.on("data", (chunk: Buffer) => this.#receive(chunk));
		this.#setPriority(limits.priority ?? constants.priority.PRIORITY_BELOW_NORMAL);
		this.ready = this.#setUp(files);
		this.ready.catch(() => {});
	}

	/** Whether the process can run a statement. */
	get alive(): boolean {
		return !this.#gone;
	}

	/** Runs a statement. Rejects only for an internal error. Afterwards `alive` is false if the process was killed or ended. */
	async run(statement: Statement): Promise<Finished> {
		this.statements++;
		const startedAt = performance.now();
		const finished = await within(this.#send(statement), this.#limits.timeoutMs);
		this.lastUsed = performance.now();
		// A process that has ended reports no CPU time. The elapsed time, the maximum that it can have used, is counted instead.
		const failed = (detail: string): Finished => ({
			...ended,
			outcome: { kind: "failed", detail },
			cpuMs: this.lastUsed - startedAt,
		});
		if (finished === undefined) {
			this.kill();
			return failed(`timed_out: the statement ran longer than ${this.#limits.timeoutMs / 1_000} s and was ended`);
		}
		if (finished.value === ended) return failed(outOfMemory);
		return finished.value;
	}

	kill(): void {
		this.#gone = true;
		this.#child.kill("SIGKILL");
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.kill();
		await this.#exited;
	}

	async #setUp(files: readonly ExtractFile[]): Promise<void> {
		const finished = await within(this.#send({ files }), startTimeoutMs);
		if (finished?.value.outcome.kind === "ready") return;
		this.kill();
		throw new Error(
			`could not start a query process: ${this.#errors || `not ready within ${startTimeoutMs / 1_000} s`}`,
		);
	}

	#send(head: object): Promise<Finished> {
		return new Promise((resolve, reject) => {
			this.#settle = (finished) => (finished instanceof Error ? reject(finished) : resolve(finished));
			if (this.#gone) this.#finish(ended);
			else this.#child.stdin?.write(writeFrame(head));
		});
	}

	#receive(chunk: Buffer): void {
		try {
			const frame = this.#frames.add(chunk);
			if (frame !== undefined) this.#finish({ ...(frame.head as Report), body: frame.body });
		} catch (error) {
			this.kill();
			this.#finish(error instanceof Error ? error : new Error(String(error)));
		}
	}

	#finish(finished: Finished | Error): void {
		this.#settle?.(finished);
		this.#settle = undefined;
	}

	/** Gives the services priority over callers' statements. */
	#setPriority(priority: number): void {
		try {
			if (this.#child.pid !== undefined) setPriority(this.#child.pid, priority);
		} catch {
			// The process has already ended.
		}
	}
}
