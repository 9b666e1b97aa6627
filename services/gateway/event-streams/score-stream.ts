import type { z } from "zod";
import type { Bus } from "#libs/bus/connect.ts";
import { type Events, events, type Params } from "#libs/contract/index.ts";
import type { Logger } from "#libs/service/logger.ts";
import { publishedChannel } from "./published.ts";

type Scored = z.output<Events["projectScored"]["payload"]>;

export const scoreStream = (bus: Bus, log: Logger) =>
	publishedChannel<Params<"streamScores">, Scored>(bus, log, [events.projectScored], (params) => {
		const { id, min_score = Number.NEGATIVE_INFINITY, investable, grade } = params;
		const ids = id && new Set(id);
		return (_name, scored) =>
			(ids === undefined || ids.has(scored.project_id)) &&
			(params.min_score === undefined || (scored.investability_score ?? Number.NEGATIVE_INFINITY) >= min_score) &&
			(investable === undefined || scored.investable === investable) &&
			(grade === undefined || (scored.grade !== null && grade.includes(scored.grade)));
	});
