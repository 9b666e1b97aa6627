import type { Handler, Reply } from "#libs/contract/index.ts";
import { freshness } from "#libs/contract/vocabulary.ts";
import type { AskOwners } from "./ask-owners.ts";

type Pipelines = Reply<"listPipelines">["pipelines"];

export function getFreshness(ask: AskOwners): Handler<"getFreshness"> {
	return async () => {
		const parts = await Promise.all([ask("listPipelines"), ask("listSignalPipelines"), ask("listScoringPipelines")]);
		const pipelines = parts.flatMap((part) => part.pipelines);
		return { json: JSON.stringify(summarise(pipelines, new Date())), dataVersion: 0 };
	};
}

/** Each pipeline, and which of them are late or never came. A verdict that no pipeline has is not in `_status_dist`. */
export function summarise(pipelines: Pipelines, checkedAt: Date): Reply<"getFreshness"> {
	const by = Object.groupBy(pipelines, (pipeline) => pipeline.status);
	const names = (verdict: (typeof freshness)[number]) => (by[verdict] ?? []).map(({ pipeline }) => pipeline);
	const stale = names("STALE");
	const never = names("NEVER");
	return {
		checked_at: checkedAt.toISOString(),
		pipelines,
		stale,
		never,
		_status_dist: freshness.flatMap((status) => {
			const members = by[status] ?? [];
			return members.length === 0 ? [] : [{ status, n: members.length, newest: newest(members) }];
		}),
		stale_count: stale.length,
		never_count: never.length,
	};
}

/** The latest success among them, or null. Compared as moments: fractions of a second differ in length. */
function newest(pipelines: Pipelines): string | null {
	let latest: string | null = null;
	for (const { last_success: at } of pipelines) {
		if (at !== null && (latest === null || Date.parse(at) > Date.parse(latest))) latest = at;
	}
	return latest;
}
