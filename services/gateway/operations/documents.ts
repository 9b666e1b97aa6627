import { createHash } from "node:crypto";
import { about } from "#libs/contract/documents/about.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { type Price, planNames, priceMicroUsd, prices, railNames } from "#libs/contract/vocabulary.ts";
import { untilAborted } from "#libs/contract/within.ts";
import { type AsyncapiOptions, asyncapiDocument } from "../documents/asyncapi/asyncapi.ts";
import { apiServer, type JsonObject } from "../documents/asyncapi/parts.ts";
import { basePlaceholder } from "../documents/calls.ts";
import { catalog, operationsByResource } from "../documents/catalog.ts";
import type { LiveExamples } from "../documents/live-examples.ts";
import { llms } from "../documents/llms.ts";
import { llmsFull } from "../documents/llms-full.ts";
import { type DocumentOptions, openapiDocument } from "../documents/openapi/openapi.ts";
import { findSampled, sampleNote } from "../documents/sample.ts";
import { isPayable, notesOn, type Terms } from "../documents/terms.ts";
import { httpOperations } from "../registry/bindings.ts";
import type { ReadPart } from "./parts.ts";

/** A link is null if its target does not exist. `contact`: the operator's e-mail address. */
export function getManifest(publicUrl: string, contact?: string): Handler<"getManifest"> {
	const manifest: Reply<"getManifest"> = {
		...about,
		links: {
			docs: `${publicUrl}/docs`,
			openapi: `${publicUrl}/openapi.json`,
			asyncapi: `${publicUrl}/asyncapi.json`,
			register: `${publicUrl}/register`,
			health: `${publicUrl}/health`,
			source_freshness: `${publicUrl}/source-freshness`,
			website: `${publicUrl}/docs`,
		},
		mcp_server: `${publicUrl}/mcp`,
		plans: [...planNames],
		contact: contact ?? null,
	};
	const json = JSON.stringify(manifest);
	return async () => ({ json });
}

/** A capability for each resource with HTTP endpoints, and for each other kind of access. */
export function getManifestFile(publicUrl: string, terms: Terms): Handler<"getManifestFile"> {
	const paths = {
		docs: "/docs",
		openapi: "/openapi.json",
		asyncapi: "/asyncapi.json",
		events: "/docs/events",
		llms: "/llms.txt",
		llms_full: "/llms-full.txt",
		catalog: "/catalog",
		data: "/catalog/data",
		coverage: "/coverage",
		pricing: "/pricing-info",
		register: "/register",
		mcp: "/mcp",
	};
	const manifest: Reply<"getManifestFile"> = {
		name: about.name,
		version: about.version,
		capabilities: [
			...operationsByResource().map(({ name }) => name),
			"export",
			"events",
			"mcp",
			"sql",
			...(isPayable(terms) ? terms.railsEnabled.map((rail) => `payment:${rail}`) : []),
		],
		links: Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, publicUrl + path])),
	};
	const json = JSON.stringify(manifest);
	return async () => ({ json });
}

export function getCatalog(publicUrl: string): Handler<"getCatalog"> {
	let json: string | undefined;
	return async () => {
		json ??= JSON.stringify(catalog(publicUrl));
		return { json };
	};
}

/** Built again only when an example's answer changes, because that takes time. Code samples use the address of the request. */
export function getOpenapi(
	publicUrl: string,
	options?: DocumentOptions,
	examples: () => Promise<LiveExamples> = async () => new Map(),
): Handler<"getOpenapi"> {
	let made: { of: string; json: string } | undefined;
	return async (_params, { http }) => {
		const live = omitTimedAnswers(await examples());
		const of = digest(live);
		if (made?.of !== of)
			made = { of, json: JSON.stringify(openapiDocument(publicUrl === "" ? undefined : publicUrl, options, live)) };
		const site = JSON.stringify(http?.site ?? "").slice(1, -1);
		return { json: made.json.replaceAll(basePlaceholder, () => site) };
	};
}

