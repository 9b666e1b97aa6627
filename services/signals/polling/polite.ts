/** Downloads files by the publishers' rules: requests identify us, respect each host's rate limit, and pause after a refusal. */
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf, fetchOnce, redirectTarget, type Validators, validatorsOf } from "#libs/files/download.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { type Policy, policyOf } from "./hosts.ts";

interface PoliteOptions {
	sql: Sql;
	/** Organization and contact address: SEC refuses requests without them. */
	userAgent: string;
	signal: AbortSignal;
	/** Maximum wait for a token (ms) before `Busy` is thrown. */
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
	 * Follows redirects, each by the policy of its own host.
	 * @throws Busy if the host may not be requested again within `maxWaitMs`
	 * @throws StructureError if the response is unusable
	 * @throws Error if the host cannot be reached
	 */
	get(url: string, options: DownloadOptions): Promise<Download>;
}

/**
 * The host may not be requested again within the time that the caller is willing to wait. The caller ends its step, and the next poll
 * resumes it.
 */
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
	/** The host received too many requests, or does not want this client. */
	| { kind: "refused"; status: number; retryAfterMs: number | null }
	| { kind: "failed" }
	/** No connection, a timeout, or a response that broke off. */
	| { kind: "unreachable"; error: unknown };

type Client = Required<PoliteOptions>;

export function createPoliteClient(options: PoliteOptions): PoliteClient {
	const client: Client = {
		maxWaitMs: defaultMaxWaitMs,
		policy: policyOf,
		pause: async (ms, signal) => sleep(ms, undefined, { signal }),
		...options,
	};
	return { get: (url, request) => download(client, url, request) };
}

async function download(client: Client, url: string, options: DownloadOptions): Promise<Download> {
	const firstUrl = new URL(url);
	const validators = options.conditional ? await readValidators(client.sql, url) : undefined;
	let target = firstUrl;
	for (let hop = 0; hop <= maxRedirects; hop++) {
		// Validators are valid only for the host that sent them.
		const sentValidators = target.host === firstUrl.host ? validators : undefined;
		const reply = await requestWithRetries(client, target, options, sentValidators);
		if (reply.kind !== "moved") return reply;
		target = reply.to;
	}
	throw new StructureError(`${client.policy(firstUrl.host).name} redirects more than ${maxRedirects} times`);
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
			await startCoolDown(sql, policy, reply.retryAfterMs);
			throw new Busy(`${policy.name} responded with HTTP ${reply.status}: requests to it are paused`);
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
		await startCoolDown(sql, policy, null);
		throw new Busy(`${policy.name} failed ${attempt + 1} times in a row: requests to it are paused`);
	}
}

async function waitForToken({ sql, signal, maxWaitMs, pause }: Client, policy: Policy): Promise<void> {
	let remainingMs = maxWaitMs;
	for (let wait = await takeToken(sql, policy); wait > 0; wait = await takeToken(sql, policy)) {
		if (wait > remainingMs) throw new Busy(`${policy.name} allows no request for another ${Math.ceil(wait / 1000)} s`);
		remainingMs -= wait;
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
	const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)]);
	try {
		const response = await fetchOnce(target, { headers, validators, signal: abortSignal }, policy.name);
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
	if ([403, 429, 503].includes(status)) return { kind: "refused", status, retryAfterMs: readRetryAfter(response) };
	if (status >= 500) return { kind: "failed" };
	const to = redirectTarget(response, target, policy.name);
	if (to !== undefined) return { kind: "moved", to };
	throw new StructureError(`${policy.name} responded with HTTP ${status}`);
}

function readRetryAfter(response: Response): number | null {
	const value = response.headers.get("retry-after");
	if (value === null) return null;
	if (/^\d{1,6}$/.test(value)) return Number(value) * 1000;
	const at = Date.parse(value);
	return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

async function readValidators(sql: Sql, url: string): Promise<Validators | undefined> {
	const [validators] = await sql<Validators[]>`
		select etag, last_modified as "lastModified" from fetched where url = ${url}`;
	return validators;
}

/** Maximum cool-down (ms), whatever the number of refusals. */
const maxCoolDownMs = 6 * 3_600_000;

/**
 * Takes one token from the host's bucket. All replicas share the bucket: it is in the database and uses the database's clock.
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

/** Pauses the requests of all replicas for the policy's cool-down, doubled for each consecutive failure, or longer if the host requires it. */
async function startCoolDown(sql: Sql, { name, coolDownMs }: Policy, retryAfterMs: number | null): Promise<void> {
	await sql`
		update hosts set failures = failures + 1, cooling_until = greatest(cooling_until, clock_timestamp() + make_interval(secs =>
			least(${maxCoolDownMs}::float8, greatest(${retryAfterMs ?? 0}::float8, ${coolDownMs}::float8 * 2 ^ least(failures, 10))) / 1000))
		where host = ${name}`;
}

async function resetFailures(sql: Sql, { name }: Policy): Promise<void> {
	await sql`update hosts set failures = 0 where host = ${name} and failures > 0`;
}
