import type { Handler } from "#libs/contract/index.ts";
import { type AsyncapiOptions, asyncapiDocument } from "../documents/asyncapi.ts";

export function getAsyncapi(options: AsyncapiOptions): Handler<"getAsyncapi"> {
	const json = JSON.stringify(asyncapiDocument(options));
	return async () => ({ json, dataVersion: 0 });
}
