/** The price of a call, and the size of its response if that is known. A quote may count a list, but never runs a statement or makes a file. */
import type { PlainName, StreamedName } from "#libs/bus/requests/request.ts";
import { didYouMean } from "#libs/contract/did-you-mean.ts";
import { AppError, type FieldError, invalid } from "#libs/contract/errors.ts";
import type { Handler, ParamsInput, Reply } from "#libs/contract/index.ts";
import { takesBody } from "#libs/contract/operation.ts";
import { type RailName, railNames } from "#libs/contract/vocabulary.ts";
import { isPayable, type Terms } from "../documents/terms.ts";
import type { Exports } from "../exports/exports.ts";
import { withFormat } from "../http/answer.ts";
import { bodyReader } from "../http/body.ts";
import type { Paged } from "../http/links.ts";
import { toolName } from "../mcp-tools/tools.ts";
import type { Rail } from "../payments/rails/rail.ts";
import { type HttpOperation, httpOperations, isSold, pathParameters, priceUsd } from "../registry/bindings.ts";
import { paramsReader, writeQuery } from "../registry/params.ts";
import type { ResponseCache } from "../response-cache/response-cache.ts";

/** A quoted price is valid for as long as a payment challenge. */
const quoteSeconds = 300;

export interface QuoteOptions {
	terms: Terms;
	rails: readonly Pick<Rail, "name" | "currency">[];
	responseCache: Pick<ResponseCache, "get" | "peek">;
	exports: Pick<Exports, "peek">;
	now: () => Date;
}

type Size = Pick<Reply<"quote">, "rows" | "bytes" | "size_note">;

export function quote({ terms, rails, responseCache, exports, now }: QuoteOptions): Handler<"quote"> {
	return async ({ operation, params }) => {
		const declared = findOperation(operation);
		const { http, name } = declared;
		const parsed = parseParams(declared, params);
		const size = await sizeOf(declared, parsed, { responseCache, exports }).catch(moveIntoParams);
		const at = now();
		const reply: Reply<"quote"> = {
			operation: name,
			endpoint: `${http.method} ${http.path}`,
			tier: http.price,
			price_usd: priceUsd(http.price),
			rails: pricesByRail(declared, terms, rails),
			queries: http.price === "free" ? 0 : 1,
			needs_key: http.needsKey === true,
			...size,
			quoted_at: at.toISOString(),
			valid_until: new Date(at.getTime() + quoteSeconds * 1_000).toISOString(),
		};
		return { json: JSON.stringify(reply) };
	};
}

function findOperation(given: string): HttpOperation {
	const all = httpOperations();
	const operation = all.find(({ name }) => name === given || toolName(name) === given);
	if (operation !== undefined) return operation;
	const suggestion = didYouMean(
		given,
		all.map(({ name }) => name),
	);
	throw invalid([{ loc: ["body", "operation"], msg: `is not an operation of /openapi.json${suggestion}` }]);
}

const currencies: Record<RailName, string> = { x402: "USDC", mpp: "USDC", card: "USD" };

function pricesByRail({ http }: HttpOperation, terms: Terms, rails: QuoteOptions["rails"]): Reply<"quote">["rails"] {
	const sold = isSold(http) && isPayable(terms);
	const of = (wanted: RailName) => {
		const rail = sold ? rails.find(({ name }) => name === wanted) : undefined;
		if (rail === undefined) return null;
		return { price_usd: priceUsd(http.price), currency: rail.currency ?? currencies[wanted] };
	};
	return Object.fromEntries(railNames.map((rail) => [rail, of(rail)])) as Reply<"quote">["rails"];
}

/** Parses the parameters as the operation does. @throws AppError 422 with locations inside the quote */
function parseParams({ name, http }: HttpOperation, given: Record<string, unknown>): object {
	const inPath = pathParameters(http.path);
	const entries = Object.entries(given);
	const path = entries.filter(([each]) => inPath.includes(each));
	const rest = entries.filter(([each]) => !inPath.includes(each));
	const isRead = !takesBody(http.method);
	const faults = (isRead ? entries : path).flatMap(([each, value]) => (isPlain(value) ? [] : [notPlain(each)]));
	// A URL cannot contain a name with invalid Unicode.
	const misnamed = entries.filter(([each]) => !each.isWellFormed());
	faults.push(...misnamed.map(([each]) => ({ loc: ["body", "params", each], msg: "is not the name of a parameter" })));
	if (faults.length > 0) throw invalid(faults);
	const texts = Object.fromEntries(path.map(([each, value]) => [each, String(value)]));
	try {
		if (!isRead) return bodyReader(name)(texts, "", Object.fromEntries(rest));
		return paramsReader(name)(texts, writeQuery(rest));
	} catch (error) {
		return moveIntoParams(error);
	}
}

