/** Downloads by the publishers' rules: each request names us, keeps to the host's rate, and stops after a refusal. */
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf, fetchOnce, redirectTarget, type Validators, validatorsOf } from "#libs/files/download.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { type Policy, policyOf } from "./hosts.ts";

interface PoliteOptions {
	sql: Sql;
	/** Organisation and contact address: SEC refuses requests without one. */
	userAgent: string;
	signal: AbortSignal;
	/** Longest wait for a token (ms) before `Busy` is thrown. */
	maxWaitMs?: number;
	policy?: (host: string) => Policy;
	pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface DownloadOptions {
	maxBytes: number;
	/** Sends the validators of the last download, so that the response may be `unchanged`. */
	conditional?: boolean;
	timeoutMs?: number;
}

export type Download =
	| { kind: "file"; bytes: Uint8Array; validators: Validators }
	| { kind: "unchanged" }
	/** Nothing is published under this address: 404, or the 403 that SEC returns for a missing file. */
	| { kind: "absent" };

export interface PoliteClient {
	/**
	 * Throws `Busy` while the host may not be requested, `StructureError` for an unusable response, `Error` for a host that cannot be
	 * reached. It follows redirects, each by the policy of its own host.
	 */
	get(url: string, options: DownloadOptions): Promise<Download>;
}

/** The host may not be requested for longer than the caller waits. The step stops here and continues with the next poll. */
export class Busy extends Error {
	override name = "Busy";
}

/** Pauses between attempts (ms), extended by up to half at random, so that replicas do not retry together. */
const backOffMs = [1_000, 2_000, 4_000];
const maxRedirects = 5;
const maxErrorBytes = 1_000_000;
const defaultTimeoutMs = 60_000;
const defaultMaxWaitMs = 30_000;

type Reply =
	| Download
	| { kind: "moved"; to: URL }
	/** Too many requests, or an unwanted client. */
	| { kind: "refused"; status: number; retryAfterMs: number | null }
	| { kind: "failed" }
	/** No connection, a timeout, or a response that broke off. */
	| { kind: "unreachable"; error: unknown };

type Client = Required<PoliteOptions>;

export function politeClient(options: PoliteOptions): PoliteClient {
	const client: Client = {
		maxWaitMs: defaultMaxWaitMs,
		policy: policyOf,
		pause: async (ms, signal) => sleep(ms, undefined, { signal }),
		...options,
	};
	return { get: (url, get) => download(client, url, get) };
}

async function download(client: Client, url: string, options: DownloadOptions): Promise<Download> {
	const first = new URL(url);
	const validators = options.conditional ? await knownValidators(client.sql, url) : undefined;
	let target = first;
	for (let hop = 0; hop <= maxRedirects; hop++) {
		// Validators are valid only for the host that sent them.
		const known = target.host === first.host ? validators : undefined;
		const reply = await requestWithRetries(client, target, options, known);
		if (reply.kind !== "moved") return reply;
		target = reply.to;
	}
	throw new StructureError(`${client.policy(first.host).name} redirects more than ${maxRedirects} times`);
}

async function requestWithRetries(
	client: Client,
	target: URL,
	options: DownloadOptions,
	validators: Validators | undefined,
): Promise<Download | Extract<Reply, { kind: "moved" }>> {
	const { sql, signal, pause } = client;
	const policy = client.policy(target.host);
	for (let attempt = 0; ; attempt++) {
		await waitForToken(client, policy);
		const reply = await requestOnce(client, target, options, validators);
		if (reply.kind === "refused") {
			await coolDown(sql, policy, reply.retryAfterMs);
			throw new Busy(`${policy.name} answered HTTP ${reply.status}: no requests to it for a while`);
		}
		if (reply.kind !== "failed" && reply.kind !== "unreachable") {
			await resetFailures(sql, policy);
			return reply;
		}
		const wait = backOffMs[attempt];
		if (wait !== undefined) {
			await pause(wait * (1 + Math.random() / 2), signal);
			continue;
		}
		if (reply.kind === "unreachable") throw reply.error;
		await coolDown(sql, policy, null);
		throw new Busy(`${policy.name} failed ${attempt + 1} times: no requests to it for a while`);
	}
}

async function waitForToken({ sql, signal, maxWaitMs, pause }: Client, policy: Policy): Promise<void> {
	let left = maxWaitMs;
	for (let wait = await takeToken(sql, policy); wait > 0; wait = await takeToken(sql, policy)) {
		if (wait > left) throw new Busy(`${policy.name} allows no request for another ${Math.ceil(wait / 1000)} s`);
		left -= wait;
		await pause(wait, signal);
	}
}

async function requestOnce(
	client: Client,
	target: URL,
	options: DownloadOptions,
	validators: Validators | undefined,
): Promise<Reply> {
	const { signal, userAgent } = client;
	const policy = client.policy(target.host);
	const headers = { "user-agent": userAgent, accept: "*/*" };
	const limit = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)]);
	try {
		const response = await fetchOnce(target, { headers, validators, signal: limit }, policy.name);
		return await readReply(response, target, options, policy);
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof StructureError) throw error;
		return { kind: "unreachable", error };
	}
}

