/** Most resident memory of this process (kB). */
import { readFileSync } from "node:fs";

/** By the kernel's own mark, where there is one: `maxRSS` begins with the memory of the process that started this one. */
export function peakMemory(): number {
	try {
		return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
	} catch {
		return process.resourceUsage().maxRSS;
	}
}
