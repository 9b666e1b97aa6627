/** Reads scores and developers' ratings as published on past days from the scoring service, which stores them. */
import type { Bus } from "#libs/bus/connect.ts";
import { requestJson } from "#libs/bus/requests/request.ts";
import type { Reply } from "#libs/contract/index.ts";
import type { PastScore } from "#libs/contract/operations/scores/score-row.ts";
import { regions } from "#libs/contract/vocabulary.ts";

export interface Scores {
	/** Scores by id of the request. */
	rows: ReadonlyMap<string, PastScore>;
	/** Whether each developer needed capital; null if that was unknown. */
	needsCapital: ReadonlyMap<number, boolean | null>;
}

/** Both methods throw AppError 503 if scoring does not respond. */
export interface PastScores {
	readSome(day: string, ids: readonly string[]): Promise<Scores>;
	readAll(day: string): Promise<Scores>;
}

export const noScores: Scores = { rows: new Map(), needsCapital: new Map() };

export const createScoreReader = (bus: Bus): PastScores => ({
	readSome: async (day, ids) =>
		ids.length === 0 ? noScores : mergeReplies([await requestJson(bus, "readScoresOn", { as_of: day, id: [...ids] })]),
	async readAll(day) {
		const replies: Reply<"readScoresOn">[] = [];
		for (const region of regions) replies.push(await requestJson(bus, "readScoresOn", { as_of: day, region }));
		return mergeReplies(replies);
	},
});

const mergeReplies = (replies: readonly Reply<"readScoresOn">[]): Scores => ({
	rows: new Map(replies.flatMap(({ data }) => data.map((row) => [row.id, row]))),
	needsCapital: new Map(
		replies.flatMap(({ developers }) => developers.map((row) => [row.developer_id, row.needs_capital])),
	),
});
