import type { Handler } from "#libs/contract/index.ts";
import { type AsyncapiOptions, asyncapiDocument } from "../documents/asyncapi.ts";
import { apiServer, type JsonObject } from "../documents/asyncapi-parts.ts";

/** The server of the streams over HTTP is the one that the request was sent to. */
export function getAsyncapi(options: AsyncapiOptions): Handler<"getAsyncapi"> {
	const document = asyncapiDocument(options);
	return async (_params, { http }) => {
		const servers = { ...(document.servers as JsonObject), api: apiServer(http?.site ?? options.publicUrl) };
		return { json: JSON.stringify({ ...document, servers }), dataVersion: 0 };
	};
}
