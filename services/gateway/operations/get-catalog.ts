import type { Handler } from "#libs/contract/index.ts";
import { catalog } from "../documents/catalog.ts";

export function getCatalog(publicUrl: string): Handler<"getCatalog"> {
	const json = JSON.stringify(catalog(publicUrl));
	return async () => ({ json, dataVersion: 0 });
}
