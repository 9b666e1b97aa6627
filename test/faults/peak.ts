/** Programs of ours in processes of their own, and the memory that they take. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

export const megabyte = 1024;
const sayPeak = fileURLToPath(new URL("say-peak.ts", import.meta.url));

export interface Ended {
	code: number | null;
	out: string;
	/** Most resident memory (kB), as the program said on its way out. */
	peak: number;
}

/** A program of ours in a process of its own. */
export async function run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
	const child = spawn(process.execPath, ["--import", sayPeak, ...args], {
		env: { ...process.env, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
	const [out, said, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
	const peak = Number(/^peak (\d+)$/m.exec(said)?.[1]);
	expect(peak, said).toBeGreaterThan(0);
	return { code, out, peak };
}

const parse = fileURLToPath(new URL("parse-peak.ts", import.meta.url));

interface Grown {
	/** The growth of the process while it read the file (kB). */
	grown: number;
	/** The error's message; empty without one. */
	message: string;
	requests: number;
}

export async function growth(feed: string, file: string): Promise<Grown> {
	const { code, out, peak } = await run([parse, feed, file]);
	expect(code).toBe(0);
	const { before, ...read }: Omit<Grown, "grown"> & { before: number } = JSON.parse(out);
	return { ...read, grown: peak - before };
}
