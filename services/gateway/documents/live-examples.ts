/**
 * Current answers to the declared examples, shortened for documents. They are requested together, a few at a time and under one deadline;
 * an example without an answer is omitted, so that no document fails. The requests go through the response cache.
 */
import { LRUCache } from "lru-cache";
import type { PlainName } from "#libs/bus/requests/request.ts";
import {
	type Handlers,
	type OperationName,
	operations,
	type ParamsInput,
	type RequestContext,
	type SerialisedReply,
} from "#libs/contract/index.ts";
import { exampleId } from "#libs/contract/operations/projects/project.ts";
import { untilAborted } from "#libs/contract/within.ts";
import { type HttpOperation, httpOperations } from "../registry/bindings.ts";
import { etagOf, type ResponseCache } from "../response-cache/response-cache.ts";
import type { CallParams } from "./calls.ts";

export interface LiveExample {
	/** The declared example with few rows, about a project that is loaded. */
	params: CallParams;
	/** Undefined if the request failed; null if the example is not requested. */
	answer: Shortened | undefined | null;
	tag: string;
}

export type LiveExamples = ReadonlyMap<OperationName, LiveExample>;

export interface LiveExampleOptions {
	answers: Pick<ResponseCache, "get">;
	/** The gateway's own handlers, called when all of them exist. */
	handlers: () => Handlers<"gateway">;
}

const limits = {
	atOnce: 8,
	deadlineMs: 6_000,
	bytes: 2_200,
	rows: 1,
	/** The gateway's own answers have no data version, so they are reused briefly. */
	ownCacheMs: 5_000,
};

/** Documents, operations that need an id from another answer or read a whole file, and repetitions of other answers. */
const notRequested = new Set<OperationName>([
	...(["getOpenapi", "getAsyncapi", "getCatalog"] as const),
	...(["getDispute", "getFile", "verifyValue", "resolveMany", "quote", "getQuery", "getReceipt"] as const),
]);

/** Whether the operation changes nothing, costs little and answers in JSON. */
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

export function liveExamples({ answers, handlers }: LiveExampleOptions) {
	const requestable = httpOperations().filter(isRequestable);
	const aboutProject = httpOperations().filter(
		(one) => !isRequestable(one) && Object.values(one.operation.example ?? {}).includes(exampleId),
	);
	const shortened = new Map<OperationName, { tag: string; answer: Shortened | undefined }>();
	const own = new LRUCache<OperationName, Buffer>({ max: 100, ttl: limits.ownCacheMs });
	let underWay: Promise<LiveExamples> | undefined;

	async function bytesOf({ name, operation }: HttpOperation, params: object, signal: AbortSignal): Promise<Buffer> {
		if (operation.owner !== "gateway")
			return (await answers.get(name as PlainName, params as ParamsInput<PlainName>)).bytes;
		const kept = own.get(name);
		if (kept !== undefined) return kept;
		const handle = handlers()[name as keyof Handlers<"gateway">] as unknown as (
			params: object,
			context: RequestContext,
		) => Promise<SerialisedReply<unknown>>;
		// Limits by address count these requests under an address of their own.
		const { json } = await handle(params, { signal, http: { headers: {}, address: "example" } });
		const bytes = Buffer.from(json);
		own.set(name, bytes);
		return bytes;
	}

	function short(name: OperationName, bytes: Buffer): { tag: string; answer: Shortened | undefined } {
		const tag = etagOf(bytes);
		const known = shortened.get(name);
		if (known?.tag === tag) return known;
		const made = { tag, answer: shorten(JSON.parse(bytes.toString()), limits.bytes) };
		shortened.set(name, made);
		return made;
	}

	async function ask(declared: HttpOperation, params: CallParams, signal: AbortSignal): Promise<LiveExample> {
		try {
			signal.throwIfAborted();
			const parsed = declared.operation.params.parse(params);
			const bytes = await untilAborted(bytesOf(declared, parsed, signal), signal);
			return { params, ...short(declared.name, bytes) };
		} catch {
			return { params, answer: undefined, tag: "-" };
		}
	}

	async function gather(): Promise<LiveExamples> {
		const signal = AbortSignal.timeout(limits.deadlineMs);
		const project = await largestProject(answers, signal);
		const found = new Map<OperationName, LiveExample>(
			aboutProject.map((declared) => [
				declared.name,
				{ params: exampleParams(declared, project), answer: null, tag: project ?? "-" },
			]),
		);
		const waiting = requestable.values();
		const worker = async () => {
			for (const next of waiting) found.set(next.name, await ask(next, exampleParams(next, project), signal));
		};
		await Promise.all(Array.from({ length: limits.atOnce }, worker));
		return found;
	}

	/** Concurrent requests share one result. */
	return (): Promise<LiveExamples> => {
		underWay ??= gather().finally(() => (underWay = undefined));
		return underWay;
	};
}

/** The declared example with few rows, about a project that is loaded. The declaration cannot know which are. */
function exampleParams({ operation, http }: HttpOperation, project: string | undefined): CallParams {
	const { example = {}, params } = operation;
	const few: CallParams = {};
	for (const name of ["per_page", "limit"])
		if (http.method === "GET" && name in params.shape && operation.mediaType === undefined) few[name] = limits.rows;
	const here = Object.entries(example).map(([name, value]) => [name, value === exampleId ? (project ?? value) : value]);
	return { ...Object.fromEntries(here), ...few };
}

/** The largest active request that is loaded. */
async function largestProject(answers: Pick<ResponseCache, "get">, signal: AbortSignal): Promise<string | undefined> {
	try {
		const wanted = { status: "Active", sort: "capacity_mw", order: "desc", per_page: 1 };
		const params = operations.listProjects.params.parse(wanted);
		const { bytes } = await untilAborted(answers.get("listProjects", params), signal);
		const { data } = JSON.parse(bytes.toString()) as { data: { id: string }[] };
		return data[0]?.id;
	} catch {
		return undefined;
	}
}

interface Level {
	/** Elements of a list of objects. */
	rows: number;
	/** Elements of any other list. */
	words: number;
	fields: number;
	characters: number;
}

/** From the least shortened. Fields and texts are cut only if a few whole rows are still too long. */
const levels: readonly Level[] = [
	{ rows: 2, words: 10, fields: Infinity, characters: Infinity },
	{ rows: 1, words: 5, fields: Infinity, characters: Infinity },
	{ rows: 1, words: 5, fields: 60, characters: 160 },
	{ rows: 1, words: 2, fields: 12, characters: 60 },
	{ rows: 1, words: 1, fields: 4, characters: 30 },
];

export interface Shortened {
	value: unknown;
	isCut: boolean;
	/** Every row has all its fields, so that the value still matches the schema of the answer. */
	isWhole: boolean;
}

/** At most `maxBytes` of JSON; undefined if even the last level is longer. */
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
		const most = typeof value[0] === "object" ? level.rows : level.words;
		if (value.length > most) level.isCut = true;
		return value.slice(0, most).map((each) => cutToLevel(each, level));
	}
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value);
	if (entries.length > level.fields) level.isCut = true;
	return Object.fromEntries(entries.slice(0, level.fields).map(([name, each]) => [name, cutToLevel(each, level)]));
}
