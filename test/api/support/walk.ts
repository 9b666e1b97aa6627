/** The walk of the registry: every operation that is declared over HTTP, an example of each that works, and how it is asked. */

import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { type OperationName, type OperationShape, type Operations, operations } from "#libs/contract/index.ts";
import { type HttpBinding, takesBody } from "#libs/contract/operation.ts";
import { changePlan } from "../../../services/billing/tables/accounts.ts";
import { httpOperations, pathParameters } from "../../../services/gateway/registry/bindings.ts";
import type { World } from "../../support/world.ts";

export type HttpOperationName = {
	[N in OperationName]: Operations[N] extends { http: object } ? N : never;
}[OperationName];

/** Parameters instead of the declared example: fewer, so that each can be tried beside them. */
const instead: Partial<Record<HttpOperationName, Record<string, string>>> = {
	// A county is one of one state.
	calculateTaxCredits: { technology: "Solar", capacity_mw: "100", state: "TX" },
	exportChanges: {},
	exportDevelopers: {},
	exportPlants: {},
	exportPrices: {},
	// An address without a server.
	createWebhook: { url: "http://127.0.0.1:9/" },
	exportProjects: {},
	exportScores: {},
	getChangesExportManifest: {},
	getDevelopersExportManifest: {},
	getPlantsExportManifest: {},
	getPricesExportManifest: {},
	getExportManifest: {},
	getScoresExportManifest: {},
	getStats: {},
	listChanges: {},
	listEvents: {},
	listDeveloperEvents: { developer_id: "Invenergy" },
	listDatacenters: {},
	listDatacenterPipeline: {},
	listDg: {},
	listGenerators: {},
	listMarketHubs: {},
	listMarketPrices: {},
	listPlants: {},
	listProjects: {},
	// A statement that runs on any database.
	createSavedQuery: { name: "other", sql: "select 1 as one" },
	runQuery: { sql: "select 1 as one" },
	getQuery: { sql: "select 1 as one" },
	search: { q: "so" },
	searchDevelopers: { q: "inve" },
};

const nearby = { lat: "38.9", lon: "-77.4", radius_km: "50" };

/** Parameters that must accompany a value. */
export function along({ name: operation }: Pick<Step, "name">, name: string, value: string): Record<string, string> {
	if (["lat", "lon", "radius_km"].includes(name)) return nearby;
	if (name === "near") return { radius_km: "50" };
	if (name === "include") return { after: "0" };
	if (name === "compression") return { format: "parquet" };
	// PJM's hours and days may not be passed on.
	const isOperator =
		name === "iso" ||
		(name === "region" && ["listMarketPrices", "exportPrices", "getPricesExportManifest"].includes(operation));
	return isOperator && value === "PJM" ? { interval: "month" } : {};
}

/** Parameters that work, from the declarations. Those that name a project get one of the world's before they are used. */
export const examples = Object.fromEntries(
	httpOperations().map(({ name, operation }) => {
		const declared = Object.entries(operation.example ?? {}).flatMap(([each, value]) =>
			typeof value === "object" ? [] : [[each, String(value)]],
		);
		return [name, instead[name as HttpOperationName] ?? Object.fromEntries(declared)];
	}),
) as Record<HttpOperationName, Record<string, string>>;

export interface Step {
	name: HttpOperationName;
	operation: OperationShape;
	http: HttpBinding;
}

export const walk: Step[] = httpOperations().map(({ name, ...declared }) => ({
	name: name as HttpOperationName,
	...declared,
}));

export interface Asking {
	/** Parameters besides the example's, or instead of them: in the path, and in the query (GET) or the body (POST). */
	more?: Record<string, string>;
	/** Put into the query, whatever the method. */
	query?: Record<string, string>;
	key?: string | undefined;
	/** A credit token. */
	credits?: string | undefined;
	/** Address that the request comes from, behind a proxy on this machine. */
	from?: string;
	method?: string;
}

/** Bodies that no text can express. */
const objects: Partial<Record<HttpOperationName, object>> = {
	createWatchlist: { filters: { state: ["TX"] } },
	quote: { params: { state: "TX" } },
	resolveMany: { queries: [{ q: "Sol" }] },
};

