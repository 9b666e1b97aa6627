import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { type Basis, explainCredit, type Request } from "../domain/assess.ts";
import { isScored } from "../domain/score/index.ts";
import { readRequests, type StoredRequest } from "../jobs/requests.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";
import { brownfields, linesOf } from "./credit-lines.ts";

/**
 * Worked out as it is asked for, from what the rate of the request is worked out from.
 * @throws AppError 404 for a request that is not known
 */
export function readTaxCredit(resources: Resources): Handler<"readTaxCredit"> {
	const { sql, now, notice_2025_42 } = resources;
	return async ({ project_id }) => {
		const dataVersion = await readDataVersion(sql);
		const references = await loadReferences(sql);
		const basis = { today: now().toISOString().slice(0, 10), references, notice_2025_42 };
		const data = dataOf(await readNow(sql, project_id), basis);
		return { json: JSON.stringify({ project_id, data } satisfies Reply<"readTaxCredit">), dataVersion };
	};
}

async function readNow(sql: Sql, id: string): Promise<StoredRequest> {
	const [request] = await readRequests(sql, [id]);
	if (request === undefined) throw notFound(`no tax credit of ${id}`);
	return request;
}

function dataOf({ facts }: Pick<Request, "facts">, basis: Basis): Reply<"readTaxCredit">["data"] {
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
