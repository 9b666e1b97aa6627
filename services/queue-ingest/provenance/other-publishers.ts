/** Values of a request that no operator's list states: links to developers, reports of other publishers, scores and tax credits. */
import type { ProvenanceRule } from "#libs/contract/provenance-rules.ts";
import type { Sql } from "#libs/postgres/connect.ts";

export interface OtherPublisher {
	fields: readonly string[];
	rule: ProvenanceRule;
	evidence: { method: string; confidence: number | null; text: string | null } | null;
	/** What the operator filed instead, by field; null where it states nothing of them. */
	filed: Record<string, unknown> | null;
	see: string | null;
}

const linked = ["developer_id", "developer_canonical"];
const rated = ["developer_tier", "needs_capital"];
const evidenced = ["status_std", "status_basis", "construction_stage", "construction_stage_confidence", "ia_status"];
const credited = [
	"energy_community_eligible",
	"low_income_eligible",
	"domestic_content_eligible",
	"domestic_content_basis",
	"tax_credit_type",
	"tax_credit_status",
	"tax_credit_pct",
	"estimated_credit_value",
	"effective_credit_rate",
];
const scored = ["investable", "investability_score"];

/** `as_of`: the day that is asked about; undefined: the present. */
export async function otherPublishers(
	sql: Sql,
	id: string,
	{ body, as_of }: { body: Record<string, unknown>; as_of: string | undefined },
): Promise<OtherPublisher[]> {
	const [row] = await sql<{ link: OtherPublisher["evidence"]; filed: Record<string, unknown> | null }[]>`
		select coalesce(
			(select json_build_object('method', 'correction', 'confidence', 1, 'text', correction_text(c)) from corrections c
				where c.project_id = ${id} and c.about = 'request' and c.ended_at is null),
			(select json_build_object('method', l.method, 'confidence', l.confidence, 'text',
				case when l.method = 'correction' then l.reason else l.matched_text end) from developer_links l
				where l.raw_name = ${(body.developer as string | null) ?? null} and l.developer_id = ${(body.developer_id as number | null) ?? null}),
			(select json_build_object('method', l.method, 'confidence', l.confidence, 'text', concat_ws(': ', l.company, l.evidence))
				from project_developers l where l.project_id = ${id} and l.developer_id = ${(body.developer_id as number | null) ?? null})) as link,
			(select e.filed from evidenced_statuses e where e.project_id = ${id}) as filed`;
	const at = encodeURIComponent(id);
	const none = { evidence: null, filed: null };
	const day = as_of === undefined ? "" : `?as_of=${as_of}`;
	const developer = body.developer_id === null ? null : `/developers/${body.developer_id}${day}`;
	const found: OtherPublisher[] = [
		{ ...none, fields: linked, rule: "developer.link", evidence: row?.link ?? null, see: developer },
		{ ...none, fields: rated, rule: "developer.rating", see: developer },
		{ ...none, fields: credited, rule: "credit.copy", see: `/projects/${at}/tax-credit${day}` },
		{ ...none, fields: scored, rule: "score.copy", see: `/score/${at}${day}` },
	];
	if (body.status_basis !== "other_source") return found;
	const text = (body.status_evidence as string | null) ?? null;
	const confidence = body.construction_stage_confidence as number;
	const report = { method: "other_source", confidence, text };
	return [
		...found,
		{ fields: evidenced, rule: "evidence.other_source", evidence: report, filed: row?.filed ?? {}, see: null },
		{ ...none, fields: ["status_evidence"], rule: "evidence.other_source", evidence: report, see: null },
	];
}
