/** A steady load of reads, so many a second whatever becomes of them, and what each was answered. */
import { setTimeout as pause } from "node:timers/promises";

/** The service that answers: `gateway` answers by itself. */
export type Source = "gateway" | "queue-ingest" | "signals" | "scoring" | "billing";

export interface Kind {
	name: string;
	source: Source;
	/** The nth request's; a new one each time is answered by the owner, one that repeats mostly by what the gateway keeps. */
	path(nth: number): string;
	key?: "unlimited" | "limited";
}

export interface Answer {
	kind: Kind;
	/** 0: the connection broke. -1: nothing came within the patience of the caller. */
	status: number;
	sentAt: number;
	receivedAt: number;
	retryAfter: string | null;
	id: string | null;
}

export interface LoadOptions {
	url: string;
	/** A second. */
	rate: number;
	/** Longer than anything may take (ms). */
	patienceMs: number;
	keys: Record<"unlimited" | "limited", string>;
	/** Called with each answer; then none is stored. For loads that last. */
	onAnswer?(answer: Answer): void;
}

export interface Load extends AsyncDisposable {
	readonly answers: readonly Answer[];
	sent(from: number): Answer[];
	/** When the oldest request was sent that waits for its answer; never: infinity. */
	readonly waitingSince: number;
	/** Waits for what is under way. */
	stop(): Promise<readonly Answer[]>;
}

export const kinds: readonly Kind[] = [
	{ name: "free, of the gateway", source: "gateway", path: () => "/pricing-info" },
	{ name: "free, kept", source: "queue-ingest", path: () => "/stats" },
	{ name: "list, kept", source: "queue-ingest", path: () => "/projects?region=MISO&per_page=5" },
	{
		name: "list, new",
		source: "queue-ingest",
		key: "unlimited",
		path: (n) => `/projects?capacity_min=${n / 1_000}&per_page=20`,
	},
	{ name: "changes, new", source: "queue-ingest", key: "unlimited", path: (n) => `/changes?per_page=5&page=${n + 1}` },
	// This requires a key; elsewhere a key has, beyond its plan, the free requests of its address.
	{ name: "of few a minute", source: "billing", key: "limited", path: () => "/usage" },
	{ name: "events, new", source: "signals", key: "unlimited", path: (n) => `/events?developer=d${n}` },
	{ name: "scores, new", source: "scoring", key: "unlimited", path: (n) => `/investable?per_page=5&page=${n + 1}` },
	{ name: "usage", source: "billing", key: "unlimited", path: () => "/usage" },
];

/** Requests that wait for their answers; a load that reaches this does not hold its rate. */
const maxUnderWay = 2_000;

export function startLoad(options: LoadOptions): Load {
	const answers: Answer[] = [];
	/** Requests under way with their times, oldest first. */
	const underWay = new Map<Promise<void>, number>();
	let stopped = false;
	const running = (async () => {
		const began = performance.now();
		for (let nth = 0; !stopped; nth++) {
			const kind = kinds[nth % kinds.length];
			if (kind !== undefined && underWay.size < maxUnderWay) {
				const answering = ask(options, kind, nth).then((answer) => {
					if (options.onAnswer === undefined) answers.push(answer);
					else options.onAnswer(answer);
					underWay.delete(answering);
				});
				underWay.set(answering, performance.now());
			}
			await pause(Math.max(0, began + (nth + 1) * (1_000 / options.rate) - performance.now()));
		}
	})();
	const stop = async () => {
		stopped = true;
		await running;
		await Promise.all(underWay.keys());
		return answers;
	};
	return {
		answers,
		sent: (from) => answers.filter(({ sentAt }) => sentAt >= from),
		get waitingSince() {
			return underWay.values().next().value ?? Number.POSITIVE_INFINITY;
		},
		stop,
		[Symbol.asyncDispose]: () => stop().then(() => {}),
	};
}

/** One request, and what became of it. */
export async function ask({ url, keys, patienceMs }: LoadOptions, kind: Kind, nth: number): Promise<Answer> {
	const sentAt = performance.now();
	const headers: Record<string, string> = kind.key === undefined ? {} : { "x-api-key": keys[kind.key] };
	const answer = await fetch(url + kind.path(nth), { headers, signal: AbortSignal.timeout(patienceMs) })
		.then(async (response) => {
			await response.arrayBuffer();
			const { status, headers } = response;
			return { status, retryAfter: headers.get("retry-after"), id: headers.get("x-request-id") };
		})
		.catch((error: Error) => ({ status: error.name === "TimeoutError" ? -1 : 0, retryAfter: null, id: null }));
	return { kind, sentAt, receivedAt: performance.now(), ...answer };
}
