/** One fault, under load and a running ingest: what callers got during it, how long the system took to be well, what it lost. */
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { connect } from "#libs/postgres/connect.ts";
import { changePlan } from "../../../services/billing/tables/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { type Findings, lookInto } from "./books.ts";
import { type Constellation, deadlines } from "./constellation.ts";
import type { Lists } from "./lists.ts";
import { type Answer, kinds, type Load, type Source, startLoad } from "./load.ts";

export interface Fault {
	name: string;
	/** Services that may refuse requests while the fault lasts and until the system has recovered. */
	refuses: readonly Source[];
	/** A fault between callers and the gateway, or in it: connections may break, and callers may wait in vain. */
	breaks?: boolean;
	/** A kill of the gateway: usage of its last answers may be missing in the ledger, in the customer's favour. */
	losesUsage?: boolean;
	begin(system: Constellation): unknown;
	/** Absent: it is over when it has begun (a kill), and what was killed comes back by itself. */
	end?(system: Constellation): unknown;
}

export interface TrialOptions {
	lists: Lists;
	keys: Keys;
	/** Time from its beginning to its end, or of observation if it has none (ms). */
	holdMs: number;
	/** Requests a second. */
	rate: number;
}

export type Keys = Record<"unlimited" | "limited", string>;

export interface Result {
	fault: string;
	/** Requests a second that were sent. */
	rate: number;
	/** Sent from the begin of the fault until the system was well. */
	asked: number;
	/** `{ "503": 40 }`: how they were refused. */
	refused: Record<string, number>;
	/** Time from the end of the fault to the first request after which all were answered (ms). */
	recoveryMs: number;
	/** Time from the end of the fault until all consumers had caught up (ms). */
	settledMs: number;
	slowestMs: number;
	findings: Findings;
	/** Broken rules, a sentence each. */
	violations: string[];
}

/** An answer that takes longer than this hangs. Generous: this is no test of speed. */
export const hangMs = deadlines.requestMs + 5_000;
/** The limited key's requests in any 60 seconds. */
const perMinute = 30;
/** The system has recovered after so long without a fault (ms). */
const calmMs = 1_500;
const steadyWithinMs = 20_000;
const recoverWithinMs = 90_000;
const settleWithinMs = 150_000;

/** A key without limits and one with few requests a minute. */
export async function issueKeys(system: Pick<Constellation, "url" | "roleUrl">): Promise<Keys> {
	await using sql = connect(system.roleUrl("billing"), { schema: "billing", name: "referee", max: 1 });
	const issue = async (email: string, limit: number | null) => {
		const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ email }) };
		const issued = issuedKey.parse(await (await fetch(`${system.url}/register`, init)).json());
		const terms = { plan: "Enterprise" as const, monthlyQueries: null, perMinute: limit };
		await sql.begin((tx) => changePlan(tx, { email }, terms, new Date()));
		return issued.key;
	};
	return {
		unlimited: await issue("unlimited@example.org", null),
		limited: await issue("limited@example.org", perMinute),
	};
}

export async function tryFault(system: Constellation, fault: Fault, options: TrialOptions): Promise<Result> {
	const { lists, keys, holdMs, rate } = options;
	const before = performance.now();
	await using load = startLoad({ url: system.url, rate, patienceMs: hangMs + 5_000, keys });
	await using ingest = lists.begin();
	await wellSince(load, before, steadyWithinMs);
	const begunAt = performance.now();
	await fault.begin(system);
	const doneAt = performance.now();
	await pause(holdMs);
	const endedAt = fault.end === undefined ? doneAt : performance.now();
	await fault.end?.(system);
	const wellAt = await wellSince(load, endedAt);
	const overAt = Math.max(wellAt, doneAt + holdMs);
	await ingest.stop();
	const answers = await load.stop();
	const during = answers.filter(({ receivedAt, sentAt }) => receivedAt >= begunAt && sentAt < overAt);
	const mayMiss = (answer: Answer) =>
		fault.losesUsage === true && answer.receivedAt > begunAt - 5_000 && answer.sentAt < wellAt;
	const findings = await settled(system, lists, answers, mayMiss);
	const settledAt = performance.now();
	return {
		fault: fault.name,
		rate: Math.round((answers.length * 1_000) / ((answers.at(-1)?.sentAt ?? 0) - (answers[0]?.sentAt ?? 0))),
		asked: during.length,
		refused: refusalsOf(during),
		recoveryMs: wellAt - endedAt,
		settledMs: settledAt - endedAt,
		slowestMs: Math.max(...during.map(({ sentAt, receivedAt }) => receivedAt - sentAt)),
		findings,
		violations: [...judge(answers, fault, begunAt, wellAt), ...overLimit(answers, fault)],
	};
}

