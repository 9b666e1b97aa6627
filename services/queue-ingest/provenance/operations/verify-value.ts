import { invalid } from "#libs/contract/errors.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import { type ListField, listFields } from "#libs/contract/provenance-rules.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { checkMoment } from "../../history/past.ts";
import { resolveState } from "../../queues/operations/get-project.ts";
import type { Resources } from "../../resources.ts";
import { KeptCells } from "../kept-cells.ts";
import { rowReader, verify } from "../verify.ts";
import { verifyOwners } from "../verify-owners.ts";

/** @throws AppError 422 that says why a field cannot be read again */
function ofList(field: Params<"verifyValue">["field"]): ListField {
	const own = listFields.find((name) => name === field);
	if (own !== undefined) return own;
	const why = ofPlaces.has(field)
		? "rests on a list of places, of which rows, cells and SHA-256 are kept and not the bytes"
		: "is in no file: it is computed, or says when a list was loaded";
	const msg = `${field} ${why}; /projects/{project_id}/provenance names what it rests on`;
	throw invalid([{ loc: ["query", "field"], msg }]);
}

const ofPlaces: ReadonlySet<string> = new Set(["energy_community_eligible", "low_income_eligible"]);

/** Never from what is kept of the file: the archive itself may be damaged since. */
export function verifyValue(resources: Resources): Handler<"verifyValue"> {
	const { sql } = resources;
	return async ({ project_id, region, field, ...moment }) => {
		await checkMoment(resources, moment);
		const dataVersion = await readDataVersion(sql);
		const id = await resolveState(sql, project_id, region);
		const reply =
			field === "owners"
				? await verifyOwners(sql, { id, ...moment })
				: await verify(sql, new KeptCells(sql), rowReader(sql), { id, field: ofList(field), ...moment });
		return { json: JSON.stringify(reply), dataVersion };
	};
}
