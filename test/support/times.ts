/**
 * How long a run took: its phases and its test files, a line each in a file that git ignores. `npm run test:times` prints the phases and the 40
 * slowest files of the last run; with a name and milliseconds it records a phase.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { root } from "../../deploy/local/data-dir.ts";

/** `.ci/run` names it, so that the phases before the tests are in it too. */
const path = process.env.TEST_TIMES ?? `${root}/.data/test-times.tsv`;
const most = 40;

export function recordTime(kind: "phase" | "file", name: string, ms: number): void {
	mkdirSync(dirname(path), { recursive: true });
	appendFileSync(path, `${kind}\t${name}\t${Math.round(ms)}\n`);
}

export function forgetTimes(): void {
	if (process.env.TEST_TIMES === undefined) rmSync(path, { force: true });
}

/** Does `work` and records how long it took. */
export async function timePhase<T>(name: string, work: () => T | Promise<T>): Promise<T> {
	const started = performance.now();
	const result = await work();
	recordTime("phase", name, performance.now() - started);
	return result;
}

/** Phases may overlap: in CI `check` and `audit` run beside the tests. */
export function formatTimes(): string {
	if (!existsSync(path)) return "No run has been recorded.";
	const times = readFileSync(path, "utf8")
		.trim()
		.split("\n")
		.map((line) => line.split("\t"))
		.map(([kind, name = "", ms]) => ({ kind, name, seconds: Number(ms) / 1000 }));
	const phases = sumByName(times.filter(({ kind }) => kind === "phase"));
	const files = times.filter(({ kind }) => kind === "file").sort((one, other) => other.seconds - one.seconds);
	const slowest = files.slice(0, most);
	const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
	const row = ({ name, seconds }: Time) => `${seconds.toFixed(1).padStart(8)} s  ${name}`;
	return [
		...["Phases:", ...phases.map(row)],
		`The ${slowest.length} slowest of ${files.length} test files (${total.toFixed(0)} s together):`,
		...slowest.map(row),
	].join("\n");
}

interface Time {
	name: string;
	seconds: number;
}

/** Each npm script looks for newer pages, for example. */
function sumByName(times: Time[]): Time[] {
	const byName = Map.groupBy(times, ({ name }) => name);
	return [...byName].map(([name, all]) => ({ name, seconds: all.reduce((sum, { seconds }) => sum + seconds, 0) }));
}

if (import.meta.main) {
	const [name, ms] = process.argv.slice(2);
	if (name === undefined) console.log(formatTimes());
	else recordTime("phase", name, Number(ms));
}
