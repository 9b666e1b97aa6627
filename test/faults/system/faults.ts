/** Every fault that is tried: what is done to the system, and whose answers may be refused meanwhile. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { eventually } from "../../support/eventually.ts";
import { type Constellation, type EngineName, type WorkerName, workerNames } from "./constellation.ts";
import type { Link } from "./link.ts";
import type { Source } from "./load.ts";
import { fillDisk, freeDisk } from "./small-disk.ts";
import type { Fault } from "./trial.ts";

const owners: readonly Source[] = ["queue-ingest", "signals", "scoring", "billing"];
const everybody: readonly Source[] = ["gateway", ...owners];

const each = (links: Link[], act: (link: Link) => void) => links.forEach(act);
/** A fault of links, and its repair. */
const way = (linksOf: (system: Constellation) => Link[], act: (link: Link) => void) => ({
	begin: (system: Constellation) => each(linksOf(system), act),
	end: (system: Constellation) => each(linksOf(system), (link) => link.open()),
});

/** Killed, paused, cut off, and with nothing going through; a service is started again by its supervisor. */
function faultsOf(worker: WorkerName): Fault[] {
	const isGateway = worker === "gateway";
	const refuses = isGateway ? everybody : [worker];
	const atCallers = { refuses, breaks: isGateway };
	const linksOf = (system: Constellation) => (isGateway ? [system.front] : system.links({ worker }));
	return [
		{
			name: `${worker}: kill -9`,
			...atCallers,
			losesUsage: isGateway,
			begin: (system) => system.workers[worker].kill(),
		},
		{
			name: `${worker}: paused`,
			...atCallers,
			begin: (system) => system.workers[worker].pause(),
			end: (system) => system.workers[worker].resume(),
		},
		{ name: `${worker}: cut off`, ...atCallers, ...way(linksOf, (link) => link.cut()) },
		{ name: `${worker}: black hole around it`, ...atCallers, ...way(linksOf, (link) => link.hole()) },
	];
}

/** Long after the watch of its connections has noticed; a system itself takes up to a quarter of an hour (Linux). */
const giveUpMs = 45_000;

/** Faults of PostgreSQL, NATS and Redis. Without Redis nothing is refused. */
function faultsAt(engine: EngineName, name: string, refuses: readonly Source[]): Fault[] {
	const linksOf = (system: Constellation) => system.links({ engine });
	return [
		{
			name: `${name}: kill -9`,
			refuses,
			begin: (system) => system.engines[engine].kill(),
			end: (system) => system.engines[engine].start(),
		},
		{
			name: `${name}: paused`,
			refuses,
			begin: (system) => system.engines[engine].pause(),
			end: (system) => system.engines[engine].resume(),
		},
		{ name: `${name}: cut off`, refuses, ...way(linksOf, (link) => link.cut()) },
		{ name: `${name}: black hole`, refuses, ...way(linksOf, (link) => link.hole()) },
		{
			name: `${name}: connections lead nowhere, new ones are good`,
			refuses,
			begin: (system) => each(linksOf(system), (link) => link.strand(giveUpMs)),
		},
		{ name: `${name}: every way takes 100 ms`, refuses, ...way(linksOf, (link) => link.slow(100)) },
	];
}

/** A day ahead, and then an hour behind, which is a restart each. */
const skewed = (worker: WorkerName): Fault => ({
	name: `${worker}: its clock a day ahead, then an hour behind`,
	refuses: worker === "gateway" ? everybody : [worker],
	breaks: worker === "gateway",
	losesUsage: worker === "gateway",
	begin: (system) => system.workers[worker].restartWith(clock(86_400_000)),
	async end(system) {
		await system.workers[worker].restartWith(clock(-3_600_000));
		await system.workers[worker].restartWith({});
	},
});

