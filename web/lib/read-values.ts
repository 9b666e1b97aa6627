/** The values of a field that requests have, the most frequent first: what a filter can choose. */
import { pageRows } from "#libs/contract/vocabulary.ts";
import { read } from "./api.ts";
import { walk } from "./walk.ts";

export async function readValues(by: "region" | "technology" | "state", signal: AbortSignal): Promise<string[]> {
	const { rows } = await walk(async (page) => {
		const query = { by, page, per_page: pageRows };
		const { data, meta } = await read("groupProjects", "/projects/groups", query, signal);
		return { rows: data, total: meta.total };
	});
	return rows.flatMap(({ value }) => value ?? []);
}
