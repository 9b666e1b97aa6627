/**
 * `npm run soak`: the whole system for an hour at half of the load that it can carry, lists being taken in all the while. Nothing may grow:
 * no process's memory or handles, no outbox, no backlog of a consumer. Writes what it found into docs/reliability.md.
 *
 *     npm run soak -- [--minutes 60] [--print]
 *
 * With --print the document stays. Ends with 1 when something grew, died, or was refused.
 */
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { root } from "../../deploy/local/data-dir.ts";
import { publishLists } from "../../test/faults/system/lists.ts";
import { startLoad } from "../../test/faults/system/load.ts";
import { issueKeys } from "../../test/faults/system/trial.ts";
import { eventually } from "../../test/support/eventually.ts";
import { rewriteBetween } from "../../test/support/rewrite-between.ts";
import { measureCapacity } from "./capacity.ts";
import { type Growth, growthOf } from "./growth.ts";
import { type Observed, startObserved } from "./observed.ts";
import { doRareThings } from "./rare.ts";
import { behind, type Reading, readAll } from "./readings.ts";
import { type Report, tableOf } from "./report.ts";

const { values } = parseArgs({
	options: { minutes: { type: "string", default: "60" }, print: { type: "boolean", default: false } },
});
const minutes = Number(values.minutes);
const servers = ["postgres", "nats", "redis"];
const readings = 360;
const patienceMs = 20_000;
const capacitySeconds = 20;

/** Bounds that are reached while it warms up instead of after weeks of running. */
const soonFull = { CACHE_MAX_BYTES: `${8 * 1024 ** 2}`, STREAM_MAX_BYTES: `${16 * 1024 ** 2}` };

await using system = await startObserved({
	KEYLESS: "open",
	REFRESH_SOURCES: "false",
	REGISTRATIONS_PER_HOUR: "100",
	NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, "collect.ts"))}`,
	...soonFull,
});
const lists = publishLists(
	{ directory: system.directory, run: (service, file, args) => system.launch(service, file, args, "lists") },
	{ everyMs: 20_000, patienceMs: 120_000 },
);
await lists.takeOne();
const keys = await issueKeys({
	url: system.url,
	roleUrl: (service) => system.run.services[service]?.env.POSTGRES_URL ?? "",
});
const options = { url: system.url, patienceMs, keys, rate: 0 };
const capacity = await measureCapacity(options, capacitySeconds);
say(`capacity: ${capacity.perSecond} requests a second; not answered: ${JSON.stringify(capacity.others)}`);
const report = await soak(system, Math.round(capacity.perSecond / 2));
for (const line of tableOf({ ...report, capacity: capacity.perSecond })) say(line);
if (!values.print) {
	const today = new Date().toISOString().slice(0, 10);
	const note = `Written by \`npm run soak -- --minutes ${minutes}\` on ${today}, on a machine of ${cpus().length} cores.`;
	const lines = [note, "", ...tableOf({ ...report, capacity: capacity.perSecond })];
	const marks = ["<!-- table: npm run soak -->", "<!-- end of the soak -->"] as const;
	rewriteBetween(join(root, "docs", "reliability.md"), marks, () => lines.join("\n"));
}
process.exitCode = report.faults.length === 0 && report.growths.every(({ grew }) => !grew) ? 0 : 1;

async function soak(soaked: Observed, rate: number): Promise<Omit<Report, "capacity">> {
	const statuses: Record<string, number> = {};
	const latencies: number[] = [];
	const pids = pidsOf(soaked);
	const taken: Reading[] = [];
	const onAnswer = ({ status, sentAt, receivedAt }: { status: number; sentAt: number; receivedAt: number }) => {
		statuses[status] = (statuses[status] ?? 0) + 1;
		// One in a hundred is enough for a quantile, and does not grow here what must not grow there.
		if (Math.random() < 0.01) latencies.push(receivedAt - sentAt);
	};
	const ran: Record<string, number> = {};
	{
		await using load = startLoad({ ...options, rate, onAnswer });
		await using rare = doRareThings(soaked.url, keys.unlimited);
		await using ingest = lists.begin();
		const began = performance.now();
		for (let nth = 1; nth <= readings; nth++) {
			// However long a reading takes itself.
			await pause(Math.max(0, began + (nth * minutes * 60_000) / readings - performance.now()));
			const reading = await readAll(soaked, servers);
			taken.push(reading);
			say(`${nth}/${readings} ${Object.values(statuses).reduce((a, b) => a + b, 0)} answers, ${lineOf(reading)}`);
		}
		await ingest.stop();
		await load.stop();
		Object.assign(ran, Object.fromEntries(rare.failures));
	}
	// Work under way when the load ends is finished soon, or never.
	const left = await eventually(async () => behind(await readAll(soaked, [])) === 0 && 0, { withinMs: 60_000 }).catch(
		async () => behind(await readAll(soaked, [])),
	);
	const died = Object.entries(pidsOf(soaked)).filter(([name, pid]) => pids[name] !== pid);
	return {
		minutes,
		rate,
		statuses,
		latencies,
		lists: lists.model.applied.length,
		growths: growthsOf(taken),
		faults: [
			...died.map(([name]) => `${name} was started again`),
			...Object.entries(ran).map(([said, times]) => `${times} x ${said}`),
			...(left === 0 ? [] : [`${left} events were not taken in a minute after the load`]),
			...Object.entries(statuses)
				.filter(([status]) => status !== "200" && status !== "429")
				.map(([status, times]) => `${times} answers ${status}`),
		],
	};
}

function growthsOf(taken: readonly Reading[]): Growth[] {
	const names = new Map([...(taken[0] ?? [])].map(([name, { measure }]) => [name, measure]));
	return [...names].map(([name, measure]) =>
		growthOf(
			name,
			measure,
			taken.map((reading) => reading.get(name)?.value ?? Number.NaN),
		),
	);
}

function pidsOf({ services, pidOf }: Observed): Record<string, number> {
	return Object.fromEntries([...services, ...servers].map((name) => [name, pidOf(name)]));
}

function lineOf(reading: Reading): string {
	const memory = [...reading].filter(([name]) => name.startsWith("memory"));
	const megabytes = memory.map(([name, { value }]) => `${name.slice(10, -4)} ${Math.round(value)}`);
	return `${behind(reading)} behind; MB: ${megabytes.join(", ")}`;
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}
