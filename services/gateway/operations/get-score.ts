import type { Handler } from "#libs/contract/index.ts";
import type { ResponseCache } from "../response-cache/response-cache.ts";

/** Only the queues know every number that a request was ever filed under; the score is kept by its id. */
export function getScore(answers: ResponseCache): Handler<"getScore"> {
	return async ({ as_of, score_version, ...params }) => {
		const resolved = await answers.get("resolveProject", params);
		const { id } = JSON.parse(resolved.bytes.toString()) as { id: string };
		const { bytes } = await answers.get("readScore", { project_id: id, as_of, score_version });
		return { json: bytes, dataVersion: 0 };
	};
}
