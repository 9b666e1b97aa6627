/** Courses of PJM's lists, whose requests name developers: they come, change, are handed over, withdrawn, dropped and come back. */
import { csvOf, cycleExample, rowsOf } from "../../support/pjm-files.ts";

interface Request {
	number: string;
	name: string;
	developer: string;
	mw: number;
	status: "Active" | "Withdrawn";
	state: "VA" | "OH";
}

export interface List {
	day: string;
	rows: Request[];
}

/** Filed names; each is its own developer. */
export const developers = ["Heron Marsh Renewables Inc", "Quillfeather Renewables Inc", "Invenergy LLC", "Avantus LLC"];

const counties = { VA: "Henrico", OH: "Franklin" };
const words = ["Otter", "Bluff", "Solar", "Ridge", "Marsh"];

export const dayOf = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);

/** Each list's day, and the last day before its successor's range, on which a list may have been retracted. */
export const daysAround = (lists: readonly List[]): string[] =>
	lists.flatMap(({ day }, at) => [day, dayOf(4 * at + 3)]);

/** Every day of a course of so many lists, and some days after it. */
export const allDays = (count: number): string[] => Array.from({ length: 4 * count + 4 }, (_, at) => dayOf(at));

export function pjmList(rows: readonly Request[]) {
	return csvOf(
		rowsOf(
			cycleExample,
			rows.map((row) => ({
				"Project ID": row.number,
				Name: row.name,
				Developer: row.developer,
				MFO: String(row.mw),
				"MW Energy": String(row.mw),
				Status: row.status,
				"Withdrawn Date": row.status === "Withdrawn" ? "1/2/2026" : "",
				State: row.state,
				County: counties[row.state],
			})),
		),
	);
}

/** Lists of increasing days, some days apart. */
export function course(chance: () => number, count = 8): List[] {
	const upTo = (most: number) => Math.floor(chance() * most);
	const some = <T>(values: readonly T[]) => values[upTo(values.length)] as T;
	let next = 100;
	const request = (): Request => ({
		number: `AG2-${next++}`,
		name: `${some(words)} ${some(words)} ${next}`,
		developer: some(developers),
		mw: 10 + upTo(3_000) / 8,
		status: "Active",
		state: some(["VA", "OH"] as const),
	});
	let rows = Array.from({ length: 30 }, request);
	let dropped: Request[] = [];
	return Array.from({ length: count }, (_, at) => {
		if (at > 0) {
			const kept = rows.filter(() => chance() > 0.06);
			const back = dropped.filter(() => chance() < 0.5);
			dropped = rows.filter((row) => !kept.includes(row));
			rows = [...kept, ...back]
				.map((row) => (chance() < 0.15 ? { ...row, mw: 10 + upTo(3_000) / 8 } : row))
				.map((row) => (chance() < 0.12 ? { ...row, status: some(["Active", "Withdrawn", "Withdrawn"] as const) } : row))
				.map((row) => (chance() < 0.06 ? { ...row, developer: some(developers) } : row))
				.map((row) => (chance() < 0.05 ? { ...row, name: `${some(words)} ${row.number}` } : row));
			for (let more = upTo(4); more > 0; more--) rows = [...rows, request()];
		}
		return { day: dayOf(4 * at + upTo(3)), rows };
	});
}
