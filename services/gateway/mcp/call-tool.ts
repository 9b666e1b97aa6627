/** Calls the operation of a tool, and returns its response as the tool's result. */
import type { CallToolResult, ResourceLink } from "@modelcontextprotocol/server";
import { AppError, invalid } from "#libs/contract/errors.ts";
import type { OperationName } from "#libs/contract/index.ts";
import { answersJson, maxJsonBytes, maxPartBytes } from "../mcp-tools/forms.ts";
import { shortFields } from "../mcp-tools/listed.ts";
import type { BoundTool } from "../mcp-tools/tools.ts";
import { type HttpOperation, httpOperations } from "../registry/bindings.ts";
import { type Arguments, toolRequest } from "./arguments.ts";
import type { Answer, CallerContext } from "./caller-context.ts";
import { type Meta, paymentHeaders, receiptsOf, unpaidResult } from "./payment.ts";
import { maxLinesBytes, shortAnswer } from "./short-answer.ts";

export interface ToolCall {
	bound: BoundTool;
	given: Arguments;
	meta: Meta;
	caller: CallerContext;
	signal: AbortSignal;
}

/** @throws AppError 429 if the message itself is refused. An error of the call is a result. */
export async function callTool(call: ToolCall): Promise<CallToolResult> {
	const { bound, meta, caller, signal } = call;
	const { declared, tool } = bound;
	try {
		const headers = await paymentHeaders(meta);
		const { isWhole, given } = separateForm(call, Object.keys(headers).length > 0);
		const { address, ...question } = toolRequest(declared, given, caller.longestUrl);
		const maxBytes = answersJson(declared.operation) ? maxJsonBytes : isWhole ? maxPartBytes : maxLinesBytes;
		const answer = await caller.call({ operation: declared, ...question, tool: tool.name, headers, maxBytes }, signal);
		signal.throwIfAborted();
		return await resultOf(answer, address, { ...call, given, isWhole });
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		await caller.count();
		return failure(error.status, error.toJSON(), {});
	}
}

const requestLess = "request less, with filters, or with per_page or limit if the tool has them";

interface FormedCall extends ToolCall {
	isWhole: boolean;
}

/** Separates `response_format` from the operation's parameters. By default, a paid call returns the whole response, because the rest would cost again. */
function separateForm({ bound, given }: ToolCall, isPaid: boolean): Pick<FormedCall, "isWhole" | "given"> {
	const { response_format: form = isPaid ? "detailed" : "concise", ...rest } = given;
	if (form !== "concise" && form !== "detailed")
		throw invalid([{ loc: ["arguments", "response_format"], msg: "must be concise or detailed" }]);
	const isWhole = form === "detailed";
	const fields = shortFields[bound.declared.name];
	const narrows = !isWhole && fields !== undefined && rest.fields === undefined;
	return { isWhole, given: narrows ? { ...rest, fields: fields.join() } : rest };
}

async function resultOf(answer: Answer, address: string, call: FormedCall): Promise<CallToolResult> {
	const { headers, status, bytes, whole } = answer;
	const { bound, meta, isWhole } = call;
	const resultMeta = { ...aboutAnswer(answer, call.caller.requestId), ...(await receiptsOf(headers, meta)) };
	if (status < 400 && !answersJson(bound.declared.operation)) return toPart(answer, address, call, resultMeta);
	if (!whole)
		return failure(413, { detail: `the answer is longer than ${maxJsonBytes} bytes: ${requestLess}` }, resultMeta);
	const text = bytes.toString();
	// The response is not JSON if a parameter requested a different format.
	if (status < 400 && headers["content-type"]?.includes("json") === false)
		return { content: [{ type: "text", text }], _meta: resultMeta };
	const json = JSON.parse(text);
	if (status === 402) return unpaidResult(json, headers, resultMeta);
	if (status >= 400) return failure(status, json, resultMeta);
	if (isWhole) return { content: [{ type: "text", text }], _meta: resultMeta };
	const { text: short, isCut } = shortAnswer(json, rowsField(json));
	const file = isCut ? fileLink(call) : undefined;
	return { content: [{ type: "text", text: short }, ...(file === undefined ? [] : [file])], _meta: resultMeta };
}

/** The field that contains the rows; undefined if the response is not a list. */
const rowsField = (json: object): string | undefined =>
	["data", "results", "projects"].find((name) => Array.isArray((json as Record<string, unknown>)[name]));

/** Converts a response that is not JSON. If it is too long, the result has its first lines and a link to the whole response. */
function toPart({ headers, bytes, whole }: Answer, address: string, call: ToolCall, resultMeta: Meta): CallToolResult {
	const mediaType = headers["content-type"] ?? "";
	// Cut at the end of a line, so that no row or character is incomplete.
	const text = (whole ? bytes : bytes.subarray(0, bytes.lastIndexOf("\n") + 1)).toString();
	const link = linkTo(`${call.caller.baseUrl}${address}`, call.bound.declared, mediaType);
	return {
		content: [{ type: "text", text }, ...(whole ? [] : [link])],
		_meta: { ...resultMeta, part: { media_type: mediaType, bytes: Buffer.byteLength(text), truncated: !whole } },
	};
}

export function failure(status: number, body: object, _meta: Meta): CallToolResult {
	return { content: [{ type: "text", text: JSON.stringify({ status, ...body }) }], isError: true, _meta };
}

/** Facts about a response that an agent can act on: remaining limits, data version, request id. */
function aboutAnswer({ status, headers }: Answer, requestId: string): Meta {
	const { ratelimit, "ratelimit-policy": policy, "retry-after": retryAfter, "x-data-version": dataVersion } = headers;
	return {
		http: {
			status,
			request_id: requestId,
			ratelimit,
			ratelimit_policy: policy,
			retry_after_seconds: retryAfter === undefined ? undefined : Number(retryAfter),
			data_version: dataVersion === undefined ? undefined : Number(dataVersion),
		},
	};
}

const exports: Partial<Record<OperationName, OperationName>> = {
	listProjects: "exportProjects",
	listDevelopers: "exportDevelopers",
	listChanges: "exportChanges",
	listPlants: "exportPlants",
	listMarketPrices: "exportPrices",
};
/** Parameters of lists that exports lack. */
const listParameters = new Set(["page", "per_page", "cursor", "sort", "order", "fields"]);

/** Link to the export with the same filters; undefined if the list has none. */
function fileLink({ bound, given, caller }: ToolCall): ResourceLink | undefined {
	const name = exports[bound.declared.name];
	const declared = httpOperations().find((each) => each.name === name);
	if (declared === undefined) return undefined;
	const filters = Object.entries(given).filter(
		([key]) => !listParameters.has(key) && key in declared.operation.params.shape,
	);
	const { address } = toolRequest(declared, Object.fromEntries(filters), caller.longestUrl);
	return linkTo(`${caller.baseUrl}${address}`, declared, declared.operation.mediaType ?? "");
}

const linkTo = (uri: string, { operation, http }: HttpOperation, mediaType: string): ResourceLink => ({
	type: "resource_link",
	uri,
	name: http.path.slice(1),
	description: `${operation.summary} Over HTTP, with the same key or for a payment.`,
	mimeType: mediaType.split(";", 1)[0] ?? "",
});
