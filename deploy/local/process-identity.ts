import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * What distinguishes a running process from a later one that was given the same number: when it started. Undefined when there
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
