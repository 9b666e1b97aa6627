/** The walk of the registry: every operation that is declared over HTTP, an example of each that works, and how it is asked. */
import { randomBytes } from "node:crypto";
import type { OperationName, OperationShape, Operations } from "#libs/contract/index.ts";
import type { HttpBinding } from "#libs/contract/operation.ts";
import { httpOperations, pathParameters } from "../../../services/gateway/http/bindings.ts";

export type HttpOperationName = {
	[N in OperationName]: Operations[N] extends { http: object } ? N : never;
}[OperationName];

/** Least parameters that work, path parameters by their value in the world's data. The compiler demands every operation. */
export const examples: Record<HttpOperationName, Record<string, string>> = {
	buyCredits: { amount_usd: "5" },
	calculateTaxCredits: { technology: "Solar", capacity_mw: "100", state: "CA" },
	exportProjects: {},
	getCapitalLeaderboard: {},
	getDeveloper: { developer_id: "Invenergy" },
	getDeveloperCapital: { developer_id: "Invenergy" },
	getDeveloperStats: {},
	getCredits: {},
	getDocs: {},
	getFreshness: {},
	getHealth: {},
	getHealthDetailed: {},
	getManifest: {},
	getOpenapi: {},
	getOwnership: { project_id: "to be known" },
	getProject: { project_id: "to be known" },
	getPricingInfo: {},
	getQueueIntegrity: {},
	getScore: { project_id: "to be known" },
	getRegisterPage: {},
	getSourceFreshness: {},
	getStats: {},
	getUsage: {},
	listCapitalRaises: {},
	listChanges: {},
	listDeveloperEvents: { developer_id: "Invenergy" },
	listDeveloperProjects: { developer_id: "Invenergy" },
	listDevelopers: {},
	listEvents: {},
	listInvestable: {},
	listItcDeals: {},
	listMaEvents: {},
	listMaterialEvents: {},
	listPlans: {},
	listProjects: {},
	// Of an address that has no account yet.
	register: {},
	revokeKey: {},
	rotateKey: {},
	search: { q: "so" },
	searchDevelopers: { q: "inve" },
	startCheckout: { amount_usd: "5" },
	summariseChanges: {},
	summariseEvents: {},
	summariseMaEvents: {},
	summariseMilestones: {},
	validate: {},
};

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
	method?: string;
}

/** Asks the server at `base` for an operation. */
export function ask(base: string, step: Step, asking: Asking = {}): Promise<Response> {
	const { name, http } = step;
	const { more = {}, query = {}, key, method = http.method } = asking;
	const given: Record<string, string> = {
		...examples[name],
		...(name === "register" && { email: newAddress() }),
		...more,
	};
	const inPath = pathParameters(http.path);
	const path = inPath.reduce((at, each) => at.replace(`{${each}}`, encodeURIComponent(given[each] ?? "")), http.path);
	const rest = Object.fromEntries(Object.entries(given).filter(([each]) => !inPath.includes(each)));
	const isRead = http.method === "GET";
	const parts = new URLSearchParams({ ...(isRead && rest), ...query });
	const headers = { ...(key !== undefined && { "x-api-key": key }), "content-type": "application/json" };
	const body = !isRead && method === "POST" ? { body: JSON.stringify(rest) } : {};
	return fetch(`${base}${path}?${parts}`, { method, headers, ...body });
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