/** Omits answers that contain the time, because the document would change with each request and replica. */
function omitTimedAnswers(live: LiveExamples): LiveExamples {
	return new Map(
		[...live].map(([name, example]) => {
			const tellsTime = /"(timestamp|checked_at|generated_at)":/.test(JSON.stringify(example.answer?.value ?? null));
			return [name, tellsTime ? { ...example, answer: undefined, tag: "-" } : example];
		}),
	);
}

function digest(live: LiveExamples): string {
	const hash = createHash("sha1");
	for (const name of [...live.keys()].sort()) hash.update(`${name} ${live.get(name)?.tag}\n`);
	return hash.digest("base64");
}

/** The HTTP server in the document is the one that received the request. */
export function getAsyncapi(options: AsyncapiOptions): Handler<"getAsyncapi"> {
	const document = asyncapiDocument(options);
	return async (_params, { http }) => {
		const servers = { ...(document.servers as JsonObject), api: apiServer(http?.site ?? options.publicUrl) };
		return { json: JSON.stringify({ ...document, servers }) };
	};
}

const patienceMs = 3_000;

/** Links use `publicUrl`, or else the address of the request. */
export function getLlms(publicUrl: string, terms: Terms, readPart: ReadPart): Handler<"getLlms"> {
	return async (_params, { http }) => {
		const parts = [readPart("describeCoverage"), readPart("describeSignalCoverage")];
		const sampled = await findSampled(parts, AbortSignal.timeout(patienceMs));
		return { json: llms(http?.site ?? publicUrl, terms, sampleNote(sampled)) };
	};
}

export interface ReferenceParts {
	publicUrl: string;
	terms: Terms;
	examples: () => Promise<LiveExamples>;
	readPart: ReadPart;
	schema: (signal: AbortSignal) => Promise<Reply<"getQuerySchema">>;
}

const referencePatienceMs = 6_000;

/** Written for each request from cached answers, because it shows current ones. Examples of an owner that does not answer are omitted. */
export function getLlmsFull({ publicUrl, terms, examples, readPart, schema }: ReferenceParts): Handler<"getLlmsFull"> {
	return async (_params, { http }) => {
		const signal = AbortSignal.timeout(referencePatienceMs);
		const orNothing = <T>(asked: Promise<T>) => untilAborted(asked, signal).catch(() => undefined);
		const [live, known, databases, sampled] = await Promise.all([
			examples(),
			orNothing(readPart("listPlans")),
			orNothing(schema(signal)),
			findSampled([readPart("describeCoverage"), readPart("describeSignalCoverage")], signal),
		]);
		const sample = sampleNote(sampled);
		return {
			json: llmsFull({ site: http?.site ?? publicUrl, terms, live, plans: known?.plans, schema: databases, sample }),
		};
	};
}

/** Derived from the registry: every operation with a price is listed. */
export function getPricingInfo(terms: Terms): Handler<"getPricingInfo"> {
	const reply: Reply<"getPricingInfo"> = {
		pricing_by_tier: byTier((tier) => ({ price_usd: usdOf(tier) })),
		endpoints: byTier((tier) => ({ price_usd: usdOf(tier), endpoints: endpointsOf(tier) })),
		rails_enabled: byRail((rail) => terms.railsEnabled.includes(rail)),
		notes: notesOn(terms),
	};
	const json = JSON.stringify(reply);
	return async () => ({ json });
}

const usdOf = (tier: Price): number => priceMicroUsd[tier] / 1_000_000;

const endpointsOf = (tier: Price): string[] =>
	httpOperations().flatMap(({ http }) => (http.price === tier ? [`${http.method} ${http.path}`] : []));

const byTier = <T>(of: (tier: Price) => T) =>
	Object.fromEntries(prices.map((tier) => [tier, of(tier)])) as Record<Price, T>;

const byRail = (of: (rail: (typeof railNames)[number]) => boolean) =>
	Object.fromEntries(railNames.map((rail) => [rail, of(rail)])) as Record<(typeof railNames)[number], boolean>;