const issuedKey = z.object({ key: z.string() });

const isWell = ({ status, kind }: Answer) => status === 200 || (status === 429 && kind.key === "limited");

/** The moment from which on every request of every kind was answered; each kind at least once, and for a while. */
async function wellSince(load: Load, from: number, withinMs = recoverWithinMs): Promise<number> {
	return await eventually(
		() => {
			const sent = load.sent(from);
			const lastBad = sent.reduce((last, answer) => (isWell(answer) ? last : Math.max(last, answer.sentAt)), 0);
			const good = sent.filter(({ sentAt }) => sentAt > lastBad);
			const since = Math.min(...good.map(({ sentAt }) => sentAt));
			const answered = new Set(good.map(({ kind }) => kind));
			const calmSince = performance.now() - calmMs;
			// A call that still waits may wait in vain.
			const isCalm = answered.size === kinds.length && since < calmSince && load.waitingSince > calmSince;
			if (!isCalm) throw new Error(`not well: ${JSON.stringify(tallyOf(sent.slice(-100)))}`);
			return Math.max(since, from);
		},
		{ withinMs, everyMs: 50 },
	);
}

/** Counts answers by kind and status. */
function tallyOf(answers: readonly Answer[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { kind, status } of answers) {
		const name = `${kind.name}: ${status}`;
		counts[name] = (counts[name] ?? 0) + 1;
	}
	return counts;
}

async function settled(
	system: Constellation,
	{ model }: Lists,
	answers: readonly Answer[],
	mayMiss: (answer: Answer) => boolean,
): Promise<Findings> {
	let last: Findings | undefined;
	const look = async () => {
		last = await lookInto(system.sql, { model, answers, mayMiss });
		return last.lost.length + last.doubled.length === 0 && last;
	};
	return await eventually(look, { withinMs: settleWithinMs, everyMs: 200 }).catch((error) => {
		if (last === undefined) throw error;
		return last;
	});
}

function refusalsOf(answers: readonly Answer[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const answer of answers) {
		if (isWell(answer)) continue;
		const name = answer.status === 0 ? "broken" : answer.status === -1 ? "no answer" : String(answer.status);
		counts[name] = (counts[name] ?? 0) + 1;
	}
	return counts;
}

/** Each kind of thing that must not be, with how often it was and an example. */
function judge(answers: readonly Answer[], fault: Fault, begunAt: number, wellAt: number): string[] {
	const wrong = new Map<string, number>();
	for (const answer of answers) {
		const { status, retryAfter, kind, sentAt, receivedAt } = answer;
		const say = (what: string) => {
			const sentence = `${what} (${kind.name})`;
			wrong.set(sentence, (wrong.get(sentence) ?? 0) + 1);
		};
		const isDuring = receivedAt >= begunAt && sentAt <= wellAt;
		if (status > 0 && receivedAt - sentAt > hangMs && !fault.breaks) say("an answer later than the deadline");
		if (isWell(answer)) continue;
		if (!isDuring) say(`${status} before the fault or after it`);
		else if (status <= 0) {
			if (!fault.breaks) say(status === 0 ? "a connection broke" : "no answer");
		} else if (status !== 503) say(`answered ${status}`);
		else if (!(Number(retryAfter) > 0)) say("503 without Retry-After");
		else if (!fault.refuses.includes(kind.source)) say("refused although nothing of it was away");
	}
	return [...wrong].map(([sentence, count]) => `${count} x ${sentence}`);
}

/** A limit holds in any 60 seconds; while Redis is away each gateway takes its share besides, of which there is one. */
function overLimit(answers: readonly Answer[], { name }: Fault): string[] {
	const most = name.startsWith("Redis") || name.startsWith("gateway") ? perMinute * 2 : perMinute;
	const taken = answers
		.filter(({ kind, status }) => kind.key === "limited" && status === 200)
		.map(({ sentAt }) => sentAt);
	const worst = Math.max(0, ...taken.map((from) => taken.filter((at) => at >= from && at < from + 58_000).length));
	return worst > most ? [`${worst} answers in a minute where ${most} are allowed`] : [];
}
