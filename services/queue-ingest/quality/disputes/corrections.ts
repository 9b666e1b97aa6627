/** Stores corrections by people, with author, day and evidence. A correction applies at once, and to every later load until it is withdrawn. */
import { normaliseName } from "#libs/names/normalise.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/events/outbox.ts";
import { identifyDevelopers } from "../../developers/jobs/identify-developers.ts";
import { linkNames, readFiledNames } from "../../developers/jobs/link-names.ts";
import { linkRequests } from "../../developers/jobs/link-requests.ts";
import { rewriteLinkedProjects } from "../../developers/jobs/relink-projects.ts";
import { refreshPortfolios } from "../../history/events/portfolios.ts";
import { lockWriters } from "../../sources/locks.ts";

/** A row of `corrections`. `developer_id` is null if the name or the number belongs to no developer. */
export interface CorrectionTarget {
	about: "request" | "name" | "identifier";
	developer_id: number | null;
	project_id?: string;
	raw_name?: string;
	scheme?: string;
	value?: string;
}

export interface Decision {
	author: string;
	at: Date;
	reason: string;
}

export interface Statement extends Decision {
	evidenceUrl: string | null;
	disputeId: number | null;
}

/** Runs `work`, which changes corrections, under the schema-wide write lock; then raises the data version and wakes the relay. */
export const withCorrections = <T>(sql: Sql, work: (tx: Transaction) => Promise<T>) =>
	sql.begin(async (tx) => {
		await lockWriters(tx);
		const result = await work(tx);
		await raiseDataVersion(tx);
		await wakeRelay(tx);
		return result;
	});

/** Adds a correction, which replaces the one in force for the same target. @returns its number */
export async function addCorrection(tx: Transaction, target: CorrectionTarget, statement: Statement): Promise<number> {
	const { author, at, reason, evidenceUrl, disputeId } = statement;
	const { about, project_id = null, raw_name, scheme = null, value = null } = target;
	const key = raw_name === undefined ? null : normaliseName(raw_name).fullKey;
	await tx`
		update corrections set ended_at = ${at}, ended_by = ${author}, ended_reason = 'replaced by another correction'
		where about = ${about} and ended_at is null and (project_id, full_key, scheme, value)
			is not distinct from (${project_id}::text, ${key}::text, ${scheme}::text, ${value}::text)`;
	const row = {
		...target,
		full_key: key,
		author,
		made_at: at,
		reason,
		evidence_url: evidenceUrl,
		dispute_id: disputeId,
	};
	const [added] = await tx<{ id: number }[]>`
		insert into corrections ${tx(row)} returning correction_id as id`;
	await applyConsequences(tx, key);
	return added?.id ?? 0;
}

/** Ends a correction, so that the automatic rules apply again. @returns false if no correction with this number is in force */
export async function endCorrection(tx: Transaction, id: number, { author, at, reason }: Decision): Promise<boolean> {
	const [ended] = await tx<{ key: string | null }[]>`
		update corrections set ended_at = ${at}, ended_by = ${author}, ended_reason = ${reason}
		where correction_id = ${id} and ended_at is null returning full_key as key`;
	if (ended === undefined) return false;
	await applyConsequences(tx, ended.key);
	return true;
}

async function applyConsequences(tx: Transaction, key: string | null): Promise<void> {
	if (key !== null) {
		const links = await tx<{ name: string }[]>`
			delete from developer_links where full_key = ${key} returning raw_name as name`;
		const names = new Set(links.map(({ name }) => name));
		const filed = (await readFiledNames(tx, "projects")).filter(({ name }) => names.has(name));
		await linkNames(tx, filed);
	}
	await linkRequests(tx);
	await refreshPortfolios(tx, await rewriteLinkedProjects(tx));
	await identifyDevelopers(tx);
}