const isPlainValue = (value: unknown): boolean =>
	(typeof value === "string" && value.isWellFormed()) || typeof value === "number" || typeof value === "boolean";
const isPlain = (value: unknown): boolean => (Array.isArray(value) ? value.every(isPlainValue) : isPlainValue(value));

const notPlain = (parameter: string): FieldError => ({
	loc: ["body", "params", parameter],
	msg: "must be text, a number, true or false, or a list of those",
});

function moveIntoParams(error: unknown): never {
	if (!(error instanceof AppError) || error.errors === undefined) throw error;
	throw invalid(error.errors.map(({ loc, msg }) => ({ loc: ["body", "params", ...loc.slice(1)], msg })));
}

async function sizeOf(
	declared: HttpOperation,
	params: object,
	{ responseCache, exports }: Pick<QuoteOptions, "responseCache" | "exports">,
): Promise<Size> {
	const { name, operation, http } = declared;
	if (operation.streamed === true) return sizeOfFile(declared, params, exports);
	if (operation.eventStream !== undefined) return unknownSize("a stream has no end");
	if (name === "runQuery" || name === "getQuery" || name === "runSavedQuery")
		return unknownSize("the size of a result is known only after the statement has run");
	if (operation.owner === "gateway" || http.needsKey) return unknownSize("the answer is computed on request");
	const plain = name as PlainName;
	const bytes = responseCache.peek(plain, params as ParamsInput<PlainName>)?.bytes.length ?? null;
	const rows = await countRows(plain, params, responseCache);
	const notes = [
		...(typeof rows === "string" ? [rows] : []),
		...(bytes === null ? ["the size in bytes is known once this answer has been requested from the current data"] : []),
	];
	const size_note = notes.length === 0 ? null : notes.join("; ");
	return { rows: typeof rows === "string" ? null : rows, bytes, size_note };
}

const unknownSize = (size_note: string): Size => ({ rows: null, bytes: null, size_note });

function sizeOfFile({ name, operation, http }: HttpOperation, params: object, exports: Pick<Exports, "peek">): Size {
	const streamed = name as StreamedName;
	const file = exports.peek(streamed, withFormat(operation, params) as ParamsInput<StreamedName>);
	if (file === undefined) return unknownSize(notMade(http.path));
	const { rows } = file.head;
	if (rows === undefined) return { rows: null, bytes: file.bytes, size_note: "the rows of this file are not counted" };
	return { rows: Number(rows), bytes: file.bytes, size_note: null };
}

function notMade(path: string): string {
	const manifest = httpOperations().find(({ http }) => http.path === `${path}/manifest`);
	const hint = manifest === undefined ? "" : `: GET ${path}/manifest makes it and returns both`;
	return `the file has not been made since the data last changed${hint}`;
}

/** Number of rows of the page, computed from the list's total; or why it is unknown. @throws AppError if the list refuses the parameters */
async function countRows(name: PlainName, params: Paged, cache: Pick<ResponseCache, "get">): Promise<number | string> {
	const { page, per_page, cursor, ...filters } = params;
	if (per_page === undefined) return "the answer is not a list with pages";
	if (cursor !== undefined && cursor !== "*") return "rows behind a cursor are not counted";
	const first = { ...filters, page: 1, per_page: 1 } as unknown as ParamsInput<PlainName>;
	try {
		const { bytes } = await cache.get(name, first);
		const { total, meta } = JSON.parse(bytes.toString()) as { total?: number; meta?: { total?: number } };
		const all = total ?? meta?.total;
		if (all === undefined) return "the list does not count its rows";
		return Math.max(0, Math.min(per_page, all - ((page ?? 1) - 1) * per_page));
	} catch (error) {
		if (error instanceof AppError && error.status < 500) throw error;
		return "the list cannot be counted at the moment";
	}
}
