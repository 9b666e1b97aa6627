/** The list of requests as a reader makes it from the rows in the log of changes, beside the service's own list. */
import { expect } from "vitest";
import { z } from "zod";
import { project } from "#libs/contract/records/project.ts";

type Row = Record<string, unknown> & { id: string };

/** Fields that scores, credits and the register of developers add to a request later, without a change of a list. */
const addedLater = new Set([
	...["developer_tier", "energy_community_eligible", "low_income_eligible", "domestic_content_eligible"],
	...["domestic_content_basis", "tax_credit_type", "tax_credit_status", "tax_credit_pct", "estimated_credit_value"],
	...["effective_credit_rate", "needs_capital", "investable", "p_cod_36", "investability_score", "version"],
]);

/** The filed and standardised fields of a request. */
const filedFields = Object.keys(project.shape).filter((name) => !addedLater.has(name));

const filedOf = (row: Row, but: readonly string[]): Record<string, unknown> =>
	Object.fromEntries(filedFields.filter((name) => !but.includes(name)).map((name) => [name, row[name]]));

/** A change whose request has its filed and standardised fields alone: the others may have come between two readings. */
export function withFiled<T extends Record<string, unknown>>(change: T): T {
	const { project: row } = change;
	return row == null ? change : { ...change, project: filedOf(row as Row, []) };
}

const page = z.object({
	data: z.array(z.looseObject({ id: z.string() })),
	meta: z.object({ next_cursor: z.string().nullable() }),
});

/** All pages of `/projects`: every kind, and unlisted requests. */
export async function readProjects(url: string, headers: Record<string, string> = {}): Promise<Row[]> {
	const rows: Row[] = [];
	for (let cursor: string | null = "*"; cursor !== null; ) {
		const query = new URLSearchParams({ cursor, per_page: "500", population: "all", include_unlisted: "true" });
		const answer = await fetch(`${url}/projects?${query}`, { headers });
		if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
		const { data, meta } = page.parse(await answer.json());
		rows.push(...data);
		cursor = meta.next_cursor;
	}
	return rows;
}

/** The rows of changes in the order in which they were received, applied to nothing, are the requests of `/projects`. `but`: fields that are left out. */
export function expectRebuilt(
	changes: readonly Record<string, unknown>[],
	projects: readonly Row[],
	but: readonly string[] = [],
): void {
	const rebuilt = new Map<string, Row>();
	for (const { project: row } of changes) if (row != null) rebuilt.set((row as Row).id, row as Row);
	const inOrder = (rows: Iterable<Row>) =>
		[...rows].map((row) => filedOf(row, but)).sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
	expect(inOrder(rebuilt.values())).toEqual(inOrder(projects));
}
