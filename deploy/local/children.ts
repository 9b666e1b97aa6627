/** The processes that one data folder has running: started, recorded, logged, and stopped in reverse. */
import { type ChildProcess, spawn } from "node:child_process";
import {
	closeSync,
	existsSync,
	ftruncateSync,
	mkdirSync,
	openSync,
	readFileSync,
	readSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { deleteRecord, type ProcessRecord, record, stopProcess } from "./process-record.ts";
import { UserError } from "./program.ts";

/** Limit of one log file (bytes). Each process has two: `NAME.log`, and `NAME.log.1` with the earlier lines. */
const largestLogBytes = 16_000_000;
/** Interval at which the size of the logs is checked (ms). */
const checkEveryMs = 1_000;

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
	/** Signal that stops it; SIGTERM by default. */
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
				deleteRecord(kept);
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
		this.#looking = setInterval(() => this.#rotateLogs(), checkEveryMs).unref();
		for (const folder of ["logs", "pids"]) mkdirSync(join(directory, folder), { recursive: true, mode: 0o700 });
	}

	get closing(): boolean {
		return this.#closing;
	}

	get running(): Child[] {
		return this.#launched.filter((child) => child.exit === undefined);
	}

	launch(command: Command): Child {
		if (this.#closing) throw new UserError(`Stopping, so ${command.name} is not started any more.`);
		const process = this.#spawn(command);
		const { pid } = process;
		// Without a pid the reason comes as an event, which must not go unhandled.
		process.on("error", () => {});
		if (pid === undefined) throw new UserError(`${command.program} could not be started.`);
		const kept = this.#record(command, process, pid);
		const child = new Child(process, pid, kept);
		this.#launched.push(child);
		return child;
	}

	/** Polls until `probe` returns true; fails at once if the process ends before that. */
	async ready(child: Child, probe: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
		const deadline = performance.now() + withinMs;
		while (!(await probe())) {
			if (child.exit) throw this.failure(child);
			if (performance.now() > deadline) {
				throw new UserError(`${child.name} was not ready in ${withinMs / 1000} s; see ${this.#logOf(child.name)}`);
			}
			await sleep(100);
		}
	}

	/** How it ended, with the last lines of its log. */
	failure(child: Child): UserError {
		const how = child.exit?.signal ?? `exit code ${child.exit?.code}`;
		const path = this.#logOf(child.name);
		const lines = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n").slice(-12) : [];
		return new UserError(`${child.name} stopped (${how}). The end of ${path}:\n  ${lines.join("\n  ")}`);
	}

	/**
	 * Stops everything, last started first, after which nothing can be launched. A process that was started again keeps its first place: NATS
	 * must stop after the services, because a service that has lost NATS waits for it before it ends.
	 */
	async close(): Promise<void> {
		this.#closing = true;
		const names = this.#launched.map(({ name }) => name);
		const latestFirst = this.running.sort((one, other) => names.indexOf(other.name) - names.indexOf(one.name));
		for (const child of latestFirst) await child.stop();
		clearInterval(this.#looking);
	}

	/** A process that cannot be recorded (a full disk) is killed, because no later start could find it. */
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
				// In a process group of its own, because Ctrl-C must reach only this process, which stops its children in order.
				detached: true,
				stdio: ["ignore", log, log],
			});
		} finally {
			if (typeof log === "number") closeSync(log);
		}
	}

	/** A file rather than a pipe, because a process that outlives this one would be killed by its next write. */
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
				// The next check tries again, because a failed rotation must not end what runs.
			}
		}
	}

	#logOf(name: string): string {
		return join(this.#directory, "logs", `${name}.log`);
	}
}

/**
 * Copies a log that has become too long to `NAME.log.1`, and empties it. Its writers continue to append to the same file: a line that is
 * written between the last read and the emptying is lost. If the disk is full, the log is only emptied.
 */
function rotateLog(path: string, most: number): void {
	if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= most) return;
	const log = openSync(path, "r+");
	try {
		setAside(log, `${path}.1`, 2 * most);
	} finally {
		ftruncateSync(log);
		closeSync(log);
	}
}

function setAside(log: number, path: string, most: number): void {
	const draft = `${path}.new`;
	try {
		const copy = openSync(draft, "w", 0o600);
		try {
			const piece = Buffer.allocUnsafe(1 << 20);
			let copied = 0;
			// Reads until nothing is left, or up to `most`, because a writer may be faster than this.
			for (let read = -1; read !== 0 && copied < most; copied += read) {
				read = readSync(log, piece);
				writeFileSync(copy, piece.subarray(0, read));
			}
		} finally {
			closeSync(copy);
		}
		renameSync(draft, path);
	} catch {
		rmSync(draft, { force: true });
	}
}