async function readReply(response: Response, target: URL, options: DownloadOptions, policy: Policy): Promise<Reply> {
	const { status } = response;
	if (status === 200) {
		const bytes = await bodyOf(response, options.maxBytes, policy.name);
		return { kind: "file", bytes, validators: validatorsOf(response) };
	}
	if (status === 403 && policy.refusal !== undefined) {
		const text = (await bodyOf(response, maxErrorBytes, policy.name)).toString("utf8");
		if (!policy.refusal.test(text)) return { kind: "absent" };
	} else await response.body?.cancel();
	if (status === 304 && options.conditional) return { kind: "unchanged" };
	if (status === 404) return { kind: "absent" };
	if ([403, 429, 503].includes(status)) return { kind: "refused", status, retryAfterMs: retryAfter(response) };
	if (status >= 500) return { kind: "failed" };
	const to = redirectTarget(response, target, policy.name);
	if (to !== undefined) return { kind: "moved", to };
	throw new StructureError(`${policy.name} answered HTTP ${status}`);
}

function retryAfter(response: Response): number | null {
	const value = response.headers.get("retry-after");
	if (value === null) return null;
	if (/^\d{1,6}$/.test(value)) return Number(value) * 1000;
	const at = Date.parse(value);
	return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

async function knownValidators(sql: Sql, url: string): Promise<Validators | undefined> {
	const [known] = await sql<Validators[]>`
		select etag, last_modified as "lastModified" from fetched where url = ${url}`;
	return known;
}

/** Longest cool-down (ms), whatever the number of refusals. */
const longestCoolDownMs = 6 * 3_600_000;

/**
 * Takes one token from the host's bucket. The bucket is in the database, and by its clock, so that all replicas share it.
 * Returns 0, or the wait (ms) until a token is available.
 */
export async function takeToken(sql: Sql, { name, perSecond, burst }: Policy): Promise<number> {
	await sql`
		insert into hosts (host, tokens, refilled_at) values (${name}, ${burst}, clock_timestamp())
		on conflict do nothing`;
	const [row] = await sql<{ wait_ms: number }[]>`
		with state as (
			select host, clock_timestamp() as now, cooling_until,
				least(${burst}::float8, tokens + ${perSecond}::float8 * extract(epoch from clock_timestamp() - refilled_at)) as tokens
			from hosts where host = ${name} for update),
		taken as (
			update hosts h set tokens = s.tokens - 1, refilled_at = s.now
			from state s where h.host = s.host and s.tokens >= 1 and s.cooling_until <= s.now
			returning h.host)
		select case when exists (select from taken) then 0
			else ceil(1000 * greatest(extract(epoch from greatest(s.cooling_until, s.now) - s.now), (1 - s.tokens) / ${perSecond}::float8, 0.001))
			end::float8 as wait_ms
		from state s`;
	return row?.wait_ms ?? 0;
}

/** Stops requests of all replicas for the policy's cool-down, doubled for each consecutive refusal, or for as long as the host requests. */
async function coolDown(sql: Sql, { name, coolDownMs }: Policy, retryAfterMs: number | null): Promise<void> {
	await sql`
		update hosts set failures = failures + 1, cooling_until = greatest(cooling_until, clock_timestamp() + make_interval(secs =>
			least(${longestCoolDownMs}::float8, greatest(${retryAfterMs ?? 0}::float8, ${coolDownMs}::float8 * 2 ^ least(failures, 10))) / 1000))
		where host = ${name}`;
}

async function resetFailures(sql: Sql, { name }: Policy): Promise<void> {
	await sql`update hosts set failures = 0 where host = ${name} and failures > 0`;
}
