/** Records a reviewer's final decision on a dispute: refusal, or acceptance with the corrections that follow from it. */
import { identifier } from "#libs/contract/operations/developers/developer.ts";
import type { DisputeSubject } from "#libs/contract/vocabulary.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { findDeveloper } from "#libs/postgres/find-developer.ts";
import { UserError } from "#libs/service/program.ts";
import {
	addCorrection,
	type CorrectionTarget,
	type Decision,
	endCorrection,
	type Statement,
	withCorrections,
} from "./corrections.ts";

interface OpenDispute {
	id: number;
	about: DisputeSubject;
	project: string | null;
	field: string | null;
	developer: number | null;
	scheme: string | null;
	value: string | null;
	filed: string | null;
	url: string;
}

/**
 * `value`: for a link to a developer, the right developer (number or name) or `none`; for an identifier, the right identifier or `none`.
 * `wholeName`: corrects all requests filed under the name, not only this one. @returns the numbers of the corrections. @throws UserError
 */
export const acceptDispute = (
	sql: Sql,
	id: number,
	value: string | undefined,
	decision: Decision & { wholeName: boolean },
): Promise<number[]> =>
	withCorrections(sql, async (tx) => {
		const dispute = await lockOpenDispute(tx, id);
		const statement: Statement = { ...decision, evidenceUrl: dispute.url, disputeId: id };
		const correctionIds: number[] = [];
		for (const target of await toCorrections(tx, dispute, value, decision.wholeName))
			correctionIds.push(await addCorrection(tx, target, statement));
		await closeDispute(tx, id, "accepted", decision);
		return correctionIds;
	});

export const refuseDispute = (sql: Sql, id: number, decision: Decision): Promise<void> =>
	withCorrections(sql, async (tx) => {
		await lockOpenDispute(tx, id);
		await closeDispute(tx, id, "refused", decision);
	});

export const correctName = (
	sql: Sql,
	rawName: string,
	value: string,
	decision: Decision & { evidenceUrl: string | null },
) =>
	withCorrections(sql, async (tx) => {
		const links = await tx`select from developer_links where raw_name = ${rawName}`;
		if (links.count === 0) throw new UserError(`--name: no list has the name "${rawName}"`);
		const developerId = await findDeveloperId(tx, value);
		return addCorrection(
			tx,
			{ about: "name", raw_name: rawName, developer_id: developerId },
			{ ...decision, disputeId: null },
		);
	});

export const undoCorrection = (sql: Sql, id: number, decision: Decision): Promise<void> =>
	withCorrections(sql, async (tx) => {
		if (!(await endCorrection(tx, id, decision))) throw new UserError(`--take-back: no correction ${id} is in force`);
	});

async function lockOpenDispute(tx: Transaction, id: number): Promise<OpenDispute> {
	const [row] = await tx<(OpenDispute & { state: string; by: string | null; day: string | null })[]>`
		select dispute_id as id, about, project_id as project, field, developer_id as developer, scheme, value, evidence_url as url, state,
			settled_by as by, to_char(settled_at at time zone 'UTC', 'YYYY-MM-DD') as day,
			(select developer from projects p where p.id = project_id) as filed
		from disputes where dispute_id = ${id} for update`;
	if (row === undefined) throw new UserError(`no dispute ${id}`);
	if (row.state !== "open") throw new UserError(`dispute ${id} was ${row.state} by ${row.by} on ${row.day}`);
	return row;
}

const linkFields = new Set(["developer_id", "developer_canonical"]);

async function toCorrections(
	tx: Transaction,
	dispute: OpenDispute,
	value: string | undefined,
	wholeName: boolean,
): Promise<CorrectionTarget[]> {
	const { about, project, field, developer, scheme } = dispute;
	if (about === "identifier" && developer !== null) {
		const removals: CorrectionTarget[] =
			scheme === null || dispute.value === null ? [] : [{ about, scheme, value: dispute.value, developer_id: null }];
		if (requireValue(value) === "none") return removals;
		const parsed = identifier().safeParse(value);
		if (!parsed.success) throw new UserError(`--value: ${parsed.error.issues[0]?.message}`);
		const [newScheme = "", number = ""] = parsed.data.split(":");
		const newValue = newScheme === "lei" ? number.toUpperCase() : number;
		return [...removals, { about, scheme: newScheme, value: newValue, developer_id: developer }];
	}
	const isLink = about === "developer_link" || (about === "project_field" && linkFields.has(field ?? ""));
	// Filed values are not corrected here: such a dispute is accepted without a correction, and the operator corrects its list.
	if (!isLink || project === null) {
		if (value !== undefined)
			throw new UserError(
				"--value: filed values cannot be corrected; accept the dispute without --value, and state in --reason what was done",
			);
		return [];
	}
	const developer_id = await findDeveloperId(tx, requireValue(value));
	if (!wholeName) return [{ about: "request", project_id: project, developer_id }];
	if (dispute.filed === null) throw new UserError("--whole-name: the request has no filed name");
	return [{ about: "name", raw_name: dispute.filed, developer_id }];
}

function requireValue(value: string | undefined): string {
	if (value === undefined) throw new UserError("--value is required: the correct value, or `none` if there is none");
	return value;
}

async function findDeveloperId(tx: Transaction, value: string): Promise<number | null> {
	if (value.toLowerCase() === "none") return null;
	const found = await findDeveloper(tx, value, { developers: tx`developers`, aliases: tx`developer_aliases` });
	if (found === undefined) throw new UserError(`--value: no developer "${value}"`);
	return found;
}

/** Closes a dispute and deletes its filer. */
const closeDispute = (
	tx: Transaction,
	id: number,
	state: "accepted" | "refused",
	{ author, at, reason }: Decision,
) => tx`
	update disputes set state = ${state}, settled_at = ${at}, settled_by = ${author}, decision = ${reason}, filer = null
	where dispute_id = ${id}`;
