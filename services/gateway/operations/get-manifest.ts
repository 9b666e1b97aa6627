import { about } from "#libs/contract/about.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { planNames } from "#libs/contract/vocabulary.ts";

/** A link is null until there is something behind it. `contact`: the operator's e-mail address. */
export function getManifest(publicUrl: string, contact?: string): Handler<"getManifest"> {
	const manifest: Reply<"getManifest"> = {
		...about,
		links: {
			docs: `${publicUrl}/docs`,
			openapi: `${publicUrl}/openapi.json`,
			asyncapi: `${publicUrl}/asyncapi.json`,
			register: `${publicUrl}/register`,
			health: `${publicUrl}/health`,
			source_freshness: `${publicUrl}/source-freshness`,
			website: `${publicUrl}/docs`,
		},
		mcp_server: `${publicUrl}/mcp`,
		plans: [...planNames],
		contact: contact ?? null,
	};
	const json = JSON.stringify(manifest);
	return async () => ({ json, dataVersion: 0 });
}
