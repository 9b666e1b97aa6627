import type { Handler } from "#libs/contract/index.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { checkDay } from "../../history/past.ts";
import { resolveProject } from "../../queues/operations/get-project.ts";
import type { Resources } from "../../resources.ts";
import { KeptCells } from "../kept-cells.ts";
import { rowReader, verify } from "../verify.ts";
import { verifyOwners } from "../verify-owners.ts";

/** Never from what is kept of the file: the archive itself may be damaged since. */
export function verifyValue(resources: Resources): Handler<"verifyValue"> {
	const { sql } = resources;
	return async ({ project_id, region, field, ...asOf }) => {
		checkDay(resources, asOf);
		const dataVersion = await readDataVersion(sql);
		const id = await resolveProject(sql, project_id, region);
		const reply =
			field === "owners"
				? await verifyOwners(sql, { id, ...asOf })
				: await verify(sql, new KeptCells(sql), rowReader(sql), { id, field, ...asOf });
		return { json: JSON.stringify(reply), dataVersion };
	};
}
