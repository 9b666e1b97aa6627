/** Scores and tax credits of a request, which may be named by any of its numbers, and disputes. Only queue-ingest can resolve the numbers. */

import type { Bus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/requests/request.ts";
import type { Handler, ParamsInput } from "#libs/contract/index.ts";
import type { ResponseCache } from "../response-cache/response-cache.ts";

const resolveId = async (
	responseCache: ResponseCache,
	{ project_id, region }: ParamsInput<"resolveProject">,
): Promise<{ project_id: string }> => {
	const { bytes } = await responseCache.get("resolveProject", { project_id, region });
	return { project_id: JSON.parse(bytes.toString()).id };
};

export function getScore(responseCache: ResponseCache): Handler<"getScore"> {
	return async (params) => {
		const { bytes } = await responseCache.get("readScore", {
			...(await resolveId(responseCache, params)),
			as_of: params.as_of,
		});
		return { json: bytes };
	};
}

export function getScoreHistory(responseCache: ResponseCache): Handler<"getScoreHistory"> {
	return async ({ project_id, region, ...params }) => {
		const id = await resolveId(responseCache, { project_id, region });
		return { json: (await responseCache.get("readScoreHistory", { ...params, ...id })).bytes };
	};
}

export function getProjectTaxCredit(responseCache: ResponseCache): Handler<"getProjectTaxCredit"> {
	return async (params) => {
		const { bytes } = await responseCache.get("readTaxCredit", await resolveId(responseCache, params));
		return { json: bytes };
	};
}

/** The owner limits how many disputes each account, or address without a key, may file. */
export function openDispute(bus: Bus, timeoutMs: number): Handler<"openDispute"> {
	return async (params, { http, caller }) => {
		if (http === undefined) throw new Error("openDispute needs the caller's address, because it is limited by address");
		const filer = caller === undefined ? `address:${http.address}` : `account:${caller.accountId}`;
		const { bytes } = await request(bus, "recordDispute", { ...params, filer }, { timeoutMs });
		return { json: Buffer.from(bytes).toString() };
	};
}
