/** Loaded into a program: it prints on its way out the most memory that it had resident (kB). */
import { readFileSync } from "node:fs";

process.on("exit", () => console.error("peak", readPeak()));

/** Read from the kernel where possible: `maxRSS` starts with the memory of the process that started this one. */
function readPeak(): number {
	try {
		return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
	} catch {
		return process.resourceUsage().maxRSS;
	}
}
