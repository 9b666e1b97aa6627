/** Downloads as the publishers ask for it: who we are, how often at most, only if it changed, and never after a "no". */
import { setTimeout as pause } from "node:timers/promises";
import { bodyOf } from "#libs/files/body.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { coolDown, recovered, take } from "./bucket.ts";
import { type Policy, policyOf } from "./policies.ts";

export interface PoliteOptions {
	sql: Sql;
	/** Organisation and address of contact: SEC refuses whoever does not say. */
	userAgent: string;
	/** Ends every wait and download. */
	signal: AbortSignal;
	/** Longest wait for a token (ms) before the host is called busy. */
	maxWaitMs?: number;
	policy?: (host: string) => Policy;
}

export interface GetOptions {
	maxBytes: number;
	/** Ask only for what changed since the last look (the answer is then `unchanged`). */
	conditional?: boolean;
	timeoutMs?: number;
	/** A further status that means `absent` under this address. */
	absentStatus?: number;
}

export type Got =
	| { kind: "file"; bytes: Uint8Array; validators: Validators }
	| { kind: "unchanged" }
	/** 404, or SEC's 403 for a file that does not exist: nothing was published under this address. */
	| { kind: "absent" };

export interface Validators {
	etag: string | null;
	lastModified: string | null;
}

export interface Polite {
	/** Throws `Busy` for a host that may not be asked now, `StructureError` for an answer that is none, `Error` when it cannot be reached. */
	get(url: string, options: GetOptions): Promise<Got>;
}

/** The host may not be asked for longer than the caller waits: the job stops here and goes on at its next turn. */
export class Busy extends Error {
	override name = "Busy";
}

const attempts = 3;
/** An error page is no longer than this. */
const maxErrorBytes = 1_000_000;
const defaultTimeoutMs = 60_000;
const defaultMaxWaitMs = 30_000;

export function politeClient({
	sql,
	userAgent,
	signal,
	maxWaitMs = defaultMaxWaitMs,
	...options
}: PoliteOptions): Polite {
	const policyFor = options.policy ?? policyOf;

	async function waitTurn(policy: Policy): Promise<void> {
		let left = maxWaitMs;
		for (let wait = await take(sql, policy); wait > 0; wait = await take(sql, policy)) {
			if (wait > left) throw new Busy(`${policy.name} may be asked again in ${Math.ceil(wait / 1000)} s`);
			left -= wait;
			await pause(wait, undefined, { signal });
		}
	}

	async function once(url: string, get: GetOptions, policy: Policy): Promise<Got | "again"> {
		await waitTurn(policy);
		const headers: Record<string, string> = { "user-agent": userAgent, accept: "*/*" };
		if (get.conditional) Object.assign(headers, await validatorsOf(sql, url));
		const limit = AbortSignal.any([signal, AbortSignal.timeout(get.timeoutMs ?? defaultTimeoutMs)]);
		const response = await fetch(url, { headers, signal: limit }).catch((cause) => {
			signal.throwIfAborted();
			throw new Error(`${policy.name} could not be reached`, { cause });
		});
		if (response.status === 200) {
			const bytes = await bodyOf(response, get.maxBytes, policy.name);
			await recovered(sql, policy);
			const validators = {
				etag: response.headers.get("etag"),
				lastModified: response.headers.get("last-modified"),
			};
			return { kind: "file", bytes, validators };
		}
		if (response.status === 403 && policy.refusal !== undefined) {
			const said = (await bodyOf(response, maxErrorBytes, policy.name)).toString("utf8");
			if (!policy.refusal.test(said)) return { kind: "absent" };
		} else await response.body?.cancel();
		if (response.status === 304 && get.conditional) return { kind: "unchanged" };
		if (response.status === 404 || response.status === get.absentStatus) return { kind: "absent" };
		if ([403, 429, 503].includes(response.status)) {
			await coolDown(sql, policy, retryAfter(response));
			throw new Busy(`${policy.name} answered HTTP ${response.status}: it is left alone for a while`);
		}
		if (response.status >= 500) return "again";
		throw new StructureError(`${policy.name} answered HTTP ${response.status}`);
	}

	return {
		async get(url, get) {
			const policy = policyFor(new URL(url).host);
			for (let attempt = 1; attempt <= attempts; attempt++) {
				const got = await once(url, get, policy);
				if (got !== "again") return got;
			}
			await coolDown(sql, policy, null);
			throw new Busy(`${policy.name} failed ${attempts} times: it is left alone for a while`);
		},
	};
}

/** Seconds, or a date. */
function retryAfter(response: Response): number | null {
	const value = response.headers.get("retry-after");
	if (value === null) return null;
	if (/^\d{1,6}$/.test(value)) return Number(value) * 1000;
	const at = Date.parse(value);
	return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

async function validatorsOf(sql: Sql, url: string): Promise<Record<string, string>> {
	const [known] = await sql<Validators[]>`
		select etag, last_modified as "lastModified" from fetched where url = ${url}`;
	return {
		...(known?.etag && { "if-none-match": known.etag }),
		...(known?.lastModified && { "if-modified-since": known.lastModified }),
	};
}
