/** The processes that one data folder has running: started, recorded, logged, and stopped in reverse. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { largestLogBytes, lookEveryMs, rotateLog } from "./logs.ts";
import { forget, type ProcessRecord, record, stopProcess } from "./process-record.ts";
import { Sentence } from "./sentence.ts";

export interface User {
	uid: number;
	gid: number;
}

export interface Command {
	/** Names the log and the record of the process; unique among those that run at once. */
	name: string;
	program: string;
	args: string[];
	env?: NodeJS.ProcessEnv;
	cwd?: string;
	user?: User | undefined;
	/** Asks it to stop; by SIGTERM by default. */
	stopSignal?: NodeJS.Signals;
	/** "terminal" shows what it prints; otherwise that goes to logs/NAME.log, which stays short. */
	output?: "log" | "terminal";
}

export interface Exit {
	code: number | null;
	signal: NodeJS.Signals | null;
}

export class Child {
	readonly pid: number;
	readonly exited: Promise<Exit>;
	/** How it ended; undefined while it runs. */
	exit: Exit | undefined;
	readonly #record: ProcessRecord;

	constructor(process: ChildProcess, pid: number, kept: ProcessRecord) {
		this.pid = pid;
		this.#record = kept;
		this.exited = new Promise((ended) => {
			process.once("exit", (code, signal) => {
				this.exit = { code, signal };
				forget(kept);
				ended(this.exit);
			});
		});
	}

	get name(): string {
		return this.#record.name;
	}

	async stop(): Promise<void> {
		await stopProcess(this.#record);
		await this.exited;
	}
}

export class Children {
	readonly #directory: string;
	readonly #launched: Child[] = [];
	readonly #logs = new Set<string>();
	readonly #logBytes: number;
	readonly #looking: NodeJS.Timeout;
	#closing = false;

	/** `directory` is created if need be; its logs/ and pids/ are used. `logBytes`: of one log file. */
	constructor(directory: string, logBytes = largestLogBytes) {
		this.#directory = directory;
		this.#logBytes = logBytes;
		this.#looking = setInterval(() => this.#rotateLogs(), lookEveryMs).unref();
		for (const folder of ["logs", "pids"]) mkdirSync(join(directory, folder), { recursive: true, mode: 0o700 });
	}

	get closing(): boolean {
		return this.#closing;
	}

	get running(): Child[] {
		return this.#launched.filter((child) => child.exit === undefined);
	}

	launch(command: Command): Child {
		if (this.#closing) throw new Sentence(`Stopping, so ${command.name} is not started any more.`);
		const process = this.#spawn(command);
		const { pid } = process;
		// Without a pid the reason comes as an event, which must not go unhandled.
		process.on("error", () => {});
		if (pid === undefined) throw new Sentence(`${command.program} could not be started.`);
		const kept = this.#record(command, process, pid);
		const child = new Child(process, pid, kept);
		this.#launched.push(child);
		return child;
	}

	/** Polls until `probe` says yes; fails at once when the process ends before that. */
	async ready(child: Child, probe: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
		const deadline = performance.now() + withinMs;
		while (!(await probe())) {
			if (child.exit) throw this.failure(child);
			if (performance.now() > deadline) {
				throw new Sentence(`${child.name} was not ready in ${withinMs / 1000} s; see ${this.#logOf(child.name)}`);
			}
			await sleep(25);
		}
	}

	/** How it ended, with the last lines of its log. */
	failure(child: Child): Sentence {
		const how = child.exit?.signal ?? `exit code ${child.exit?.code}`;
		const path = this.#logOf(child.name);
		const lines = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n").slice(-12) : [];
		return new Sentence(`${child.name} stopped (${how}). The end of ${path}:\n  ${lines.join("\n  ")}`);
	}

	/** Stops everything, last started first. Nothing can be launched from here on. */
	async close(): Promise<void> {
		this.#closing = true;
		for (const child of this.running.toReversed()) await child.stop();
		clearInterval(this.#looking);
	}

	/** One that cannot be recorded (a full disk) is not left running: no later start would know of it. */
	#record({ name, stopSignal = "SIGTERM" }: Command, process: ChildProcess, pid: number): ProcessRecord {
		try {
			return record(this.#directory, name, pid, stopSignal);
		} catch (error) {
			process.kill("SIGKILL");
			throw error;
		}
	}

	#spawn({ name, program, args, env, cwd, user, output }: Command): ChildProcess {
		const log = output === "terminal" ? "inherit" : this.#openLog(name);
		try {
			return spawn(program, args, {
				...(env && { env }),
				...user,
				cwd: cwd ?? this.#directory,
				// A process group of its own: Ctrl-C reaches only us, and we stop them in order.
				detached: true,
				stdio: ["ignore", log, log],
			});
		} finally {
			if (typeof log === "number") closeSync(log);
		}
	}

	/** A file rather than a pipe: a process that outlives us must not die of its next line. */
	#openLog(name: string): number {
		const path = this.#logOf(name);
		this.#logs.add(path);
		rotateLog(path, this.#logBytes);
		return openSync(path, "a", 0o600);
	}

	#rotateLogs(): void {
		for (const path of this.#logs) {
			try {
				rotateLog(path, this.#logBytes);
			} catch {
				// The next look tries again; what runs must not end for it.
			}
		}
	}

	#logOf(name: string): string {
		return join(this.#directory, "logs", `${name}.log`);
	}
}
