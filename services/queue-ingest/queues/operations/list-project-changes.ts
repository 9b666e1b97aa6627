import type { Handler } from "#libs/contract/index.ts";
import { checkDay } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { resolveProject } from "./get-project.ts";
import { readChangeLog } from "./read-change-log.ts";

export function listProjectChanges(resources: Resources): Handler<"listProjectChanges"> {
	const { sql } = resources;
	return async ({ project_id, region, after, per_page, ...filters }) => {
		checkDay(resources, filters);
		const id = await resolveProject(sql, project_id, region);
		return readChangeLog(sql, { ...filters, project_id: id }, { after, limit: per_page });
	};
}
