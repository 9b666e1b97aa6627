import type { Handler } from "#libs/contract/index.ts";
import { openapiDocument } from "../discovery/openapi.ts";

export function getOpenapi(publicUrl: string): Handler<"getOpenapi"> {
	const json = JSON.stringify(openapiDocument(publicUrl === "" ? undefined : publicUrl));
	return async () => ({ json, dataVersion: 0 });
}
