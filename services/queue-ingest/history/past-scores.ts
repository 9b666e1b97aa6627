/**
 * Scores of past days and after changes, and what developers' ratings were, of which scoring has the one definition: what was published then, else
 * the version that is served applied to the facts of then. What is kept beside the states of requests is of the present alone.
 */
import type { Bus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/request.ts";
import type { Reply } from "#libs/contract/index.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { PastScore } from "#libs/contract/operations/past-scores.ts";
import { regions } from "#libs/contract/vocabulary.ts";

export interface Scores {
	/** Null where nothing is known of scores. */
	score_version: number | null;
	in_sample: boolean | null;
	/** By id, of requests that were open then. */
	rows: ReadonlyMap<string, PastScore>;
	/** By developer, whether it needed capital. */
	needsCapital: ReadonlyMap<number, boolean>;
}

/** Both throw 503 while scoring does not answer, or is still computing. */
export interface PastScores {
	/** Of these requests. */
	of(asOf: AsOf, ids: readonly string[]): Promise<Scores>;
	/** Of all open ones; kept until the data of scoring differ. */
	on(asOf: AsOf): Promise<Scores>;
}

export const noScores: Scores = { score_version: null, in_sample: null, rows: new Map(), needsCapital: new Map() };

/** Days or changes that are kept: each holds as many rows as there were open requests, some 10 MB for 36,000. */
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

	async function read(params: AsOf & { id?: string[]; region?: string }) {
		const { bytes, dataVersion } = await request(bus, "readScoresOn", params);
		return { reply: JSON.parse(Buffer.from(bytes).toString()) as Reply<"readScoresOn">, dataVersion };
	}

	async function readAll(asOf: AsOf): Promise<Scores> {
		const found: Scores[] = [];
		for (const region of regions) found.push(scoresOf((await read({ ...asOf, region })).reply));
		const [first = noScores] = found;
		return { ...first, rows: new Map(found.flatMap(({ rows }) => [...rows])) };
	}

	return {
		of: async (asOf, ids) => scoresOf((await read({ ...asOf, id: ids.length === 0 ? [none] : [...ids] })).reply),
		async on({ as_of }) {
			const asOf = { as_of };
			const key = JSON.stringify(asOf);
			const { dataVersion } = await read({ ...asOf, id: [none] });
			let known = kept.get(key);
			kept.delete(key);
			if (known?.dataVersion !== dataVersion) {
				const begun: Kept = { dataVersion, scores: readAll(asOf) };
				begun.scores.catch(() => {
					if (kept.get(key) === begun) kept.delete(key);
				});
				known = begun;
			}
			kept.set(key, known);
			for (const oldest of kept.keys()) if (kept.size > mostDays) kept.delete(oldest);
			return known.scores;
		},
	};
}

const scoresOf = ({ score_version, in_sample, data, developers }: Reply<"readScoresOn">): Scores => ({
	...{ score_version, in_sample },
	rows: new Map(data.map((row) => [row.id, row])),
	needsCapital: new Map(developers.map((row) => [row.developer_id, row.needs_capital])),
});