/** A saved query, a watchlist, a webhook and two deliveries of a key's account. */
export async function ownThings(base: string, key: string): Promise<Record<string, string>> {
	const headers = { "content-type": "application/json", "x-api-key": key };
	const post = async (path: string, body: object): Promise<Record<string, number>> => {
		const attempt = () => fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
		let response = await attempt();
		// A busy machine may not check a statement in time; the response says when to retry.
		for (let tries = 0; response.status === 503 && tries < 5; tries++) {
			await setTimeout(1_000 * Number(response.headers.get("retry-after") ?? 1));
			response = await attempt();
		}
		if (!response.ok) throw new Error(await response.text());
		return (await response.json()) as Record<string, number>;
	};
	const { watchlist_id } = await post("/watchlists", { name: "mine", ...objects.createWatchlist });
	const parameters = [{ name: "state", type: "text", default: "TX" }];
	// Names are unique within an account.
	const name = `mine ${randomBytes(4).toString("hex")}`;
	const { query_id } = await post("/queries", { name, sql: "select $state as state", parameters });
	const { webhook_id } = await post("/webhooks", { url: examples.createWebhook.url });
	await post(`/webhooks/${webhook_id}/test`, {});
	const { delivery_id } = await post(`/webhooks/${webhook_id}/test`, {});
	const own = { query_id, watchlist_id, webhook_id, delivery_id };
	return Object.fromEntries(Object.entries(own).map(([name, id]) => [name, String(id)]));
}

/** Files the declared example of a dispute; answers its number. */
export async function aDispute(base: string): Promise<number> {
	const headers = { "content-type": "application/json" };
	const body = JSON.stringify(operations.openDispute.example);
	const response = await fetch(`${base}/disputes`, { method: "POST", headers, body });
	if (!response.ok) throw new Error(await response.text());
	return ((await response.json()) as { dispute_id: number }).dispute_id;
}

/** Asks the server at `base` for an operation. */
export function ask(base: string, step: Step, asking: Asking = {}): Promise<Response> {
	const { name, http } = step;
	const { more = {}, query = {}, key, credits, from, method = http.method } = asking;
	const given: Record<string, string> = {
		...examples[name],
		...objects[name],
		...(name === "register" && { email: newAddress() }),
		...more,
	};
	const inPath = pathParameters(http.path);
	const path = inPath.reduce((at, each) => at.replace(`{${each}}`, encodeURIComponent(given[each] ?? "")), http.path);
	const rest = Object.fromEntries(Object.entries(given).filter(([each]) => !inPath.includes(each)));
	const isRead = !takesBody(http.method);
	const parts = new URLSearchParams({ ...(isRead && rest), ...query });
	const headers = {
		...(key !== undefined && { "x-api-key": key }),
		...(credits !== undefined && { "x-credit-token": credits }),
		...(from !== undefined && { "x-forwarded-for": from }),
		"content-type": "application/json",
	};
	const body = !isRead && method === http.method ? { body: JSON.stringify(rest) } : {};
	const answer = fetch(`${base}${path}?${parts}`, { method, headers, ...body });
	return step.operation.eventStream === undefined ? answer : beginning(answer);
}

/** The beginning of a response that has no end. */
async function beginning(asked: Promise<Response>): Promise<Response> {
	const answer = await asked;
	if (!answer.ok || answer.body === null) return answer;
	const reader = answer.body.getReader();
	const { value } = await reader.read();
	await reader.cancel();
	return new Response(value, { status: answer.status, headers: answer.headers });
}

export const newAddress = (): string => `${randomBytes(8).toString("hex")}@example.org`;

/** A new account's key. */
export async function newKey(base: string, email = newAddress()): Promise<string> {
	const headers = { "content-type": "application/json" };
	const response = await fetch(`${base}/register`, {
		method: "POST",
		headers,
		body: JSON.stringify({ email }),
	});
	if (!response.ok) throw new Error(await response.text());
	return ((await response.json()) as { key: string }).key;
}

/** A key of an account without limits. */
export async function unlimitedKey(world: World): Promise<string> {
	const email = newAddress();
	const key = await newKey(world.url, email);
	const terms = { plan: "Enterprise", monthlyQueries: null, perMinute: null } as const;
	await world.billingSql.begin((tx) => changePlan(tx, { email }, terms, world.clock.now));
	return key;
}