const clock = (aheadMs: number) => ({
	NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "skew.ts")).href}`,
	CLOCK_SKEW_MS: String(aheadMs),
});

/** Every publisher and an event that it can publish again. */
const events: [WorkerName, string][] = [
	["queue-ingest", "project.changed"],
	["queue-ingest", "developer.changed"],
	["queue-ingest", "ownership.recorded"],
	["signals", "news.recorded"],
	["signals", "raise.recorded"],
	["signals", "filing.recorded"],
	["signals", "ownership.changed"],
	["scoring", "project.scored"],
	["scoring", "developer.rated"],
	["billing", "key.changed"],
];

async function republishAll(system: Constellation): Promise<void> {
	for (const [service, event] of events) {
		const { code } = await system.run(service, "admin/republish.ts", [event], "direct").exited;
		if (code !== 0) throw new Error(`republish ${event} ended with ${code}`);
	}
}

async function runsStatements({ url }: Constellation): Promise<boolean> {
	const answer = await fetch(`${url}/query?database=master&sql=select+count(*)+from+projects`);
	await answer.arrayBuffer();
	return answer.ok;
}

const consumers = ["signals", "scoring", "billing"] as const;

const others: Fault[] = [
	{
		name: "PostgreSQL: its first process kill -9",
		refuses: owners,
		begin: (system) => system.engines.postgres.killFirst(),
		end: (system) => system.engines.postgres.start(),
	},
	{
		name: "NATS: kill -9, its files lost, npm run republish",
		refuses: owners,
		async begin({ engines }) {
			await engines.nats.kill();
			engines.nats.loseFiles();
		},
		async end(system) {
			await system.engines.nats.start();
			await republishAll(system);
		},
	},
	{
		name: "NATS: a power cut takes its last seconds, which no consumer had read",
		refuses: owners,
		begin({ engines, workers }) {
			engines.nats.sync();
			for (const consumer of consumers) workers[consumer].pause();
		},
		async end({ engines, workers }) {
			await engines.nats.cutPower();
			for (const consumer of consumers) workers[consumer].resume();
			await engines.nats.start();
		},
	},
	{
		name: "NATS: kill -9, its files torn; query starts anew and reads every extract again",
		refuses: owners,
		async begin({ engines, workers }) {
			await engines.nats.tearFiles();
			workers.query.kill();
		},
		async end(system) {
			await system.engines.nats.start();
			await eventually(() => runsStatements(system), { withinMs: 90_000 });
		},
	},
	{ name: "everything is delivered again (npm run republish)", refuses: [], begin: republishAll },
	{
		name: "scoring and signals: kill -9 while they take what is delivered again",
		refuses: ["scoring", "signals"],
		async begin(system) {
			await republishAll(system);
			for (const worker of ["scoring", "signals"] as const) system.workers[worker].kill();
		},
	},
];

/** A server that stopped itself is started again, as an operator does. */
async function makeRoom({ directory, engines }: Constellation): Promise<void> {
	freeDisk(directory);
	await Promise.all([engines.postgres.start(), engines.nats.mend()]);
}

/** Segments of its log that PostgreSQL may have in stock. */
const maxSegments = 100;

/** A fault on a cluster of three, whose streams have three copies: of the node that services name first. */
export const oneOfThree: readonly Fault[] = [
	{
		name: "one of three NATS nodes: kill -9",
		refuses: owners,
		begin: ({ engines }) => engines.nats.kill(),
		end: ({ engines }) => engines.nats.start(),
	},
	{
		name: "one of three NATS nodes: paused",
		refuses: owners,
		begin: ({ engines }) => engines.nats.pause(),
		end: ({ engines }) => engines.nats.resume(),
	},
];

/** Each on a small disk. */
export const fullDisks: readonly Fault[] = [
	{
		name: "the disk of PostgreSQL and NATS is full",
		refuses: owners,
		begin: (system) => fillDisk(system.directory),
		end: makeRoom,
	},
	{
		name: "the disk is full when PostgreSQL needs a new file for its log: it ends",
		refuses: owners,
		async begin(system) {
			fillDisk(system.directory);
			for (let segment = 0; segment < maxSegments && system.engines.postgres.running; segment++)
				await system.sql`select pg_logical_emit_message(false, 'test', 'full'), pg_switch_wal()`.catch(() => {});
		},
		end: makeRoom,
	},
];

export const faults: readonly Fault[] = [
	...workerNames.flatMap(faultsOf),
	...faultsAt("nats", "NATS", owners),
	...faultsAt("redis", "Redis", []),
	...faultsAt("postgres", "PostgreSQL", owners),
	...others,
	...workerNames.map(skewed),
];

export function faultNamed(name: string): Fault {
	const found = [...faults, ...oneOfThree, ...fullDisks].find((fault) => fault.name === name);
	if (found === undefined) throw new Error(`there is no fault "${name}"`);
	return found;
}
