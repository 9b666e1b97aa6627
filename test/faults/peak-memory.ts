/** Most resident memory of this process (kB). */
import { readFileSync } from "node:fs";

/** Read from the kernel where possible: `maxRSS` starts with the memory of the process that started this one. */
export function peakMemory(): number {
	try {
		return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
	} catch {
		return process.resourceUsage().maxRSS;
	}
}
