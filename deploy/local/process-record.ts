/** A record on disk of each running process, so that the next start finds one whose starter was killed. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "./program.ts";

export interface ProcessRecord {
	/** The data folder that the process works for. A copied data folder brings along the records of the original's processes. */
	directory: string;
	name: string;
	pid: number;
	/** Undefined for a process that had already ended when it was recorded. */
	identity: string | undefined;
	stopSignal: NodeJS.Signals;
	startedAt: number;
}

const graceMs = 20_000;

export function record(directory: string, name: string, pid: number, stopSignal: NodeJS.Signals): ProcessRecord {
	const made = { directory, name, pid, identity: identify(pid), stopSignal, startedAt: Date.now() };
	writeFileSync(pathOf(made), JSON.stringify(made), { mode: 0o600 });
	return made;
}

export function deleteRecord(process: ProcessRecord): void {
	rmSync(pathOf(process), { force: true });
}

/** Sends a process its stop signal, and kills it with all that it started if it takes too long. */
export async function stopProcess({ pid, identity, stopSignal }: ProcessRecord): Promise<void> {
	const isRunning = () => identity !== undefined && identify(pid) === identity;
	const deadline = performance.now() + graceMs;
	if (isRunning()) send(pid, stopSignal);
	while (isRunning()) {
		if (performance.now() > deadline) send(-pid, "SIGKILL");
		await sleep(20);
	}
}

/** Stops the processes that an earlier run in this folder left behind, last started first. If there are any, `onFound` first gets their names. */
export async function stopOrphans(directory: string, onFound: (names: string[]) => void = () => {}): Promise<void> {
	const folder = join(directory, "pids");
	if (!existsSync(folder)) return;
	const records = readdirSync(folder).flatMap((file) => read(join(folder, file)) ?? []);
	const orphans = records.filter((found) => found.directory === directory && identify(found.pid) === found.identity);
	if (orphans.length > 0) onFound(orphans.map(({ name }) => name));
	for (const orphan of orphans.sort((a, b) => b.startedAt - a.startedAt)) await stopProcess(orphan);
	rmSync(folder, { recursive: true });
}

function pathOf({ directory, name }: ProcessRecord): string {
	return join(directory, "pids", `${name}.json`);
}

/** Undefined for an incomplete file, which a full disk leaves. */
function read(path: string): ProcessRecord | undefined {
	try {
		return JSON.parse(readFileSync(path, "utf8"));
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

function send(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "EPERM")
			throw new UserError(`Process ${Math.abs(pid)} belongs to another user and cannot be stopped.`);
		// ESRCH: it has just ended.
		if (code !== "ESRCH") throw error;
	}
}

/**
 * The time of its start distinguishes a running process from a later one that was given the same number. Undefined when there
 * is no such process (a zombie is none). A pid alone is not enough: containers reuse the same few after each restart.
 */
export function identify(pid: number): string | undefined {
	return process.platform === "linux" ? identifyOnLinux(pid) : identifyByPs(pid);
}

/** From /proc, because slim images have no `ps`. */
function identifyOnLinux(pid: number): string | undefined {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		// The second field is the program's name in brackets and may hold anything; the third is the state.
		const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		const [state, startTicks] = [fields[0], fields[19]];
		if (state === "Z" || state === "X" || startTicks === undefined) return undefined;
		return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${startTicks}`;
	} catch {
		return undefined;
	}
}

function identifyByPs(pid: number): string | undefined {
	const { stdout, status } = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8" });
	const text = stdout?.trim() ?? "";
	if (status !== 0 || text === "" || text.startsWith("Z")) return undefined;
	// Only the start time: the state before it changes all the time.
	return text.slice(text.indexOf(" ")).trim();
}
