import type { Handler } from "#libs/contract/index.ts";
import { catalog } from "../documents/catalog.ts";

export function getCatalog(publicUrl: string): Handler<"getCatalog"> {
	let json: string | undefined;
	return async () => {
		json ??= JSON.stringify(catalog(publicUrl));
		return { json, dataVersion: 0 };
	};
}
