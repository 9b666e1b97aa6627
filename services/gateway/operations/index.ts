import type { Bus } from "#libs/bus/connect.ts";
import { requestJson } from "#libs/bus/requests/request.ts";
import type { Handlers, OperationName, Reply } from "#libs/contract/index.ts";
import type { Access } from "../access.ts";
import type { Config } from "../config.ts";
import { liveExamples } from "../documents/live-examples.ts";
import type { Exports } from "../exports/exports.ts";
import type { CodedBytes } from "../http/negotiation.ts";
import type { ResponseCache } from "../response-cache/response-cache.ts";
import { confirmEmail, deleteAccount, exportAccount, openAlertLink } from "./account.ts";
import { describeDataset, getCoverage, getDataCatalog } from "./coverage.ts";
import {
	getAsyncapi,
	getCatalog,
	getLlms,
	getLlmsFull,
	getManifest,
	getManifestFile,
	getOpenapi,
	getPricingInfo,
} from "./documents.ts";
import { getExportManifests } from "./get-export-manifest.ts";
import { getFreshness, getHealth, getHealthDetailed, getSourceFreshness } from "./health.ts";
import { changeKey, recoverKey, register, requestKey, revokeKey, rotateKey } from "./keys.ts";
import { partReader } from "./parts.ts";
import { getProjectTaxCredit, getScore, getScoreHistory, openDispute } from "./projects.ts";
import { getQuery, getQuerySchema, runQuery, runSavedQuery } from "./queries.ts";
import { quote } from "./quote.ts";
import { getReceipt, getUsage } from "./usage.ts";

export interface OperationsOptions {
	bus: Bus;
	responseCache: ResponseCache;
	exports: Pick<Exports, "get" | "peek">;
	pages: ReadonlyMap<OperationName, { coded: CodedBytes }>;
	access: Pick<Access, "requestBilling" | "payments" | "sales" | "usedNow" | "usedToday" | "limitRegistrations">;
	config: Pick<
		Config,
		"HEALTH_MIN_ROWS" | "PUBLIC_URL" | "NATS_PUBLIC_ADDRESS" | "KEYLESS" | "CONTACT" | "REQUEST_TIMEOUT_MS"
	>;
}

/** Longest wait for the optional notices in a response (ms). */
const noticesWaitMs = 2_000;

const readNotices = (bus: Bus) => async (account_id: number) =>
	(await requestJson(bus, "listNotices", { account_id }, { timeoutMs: noticesWaitMs })).notices;

export function gatewayOperations(options: OperationsOptions): Handlers<"gateway"> {
	const { bus, responseCache, exports, access, config, pages } = options;
	const asPage = (name: OperationName) => async () => ({
		json: pages.get(name)?.coded.plain.toString() ?? "",
	});
	const readPart = partReader(responseCache);
	const { requestBilling, limitRegistrations, usedNow, usedToday } = access;
	// Without PUBLIC_URL links are relative.
	const { PUBLIC_URL: publicUrl = "", CONTACT: contact, NATS_PUBLIC_ADDRESS: natsAddress } = config;
	const subscribing = { publicUrl, natsAddress, contact };
	const { rails } = access.payments;
	const terms = { keyless: config.KEYLESS, railsEnabled: rails.map(({ name }) => name) };
	const mppCurrency = rails.find(({ name }) => name === "mpp")?.currency;
	const examples = liveExamples({ responseCache, handlers: () => handlers });
	const schema = async (signal: AbortSignal): Promise<Reply<"getQuerySchema">> =>
		JSON.parse(Buffer.from((await handlers.getQuerySchema({}, { signal })).json).toString());
	const handlers: Handlers<"gateway"> = {
		getScore: getScore(responseCache),
		openDispute: openDispute(bus, config.REQUEST_TIMEOUT_MS),
		getScoreHistory: getScoreHistory(responseCache),
		getProjectTaxCredit: getProjectTaxCredit(responseCache),
		...getExportManifests(exports),
		getManifest: getManifest(publicUrl, contact),
		getHealth: getHealth(readPart, config.HEALTH_MIN_ROWS),
		getHealthDetailed: getHealthDetailed(readPart),
		getFreshness: getFreshness(readPart),
		getSourceFreshness: getSourceFreshness(readPart),
		getOpenapi: getOpenapi(publicUrl, { ...terms, contact, mppCurrency }, examples),
		getAsyncapi: getAsyncapi(subscribing),
		getEventDocs: asPage("getEventDocs"),
		getLlms: getLlms(publicUrl, terms, readPart),
		getLlmsFull: getLlmsFull({ publicUrl, terms, examples, readPart, schema }),
		getManifestFile: getManifestFile(publicUrl, terms),
		getCatalog: getCatalog(publicUrl),
		getDataCatalog: getDataCatalog(readPart),
		describeDataset: describeDataset(readPart),
		getCoverage: getCoverage(readPart),
		getDocs: asPage("getDocs"),
		getRegisterPage: asPage("getRegisterPage"),
		register: register({ requestBilling, limitRegistrations }),
		requestKey: requestKey({ requestBilling, limitRegistrations }),
		recoverKey: recoverKey({ requestBilling }),
		confirmEmail: confirmEmail({ requestBilling }),
		confirmAlerts: openAlertLink(bus, "confirm"),
		stopAlerts: openAlertLink(bus, "stop"),
		exportAccount: exportAccount({ requestBilling, bus }),
		deleteAccount: deleteAccount({ requestBilling, bus }),
		rotateKey: rotateKey({ requestBilling }),
		changeKey: changeKey({ requestBilling }),
		revokeKey: revokeKey({ requestBilling }),
		getReceipt: getReceipt({ requestBilling }),
		getUsage: getUsage({ requestBilling, usedNow, usedToday, noticesOf: readNotices(bus), now: () => new Date() }),
		getPricingInfo: getPricingInfo(terms),
		quote: quote({ terms, rails, responseCache, exports, now: () => new Date() }),
		runQuery: runQuery(bus, config.REQUEST_TIMEOUT_MS),
		getQuery: getQuery(bus, config.REQUEST_TIMEOUT_MS),
		runSavedQuery: runSavedQuery(bus, config.REQUEST_TIMEOUT_MS),
		getQuerySchema: getQuerySchema(bus, config.REQUEST_TIMEOUT_MS),
		...access.sales.handlers,
	};
	return handlers;
}
