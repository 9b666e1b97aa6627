import type { Handler, Reply } from "#libs/contract/index.ts";
import { about } from "../discovery/about.ts";

/** Links only to what there is: `register` joins them when keys can be had. */
export function getManifest(publicUrl: string): Handler<"getManifest"> {
	const manifest: Reply<"getManifest"> = {
		...about,
		links: {
			docs: `${publicUrl}/docs`,
			openapi: `${publicUrl}/openapi.json`,
			health: `${publicUrl}/health`,
			source_freshness: `${publicUrl}/source-freshness`,
			website: `${publicUrl}/docs`,
		},
		mcp_server: null,
		plans: [],
		contact: null,
	};
	const json = JSON.stringify(manifest);
	return async () => ({ json, dataVersion: 0 });
}
