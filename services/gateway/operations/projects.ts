/** Scores and tax credits by any number of a request, and disputes. Only queue-ingest knows every number that a request was filed under. */

import type { Bus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/requests/request.ts";
import type { Handler, ParamsInput } from "#libs/contract/index.ts";
import type { ResponseCache } from "../response-cache/response-cache.ts";

type Numbered = ParamsInput<"resolveProject">;

const idOf = async (answers: ResponseCache, { project_id, region }: Numbered): Promise<{ project_id: string }> => {
	const { bytes } = await answers.get("resolveProject", { project_id, region });
	return { project_id: JSON.parse(bytes.toString()).id };
};

export function getScore(answers: ResponseCache): Handler<"getScore"> {
	return async (params) => {
		const { bytes } = await answers.get("readScore", { ...(await idOf(answers, params)), as_of: params.as_of });
		return { json: bytes };
	};
}

export function getScoreHistory(answers: ResponseCache): Handler<"getScoreHistory"> {
	return async ({ project_id, region, ...params }) => {
		const id = await idOf(answers, { project_id, region });
		return { json: (await answers.get("readScoreHistory", { ...params, ...id })).bytes };
	};
}

export function getProjectTaxCredit(answers: ResponseCache): Handler<"getProjectTaxCredit"> {
	return async (params) => {
		const { bytes } = await answers.get("readTaxCredit", await idOf(answers, params));
		return { json: bytes };
	};
}

/** The owner limits how many disputes each account, or address without a key, may file. */
export function openDispute(bus: Bus, timeoutMs: number): Handler<"openDispute"> {
	return async (params, { http, caller }) => {
		if (http === undefined) throw new Error("a dispute was opened without the address that it is limited by");
		const filer = caller === undefined ? `address:${http.address}` : `account:${caller.accountId}`;
		const { bytes } = await request(bus, "recordDispute", { ...params, filer }, { timeoutMs });
		return { json: Buffer.from(bytes).toString() };
	};
}
