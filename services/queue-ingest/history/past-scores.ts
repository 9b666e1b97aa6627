/**
 * Scores of past days, of which scoring has the one definition: what was published then, else the version that is served applied to the
 * facts of the day. What is kept beside the states of requests is of the present and of the feed (`at_seq`) alone.
 */
import type { Bus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/request.ts";
import type { Reply } from "#libs/contract/index.ts";
import type { PastScore } from "#libs/contract/operations/past-scores.ts";
import { regions } from "#libs/contract/vocabulary.ts";

export interface Scores {
	/** Null where nothing is known of scores. */
	score_version: number | null;
	in_sample: boolean | null;
	/** By id, of requests that were open on the day. */
	rows: ReadonlyMap<string, PastScore>;
}

/** Both throw 503 while scoring does not answer, or is still computing the day. */
export interface PastScores {
	/** Of these requests. */
	of(day: string, ids: readonly string[]): Promise<Scores>;
	/** Of all open ones; kept until the data of scoring differ. */
	on(day: string): Promise<Scores>;
}

export const noScores: Scores = { score_version: null, in_sample: null, rows: new Map() };

/** Days that are kept: each holds as many rows as there were open requests, some 10 MB for 36,000. */
const mostDays = 6;
/** An id that no request has. */
const none = "-";

interface Kept {
	dataVersion: number;
	scores: Promise<Scores>;
}

export function askScores(bus: Bus): PastScores {
	/** The most recently used last. */
	const kept = new Map<string, Kept>();

	async function read(params: { as_of: string; id?: string[]; region?: string }) {
		const { bytes, dataVersion } = await request(bus, "readScoresOn", params);
		return { reply: JSON.parse(Buffer.from(bytes).toString()) as Reply<"readScoresOn">, dataVersion };
	}

	async function readDay(as_of: string): Promise<Scores> {
		const found: Scores[] = [];
		for (const region of regions) found.push(scoresOf((await read({ as_of, region })).reply));
		const [first = noScores] = found;
		return { ...first, rows: new Map(found.flatMap(({ rows }) => [...rows])) };
	}

	return {
		of: async (as_of, ids) => scoresOf((await read({ as_of, id: ids.length === 0 ? [none] : [...ids] })).reply),
		async on(as_of) {
			const { dataVersion } = await read({ as_of, id: [none] });
			let known = kept.get(as_of);
			kept.delete(as_of);
			if (known?.dataVersion !== dataVersion) {
				const begun: Kept = { dataVersion, scores: readDay(as_of) };
				begun.scores.catch(() => {
					if (kept.get(as_of) === begun) kept.delete(as_of);
				});
				known = begun;
			}
			kept.set(as_of, known);
			for (const oldest of kept.keys()) if (kept.size > mostDays) kept.delete(oldest);
			return known.scores;
		},
	};
}

const scoresOf = ({ score_version, in_sample, data }: Reply<"readScoresOn">): Scores => ({
	...{ score_version, in_sample },
	rows: new Map(data.map((row) => [row.id, row])),
});
