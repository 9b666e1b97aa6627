/** Compares the staged list with the known requests: figures for the guards, and differences by field. */
import type { RequestKind } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import type { Source } from "../../sources/source.ts";
import { diffedFields } from "../columns.ts";
import type { Measures } from "../guards.ts";
import { markRecoded } from "./fold-renamings.ts";

/** A missing project has disappeared if a list lacks it this long after the first list without it. */
const absenceConfirmedAfter = "interval '3 days'";

/** Condition on `projects p`: excludes finished requests if the list contains active requests only, because they may leave it. */
const mustStayListed = (source: Source): string =>
	source.coverage === "active-only" ? "and p.status_std not in ('Withdrawn', 'Operational')" : "";

/** Condition on `projects p`: the staged list lacks the request. */
const isUnlisted =
	"not exists (select from staged s where s.id = p.id) and not exists (select from listed l where l.id = p.id)";

/** Condition on `projects p`: a request of the feed that the staged list should still contain, but lacks. */
export const vanishedFrom = (source: Source): string => `
	p.feed = '${source.feed}' and p.missing_since is null and ${isUnlisted} ${mustStayListed(source)}`;

/** Condition on `projects p`: a request that the feed's staged list confirms to have disappeared. Both arguments are SQL. */
export const disappearedFrom = (feed: string, asOf: string): string => `
	p.feed = ${feed} and p.disappeared_at is null and p.missing_since <= ${asOf} - ${absenceConfirmedAfter} and ${isUnlisted}`;

export async function measureList(
	tx: Transaction,
	source: Source,
	malformed: number,
	base = "projects",
): Promise<Measures> {
	const kind: RequestKind = source.programme ? "distribution" : (source.utility ?? "generation");
	// A list that completes another list is compared only with the requests to which it adds parts.
	const parts = source.completes === undefined ? "" : "and components <> '[]'";
	const [row] = await tx.unsafe<Measures[]>(`
		select
			(select count(*) from ${base} p where feed = '${source.completes ?? source.feed}' and kind = '${kind}' and missing_since is null ${parts}
				${mustStayListed(source)}) as known,
			(select count(*) from staged s where kind = '${kind}' ${parts} and not exists (select from ${base} p
				where p.id = s.id and ${source.coverage === "active-only"} and p.status_std in ('Withdrawn', 'Operational')))
				+ (select count(*) from listed join ${base} using (id) where feed = '${source.feed}' and kind = '${kind}') as rows,
			(select count(*) from ${base} p where kind = '${kind}' and ${vanishedFrom(source)}) as vanished,
			(select count(*) from ${base} p join staged s using (id)
				where p.kind = '${kind}' and p.status_std = 'Active') as active,
			(select count(*) from ${base} p join staged s using (id)
				where p.kind = '${kind}' and p.status_std = 'Active' and s.status_std not in ('Active', 'Unknown')) as flips,
			(select coalesce(sum(capacity_mw), 0) from ${base}
				where feed = '${source.feed}' and kind = '${kind}' and missing_since is null and status_std = 'Active') as "activeMw",
			(select coalesce(sum(capacity_mw), 0) from staged where kind = '${kind}' and status_std = 'Active'
					and not exists (
					select from ${base} p where p.id = staged.id and p.as_filed is not null and p.missing_since is null and p.status_std <> 'Active'))
				+ (select coalesce(sum(capacity_mw), 0) from listed join ${base} using (id)
					where feed = '${source.feed}' and kind = '${kind}' and status_std = 'Active') as "nextActiveMw"`);
	if (row === undefined) throw new Error("the query for the measures returned no row");
	return { ...row, malformed };
}

const differences = diffedFields
	.map(
		({ field, changeType, expression }, order) =>
			`(${order}, '${field}', '${changeType}', ${expression("p")}, ${expression("s")})`,
	)
	.join(",\n\t\t\t");

/**
 * Creates `differences` (project, field, old, new): one row per field that differs in more than spelling. Marks rows as recoded if
 * a renaming of values explains them (together they are one change), but never if the standard status, the standard state of the agreement
 * or the study phase changes. Of a feed's first list, only changes of the standard status count.
 */
export async function compareFields(
	tx: Transaction,
	source: Source,
	isFirstList: boolean,
	base = "projects",
): Promise<void> {
	await readDifferences(tx, source, base);
	if (isFirstList) await tx`delete from differences where not changes_status`;
	await markRecoded(tx, "differences", (field) => {
		const expression = diffedFields.find((each) => each.field === field && each.isRenamable)?.expression;
		return expression === undefined
			? null
			: tx`
				select spelling(${tx.unsafe(expression("p"))}) as old, spelling(${tx.unsafe(expression("s"))}) as new
				from staged s join ${tx(base)} p using (id)`;
	});
	await tx`
		update differences d set recoded = false from staged s join ${tx(base)} p using (id)
		where d.recoded and s.id = d.id and (d.changes_status
			or d.field_name = 'status' and s.study_phase is distinct from p.study_phase
			or d.field_name = 'ia_status_filed' and s.ia_status <> p.ia_status)`;
}

/** Creates the temporary table `differences` for the requests in the table `rows`; no row is marked as recoded. */
export async function readDifferences(tx: Transaction, source: Source, base: string, rows = "staged"): Promise<void> {
	await tx.unsafe(`
		drop table if exists differences;
		create temporary table differences on commit drop as
		select s.id, f.*, f.field_name = 'status' and p.status_std <> s.status_std as changes_status, false as recoded
		from ${rows} s join ${base} p on p.id = s.id
		cross join lateral (values
			${differences}
		) as f (field_order, field_name, change_type, old_value, new_value)
		where ${rows === "staged" ? "p.row_hash <> s.row_hash and" : ""} spelling(f.old_value) is distinct from spelling(f.new_value)
			-- Operators drop the projected date of a finished request, which is not a change.
			and not (f.field_name = 'cod' and s.cod is null and s.status_std <> 'Active')
			-- Requests without a row in filed_rows were stored before components were.
			and not (f.field_name = 'components' and not exists (select from filed_rows o where o.project_id = s.id));
		-- Components without megawatts are derived from the technology, whose change is already listed.
		delete from differences d where field_name = 'components' and old_value !~ '"capacity_mw": [0-9]'
			and new_value !~ '"capacity_mw": [0-9]' and exists (select from differences o where o.id = d.id and o.field_name = 'type_std');
		-- Where the study phase is derived from the status, the change of the status is already listed.
		delete from differences d where field_name = 'study_phase' and exists (
			select from differences o join ${rows} s using (id)
			where o.id = d.id and o.field_name = 'status' and (${source.phaseIsStatus === true} or s.study_phase_filed is null))`);
}
