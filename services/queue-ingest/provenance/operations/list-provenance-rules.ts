import type { Handler } from "#libs/contract/index.ts";
import { provenanceRules } from "#libs/contract/provenance-rules.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import type { Resources } from "../../resources.ts";

export function listProvenanceRules({ sql }: Resources): Handler<"listProvenanceRules"> {
	const data = Object.entries(provenanceRules).map(([rule, sentence]) => ({ rule, sentence }));
	return async () => ({ json: JSON.stringify({ data }), dataVersion: await readDataVersion(sql) });
}
