/** Finds the origins of values that are not in operators' lists: links to developers, reports of other publishers, scores and tax credits. */
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import { scoredFields } from "#libs/contract/records/project.ts";
import { evidenceBases, nameMethods } from "#libs/contract/vocabulary.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { findFieldOrigin } from "./cells-of-field.ts";
import { type Computed, type OtherOrigin, toComputedOrigins } from "./computed-values.ts";
import type { RequestState, StatingList } from "./stating-lists.ts";

const linkFields = ["developer_id", "developer_canonical"];
const ratingFields = ["developer_tier", "needs_capital"];
const scoreFields = ["investable", "p_cod_36", "investability_score"];
const creditFields = scoredFields.filter((name) => !scoreFields.includes(name));

type RequestValues = {
	body: Record<string, unknown>;
	asFiled: RequestState["asFiled"];
	asOf: AsOf;
	lbnl: StatingList | undefined;
	computed: Computed | undefined;
};

/** `asOf`: the requested day; empty for the present. `lbnl`: Berkeley Lab's row of the request. */
export async function findOtherOrigins(
	sql: Sql,
	id: string,
	{ body, asFiled, asOf, lbnl, computed }: RequestValues,
): Promise<OtherOrigin[]> {
	const [row] = await sql<{ link: OtherOrigin["evidence"] }[]>`
		select coalesce(
			(select json_build_object('method', 'correction', 'confidence', 1, 'text', correction_text(c)) from corrections c
				where c.project_id = ${id} and c.about = 'request' and c.ended_at is null),
			(select json_build_object('method', l.method, 'confidence', l.confidence, 'text',
				case when l.method = 'correction' then l.reason else l.matched_text end) from developer_links l
				where l.raw_name = ${(body.developer as string | null) ?? null} and l.developer_id = ${(body.developer_id as number | null) ?? null}),
			(select json_build_object('method', l.method, 'confidence', l.confidence, 'text', concat_ws(': ', l.company, l.evidence))
				from project_developers l where l.project_id = ${id} and l.developer_id = ${(body.developer_id as number | null) ?? null})) as link`;
	const at = encodeURIComponent(id);
	const noEvidence = { evidence: null, filed: null };
	const asOfQuery = queryOf(asOf);
	const score = `/score/${at}${asOfQuery}`;
	// Scores that were published for a past day include the inputs, but no citations of the law.
	const see = { credit: asOf.as_of === undefined ? `/projects/${at}/tax-credit` : score, score };
	const developer = body.developer_id === null ? null : `/developers/${body.developer_id}${asOfQuery}`;
	// A developer that is not linked by name is linked by evidence about the plant, or by a person.
	const isLinkedByName = nameMethods.some((method) => method === row?.link?.method);
	const found: OtherOrigin[] = [
		{
			...noEvidence,
			fields: linkFields,
			rule: "developer.link",
			evidence: row?.link ?? null,
			see: developer,
			facts: isLinkedByName ? ["developer"] : [],
		},
		{ ...noEvidence, fields: ratingFields, rule: "developer.rating", see: developer, facts: ["developer_id"] },
		...(computed === undefined ? [] : toComputedOrigins(computed, see)),
		{ ...noEvidence, fields: creditFields, rule: "credit.copy", see: see.credit },
		{ ...noEvidence, fields: scoreFields, rule: "score.copy", see: see.score },
	];
	if (typeof body.queue_date_current === "string") {
		const text = `${body.queue_date_current} in the newest list`;
		const evidence = { method: "queue.first", confidence: null, text };
		const filed = { queue_date: body.queue_date_current };
		found.push({ fields: ["queue_date"], rule: "queue.first", evidence, see: null, filed });
	}
	if (asFiled === null) return found;
	const fields = Object.keys(asFiled).filter((name) => name !== "status_evidence");
	const text = ((body.status_evidence ?? body.plant_state_evidence) as string | null) ?? null;
	const basis = evidenceBases.find((each) => each === body.status_basis) ?? "other_source";
	const confidence = basis === "absence" ? null : (body.construction_stage_confidence as number);
	const evidence = { method: basis, confidence, text };
	const report = findReportCells(text, lbnl);
	const reported = {
		rule: `evidence.${basis}`,
		evidence,
		see: null,
		...(report !== undefined && { report }),
	} as const;
	return [...found, { ...reported, fields, filed: asFiled }, { ...reported, fields: ["status_evidence"], filed: null }];
}

export function queryOf({ as_of }: AsOf): string {
	return as_of === undefined ? "" : `?as_of=${as_of}`;
}

/** Returns the cells with the status and its date in Berkeley Lab's row; undefined if the evidence is from an earlier edition or only from the EIA. */
function findReportCells(text: string | null, lbnl: StatingList | undefined): OtherOrigin["report"] {
	if (lbnl === undefined || !text?.includes(`LBNL Queued Up, edition of ${lbnl.asOf.slice(0, 10)}`)) return undefined;
	const { name: file, sha256, tables, origins, cells } = lbnl;
	const [status, since] = ["status_std", "actual_cod"].map((field) =>
		findFieldOrigin(field, tables ?? [], origins, cells),
	);
	if (status === undefined) return undefined;
	const inputs = since === undefined || since.cell.raw === null ? [] : [since.cell];
	return { file, sha256, ...status.cell, inputs };
}
