import type { Handler } from "#libs/contract/index.ts";
import { type DocumentOptions, openapiDocument } from "../discovery/openapi.ts";

export function getOpenapi(publicUrl: string, options?: DocumentOptions): Handler<"getOpenapi"> {
	const json = JSON.stringify(openapiDocument(publicUrl === "" ? undefined : publicUrl, options));
	return async () => ({ json, dataVersion: 0 });
}
