import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { type Basis, explainCredit } from "../domain/assess.ts";
import { isScored } from "../domain/score/index.ts";
import { readRequests, type StoredRequest } from "../jobs/requests.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";
import { brownfields, linesOf } from "./credit-lines.ts";

/** Worked out as it is asked for, from what the rate of the request is worked out from. */
export function readTaxCredit({ sql, now, notice_2025_42 }: Resources): Handler<"readTaxCredit"> {
	return async ({ project_id }) => {
		const dataVersion = await readDataVersion(sql);
		const [request] = await readRequests(sql, [project_id]);
		if (request === undefined) throw notFound(`no tax credit of ${project_id}`);
		const basis = { today: now().toISOString().slice(0, 10), references: await loadReferences(sql), notice_2025_42 };
		const reply = { project_id, data: dataOf(request, basis) };
		return { json: JSON.stringify(reply satisfies Reply<"readTaxCredit">), dataVersion };
	};
}

function dataOf({ facts }: StoredRequest, basis: Basis): Reply<"readTaxCredit">["data"] {
	if (!isScored({ kind: facts.kind, status: facts.status_std })) return null;
	const { credit, codYear, capacityMw, warnings } = explainCredit(facts, basis);
	return {
		technology: facts.type_std,
		capacity_mw: capacityMw,
		state: facts.state,
		counties: facts.counties,
		cod: codYear,
		...linesOf(credit),
		warnings,
		assumptions: [...credit.assumptions, ...brownfields(credit)],
		as_of: basis.today,
	};
}
