import { createHash } from "node:crypto";
import { about } from "#libs/contract/documents/about.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { type Price, planNames, prices, railNames } from "#libs/contract/vocabulary.ts";
import { untilAborted } from "#libs/contract/within.ts";
import { type AsyncapiOptions, asyncapiDocument } from "../documents/asyncapi/asyncapi.ts";
import { apiServer } from "../documents/asyncapi/parts.ts";
import { basePlaceholder } from "../documents/calls.ts";
import { catalog, operationsByResource } from "../documents/catalog.ts";
import type { LiveExamples } from "../documents/live-examples.ts";
import { llms } from "../documents/llms.ts";
import { llmsFull } from "../documents/llms-full.ts";
import { type DocumentOptions, openapiDocument } from "../documents/openapi/openapi.ts";
import { findSampled, sampleNote } from "../documents/sample.ts";
import { isPayable, notesOn, type Terms } from "../documents/terms.ts";
import { httpOperations, priceUsd } from "../registry/bindings.ts";
import type { JsonObject } from "../registry/json-schema.ts";
import type { ReadPart } from "./parts.ts";

/** `contact`: the operator's e-mail address. */
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

/** Building the document takes time, so it is built again only when a live example changes. Code samples use the address of the request. */
export function getOpenapi(
	publicUrl: string,
	options: DocumentOptions,
	examples: () => Promise<LiveExamples>,
): Handler<"getOpenapi"> {
	let built: { digest: string; json: string } | undefined;
	return async (_params, { http }) => {
		const live = omitTimedAnswers(await examples());
		const digest = digestOf(live);
		if (built?.digest !== digest)
			built = {
				digest,
				json: JSON.stringify(openapiDocument(publicUrl === "" ? undefined : publicUrl, options, live)),
			};
		const site = JSON.stringify(http?.site ?? "").slice(1, -1);
		return { json: built.json.replaceAll(basePlaceholder, () => site) };
	};
}

/** Omits responses that contain the time, because the document would change with each request and replica. */
function omitTimedAnswers(live: LiveExamples): LiveExamples {
	return new Map(
		[...live].map(([name, example]) => {
			const containsTime = /"(timestamp|checked_at|generated_at)":/.test(JSON.stringify(example.answer?.value ?? null));
			return [name, containsTime ? { ...example, answer: undefined, tag: "-" } : example];
		}),
	);
}

function digestOf(live: LiveExamples): string {
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

const coverageWaitMs = 3_000;

/** Links use PUBLIC_URL, or else the address of the request. */
export function getLlms(publicUrl: string, terms: Terms, readPart: ReadPart): Handler<"getLlms"> {
	return async (_params, { http }) => {
		const parts = [readPart("describeCoverage"), readPart("describeSignalCoverage")];
		const sampled = await findSampled(parts, AbortSignal.timeout(coverageWaitMs));
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

const referenceWaitMs = 6_000;

/** The reference is written for each request, with current responses from the cache. Examples of an owner that does not respond are omitted. */
export function getLlmsFull({ publicUrl, terms, examples, readPart, schema }: ReferenceParts): Handler<"getLlmsFull"> {
	return async (_params, { http }) => {
		const signal = AbortSignal.timeout(referenceWaitMs);
		const orUndefined = <T>(part: Promise<T>) => untilAborted(part, signal).catch(() => undefined);
		const [live, planList, querySchema, sampled] = await Promise.all([
			examples(),
			orUndefined(readPart("listPlans")),
			orUndefined(schema(signal)),
			findSampled([readPart("describeCoverage"), readPart("describeSignalCoverage")], signal),
		]);
		const sample = sampleNote(sampled);
		return {
			json: llmsFull({
				site: http?.site ?? publicUrl,
				terms,
				live,
				plans: planList?.plans,
				schema: querySchema,
				sample,
			}),
		};
	};
}

/** Derived from the registry: every operation with a price is listed. */
export function getPricingInfo(terms: Terms): Handler<"getPricingInfo"> {
	const reply: Reply<"getPricingInfo"> = {
		pricing_by_tier: byTier((tier) => ({ price_usd: priceUsd(tier) })),
		endpoints: byTier((tier) => ({ price_usd: priceUsd(tier), endpoints: endpointsOf(tier) })),
		rails_enabled: byRail((rail) => terms.railsEnabled.includes(rail)),
		notes: notesOn(terms),
	};
	const json = JSON.stringify(reply);
	return async () => ({ json });
}

const endpointsOf = (tier: Price): string[] =>
	httpOperations().flatMap(({ http }) => (http.price === tier ? [`${http.method} ${http.path}`] : []));

const byTier = <T>(of: (tier: Price) => T) =>
	Object.fromEntries(prices.map((tier) => [tier, of(tier)])) as Record<Price, T>;

const byRail = (of: (rail: (typeof railNames)[number]) => boolean) =>
	Object.fromEntries(railNames.map((rail) => [rail, of(rail)])) as Record<(typeof railNames)[number], boolean>;
