/** Readers that send requests without a pause, over one gateway or several, and remember every answer that was no answer. */
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { eventually } from "../../support/eventually.ts";

export interface Readers extends AsyncDisposable {
	/** Answers so far. */
	readonly answered: number;
	/** Responses other than 200: their status (0: the connection broke) and detail. */
	readonly refused: readonly Refused[];
	/** Resolves after so many more answers. */
	more(count: number): Promise<void>;
}

export interface Refused {
	status: number;
	path: string;
	retryAfter: string | null;
	text: string;
}

/** Longer than any request may take: it hangs. */
const hangsMs = 25_000;
/** Between two requests of a reader: the load is steady, and leaves something of two cores for who starts. */
const paceMs = 50;

/** `urls` is asked before each request: where gateways are may change. */
export function startReaders(urls: () => readonly string[], paths: readonly string[], count = 3): Readers {
	const refused: Refused[] = [];
	let answered = 0;
	let stopped = false;
	let turn = 0;
	const read = async (): Promise<void> => {
		while (!stopped) {
			const addresses = urls();
			const path = paths[turn % paths.length] ?? "/stats";
			const url = addresses[turn++ % addresses.length] ?? "";
			const answer = await ask(url, path);
			answered++;
			await pause(paceMs);
			if (answer.status !== 200) refused.push(answer);
		}
	};
	const running = Promise.all(Array.from({ length: count }, read));
	// A failure is reported where the readers are waited for.
	running.catch(() => {});
	return {
		get answered() {
			return answered;
		},
		refused,
		async more(wanted) {
			const from = answered;
			await Promise.race([running, eventually(() => answered >= from + wanted, { withinMs: 60_000 })]);
		},
		async [Symbol.asyncDispose]() {
			stopped = true;
			await running;
		},
	};
}

async function ask(url: string, path: string): Promise<Refused> {
	try {
		const response = await fetch(url + path, { signal: AbortSignal.timeout(hangsMs) });
		const text = await response.text();
		return { status: response.status, path, retryAfter: response.headers.get("retry-after"), text: text.slice(0, 200) };
	} catch (error) {
		if (error instanceof Error && error.name === "TimeoutError")
			throw new Error(`${path} was not answered in ${hangsMs} ms`);
		return { status: 0, path, retryAfter: null, text: String(error instanceof Error ? error.cause : error) };
	}
}

/** Refused requests got 503 with Retry-After. */
export function expectUnavailableAtWorst({ refused }: Readers): void {
	expect(refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([]);
}
