/** A turn of load by a process of its own: as fast as it is answered, over so many connections. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Loaded {
	perSecond: number;
	/** Time from sending to the end of the response (ms). */
	p50: number;
	p99: number;
}

export interface Task {
	port: number;
	/** `{n}` is another number in each request, from `first` on; `{line}` is the next line of `lines`, round and round. */
	path: string;
	connections: number;
	seconds: number;
	first?: number;
	/** A file. */
	lines?: string;
	headers?: Record<string, string>;
	/** Expected of each answer (200 when absent). */
	status?: number;
}

export async function load(task: Task): Promise<Loaded> {
	const { stdout } = await run(process.execPath, [join(import.meta.dirname, "closed-loop.ts"), JSON.stringify(task)]);
	const { requests, seconds, ...loaded } = JSON.parse(stdout) as Omit<Loaded, "perSecond"> & {
		requests: number;
		seconds: number;
	};
	return { ...loaded, perSecond: requests / seconds };
}
