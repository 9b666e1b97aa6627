/**
 * Times of the last run: one line for each phase and test file, in a file that git ignores. `npm run test:times` prints the phases and the 40
 * slowest files.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { root } from "../../deploy/local/data-dir.ts";

/** `.ci/run` sets the path, so that phases before the tests are recorded too. */
const path = process.env.TEST_TIMES ?? `${root}/.data/test-times.tsv`;
const slowestCount = 40;

export function recordTime(kind: "phase" | "file", name: string, ms: number): void {
	mkdirSync(dirname(path), { recursive: true });
	appendFileSync(path, `${kind}\t${name}\t${Math.round(ms)}\n`);
}

export function deleteTimes(): void {
	if (process.env.TEST_TIMES === undefined) rmSync(path, { force: true });
}

/** Does `work` and records how long it took. */
export async function timePhase<T>(name: string, work: () => T | Promise<T>): Promise<T> {
	const started = performance.now();
	const result = await work();
	recordTime("phase", name, performance.now() - started);
	return result;
}

interface Time {
	name: string;
	seconds: number;
}

function formatTimes(): string {
	if (!existsSync(path)) return "No run has been recorded.";
	const lines = readFileSync(path, "utf8").trim().split("\n");
	const times = lines
		.map((line) => line.split("\t"))
		.map(([kind, name = "", ms]) => ({ kind, name, seconds: Number(ms) / 1000 }));
	const phases = sumByName(times.filter(({ kind }) => kind === "phase"));
	const files = times.filter(({ kind }) => kind === "file").sort((one, other) => other.seconds - one.seconds);
	const slowest = files.slice(0, slowestCount);
	const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
	const row = ({ name, seconds }: Time) => `${seconds.toFixed(1).padStart(8)} s  ${name}`;
	return [
		...["Phases (in CI, check and audit run beside the tests):", ...phases.map(row)],
		`The ${slowest.length} slowest of ${files.length} test files (${total.toFixed(0)} s together):`,
		...slowest.map(row),
	].join("\n");
}

/** A phase can occur more than once: every npm script checks whether the pages must be rebuilt. */
function sumByName(times: Time[]): Time[] {
	const byName = Map.groupBy(times, ({ name }) => name);
	return [...byName].map(([name, all]) => ({ name, seconds: all.reduce((sum, { seconds }) => sum + seconds, 0) }));
}

if (import.meta.main) console.log(formatTimes());
