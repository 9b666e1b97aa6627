/** The only tool that changes something. It creates a watchlist of one request, and a webhook if an address is given. It cannot spend or delete anything. */
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { AppError, invalid } from "#libs/contract/errors.ts";
import type { OperationName } from "#libs/contract/index.ts";
import { maxJsonBytes } from "../mcp-tools/forms.ts";
import { httpOperations } from "../registry/bindings.ts";
import { type Arguments, toolRequest } from "./arguments.ts";
import { failure } from "./call-tool.ts";
import type { CallerContext } from "./caller-context.ts";

export const watchRequest = "watch_request";

export const watchTool: Tool = {
	name: watchRequest,
	description:
		"Watches one interconnection request from now on: makes a watchlist of it, and with url a webhook that receives each change. " +
		"The result has the addresses of its changes, feed and calendar. Takes one query; needs a key.",
	inputSchema: {
		type: "object",
		properties: {
			project_id: { type: "string", description: "<REGION>-<number>, or only the operator's number" },
			url: { type: "string", description: "Address for deliveries: https, public, echoes a challenge" },
		},
		required: ["project_id"],
	},
	annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
};

/** @throws AppError 429 if the message itself is refused. An error of a call is a result. */
export async function watch(given: Arguments, caller: CallerContext, signal: AbortSignal): Promise<CallToolResult> {
	const perform = performer(caller, signal);
	// These calls continue even if the client disconnects, so that a change is completed or undone.
	const performToEnd = performer(caller, new AbortController().signal);
	try {
		const { project_id, url, ...others } = given;
		const [other] = Object.keys(others);
		if (other !== undefined) throw invalid([{ loc: ["arguments", other], msg: "is not an argument" }]);
		const { id, name } = await perform("getProject", { project_id, fields: "id,name" });
		const filters = { id: [id], population: "all", include_unlisted: true };
		const { watchlist_id, expires_at } = await performToEnd("createWatchlist", { name: `Request ${id}`, filters });
		const webhook = url === undefined ? undefined : await addWebhook(performToEnd, watchlist_id, url);
		const at = `${caller.baseUrl}/watchlists/${watchlist_id}`;
		const watched = {
			...{ project_id: id, name, watchlist_id, expires_at },
			...{ changes: `${at}/changes`, feed: `${at}/changes.atom`, calendar: `${at}.ics` },
			...webhook,
		};
		return { content: [{ type: "text", text: JSON.stringify(watched) }] };
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		await caller.count();
		return failure(error.status, error.toJSON(), {});
	}
}

type Perform = (name: OperationName, given: Arguments) => Promise<Record<string, unknown>>;

/** @returns a function that calls operations on behalf of the caller. It throws an AppError if the response is an error */
function performer(caller: CallerContext, signal: AbortSignal): Perform {
	return async (name, given) => {
		const operation = httpOperations().find((each) => each.name === name);
		if (operation === undefined) throw new Error(`${name} has no HTTP binding`);
		const { address: _, ...request } = toolRequest(operation, given, caller.longestUrl);
		const answer = await caller.call({ operation, ...request, tool: watchRequest, maxBytes: maxJsonBytes }, signal);
		signal.throwIfAborted();
		const { detail, code, errors, ...json } = JSON.parse(answer.bytes.toString());
		if (answer.status >= 400) throw new AppError(answer.status, detail, { code, errors });
		return (json.data as Record<string, unknown> | undefined) ?? json;
	};
}

/** Adds a webhook. If that is refused, the watchlist is deleted. The signing secret is not returned, because it must not be part of a conversation. */
async function addWebhook(perform: Perform, watchlist_id: unknown, url: unknown): Promise<object> {
	try {
		const { webhook_id, proven } = await perform("createWebhook", { url, watchlist_id });
		const note = `POST /webhooks/${webhook_id}/rotate over HTTP shows the secret that verifies deliveries`;
		return { webhook_id, proven, note };
	} catch (error) {
		await perform("deleteWatchlist", { watchlist_id }).catch(() => {});
		throw error;
	}
}
