/**
 * Removes what a PostgreSQL server leaves when its first process is killed: sessions, which continue for a while and hold the shared memory
 * that a new server needs; and `postmaster.pid`, whose number another process may have by now. This works only on Linux; elsewhere the server
 * checks for itself, and the start is repeated until the sessions have ended.
 */
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Ends the sessions and deletes the file, unless the server that the file names runs. The caller must hold the lock of the data folder. */
export async function clearRemains(cluster: string): Promise<void> {
	if (process.platform !== "linux") return;
	const file = join(cluster, "postmaster.pid");
	const named = firstLine(file);
	const folder = realpathSync(cluster);
	const isServer = (pid: number) => isOf(folder, pid);
	if (named === undefined || isServer(named)) return;
	for (let left = everyPid().filter(isServer); left.length > 0; left = left.filter(isServer)) {
		for (const pid of left) kill(pid);
		await pause(20);
	}
	// The file is empty if the server was killed before it wrote its number. No server starts beside an empty file.
	if (Number.isNaN(named) || isRunning(named)) rmSync(file);
}

function firstLine(path: string): number | undefined {
	try {
		return Number.parseInt(readFileSync(path, "utf8"), 10);
	} catch {
		return undefined;
	}
}

const everyPid = (): number[] =>
	readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(Number);

/** Whether a process is one of the cluster's server: its folder is that of the cluster, which may also be true of a person's shell. */
function isOf(folder: string, pid: number): boolean {
	try {
		const isHere = readlinkSync(`/proc/${pid}/cwd`) === folder;
		return isHere && basename(readlinkSync(`/proc/${pid}/exe`)).startsWith("postgres");
	} catch {
		// The process has ended, or belongs to another user.
		return false;
	}
}

/** Whether the process exists, even if it has ended and its parent has not read its exit code. */
export function isRunning(pid: number): boolean {
	try {
		return readFileSync(`/proc/${pid}/stat`, "utf8") !== "";
	} catch {
		return false;
	}
}

function kill(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
	}
}
