/** Downloads as the publishers ask for it: who we are, how often at most, only if it changed, and never after a "no". */
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf, fetchOnce, redirectTarget, type Validators, validatorsOf } from "#libs/files/download.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { coolDown, recovered, take } from "./bucket.ts";
import { type Policy, policyOf } from "./policies.ts";

export interface PoliteOptions {
	sql: Sql;
	/** Organisation and address of contact: SEC refuses requests without one. */
	userAgent: string;
	/** Ends every wait and download. */
	signal: AbortSignal;
	/** Longest wait for a token (ms) before the host is called busy. */
	maxWaitMs?: number;
	policy?: (host: string) => Policy;
	/** Waits so many ms; rejects when the signal fires. */
	pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface GetOptions {
	maxBytes: number;
	/** Ask only for what changed since the last look (the answer is then `unchanged`). */
	conditional?: boolean;
	timeoutMs?: number;
}

export type Got =
	| { kind: "file"; bytes: Uint8Array; validators: Validators }
	| { kind: "unchanged" }
	/** 404, or SEC's 403 for a file that does not exist: nothing was published under this address. */
	| { kind: "absent" };

export interface Polite {
	/**
	 * Throws `Busy` for a host that may not be asked now, `StructureError` for an answer that is none, `Error` when it cannot be
	 * reached. Redirects are followed, each as the policy of its own host asks for it.
	 */
	get(url: string, options: GetOptions): Promise<Got>;
}

/** The host may not be asked for longer than the caller waits: the job stops here and goes on at its next turn. */
export class Busy extends Error {
	override name = "Busy";
}

/** Between the attempts (ms), with up to half as much again, so that replicas do not come back together. */
const backOffMs = [1_000, 2_000, 4_000];
const maxRedirects = 5;
/** An error page is no longer than this. */
const maxErrorBytes = 1_000_000;
const defaultTimeoutMs = 60_000;
const defaultMaxWaitMs = 30_000;

type Answer =
	| Got
	| { kind: "moved"; to: URL }
	/** Asked too often, or not wanted. */
	| { kind: "refused"; status: number; retryAfterMs: number | null }
	/** Another 5xx. */
	| { kind: "failed" }
	/** No connection, no answer in time, or one that broke off. */
	| { kind: "unreachable"; error: unknown };

type Client = Required<PoliteOptions>;

export function politeClient(options: PoliteOptions): Polite {
	const client: Client = {
		maxWaitMs: defaultMaxWaitMs,
		policy: policyOf,
		pause: async (ms, signal) => sleep(ms, undefined, { signal }),
		...options,
	};
	return { get: (url, get) => follow(client, url, get) };
}

async function follow(client: Client, url: string, get: GetOptions): Promise<Got> {
	const first = new URL(url);
	const validators = get.conditional ? await knownValidators(client.sql, url) : undefined;
	let target = first;
	for (let hop = 0; hop <= maxRedirects; hop++) {
		// What one host said of its file means nothing to another.
		const known = target.host === first.host ? validators : undefined;
		const answer = await insist(client, target, get, known);
		if (answer.kind !== "moved") return answer;
		target = answer.to;
	}
	throw new StructureError(`${client.policy(first.host).name} redirects more than ${maxRedirects} times`);
}

/** Asks again, ever later, where an answer may just not have come. */
async function insist(
	client: Client,
	target: URL,
	get: GetOptions,
	validators: Validators | undefined,
): Promise<Got | Extract<Answer, { kind: "moved" }>> {
	const { sql, signal, pause } = client;
	const policy = client.policy(target.host);
	for (let attempt = 0; ; attempt++) {
		await waitTurn(client, policy);
		const answer = await ask(client, target, get, validators);
		if (answer.kind === "refused") {
			await coolDown(sql, policy, answer.retryAfterMs);
			throw new Busy(`${policy.name} answered HTTP ${answer.status}: it is left alone for a while`);
		}
		if (answer.kind !== "failed" && answer.kind !== "unreachable") {
			await recovered(sql, policy);
			return answer;
		}
		const wait = backOffMs[attempt];
		if (wait !== undefined) {
			await pause(wait * (1 + Math.random() / 2), signal);
			continue;
		}
		if (answer.kind === "unreachable") throw answer.error;
		await coolDown(sql, policy, null);
		throw new Busy(`${policy.name} failed ${attempt + 1} times: it is left alone for a while`);
	}
}

async function waitTurn({ sql, signal, maxWaitMs, pause }: Client, policy: Policy): Promise<void> {
	let left = maxWaitMs;
	for (let wait = await take(sql, policy); wait > 0; wait = await take(sql, policy)) {
		if (wait > left) throw new Busy(`${policy.name} may be asked again in ${Math.ceil(wait / 1000)} s`);
		left -= wait;
		await pause(wait, signal);
	}
}

/** Once, without following. */
async function ask(client: Client, target: URL, get: GetOptions, validators: Validators | undefined): Promise<Answer> {
	const { signal, userAgent } = client;
	const policy = client.policy(target.host);
	const headers = { "user-agent": userAgent, accept: "*/*" };
	const limit = AbortSignal.any([signal, AbortSignal.timeout(get.timeoutMs ?? defaultTimeoutMs)]);
	try {
		const response = await fetchOnce(target, { headers, validators, signal: limit }, policy.name);
		return await answerOf(response, target, get, policy);
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof StructureError) throw error;
		return { kind: "unreachable", error };
	}
}

async function answerOf(response: Response, target: URL, get: GetOptions, policy: Policy): Promise<Answer> {
	const { status } = response;
	if (status === 200) {
		const bytes = await bodyOf(response, get.maxBytes, policy.name);
		return { kind: "file", bytes, validators: validatorsOf(response) };
	}
	if (status === 403 && policy.refusal !== undefined) {
		const said = (await bodyOf(response, maxErrorBytes, policy.name)).toString("utf8");
		if (!policy.refusal.test(said)) return { kind: "absent" };
	} else await response.body?.cancel();
	if (status === 304 && get.conditional) return { kind: "unchanged" };
	if (status === 404) return { kind: "absent" };
	if ([403, 429, 503].includes(status)) return { kind: "refused", status, retryAfterMs: retryAfter(response) };
	if (status >= 500) return { kind: "failed" };
	const to = redirectTarget(response, target, policy.name);
	if (to !== undefined) return { kind: "moved", to };
	throw new StructureError(`${policy.name} answered HTTP ${status}`);
}

/** Seconds, or a date. */
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
