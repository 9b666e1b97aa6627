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

export function getScoreHistory(answers: ResponseCache): Handler<"getScoreHistory"> {
	return async ({ project_id, region, ...params }) => {
		const resolved = await answers.get("resolveProject", { project_id, region });
		const { id } = JSON.parse(resolved.bytes.toString()) as { id: string };
		const { bytes } = await answers.get("readScoreHistory", { ...params, project_id: id });
		return { json: bytes, dataVersion: 0 };
	};
}

export function getProjectTaxCredit(answers: ResponseCache): Handler<"getProjectTaxCredit"> {
	return async (params) => {
		const resolved = await answers.get("resolveProject", params);
		const { id } = JSON.parse(resolved.bytes.toString()) as { id: string };
		const { bytes } = await answers.get("readTaxCredit", { project_id: id });
		return { json: bytes, dataVersion: 0 };
	};
}
