/** The number of requests a second that the system answers, when each caller sends the next one as soon as it is answered. */
import { type Answer, ask, kinds, type LoadOptions } from "../../test/faults/system/load.ts";

/** Enough to keep every service busy, and few enough that no call is refused for want of room. */
const callers = 24;

export interface Capacity {
	perSecond: number;
	/** By status, what was not 200. */
	others: Record<string, number>;
}

/** `seconds` of measuring come after a fifth as much of warming up. */
export async function measureCapacity(options: LoadOptions, seconds: number): Promise<Capacity> {
	const begin = performance.now() + seconds * 200;
	const end = begin + seconds * 1_000;
	const counted: Answer[] = [];
	let nth = 0;
	const caller = async () => {
		while (performance.now() < end) {
			const turn = nth++;
			const kind = kinds[turn % kinds.length];
			if (kind === undefined) return;
			const answer = await ask(options, kind, turn);
			if (answer.receivedAt >= begin && answer.receivedAt < end) counted.push(answer);
		}
	};
	await Promise.all(Array.from({ length: callers }, caller));
	return { perSecond: Math.round(counted.length / seconds), others: othersOf(counted) };
}

/** The kind with a small limit is refused most of the time, as it should be. */
function othersOf(answers: Iterable<Answer>): Record<string, number> {
	const others: Record<string, number> = {};
	for (const { status, kind } of answers) {
		if (status === 200 || (status === 429 && kind.key === "limited")) continue;
		const name = status === 0 ? "broken" : status === -1 ? "no answer" : String(status);
		others[name] = (others[name] ?? 0) + 1;
	}
	return others;
}
