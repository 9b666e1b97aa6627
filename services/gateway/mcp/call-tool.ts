/** A tool call: the call of its operation, and the answer as a tool's result. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { AppError } from "#libs/contract/errors.ts";
import { answersJson, longestJson, longestPart } from "../mcp-tools/forms.ts";
import type { BoundTool } from "../mcp-tools/tools.ts";
import { type Arguments, questionOf } from "./arguments.ts";
import type { Answer, CallerContext } from "./caller-context.ts";
import { type Meta, paymentHeaders, receiptsOf, unpaidResult } from "./payment.ts";

export interface ToolCall {
	bound: BoundTool;
	given: Arguments;
	/** `_meta` of the call. */
	meta: Meta;
	caller: CallerContext;
	signal: AbortSignal;
}

/** @throws AppError 429 and the like for a call that did not even become a request; what is answered to the request is a result. */
export async function callTool(call: ToolCall): Promise<CallToolResult> {
	const { bound, given, meta, caller, signal } = call;
	const { asked, tool } = bound;
	try {
		const { address, ...question } = questionOf(asked, given, caller.longestUrl);
		const maxBytes = answersJson(asked.operation) ? longestJson : longestPart;
		const headers = await paymentHeaders(meta);
		const answer = await caller.call({ operation: asked, ...question, tool: tool.name, headers, maxBytes }, signal);
		signal.throwIfAborted();
		return await resultOf(answer, address, call);
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		await caller.count();
		return failure(error.status, error.toJSON(), {});
	}
}

async function resultOf(answer: Answer, address: string, call: ToolCall): Promise<CallToolResult> {
	const { headers, status, bytes, whole } = answer;
	const { bound, meta } = call;
	const said = { ...aboutAnswer(answer, call.caller.requestId), ...(await receiptsOf(headers, meta)) };
	if (status < 400 && !answersJson(bound.asked.operation)) return partOf(answer, address, call, said);
	if (!whole) return failure(413, { detail: `the answer is longer than ${longestJson} bytes: ${askForLess}` }, said);
	const text = bytes.toString();
	const json = JSON.parse(text);
	if (status === 402) return unpaidResult(json, headers, said);
	if (status >= 400) return failure(status, json, said);
	return { content: [{ type: "text", text }], structuredContent: json, _meta: said };
}

const askForLess = "ask for less, with filters, or with per_page or limit where the tool has them";

/** The beginning of an answer that may be long. Its sender stops with it. */
function partOf({ headers, bytes, whole }: Answer, address: string, call: ToolCall, said: Meta): CallToolResult {
	const mediaType = headers["content-type"] ?? "";
	const download = `${call.caller.baseUrl}${address}`;
	// A line that is cut is a wrong line, and a character that is cut is none.
	const text = (whole ? bytes : bytes.subarray(0, bytes.lastIndexOf("\n") + 1)).toString();
	const structuredContent = {
		media_type: mediaType,
		bytes: Buffer.byteLength(text),
		truncated: !whole,
		download,
	};
	return {
		content: [
			{ type: "text", text },
			{ type: "text", text: JSON.stringify(structuredContent) },
		],
		structuredContent,
		_meta: said,
	};
}

function failure(status: number, body: object, _meta: Meta): CallToolResult {
	return { content: [{ type: "text", text: JSON.stringify({ status, ...body }) }], isError: true, _meta };
}

/** Of the answer, what an agent can act on: what is left of its limits, how fresh the data is, by what name we know the request. */
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
