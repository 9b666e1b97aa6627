/** CPU time of processes, as Linux counts it: what a request costs the machine, in all processes. */
import { readFileSync } from "node:fs";

/** USER_HZ, which Linux has fixed for what it shows. */
const ticksPerSecond = 100;

/** Seconds that these processes and their children, ended ones too, have worked so far. NaN where the system does not say. */
export function cpuSeconds(pids: readonly number[]): number {
	return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / ticksPerSecond;
}

function ticksOf(pid: number): number {
	try {
		// The name, in parentheses, may hold anything; behind it utime, stime, cutime and cstime are the 12th to the 15th.
		const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
		const own = stat
			.slice(stat.lastIndexOf(")") + 2)
			.split(" ")
			.slice(11, 15);
		const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean);
		const ticks =
			own.reduce((sum, ticks) => sum + Number(ticks), 0) +
			children.reduce((sum, child) => sum + ticksOf(Number(child)), 0);
		// A child has just ended: its time is counted with its parent's from now on.
		return Number.isNaN(ticks) ? ticksOf(pid) : ticks;
	} catch {
		return Number.NaN;
	}
}
