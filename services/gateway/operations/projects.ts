/** Scores and tax credits by any number of a request, and disputes. Only queue-ingest knows every number that a request was filed under. */

import type { Bus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/request.ts";
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

/** Whose it is (the account of the key, else the address) goes along: its owner bounds what each may file. */
export function openDispute(bus: Bus, timeoutMs: number): Handler<"openDispute"> {
	return async (params, { http, caller }) => {
		if (http === undefined) throw new Error("a dispute was opened without the address that it is limited by");
		const filer = caller === undefined ? `address:${http.address}` : `account:${caller.accountId}`;
		const { bytes } = await request(bus, "recordDispute", { ...params, filer }, { timeoutMs });
		return { json: Buffer.from(bytes).toString(), dataVersion: 0 };
	};
}
