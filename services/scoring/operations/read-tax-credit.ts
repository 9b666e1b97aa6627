import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { type Basis, explainCredit, type Request } from "../domain/assess.ts";
import { isScored } from "../domain/score/index.ts";
import type { RequestOn } from "../domain/score-on.ts";
import { readRequests, type StoredRequest } from "../jobs/requests.ts";
import { readRequestsOn } from "../jobs/requests-on.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";
import { checkDay } from "./check-day.ts";
import { brownfields, linesOf } from "./credit-lines.ts";
import { unknownThen } from "./read-score-on.ts";

/**
 * Worked out as it is asked for, from what the rate of the request is worked out from; of the past from its facts and the law of then.
 * @throws AppError 404 for a request that is not known, 422 for a day in the future
 */
export function readTaxCredit(resources: Resources): Handler<"readTaxCredit"> {
	const { sql, now, notice_2025_42 } = resources;
	return async ({ project_id, as_of }) => {
		if (as_of !== undefined) checkDay(resources, as_of);
		const dataVersion = await readDataVersion(sql);
		const references = await loadReferences(sql);
		const basis = { today: as_of ?? now().toISOString().slice(0, 10), references, notice_2025_42 };
		const data =
			as_of === undefined
				? dataOf(await readNow(sql, project_id), basis)
				: dataOn(await readOn(sql, project_id, as_of), basis);
		return { json: JSON.stringify({ project_id, data } satisfies Reply<"readTaxCredit">), dataVersion };
	};
}

async function readNow(sql: Sql, id: string): Promise<StoredRequest> {
	const [request] = await readRequests(sql, [id]);
	if (request === undefined) throw notFound(`no tax credit of ${id}`);
	return request;
}

async function readOn(sql: Sql, id: string, day: string): Promise<RequestOn> {
	const [request] = await readRequestsOn(sql, [day], { ids: [id] });
	if (request === undefined) throw await unknownThen(sql, id, day);
	return request;
}

/** What stood published then may rest on lists of places that have others in their place by now. */
function dataOn(request: RequestOn, basis: Basis): Reply<"readTaxCredit">["data"] {
	const data = dataOf(request, basis);
	const published = request.published?.credit.effective_rate;
	if (data === null || published === undefined || published === data.effective_rate) return data;
	const message = `The rate that was published on that day is ${Math.round(published * 1_000) / 10} %: it rests on what was known then.`;
	return { ...data, warnings: [...data.warnings, { code: "published_otherwise", message }] };
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
