/**
 * Current responses to the declared examples, shortened for documents. They are requested together, a few at a time and with one deadline,
 * through the response cache. Failed examples are omitted, so that no document fails.
 */
import { LRUCache } from "lru-cache";
import type { PlainName } from "#libs/bus/requests/request.ts";
import {
	type Handlers,
	type OperationName,
	operations,
	type ParamsInput,
	type RequestContext,
	type SerializedReply,
} from "#libs/contract/index.ts";
import { exampleId } from "#libs/contract/operations/projects/project.ts";
import { untilAborted } from "#libs/contract/within.ts";
import { type HttpOperation, httpOperations } from "../registry/bindings.ts";
import { etagOf, type ResponseCache } from "../response-cache/response-cache.ts";
import type { CallParams } from "./calls.ts";

export interface LiveExample {
	/** The parameters of the declared example, changed to request few rows and a project that is loaded. */
	params: CallParams;
	/** The shortened response. Undefined if the request failed or the response is too long; null if the example is not requested. */
	answer: Shortened | undefined | null;
	tag: string;
}

export type LiveExamples = ReadonlyMap<OperationName, LiveExample>;

export interface LiveExampleOptions {
	responseCache: Pick<ResponseCache, "get">;
	/** Returns the gateway's own handlers. Called only after all of them have been created. */
	handlers: () => Handlers<"gateway">;
}

const limits = {
	atOnce: 8,
	deadlineMs: 6_000,
	bytes: 2_000,
	rows: 1,
	/** The gateway's own responses have no data version, so they are reused only briefly. */
	ownCacheMs: 5_000,
};

/** Documents, operations that need an id from another response or read a whole file, and operations that repeat others. */
const notRequested = new Set<OperationName>([
	...(["getOpenapi", "getAsyncapi", "getCatalog"] as const),
	...(["getDispute", "getFile", "verifyValue", "resolveMany", "quote", "getQuery", "getReceipt"] as const),
]);

/** Whether the operation changes nothing, costs little and responds with JSON. */
function isRequestable({ name, operation, http }: HttpOperation): boolean {
	if (
		notRequested.has(name) ||
		http.needsKey ||
		http.credential ||
		operation.streamed ||
		operation.mediaType !== undefined
	)
		return false;
	return operation.example !== undefined && (http.method === "GET" || http.readsByPost === true);
}

export function liveExamples({ responseCache, handlers }: LiveExampleOptions) {
	const requestable = httpOperations().filter(isRequestable);
	const aboutProject = httpOperations().filter(
		(one) => !isRequestable(one) && Object.values(one.operation.example ?? {}).includes(exampleId),
	);
	const shortened = new Map<OperationName, { tag: string; answer: Shortened | undefined }>();
	const ownResponses = new LRUCache<OperationName, Buffer>({ max: 100, ttl: limits.ownCacheMs });
	let gathering: Promise<LiveExamples> | undefined;

	async function bytesOf({ name, operation }: HttpOperation, params: object, signal: AbortSignal): Promise<Buffer> {
		if (operation.owner !== "gateway")
			return (await responseCache.get(name as PlainName, params as ParamsInput<PlainName>)).bytes;
		const cached = ownResponses.get(name);
		if (cached !== undefined) return cached;
		const handle = handlers()[name as keyof Handlers<"gateway">] as unknown as (
			params: object,
			context: RequestContext,
		) => Promise<SerializedReply<unknown>>;
		// Limits count these requests under the made-up address "example".
		const { json } = await handle(params, { signal, http: { headers: {}, address: "example" } });
		const bytes = Buffer.from(json);
		ownResponses.set(name, bytes);
		return bytes;
	}

	function shortenOnce(name: OperationName, bytes: Buffer): { tag: string; answer: Shortened | undefined } {
		const tag = etagOf(bytes);
		const cached = shortened.get(name);
		if (cached?.tag === tag) return cached;
		const example = { tag, answer: shorten(JSON.parse(bytes.toString()), limits.bytes) };
		shortened.set(name, example);
		return example;
	}

	async function requestExample(
		declared: HttpOperation,
		params: CallParams,
		signal: AbortSignal,
	): Promise<LiveExample> {
		try {
			signal.throwIfAborted();
			const parsed = declared.operation.params.parse(params);
			const bytes = await untilAborted(bytesOf(declared, parsed, signal), signal);
			return { params, ...shortenOnce(declared.name, bytes) };
		} catch {
			return { params, answer: undefined, tag: "-" };
		}
	}

	async function gather(): Promise<LiveExamples> {
		const signal = AbortSignal.timeout(limits.deadlineMs);
		const project = await largestProject(responseCache, signal);
		const examples = new Map<OperationName, LiveExample>(
			aboutProject.map((declared) => [
				declared.name,
				{ params: exampleParams(declared, project), answer: null, tag: project ?? "-" },
			]),
		);
		const waiting = requestable.values();
		const worker = async () => {
			for (const next of waiting)
				examples.set(next.name, await requestExample(next, exampleParams(next, project), signal));
		};
		await Promise.all(Array.from({ length: limits.atOnce }, worker));
		return examples;
	}

	/** Concurrent calls share one result. */
	return (): Promise<LiveExamples> => {
		gathering ??= gather().finally(() => (gathering = undefined));
		return gathering;
	};
}

