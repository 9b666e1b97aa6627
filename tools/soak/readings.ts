/** Readings of a running system under load: memory and handles of every process, and each service's own metrics. */
import { readdirSync, readFileSync } from "node:fs";
import type { Measure } from "./growth.ts";
import type { Observed } from "./observed.ts";

/** By name, in megabytes or counted. */
export type Reading = Map<string, { measure: Measure; value: number }>;

const megabyte = 1024 ** 2;

/** A process that is gone, and what a service does not show in time, read as NaN. */
export async function readAll(
	{ services, pidOf, metricsOf, url }: Observed,
	servers: readonly string[],
): Promise<Reading> {
	const reading: Reading = new Map();
	// Collects its garbage (collect.ts); its metrics are read after it.
	for (const service of services) process.kill(pidOf(service), "SIGUSR2");
	const callers = connectionsTo(Number(new URL(url).port));
	const put = (name: string, measure: Measure, value: number) => reading.set(name, { measure, value });
	for (const name of [...services, ...servers]) {
		put(`memory of ${name}, MB`, "memory", ofAll(pidOf(name), memoryOf) / megabyte);
		// Callers come and go as they like: their connections are nothing that the gateway holds on to.
		put(`handles of ${name}`, "count", ofAll(pidOf(name), handlesOf) - (name === "gateway" ? callers : 0));
	}
	for (const service of services) {
		const metrics = parseMetrics(await metricsOf(service));
		const total = (metric: string) => totalOf(metrics, metric);
		put(`heap of ${service}, MB`, "heap", total("nodejs_heap_size_used_bytes") / megabyte);
		// The gateway stores nothing, and listens to no stream.
		if (service !== "gateway") {
			put(`events that wait for reactions of ${service}`, "count", total("bus_consumer_lag_events"));
			put(`outbox of ${service}`, "count", total("outbox_pending"));
		}
		put(`connections of ${service} that are lent or waited for`, "count", busy(metrics));
	}
	return reading;
}

/** Events that no reaction and no relay has handled yet, of all services. */
export const behind = (reading: Reading): number =>
	sum([...reading].filter(([name]) => /^(outbox|events)/.test(name)).map(([, { value }]) => value));

export interface Metric {
	name: string;
	labels: string;
	value: number;
}

/** Lines of the text format; comments left out. */
function parseMetrics(text: string): Metric[] {
	return text.split("\n").flatMap((line) => {
		const found = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)/i.exec(line);
		return found === null ? [] : [{ name: found[1] ?? "", labels: found[2] ?? "", value: Number(found[3]) }];
	});
}

/** NaN where it is not shown: nothing is not zero. */
function totalOf(metrics: Metric[], metric: string): number {
	const found = metrics.filter(({ name }) => name === metric);
	return found.length === 0 ? Number.NaN : sum(found.map(({ value }) => value));
}

const busy = (metrics: Metric[]): number =>
	sum(
		metrics
			.filter(
				({ name, labels }) =>
					name === "postgres_pool_waiting" || (name === "postgres_pool_connections" && /busy/.test(labels)),
			)
			.map(({ value }) => value),
	);

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** The process's own memory (bytes): pages of files, and PostgreSQL's buffers, which fill up to their configured size, are left out. */
function memoryOf(pid: number): number {
	const found = /^Pss_Anon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
	return Number(found?.[1]) * 1024;
}

const handlesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** Established TCP connections to a port of this machine, as its server sees them. */
function connectionsTo(port: number): number {
	const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
	return readFileSync("/proc/net/tcp", "latin1")
		.split("\n")
		.map((line) => line.trim().split(/\s+/))
		.filter(([, address, , state]) => address?.endsWith(local) === true && state === "01").length;
}

/** Sessions of PostgreSQL, and threads' processes of others. */
const childrenOf = (pid: number): number[] =>
	readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

/** The sum over the process and its children; a child may end meanwhile, which costs a retry. */
function ofAll(pid: number, read: (pid: number) => number): number {
	for (let tries = 1; ; tries++) {
		try {
			return sum([pid, ...childrenOf(pid)].map(read));
		} catch {
			if (tries === 5) return Number.NaN;
		}
	}
}
