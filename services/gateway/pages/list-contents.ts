/** The content of list pages: their operation as the registry declares it, of which the script makes the form and the table. */
import { type OperationName, type OperationShape, operations } from "#libs/contract/index.ts";
import { jsonSchema } from "../registry/json-schema.ts";
import { needsScript } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { listPages } from "./page-texts.ts";
import type { PageContents } from "./pages.ts";

/** Parameters of paging and of the shape of the answer, and deprecated ones. */
const hidden = new Set(["per_page", "cursor", "fields", "limit", "iso"]);

export const listContents = (): PageContents =>
	Object.fromEntries((Object.keys(listPages) as OperationName[]).map((name) => [name, contentOf(operations[name])]));

function contentOf({ http, params, reply }: OperationShape): Html {
	const declared = {
		path: http?.path,
		params: Object.fromEntries(
			Object.entries(jsonSchema(params).properties ?? {}).filter(([parameter]) => !hidden.has(parameter)),
		),
		row: jsonSchema(reply).properties?.data?.items?.properties,
	};
	return html`${needsScript}<data id="registry" value="${JSON.stringify(declared)}"></data>`;
}