/** The parameters of the declared example, with few rows, and with a loaded project instead of the declared one, which may not be loaded. */
function exampleParams({ operation, http }: HttpOperation, project: string | undefined): CallParams {
	const { example = {}, params } = operation;
	const few: CallParams = {};
	for (const name of ["per_page", "limit"])
		if (http.method === "GET" && name in params.shape && operation.mediaType === undefined) few[name] = limits.rows;
	const given = Object.entries(example).map(([name, value]) => [
		name,
		value === exampleId ? (project ?? value) : value,
	]);
	return { ...Object.fromEntries(given), ...few };
}

/** Id of the largest active request that is loaded; undefined if it cannot be read. */
async function largestProject(
	responseCache: Pick<ResponseCache, "get">,
	signal: AbortSignal,
): Promise<string | undefined> {
	try {
		const largestActive = { status: "Active", sort: "capacity_mw", order: "desc", per_page: 1 };
		const params = operations.listProjects.params.parse(largestActive);
		const { bytes } = await untilAborted(responseCache.get("listProjects", params), signal);
		const { data } = JSON.parse(bytes.toString()) as { data: { id: string }[] };
		return data[0]?.id;
	} catch {
		return undefined;
	}
}

interface Level {
	/** Maximum number of elements of a list of objects. */
	rows: number;
	/** Maximum number of elements of any other list. */
	values: number;
	fields: number;
	characters: number;
}

/** From the least to the most shortened. Fields and texts are cut only if a few whole rows are still too long. */
const levels: readonly Level[] = [
	{ rows: 2, values: 10, fields: Infinity, characters: Infinity },
	{ rows: 1, values: 5, fields: Infinity, characters: Infinity },
	{ rows: 1, values: 5, fields: 60, characters: 160 },
	{ rows: 1, values: 2, fields: 12, characters: 60 },
	{ rows: 1, values: 1, fields: 4, characters: 30 },
];

export interface Shortened {
	value: unknown;
	isCut: boolean;
	/** Every row has all its fields, so the value still matches the schema of the response. */
	isWhole: boolean;
}

/** Shortens a value to `maxBytes` of JSON; undefined if even the last level is longer. */
export function shorten(value: unknown, maxBytes: number): Shortened | undefined {
	for (const level of levels) {
		const cutting = { ...level, isCut: false };
		const short = cutToLevel(value, cutting);
		if (Buffer.byteLength(JSON.stringify(short)) <= maxBytes)
			return { value: short, isCut: cutting.isCut, isWhole: level.fields === Infinity };
	}
	return undefined;
}

function cutToLevel(value: unknown, level: Level & { isCut: boolean }): unknown {
	if (typeof value === "string") {
		if (value.length <= level.characters) return value;
		level.isCut = true;
		return `${value.slice(0, level.characters)}…`;
	}
	if (Array.isArray(value)) {
		const maxElements = typeof value[0] === "object" ? level.rows : level.values;
		if (value.length > maxElements) level.isCut = true;
		return value.slice(0, maxElements).map((each) => cutToLevel(each, level));
	}
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value);
	if (entries.length > level.fields) level.isCut = true;
	return Object.fromEntries(entries.slice(0, level.fields).map(([name, each]) => [name, cutToLevel(each, level)]));
}
