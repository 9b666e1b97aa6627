/** Reads ERCOT's own totals (requests and MW by milestone) from the sheet Summary of its report of requests. Pure. */
import { headerKey, type Table } from "#libs/files/table.ts";
import { type Cell, number, text } from "#libs/files/values.ts";

interface MilestoneTotal {
	/** As named in the report: "SS Completed, FIS Started, No IA"; for small generators "Not Model Ready" and "Model Ready". */
	milestone: string;
	requests: number;
	mw: number;
}

interface DetailRow {
	number: string;
	milestone: string;
	mw: number;
}

export interface ErcotTotals {
	totals: MilestoneTotal[];
	rows: DetailRow[];
}

const smallMilestones = ["Not Model Ready", "Model Ready"];

/** Returns null if the report lacks these sheets or has the layout used before 2022. */
export function readErcotTotals(sheets: readonly Table[]): ErcotTotals | null {
	const summary = sheets.find(({ name }) => headerKey(name) === "summary");
	const large = sheets.find(({ name }) => /^project details\W+large gen/.test(headerKey(name)));
	const small = sheets.find(({ name }) => /^project details\W+small gen/.test(headerKey(name)));
	if (summary === undefined || large === undefined || small === undefined) return null;
	const counts = readCounts(summary);
	const megawatts = readMegawatts(summary);
	if (counts.size === 0 || megawatts.size === 0) return null;
	const milestones = [...new Set([...counts.keys(), ...megawatts.keys()])];
	return {
		totals: milestones.map((milestone) => ({
			milestone,
			requests: counts.get(milestone) ?? 0,
			mw: megawatts.get(milestone) ?? 0,
		})),
		rows: [...readDetailRows(large, "GIM Study Phase"), ...readDetailRows(small, null)],
	};
}

function readCounts({ rows }: Table): Map<string, number> {
	const counts = new Map<string, number>();
	for (const row of rows) {
		const milestone = (text(row[0] ?? null) ?? "").replace(/\*$/, "").trim();
		const count = number(row[1] ?? null);
		if (count !== null && (/^SS \w+, FIS [\w ]+, (No )?IA$/.test(milestone) || smallMilestones.includes(milestone)))
			counts.set(milestone, count);
	}
	return counts;
}

/** Reads the row TOTAL, which sums the rows of the technologies. Three header rows together name the milestone of each column. */
function readMegawatts({ rows }: Table): Map<string, number> {
	const start = rows.findIndex((row) => row.some((cell) => text(cell) === "SS Started"));
	const total = rows.find((row, at) => at > start && row.some((cell, column) => column > 2 && text(cell) === "TOTAL"));
	const sums = new Map<string, number>();
	if (start < 0 || total === undefined) return sums;
	const [first = [], second = [], third = []] = rows.slice(start, start + 3);
	const at = (row: readonly Cell[], column: number) => text(row[column] ?? null) ?? "";
	for (const column of first.keys()) {
		const screening = at(first, column);
		const mw = number(total[column] ?? null);
		if (screening.startsWith("SS ")) sums.set(`${screening}, ${at(second, column)}, ${at(third, column)}`, mw ?? 0);
		else if (screening === "Small Generator") sums.set(at(second, column), mw ?? 0);
	}
	return sums;
}

function readDetailRows({ rows }: Table, phaseHeader: string | null): DetailRow[] {
	const header = rows.findIndex((row) => row.some((cell) => text(cell) === "INR"));
	const column = (name: string) => (rows[header] ?? []).findIndex((cell) => text(cell)?.replace(/\s+/g, " ") === name);
	const [inr, capacity] = [column("INR"), column("Capacity (MW)")];
	const phase = phaseHeader === null ? -1 : column(phaseHeader);
	return rows.slice(header + 1).flatMap((row) => {
		const filed = text(row[inr] ?? null);
		if (filed === null || !/^\d+INR/i.test(filed)) return [];
		const milestone = phase < 0 ? "Model Ready" : (text(row[phase] ?? null) ?? "");
		return [{ number: filed.toUpperCase(), milestone, mw: number(row[capacity] ?? null) ?? 0 }];
	});
}
