/**
 * Clears away what a PostgreSQL server leaves when its first process is killed: sessions that go on until they next look, and hold the
 * shared memory, without which no new server starts; and `postmaster.pid`, whose number may be another process' by now. Linux shows both;
 * elsewhere the server's own checks have to do, and a start is tried again until the sessions have ended.
 */
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Ends the sessions and takes the file away, unless the server that the file names is there. For who holds the data folder alone. */
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
	// Empty: it was killed between making the file and writing its number, and no server starts beside such a file.
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

/** A server's processes are in the folder of its cluster; so may a person's shell be. */
function isOf(folder: string, pid: number): boolean {
	try {
		const isHere = readlinkSync(`/proc/${pid}/cwd`) === folder;
		return isHere && basename(readlinkSync(`/proc/${pid}/exe`)).startsWith("postgres");
	} catch {
		// It has ended, or is another user's.
		return false;
	}
}

/** Also while it has ended and its parent does not know yet. */
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
