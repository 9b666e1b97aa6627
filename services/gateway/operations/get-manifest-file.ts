import { about } from "#libs/contract/about.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { operationsByResource } from "../documents/catalog.ts";
import type { Terms } from "../documents/terms.ts";
import { isPayable } from "../documents/terms.ts";

/** A capability for each resource that is reached over HTTP, and for each other way in. */
export function getManifestFile(publicUrl: string, terms: Terms): Handler<"getManifestFile"> {
	const paths = {
		docs: "/docs",
		openapi: "/openapi.json",
		asyncapi: "/asyncapi.json",
		events: "/docs/events",
		llms: "/llms.txt",
		llms_full: "/llms-full.txt",
		catalog: "/catalog",
		data: "/catalog/data",
		coverage: "/coverage",
		pricing: "/pricing-info",
		register: "/register",
		mcp: "/mcp",
	};
	const manifest: Reply<"getManifestFile"> = {
		name: about.name,
		version: about.version,
		capabilities: [
			...operationsByResource().map(({ name }) => name),
			"export",
			"events",
			"mcp",
			"sql",
			...(isPayable(terms) ? terms.railsEnabled.map((rail) => `payment:${rail}`) : []),
		],
		links: Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, publicUrl + path])),
	};
	const json = JSON.stringify(manifest);
	return async () => ({ json, dataVersion: 0 });
}
