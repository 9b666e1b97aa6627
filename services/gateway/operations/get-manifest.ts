import type { Handler, Reply } from "#libs/contract/index.ts";
import { about } from "../discovery/about.ts";

/** A link is null until there is something behind it: `register` is, until keys can be had. */
export function getManifest(publicUrl: string): Handler<"getManifest"> {
	const manifest: Reply<"getManifest"> = {
		...about,
		links: {
			docs: `${publicUrl}/docs`,
			openapi: `${publicUrl}/openapi.json`,
			register: null,
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
